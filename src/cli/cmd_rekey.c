/* SPDX-License-Identifier: ISC */
/*
 * cmd_rekey.c - the stories of rekey: other slots, a header saved, and one put back.
 *
 * The payload stays as it is, and is never opened.
 */
#include <stdlib.h>

#include "cli/openkeys.h"
#include "cli/rekey.h"

static enum fault change_slots(struct job *job, struct rekey *rekey, const char *path)
{
	enum fault fault;

	if ((fault = job_open_input(job, path)) != FAULT_NONE)
		return fault;
	if ((fault = rekey_refuse(job)) != FAULT_NONE)
		return fault;
	if ((fault = openkeys_read_header(job)) != FAULT_NONE)
		return fault;
	if ((fault = openkeys_unlock(job)) != FAULT_NONE)
		return fault;
	if ((fault = openkeys_payload(job)) != FAULT_NONE)
		return fault;
	if ((fault = rekey_plan(job, rekey)) != FAULT_NONE)
		return fault;
	return rekey_header(job, rekey);
}

static enum fault put_back(struct job *job, struct rekey *rekey, const char *path)
{
	const char *output = job->options->output;
	enum fault fault;

	if ((fault = job_open_input(job, job->options->restore_header)) != FAULT_NONE)
		return fault;
	if (file_same(&job->input, path) || (output != NULL && file_same(&job->input, output)))
		return FAULT_SAME_FILE;
	if ((fault = openkeys_read_header(job)) != FAULT_NONE)
		return fault;
	if ((fault = openkeys_unlock(job)) != FAULT_NONE)
		return fault;
	return rekey_restore(job, rekey, path);
}

static enum fault save(struct job *job, const char *path)
{
	enum fault fault;

	if ((fault = job_open_input(job, path)) != FAULT_NONE)
		return fault;
	if ((fault = openkeys_read_header(job)) != FAULT_NONE)
		return fault;
	if ((fault = job_name_output(job)) != FAULT_NONE)
		return fault;
	return rekey_write_header(job);
}

static enum fault change(struct job *job, struct rekey *rekey, const char *path)
{
	bool restoring = job->options->restore_header != NULL;
	enum fault fault;

	fault = restoring ? put_back(job, rekey, path) : change_slots(job, rekey, path);
	if (fault != FAULT_NONE)
		return fault;
	if (job->options->dry_run)
		return rekey_tell_plan(job, rekey);
	fault = rekey_write(job, rekey);
	if (fault == FAULT_NONE)
		rekey_tell(job, rekey);
	return fault;
}

static enum fault rekey_one(struct run *run, const char *path)
{
	struct job *job = job_begin(run);
	struct rekey *rekey = calloc(1, sizeof *rekey);
	enum fault fault = FAULT_MEMORY;

	if (job != NULL && rekey != NULL)
		fault = run->options->header_only ? save(job, path) : change(job, rekey, path);
	free(rekey);
	return job == NULL ? FAULT_MEMORY : job_end(job, fault);
}

int cmd_rekey(const struct options *options)
{
	bool told = false; /* of old copies: once a run */

	return run_status(options, run_files(options, rekey_one, &told));
}
