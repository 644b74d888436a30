/* SPDX-License-Identifier: ISC */
/*
 * run.c - one run over all files: what is made once, and the count of what failed.
 *
 * Owns the arena; what happens to a file is the command's business.
 */
#include <sodium.h>
#include <string.h>

#include "cli/run.h"
#include "cpu/cpu.h"
#include "io/signals.h"

#define STACK_BYTES 16384 /* deeper than key work goes */

enum fault run_pick_kernel(const struct options *options, const struct gcm_kernel **kernel)
{
	const char *name = options->kernel;
	uint32_t features = cpu_probe();

	*kernel = gcm_kernel_select(features, name);
	if (*kernel != NULL)
		return FAULT_NONE;
	for (size_t i = 0; i < gcm_kernel_count() && name != NULL; i++) {
		if (strcmp(gcm_kernel_name(gcm_kernel_at(i)), name) == 0) {
			message_error(name, "this machine cannot run that AES-GCM kernel");
			message_hint("%s", message_usual_hint(FAULT_KERNEL));
			return FAULT_KERNEL;
		}
	}
	message_fault(name, FAULT_KERNEL, 0);
	return FAULT_KERNEL;
}

static enum fault begin(struct run *run, const struct options *options)
{
	enum fault fault;

	memset(run, 0, sizeof *run);
	run->options = options;
	run->level = options_level(options);
	run->secrets = secrets_new(1);
	if (run->secrets != NULL)
		run->hidden = secrets_take(run->secrets, sizeof *run->hidden);
	if (run->hidden == NULL) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return FAULT_MEMORY;
	}
	if (!secrets_locked(run->secrets))
		message_warning(run->level, NULL, "secrets could not be locked into memory");
	gcm_counter_cache_init(&run->hidden->cache);
	fault = run_pick_kernel(options, &run->kernel);
	if (fault != FAULT_NONE)
		return fault;
	message_detail(run->level, NULL, "AES-GCM kernel: %s", gcm_kernel_name(run->kernel));
	return keysource_begin(&run->keys, options, run->secrets);
}

static void end(struct run *run)
{
	keysource_end(&run->keys);
	if (run->hidden != NULL)
		gcm_counter_cache_wipe(&run->hidden->cache);
	secrets_free(run->secrets);
}

void run_forget_file(struct run *run)
{
	struct run_hidden *hidden = run->hidden;

	payload_key_wipe(&hidden->payload);
	seed_wipe(&hidden->seed);
	slot_secret_wipe(&hidden->slot);
	sodium_memzero(hidden->file_key, sizeof hidden->file_key);
	sodium_memzero(hidden->input_key, sizeof hidden->input_key);
	sodium_stackzero(STACK_BYTES);
}

int run_status(const struct options *options, enum fault fault)
{
	if (fault == FAULT_TOO_LONG && options->command->bit != COMMAND_SEAL)
		fault = FAULT_CHUNK_DAMAGED;
	return message_status(fault);
}

int run_files(const struct options *options, run_step *step)
{
	static char standard_input[] = "-";
	static char *const one_file[] = {standard_input};
	char *const *files = options->file_count == 0 ? one_file : options->files;
	size_t count = options->file_count == 0 ? 1 : options->file_count;
	size_t failed = 0;
	struct run run;
	enum fault first = begin(&run, options);
	bool ready = first == FAULT_NONE;

	for (size_t i = 0; ready && i < count && signals_caught() == 0; i++) {
		enum fault fault = step(&run, files[i]);

		failed += fault != FAULT_NONE;
		if (first == FAULT_NONE)
			first = fault;
	}
	if (failed > 0 && count > 1)
		message_error(NULL, "%zu of %zu files failed", failed, count);
	end(&run);
	return run_status(options, first);
}
