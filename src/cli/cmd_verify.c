/* SPDX-License-Identifier: ISC */
/*
 * cmd_verify.c - the story of verify: all that open does, or with --quick the ends of it, and
 * nothing is written.
 */
#include <inttypes.h>

#include "cli/jsonout.h"
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
	if (job->options->json)
		return;
	if (job->options->quick) {
		tell_quick(job);
		return;
	}
	message_notice(job->run->level, job->input.name, "ok (%" PRIu64 " chunk%s, %s)",
		       job->stream.chunk, job->stream.chunk == 1 ? "" : "s",
		       progress_summary(summary, &job->progress));
}

static void add_json(struct jsonout *out, const char *path, const struct job *job, enum fault fault)
{
	bool ok = fault == FAULT_NONE;
	bool quick = job->options->quick;
	uint64_t chunks = quick ? job->shape.last + 1 : job->stream.chunk;
	uint64_t plain_len = quick ? job->shape.plain_len : job->stream.plain_len;
	json_t *file = jsonout_file(out, path);

	jsonout_set(out, file, "ok", json_boolean(ok));
	jsonout_set(out, file, "quick", json_boolean(quick));
	jsonout_set(out, file, "opened_by", jsonout_number_if(job->slot != 0, job->slot));
	jsonout_set(out, file, "header_bytes",
		    jsonout_number_if(job->header_len != 0, job->header_len));
	jsonout_set(out, file, "plaintext_bytes", jsonout_number_if(ok, plain_len));
	jsonout_set(out, file, "chunks", jsonout_number_if(ok, chunks));
	jsonout_set(out, file, "error", jsonout_file_error(job, fault));
}

static enum fault verify_one(struct run *run, const char *path)
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
	if ((fault = openkeys_unlock(job)) != FAULT_NONE)
		goto done;
	if ((fault = openkeys_payload(job)) != FAULT_NONE)
		goto done;
	if ((fault = check_chunks(job)) != FAULT_NONE)
		goto done;
	tell(job);
done:
	if (json->wanted)
		add_json(json, path, job, fault);
	return job_end(job, fault);
}

int cmd_verify(const struct options *options)
{
	struct jsonout json;

	jsonout_begin(&json, options, "gcmcrypt-verify/1");
	return jsonout_end(&json, options, run_files(options, verify_one, &json));
}
