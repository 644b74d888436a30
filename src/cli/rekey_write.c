/* SPDX-License-Identifier: ISC */
/*
 * rekey_write.c - puts a header before the payload, in a new file or in the old one.
 *
 * A new file takes its name only when it is complete.  In place nothing is written before the old
 * header was saved and is on disk; that write is the one that a crash may cut in two.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/confine.h"
#include "cli/rekey.h"

#define BACKUP_SUFFIX ".header-backup"

/* FILE.header-backup, which job_end() frees. */
static enum fault name_backup(struct job *job)
{
	size_t len = strlen(job->input.name);

	job->made_path = malloc(len + sizeof BACKUP_SUFFIX);
	if (job->made_path == NULL)
		return FAULT_MEMORY;
	memcpy(job->made_path, job->input.name, len);
	memcpy(job->made_path + len, BACKUP_SUFFIX, sizeof BACKUP_SUFFIX);
	job->output_path = job->made_path;
	return FAULT_NONE;
}

static enum fault check_backup(struct job *job)
{
	enum fault fault = name_backup(job);

	job->at_output = fault == FAULT_NONE;
	if (fault == FAULT_NONE && run_holds_key(job->run, job->output_path))
		fault = FAULT_KEY_OUTPUT;
	if (fault == FAULT_NONE)
		fault = file_output_check(&job->output, job->output_path, job->options->force);
	if (fault == FAULT_NONE && job->output.in_place)
		fault = FAULT_EXISTS; /* a FIFO or device keeps nothing */
	if (fault == FAULT_NONE)
		job->at_output = false;
	return fault;
}

/* With --restore-header the header that is written stays in a file of its own. */
static bool saves_header(const struct options *options)
{
	return options->in_place && options->restore_header == NULL;
}

enum fault rekey_refuse(struct job *job)
{
	bool replaces = job->options->output == NULL;

	if (!job->input.regular || (replaces && !file_input_has_name(&job->input)))
		return FAULT_REKEY_INPUT;
	if (!replaces)
		return job_name_output(job);
	return saves_header(job->options) ? check_backup(job) : FAULT_NONE;
}

static enum fault open_output(struct job *job)
{
	enum fault fault;

	if (job->options->output != NULL)
		return job_open_output(job);
	job->output_path = job->input.name;
	job->at_output = true;
	fault = file_output_open(&job->output, job->output_path, true);
	job->output.replaces_input = true;
	job->atomic = fault == FAULT_NONE;
	return fault;
}

/* Header and payload, by the cheapest way that there is. */
static enum fault fill_output(struct job *job, const struct rekey *rekey)
{
	struct file_output *output = &job->output;
	struct file_input *input = &job->input;
	bool shared = rekey->len == rekey->old_len && file_output_clone(output, input);
	enum fault fault = FAULT_NONE;

	if (!shared)
		fault = file_output_reserve(output, rekey->len + input->length - rekey->old_len);
	if (fault == FAULT_NONE)
		fault = file_output_write(output, rekey->bytes, rekey->len);
	if (fault == FAULT_NONE && !shared)
		fault = file_input_seek(input, rekey->old_len);
	if (fault == FAULT_NONE && !shared)
		fault = file_output_copy(output, input);
	return fault;
}

/* What is to be replaced must still be what was read; the commit looks at that. */
static enum fault write_new_file(struct job *job, const struct rekey *rekey)
{
	enum fault fault = open_output(job);

	confine_job(job);
	if (fault == FAULT_NONE)
		fault = fill_output(job, rekey);
	if (fault == FAULT_NONE && file_input_changed(&job->input))
		fault = FAULT_INPUT_CHANGED;
	if (fault == FAULT_NONE)
		fault = file_output_commit(&job->output, &job->input);
	return fault == FAULT_INPUT_CHANGED ? FAULT_REKEY_CHANGED : fault;
}

enum fault rekey_write_header(struct job *job)
{
	enum fault fault = job_open_output(job);

	confine_job(job);
	if (fault == FAULT_NONE)
		fault = file_output_write(&job->output, job->bytes, job->header_len);
	return fault == FAULT_NONE ? file_output_commit(&job->output, &job->input) : fault;
}

/* The header may be half of the one and half of the other. */
static void report_torn(struct job *job, enum fault fault)
{
	const char *saved = job->options->restore_header;

	message_fault(job->input.name, fault, job->input.error);
	message_hint("gcmcrypt rekey --in-place --restore-header %s %s mends it",
		     saved == NULL ? job->output_path : saved, job->input.name);
	job->told = true;
}

/* A file of a lower layer is touched by opening it for writing, so that was looked at before. */
static enum fault open_in_place(struct job *job)
{
	struct file_input *input = &job->input;
	enum fault fault = FAULT_INPUT_CHANGED;

	if (!file_input_touched(input))
		fault = file_input_make_writable(input);
	if (fault == FAULT_NONE && file_input_changed(input))
		fault = FAULT_INPUT_CHANGED;
	return fault == FAULT_INPUT_CHANGED ? FAULT_REKEY_CHANGED : fault;
}

static enum fault write_in_place(struct job *job, const struct rekey *rekey)
{
	enum fault fault;

	confine_job(job);
	fault = open_in_place(job);
	if (fault == FAULT_NONE && saves_header(job->options))
		fault = rekey_write_header(job);
	if (fault != FAULT_NONE)
		return fault;
	job->at_output = false;
	fault = file_input_rewrite(&job->input, rekey->bytes, rekey->len);
	if (fault != FAULT_NONE)
		report_torn(job, fault);
	return fault;
}

enum fault rekey_write(struct job *job, struct rekey *rekey)
{
	return job->options->in_place ? write_in_place(job, rekey) : write_new_file(job, rekey);
}
