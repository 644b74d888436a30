/* SPDX-License-Identifier: ISC */
/*
 * openfirst.c - reads a file out of order: its last chunk, which proves its length; all of it; then
 * what is wanted.
 *
 * Every chunk that is written was opened for that, whatever was checked before.
 */
#include "cli/openfirst.h"

enum fault openfirst_refuse(const struct job *job)
{
	const struct options *options = job->options;
	bool wanted = options->range.given || options->verify_first || options->quick;

	return wanted && !job->input.regular ? FAULT_NOT_SEEKABLE : FAULT_NONE;
}

static enum fault go_to_chunk(struct job *job, uint64_t number)
{
	return file_input_seek(&job->input, job->header_len + payload_chunk_offset(number));
}

/* Opens chunks without writing them; NULL: all. */
static enum fault check_chunks(struct job *job, const struct payload_range *range)
{
	struct stream *stream = job_stream(job, range);
	enum fault fault = go_to_chunk(job, range == NULL ? 0 : range->first);

	if (fault != FAULT_NONE)
		return fault;
	stream->output = NULL;
	fault = stream_open(stream);
	stream->chunk = fault == FAULT_NONE ? 0 : stream->chunk;
	return fault;
}

/* A file that lost chunks, or got some, has another last one. */
enum fault openfirst_last(struct job *job)
{
	const size_t start_len = job->header_len + PAYLOAD_START_BYTES;

	/* What was read may have come after the file was measured. */
	if (job->input.length < start_len)
		return FAULT_ENDS_EARLY;
	enum fault fault = payload_shape(&job->shape, job->input.length - job->header_len);

	if (fault != FAULT_NONE) {
		/* Where the missing chunk would be, for the message. */
		job->stream.chunk = (job->input.length - start_len) / PAYLOAD_SEALED_BYTES;
		return fault;
	}
	const struct payload_range last = {
		.first = job->shape.last,
		.last = job->shape.last,
		.offset = job->shape.plain_len,
	};

	return check_chunks(job, &last);
}

enum fault openfirst_check(struct job *job)
{
	const struct options_range *range = &job->options->range;
	enum fault fault = FAULT_NONE;

	if (range->given)
		fault = openfirst_last(job);
	if (fault == FAULT_NONE && range->given &&
	    !payload_range(&job->range, &job->shape, range->offset, range->len))
		fault = FAULT_RANGE;
	if (fault == FAULT_NONE && job->options->verify_first)
		fault = check_chunks(job, NULL);
	if (fault == FAULT_NONE)
		fault = openfirst_same(job);
	if (fault == FAULT_NONE && (range->given || job->options->verify_first))
		fault = go_to_chunk(job, job->range.first);
	return fault;
}

struct stream *openfirst_stream(struct job *job)
{
	return job_stream(job, job->options->range.given ? &job->range : NULL);
}

enum fault openfirst_same(const struct job *job)
{
	bool changed = job->options->verify_first && file_input_changed(&job->input);

	return changed ? FAULT_NOT_AS_CHECKED : FAULT_NONE;
}
