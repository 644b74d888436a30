/* SPDX-License-Identifier: ISC */
/*
 * cmd_seal.c - the story of seal.
 *
 * Nothing exists under the output's name before the last line of the story.
 */
#include "cli/digest.h"
#include "cli/keyref.h"
#include "cli/producer.h"
#include "cli/sealkeys.h"

/* --require-nonempty: looked at before anything is asked for or written. */
static enum fault require_data(struct job *job)
{
	bool empty = false;
	enum fault fault = FAULT_NONE;

	if (job->options->require_nonempty && job->options->producer == NULL)
		fault = file_input_at_end(&job->input, &empty);
	return empty ? FAULT_SEAL_EMPTY : fault;
}

/* Whatever can be refused is, before anybody types a passphrase. */
static enum fault name_outputs(struct job *job, const struct digest *digest)
{
	enum fault fault = job_name_output(job);

	return fault == FAULT_NONE ? digest_check(digest, job) : fault;
}

static enum fault open_outputs(struct job *job, struct digest *digest)
{
	enum fault fault = job_open_output(job);

	if (fault == FAULT_NONE)
		fault = digest_start(digest, job);
	return fault == FAULT_NONE ? job_reserve_output(job) : fault;
}

static void tell(struct job *job)
{
	char summary[PROGRESS_TEXT_FIGURES_BYTES];

	progress_end(&job->progress);
	if (file_input_changed(&job->input))
		message_warning(
			job->run->level, job->input.name,
			"changed while it was being read; what was sealed may be a mixture");
	message_detail(progress_level(&job->progress), job->input.name, "sealed as %s (%s)",
		       job->output.name, progress_summary(summary, &job->progress));
}

static enum fault seal_one(struct run *run, const char *path)
{
	struct digest *digest = run->own;
	struct job *job = job_begin(run);
	size_t start_len = 0;
	enum fault fault;

	if (job == NULL)
		return FAULT_MEMORY;
	if ((fault = job_open_input(job, path)) != FAULT_NONE)
		goto done;
	if ((fault = name_outputs(job, digest)) != FAULT_NONE)
		goto done;
	if ((fault = require_data(job)) != FAULT_NONE)
		goto done;
	if ((fault = keyref_check(job)) != FAULT_NONE)
		goto done;
	if ((fault = sealkeys_make(job, &start_len)) != FAULT_NONE)
		goto done;
	if ((fault = open_outputs(job, digest)) != FAULT_NONE)
		goto done;
	if ((fault = producer_start(job)) != FAULT_NONE)
		goto done;
	if ((fault = file_output_write(&job->output, job->bytes, start_len)) != FAULT_NONE)
		goto done;
	if ((fault = stream_seal(job_stream(job, NULL))) != FAULT_NONE)
		goto done;
	if ((fault = file_output_commit(&job->output, &job->input)) != FAULT_NONE)
		goto done;
	if ((fault = digest_tell(digest, job)) != FAULT_NONE)
		goto done;
	if ((fault = job_remove_input(job)) != FAULT_NONE)
		goto done;
	tell(job);
done:
	return job_end(job, fault);
}

int cmd_seal(const struct options *options)
{
	struct digest digest;
	enum fault first = digest_begin(&digest, options);
	enum fault ended;

	if (first != FAULT_NONE)
		return message_status(first);
	first = run_files(options, seal_one, &digest);
	ended = digest_end(&digest);
	return run_status(options, first == FAULT_NONE ? ended : first);
}
