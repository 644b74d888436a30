/* SPDX-License-Identifier: ISC */
/*
 * confine.c - knows what the rest of a run does by name, so that all else can be refused.
 *
 * How it is refused is file_confine.c's matter.
 */
#include <errno.h>
#include <string.h>

#include "cli/confine.h"
#include "io/file_confine.h"

/* What libraries and this program ask about this process itself. */
#define OWN_FACTS "/proc/self"

/* What memory.c and entropy.c look at for each file. */
static const char *const facts[] = {"/proc/meminfo", "/sys/fs/cgroup",
				    "/proc/sys/kernel/random/boot_id"};

/* Whether no command and no terminal will be asked for a passphrase any more. */
static bool keys_are_here(const struct run *run)
{
	bool rekeys = run->options->command->bit == COMMAND_REKEY;
	bool more = run->begun < run->options->file_count;
	bool brings = rekeys && options_bring_key(run->options);

	return !more ||
	       (keysource_settled(&run->keys) && (!brings || keysource_settled(&run->incoming)));
}

static void allow_output(struct file_confine *confine, const char *path, enum file_confine_use use)
{
	if (strcmp(path, "-") != 0)
		file_confine_allow(confine, path, use);
}

/* What rekey opens for writing after this, without -o; a header's copy lies beside its file. */
static void allow_rekey(struct file_confine *confine, const struct options *options,
			const char *path)
{
	allow_output(confine, path, FILE_CONFINE_CREATE);
	if (options->in_place)
		file_confine_allow(confine, path, FILE_CONFINE_REWRITE);
}

/* Where the input is looked at first, the output is still to be opened. */
static void allow_one_output(struct file_confine *confine, const struct job *job)
{
	bool is_open = job->output.fd >= 0;

	if (!job->output.in_place)
		allow_output(confine, job->output_path,
			     is_open ? FILE_CONFINE_NAME : FILE_CONFINE_CREATE);
	else if (!is_open)
		allow_output(confine, job->output_path, FILE_CONFINE_WRITE);
}

static void allow_this(struct file_confine *confine, const struct job *job)
{
	const struct options *options = job->options;

	file_confine_allow(confine, OWN_FACTS, FILE_CONFINE_READ_BELOW);
	if (options->command->bit == COMMAND_REKEY && job->output.fd < 0)
		allow_rekey(confine, options, job->input.name);
	else if (job->output_path != NULL)
		allow_one_output(confine, job);
	if (options->rm)
		file_confine_allow(confine, job->input.name, FILE_CONFINE_REMOVE);
	if (options->digest_file != NULL)
		allow_output(confine, options->digest_file, FILE_CONFINE_NAME);
}

static void allow_later(struct file_confine *confine, const struct options *options,
			const char *path)
{
	if (strcmp(path, "-") == 0)
		return;
	file_confine_allow(confine, path, FILE_CONFINE_READ);
	if (options->command->bit == COMMAND_REKEY)
		allow_rekey(confine, options, path);
	else if (options->command->bit != COMMAND_VERIFY)
		allow_output(confine, path, FILE_CONFINE_CREATE); /* it lies beside its input */
}

static void allow_all_later(struct file_confine *confine, const struct run *run)
{
	const struct options *options = run->options;

	if (run->begun >= options->file_count)
		return;
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		file_confine_allow(confine, facts[i], FILE_CONFINE_READ_BELOW);
	for (size_t i = run->begun; i < options->file_count; i++)
		allow_later(confine, options, options->files[i]);
}

static void tell(const struct run *run, const struct file_confine *confine)
{
	if (confine->error == 0)
		message_detail(run->level, NULL,
			       "confined by Landlock (version %d): no other files, no commands%s",
			       confine->version, file_confine_tcp(confine) ? ", no TCP" : "");
	else if (confine->version == 0)
		message_detail(run->level, NULL, "not confined: there is no Landlock here (%s)",
			       strerror(confine->error));
	else
		message_detail(run->level, NULL, "not confined: Landlock: %s",
			       strerror(confine->error));
}

void confine_job(struct job *job)
{
	struct run *run = job->run;
	struct file_confine confine;

	if (run->confine_tried || !keys_are_here(run))
		return;
	run->confine_tried = true;
	file_confine_begin(&confine, job->child.pid != 0);
	allow_this(&confine, job);
	allow_all_later(&confine, run);
	run->confined = file_confine_enforce(&confine);
	tell(run, &confine);
}
