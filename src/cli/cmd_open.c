/* SPDX-License-Identifier: ISC */
/*
 * cmd_open.c - the story of open: header before output, tag before bytes, name after the last
 * chunk.  With --salvage a bad chunk does not end it, but is what it comes to.
 */
#include "cli/job.h"
#include "cli/openfirst.h"
#include "cli/openkeys.h"
#include "cli/salvage.h"

static void tell(struct job *job)
{
	char summary[PROGRESS_TEXT_FIGURES_BYTES];

	progress_end(&job->progress);
	message_detail(progress_level(&job->progress), job->input.name, "opened as %s (%s)",
		       job->output.name, progress_summary(summary, &job->progress));
}

static enum fault open_one(struct run *run, const char *path)
{
	struct jsonout *json = run->own;
	struct job *job = job_begin(run);
	enum fault fault;

	if (job == NULL)
		return FAULT_MEMORY;
	if ((fault = job_open_input(job, path)) != FAULT_NONE)
		goto done;
	if ((fault = openfirst_refuse(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_read_header(job)) != FAULT_NONE)
		goto done;
	if ((fault = job_name_output(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_unlock(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_payload(job)) != FAULT_NONE)
		goto done;
	if ((fault = openfirst_check(job)) != FAULT_NONE)
		goto done;
	if ((fault = job_open_output(job)) != FAULT_NONE)
		goto done;
	if ((fault = stream_open(openfirst_stream(job))) != FAULT_NONE)
		goto done;
	if ((fault = openfirst_same(job)) != FAULT_NONE)
		goto done;
	if ((fault = file_output_commit(&job->output, &job->input)) != FAULT_NONE)
		goto done;
	if ((fault = salvage_tell(job)) != FAULT_NONE)
		goto done;
	if ((fault = job_remove_input(job)) != FAULT_NONE)
		goto done;
	tell(job);
done:
	if (json->wanted)
		salvage_add_json(json, path, job, fault);
	return job_end(job, fault);
}

int cmd_open(const struct options *options)
{
	struct jsonout json;

	jsonout_begin(&json, options, "gcmcrypt-salvage/1");
	return jsonout_end(&json, options, run_files(options, open_one, &json));
}
