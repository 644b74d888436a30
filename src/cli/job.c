/* SPDX-License-Identifier: ISC */
/*
 * job.c - the steps that the commands on files have in common.
 *
 * Owns input and output of one file; names, refusals and cleaning up.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/confine.h"
#include "cli/job.h"
#include "cli/report.h"
#include "io/signals.h"

#define SUFFIX     ".gcm"
#define SUFFIX_LEN 4

struct job *job_begin(struct run *run)
{
	struct job *job = calloc(1, sizeof *job);

	if (job == NULL) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return NULL;
	}
	job->run = run;
	job->options = run->options;
	job->input.fd = -1;
	job->output.fd = -1;
	job->output.folder_fd = -1;
	return job;
}

enum fault job_open_input(struct job *job, const char *path)
{
	bool sealing = job->options->command->bit == COMMAND_SEAL;
	enum fault fault;

	if (job->options->producer != NULL) {
		job->input.name = job->options->producer[0];
		return FAULT_NONE;
	}
	fault = file_input_open(&job->input, path);
	if (fault != FAULT_NONE)
		return fault;
	if (job->input.is_stdin && !sealing && file_stdin_is_terminal())
		return FAULT_TERMINAL;
	if (job->options->rm && !file_input_has_name(&job->input))
		return FAULT_RM_INPUT;
	if (job->options->rm && run_holds_key(job->run, path))
		return FAULT_RM_KEY;
	return run_shares_key(job->run, &job->input) ? FAULT_USED_TWICE : FAULT_NONE;
}

/* F -> F.gcm */
static enum fault add_suffix(struct job *job, const char *name)
{
	size_t len = strlen(name);

	job->made_path = malloc(len + SUFFIX_LEN + 1);
	if (job->made_path == NULL)
		return FAULT_MEMORY;
	memcpy(job->made_path, name, len);
	memcpy(job->made_path + len, SUFFIX, SUFFIX_LEN + 1);
	return FAULT_NONE;
}

/* F.gcm -> F; "dir/.gcm" has no F; what would be "-" is a file all the same. */
static enum fault drop_suffix(struct job *job, const char *name)
{
	size_t len = strlen(name);

	if (len <= SUFFIX_LEN || strcmp(name + len - SUFFIX_LEN, SUFFIX) != 0 ||
	    name[len - SUFFIX_LEN - 1] == '/')
		return FAULT_SUFFIX;
	if (strcmp(name, "-" SUFFIX) == 0)
		job->made_path = strdup("./-");
	else
		job->made_path = strndup(name, len - SUFFIX_LEN);
	return job->made_path == NULL ? FAULT_MEMORY : FAULT_NONE;
}

static enum fault choose_path(struct job *job)
{
	bool sealing = job->options->command->bit == COMMAND_SEAL;
	enum fault fault;

	if (job->options->output != NULL || job->input.is_stdin || job->options->producer != NULL) {
		job->output_path = job->options->output == NULL ? "-" : job->options->output;
		return FAULT_NONE;
	}
	fault = sealing ? add_suffix(job, job->input.name) : drop_suffix(job, job->input.name);
	job->output_path = job->made_path;
	return fault;
}

enum fault job_name_output(struct job *job)
{
	enum fault fault = choose_path(job);

	if (fault != FAULT_NONE)
		return fault;
	job->at_output = true;
	/* -o - asks for a terminal by name. */
	if (job->options->output == NULL && strcmp(job->output_path, "-") == 0 &&
	    file_stdout_is_terminal())
		return FAULT_TERMINAL;
	if (file_same(&job->input, job->output_path))
		return FAULT_SAME_FILE;
	if (run_holds_key(job->run, job->output_path))
		return FAULT_KEY_OUTPUT;
	fault = file_output_check(&job->output, job->output_path, job->options->force);
	if (fault == FAULT_NONE && job->options->rm && job->output.in_place)
		fault = FAULT_RM_OUTPUT;
	if (fault == FAULT_NONE)
		job->at_output = false;
	return fault;
}

enum fault job_open_output(struct job *job)
{
	enum fault fault;

	job->at_output = true;
	fault = file_output_open(&job->output, job->output_path, job->options->force);
	if (fault != FAULT_NONE)
		return fault;
	job->atomic = !job->output.in_place;
	if (job->options->sparse)
		file_output_make_sparse(&job->output);
	return FAULT_NONE;
}

enum fault job_reserve_output(struct job *job)
{
	uint64_t payload_len;

	if (!job->input.regular || !payload_sealed_size(&payload_len, job->input.length))
		return FAULT_NONE;
	return file_output_reserve(&job->output, job->header_len + payload_len);
}

/* Plaintext bytes of an input of known size, else 0. */
static uint64_t plain_total(const struct job *job)
{
	uint64_t len = job->input.length;
	struct payload_shape shape;

	if (!job->input.regular)
		return 0;
	if (job->options->command->bit == COMMAND_SEAL)
		return len;
	if (len < job->header_len || payload_shape(&shape, len - job->header_len) != FAULT_NONE)
		return 0;
	return shape.plain_len;
}

/*
 * On standard output the next program of a pipe may be using the terminal; on standard input
 * somebody may be typing.
 */
static void begin_progress(struct job *job, uint64_t total)
{
	bool piped = job->output_path != NULL && strcmp(job->output_path, "-") == 0;
	bool typed = job->input.is_stdin && file_stdin_is_terminal();

	progress_end(&job->progress);
	progress_begin(&job->progress, job->options, job->input.name, total, !piped && !typed);
	job->stream.delivered = progress_delivered;
	job->stream.delivered_context = &job->progress;
}

struct stream *job_stream(struct job *job, const struct payload_range *range)
{
	job->stream.input = &job->input;
	job->stream.output = job->output_path == NULL ? NULL : &job->output;
	job->stream.key = &job->run->hidden->payload;
	job->stream.caches = job->run->caches;
	job->stream.threads = job->run->threads;
	job->stream.threads_fixed = job->options->threads != 0;
	job->stream.range = range;
	job->stream.damage = job->options->salvage ? &job->damage : NULL;
	confine_job(job);
	begin_progress(job, range == NULL ? plain_total(job) : range->len);
	return &job->stream;
}

enum fault job_remove_input(struct job *job)
{
	if (!job->options->rm)
		return FAULT_NONE;
	if (signals_caught() != 0)
		return FAULT_SIGNAL;
	return job->output.synced ? file_input_remove(&job->input) : FAULT_NOT_SYNCED;
}

enum fault job_end(struct job *job, enum fault fault)
{
	progress_end(&job->progress);
	if (fault != FAULT_NONE && !job->told)
		report_fault(job, fault);
	file_output_discard(&job->output);
	file_input_close(&job->input);
	child_stop(&job->child);
	stream_damage_free(&job->damage);
	free(job->made_path);
	run_forget_file(job->run);
	free(job);
	return fault;
}
