/* SPDX-License-Identifier: ISC */
/*
 * run.c - one run over all files: what is made once, and the count of what failed.
 *
 * Owns the arena; what happens to a file is the command's business.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "cpu/cpu.h"
#include "io/signals.h"
#include "io/stream.h"

enum fault run_pick_kernel(const struct options *options, const struct gcm_kernel **kernel)
{
	const char *name = options->kernel;
	uint32_t features = cpu_probe();

	*kernel = gcm_kernel_select(features, name);
	if (*kernel != NULL)
		return FAULT_NONE;
	if (name == NULL) {
		message_error(NULL, "no AES-GCM kernel passes its self-test on this machine");
		return FAULT_KERNEL_WRONG;
	}
	for (size_t i = 0; i < gcm_kernel_count(); i++) {
		if (strcmp(gcm_kernel_name(gcm_kernel_at(i)), name) == 0) {
			message_error(name, "this machine cannot run that AES-GCM kernel");
			message_hint("%s", message_usual_hint(FAULT_KERNEL));
			return FAULT_KERNEL;
		}
	}
	message_fault(name, FAULT_KERNEL, 0);
	return FAULT_KERNEL;
}

static bool take_secrets(struct run *run)
{
	run->secrets = secrets_new(run->threads);
	if (run->secrets == NULL)
		return false;
	run->hidden = secrets_take(run->secrets, sizeof *run->hidden);
	run->caches = secrets_take(run->secrets, run->threads * sizeof *run->caches);
	if (run->hidden == NULL || run->caches == NULL)
		return false;
	for (unsigned i = 0; i < run->threads; i++)
		gcm_counter_cache_init(&run->caches[i]);
	return true;
}

/* info does without, and so works where no kernel does. */
static enum fault prepare_work(struct run *run)
{
	const struct options *options = run->options;
	enum fault fault;

	run->threads = 1;
	if (options->command->bit == COMMAND_INFO)
		return FAULT_NONE;
	fault = run_pick_kernel(options, &run->kernel);
	if (fault != FAULT_NONE)
		return fault;
	message_detail(run->level, NULL, "AES-GCM kernel: %s", gcm_kernel_name(run->kernel));
	run->threads =
		options->threads == 0 ? stream_threads(run->kernel) : (unsigned)options->threads;
	return FAULT_NONE;
}

/* Both passphrases from one pipe: nobody could say where one ends. */
static enum fault check_apart(const struct run *run)
{
	const struct passphrase_source *one = &run->keys.source, *other = &run->incoming.source;

	if (!one->unread || !other->unread || !file_input_shares(one->input, other->input))
		return FAULT_NONE;
	message_fault(other->input->name, FAULT_USED_TWICE, 0);
	return FAULT_USED_TWICE;
}

/*
 * Of rekey's two sources one with a descriptor comes first: no file that the other opens can be
 * that descriptor then.
 */
static enum fault begin_keys(struct run *run)
{
	const struct options *incoming = &run->incoming_options;
	enum fault fault = FAULT_NONE;

	if (run->options->command->bit != COMMAND_REKEY)
		return keysource_begin(&run->keys, run->options, run->secrets);
	options_incoming(run->options, &run->incoming_options);
	if (incoming->passphrase.fd >= 0)
		fault = keysource_begin(&run->incoming, incoming, run->secrets);
	if (fault == FAULT_NONE)
		fault = keysource_begin(&run->keys, run->options, run->secrets);
	if (fault == FAULT_NONE && incoming->passphrase.fd < 0)
		fault = keysource_begin(&run->incoming, incoming, run->secrets);
	return fault == FAULT_NONE ? check_apart(run) : fault;
}

static enum fault begin(struct run *run, const struct options *options)
{
	enum fault fault;

	memset(run, 0, sizeof *run);
	run->options = options;
	run->level = options_level(options);
	fault = prepare_work(run);
	if (fault != FAULT_NONE)
		return fault;
	if (!take_secrets(run)) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return FAULT_MEMORY;
	}
	if (options_want_key(options) && !secrets_locked(run->secrets))
		message_warning(run->level, NULL, "secrets could not be locked into memory");
	return begin_keys(run);
}

static void end(struct run *run)
{
	keysource_end(&run->keys);
	keysource_end(&run->incoming);
	secrets_free(run->secrets);
	sodium_stackzero(SECRETS_STACK_BYTES);
}

void run_forget_file(struct run *run)
{
	struct run_hidden *hidden = run->hidden;

	payload_key_wipe(&hidden->payload);
	seed_wipe(&hidden->seed);
	slot_secret_wipe(&hidden->slot);
	sodium_memzero(hidden->file_key, sizeof hidden->file_key);
	sodium_memzero(hidden->input_key, sizeof hidden->input_key);
	sodium_stackzero(SECRETS_STACK_BYTES);
}

bool run_shares_key(const struct run *run, const struct file_input *input)
{
	return keysource_shares(&run->keys, input) || keysource_shares(&run->incoming, input);
}

bool run_holds_key(const struct run *run, const char *path)
{
	return keysource_holds(&run->keys, path) || keysource_holds(&run->incoming, path);
}

int run_status(const struct options *options, enum fault fault)
{
	if (fault == FAULT_TOO_LONG && options->command->bit != COMMAND_SEAL)
		fault = FAULT_CHUNK_DAMAGED;
	return message_status(fault);
}

/* Whether the files that are left are not taken, which says nothing against them. */
static bool ends_run(enum fault fault)
{
	return fault == FAULT_SIGNAL || fault == FAULT_BROKEN_PIPE || signals_caught() != 0;
}

enum fault run_all(const struct options *options, run_take *take, void *context)
{
	size_t count = options->file_count == 0 ? 1 : options->file_count;
	enum fault first = FAULT_NONE, fault = FAULT_NONE;
	size_t failed = 0;
	size_t i;

	for (i = 0; i < count && !ends_run(fault); i++) {
		fault = take(context, options->file_count == 0 ? "-" : options->files[i]);
		failed += fault != FAULT_NONE;
		if (first == FAULT_NONE)
			first = fault;
	}
	if (failed > 0 && count > 1 && !ends_run(fault))
		message_error(NULL, "%zu of %zu files failed", failed, count);
	if (first == FAULT_NONE && i < count)
		first = FAULT_SIGNAL;
	return first;
}

static enum fault take_step(void *context, const char *path)
{
	struct run *run = context;

	run->begun++;
	return run->step(run, path);
}

enum fault run_files(const struct options *options, run_step *step, void *own)
{
	struct run *run = malloc(sizeof *run); /* too much for a small stack */
	enum fault fault;

	if (run == NULL) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return FAULT_MEMORY;
	}
	fault = begin(run, options);
	run->step = step;
	run->own = own;
	if (fault == FAULT_NONE)
		fault = run_all(options, take_step, run);
	end(run);
	free(run);
	return fault;
}
