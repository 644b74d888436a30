/* SPDX-License-Identifier: ISC */
/*
 * cmd_verify.c - the story of verify: all that open does, and nothing is written.
 */
#include <inttypes.h>

#include "cli/job.h"
#include "cli/openkeys.h"

static void tell(struct job *job)
{
	char summary[PROGRESS_TEXT_FIGURES_BYTES];

	progress_end(&job->progress);
	message_notice(job->run->level, job->input.name,
		       "ok (%" PRIu64 " chunk%s, %s)", job->stream.chunk,
		       job->stream.chunk == 1 ? "" : "s",
		       progress_summary(summary, &job->progress));
}

static enum fault verify_one(struct run *run, const char *path)
{
	struct job *job = job_begin(run);
	enum fault fault;

	if (job == NULL)
		return FAULT_MEMORY;
	if ((fault = job_open_input(job, path)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_read_header(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_unlock(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_payload(job)) != FAULT_NONE)
		goto done;
	if ((fault = stream_open(job_stream(job, NULL))) != FAULT_NONE)
		goto done;
	tell(job);
done:
	return job_end(job, fault);
}

int cmd_verify(const struct options *options)
{
	return run_files(options, verify_one);
}
