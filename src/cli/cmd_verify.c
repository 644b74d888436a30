/* SPDX-License-Identifier: ISC */
/*
 * cmd_verify.c - the story of verify: all that open does, and nothing is written.
 */
#include <inttypes.h>

#include "cli/job.h"
#include "cli/openkeys.h"

static void tell(const struct job *job)
{
	char size[MESSAGE_SIZE_BYTES];

	message_detail(job->run->level, job->input.name, "ok (%s in %" PRIu64 " chunk%s)",
		       message_size(size, job->stream.plain_len), job->stream.chunk,
		       job->stream.chunk == 1 ? "" : "s");
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
	if ((fault = stream_open(job_stream(job))) != FAULT_NONE)
		goto done;
	tell(job);
done:
	return job_end(job, fault);
}

int cmd_verify(const struct options *options)
{
	return run_files(options, verify_one);
}
