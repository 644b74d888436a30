/* SPDX-License-Identifier: ISC */
/*
 * cmd_verify.c - the story of verify: all that open does, or with --quick the ends of it, and
 * nothing is written.
 */
#include <inttypes.h>

#include "cli/job.h"
#include "cli/openfirst.h"
#include "cli/openkeys.h"

static enum fault check_chunks(struct job *job)
{
	return job->options->quick ? openfirst_last(job) : stream_open(job_stream(job, NULL));
}

static void tell_quick(const struct job *job)
{
	uint64_t chunks = job->shape.last + 1;
	char size[MESSAGE_SIZE_BYTES];

	message_notice(job->run->level, job->input.name,
		       "header, key and last chunk ok (%" PRIu64 " chunk%s, %s)", chunks,
		       chunks == 1 ? "" : "s", message_size(size, job->shape.plain_len));
}

static void tell(struct job *job)
{
	char summary[PROGRESS_TEXT_FIGURES_BYTES];

	progress_end(&job->progress);
	if (job->options->quick) {
		tell_quick(job);
		return;
	}
	message_notice(job->run->level, job->input.name, "ok (%" PRIu64 " chunk%s, %s)",
		       job->stream.chunk, job->stream.chunk == 1 ? "" : "s",
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
	if ((fault = openfirst_refuse(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_read_header(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_unlock(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_payload(job)) != FAULT_NONE)
		goto done;
	if ((fault = check_chunks(job)) != FAULT_NONE)
		goto done;
	tell(job);
done:
	return job_end(job, fault);
}

int cmd_verify(const struct options *options)
{
	return run_status(options, run_files(options, verify_one, NULL));
}
