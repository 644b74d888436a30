/* SPDX-License-Identifier: ISC */
/*
 * salvage.c - the list of bad ranges, for people and for programs.
 *
 * Its JSON members and their types are a promise, made in gcmcrypt(1): they stay, and more may come.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/salvage.h"
#include "io/signals.h"

#define CLAUSE_BYTES 96

/* The bytes of a range, in the plaintext and in the sealed file; none where first is end. */
struct extent {
	uint64_t plain_first, plain_end;
	uint64_t file_first, file_end;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct extent extent_of(const struct job *job, const struct stream_damage_range *range)
{
	uint64_t behind = range->first + range->count;
	uint64_t payload_end = payload_chunk_offset(job->damage.last) + job->damage.last_sealed;

	return (struct extent){
		.plain_first = least(range->first * PAYLOAD_CHUNK_BYTES, job->stream.plain_len),
		.plain_end = least(behind * PAYLOAD_CHUNK_BYTES, job->stream.plain_len),
		.file_first = job->header_len + payload_chunk_offset(range->first),
		.file_end = job->header_len + least(payload_chunk_offset(behind), payload_end),
	};
}

/* How much of the plaintext is zeros. */
static uint64_t zero_bytes(const struct job *job)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < job->damage.count; i++) {
		struct extent extent = extent_of(job, &job->damage.ranges[i]);

		sum += extent.plain_end - extent.plain_first;
	}
	return sum;
}

/* "bytes 16384-32767", or where some would be. */
static const char *bytes_text(char text[CLAUSE_BYTES], uint64_t first, uint64_t end)
{
	if (first < end)
		(void)snprintf(text, CLAUSE_BYTES, "bytes %" PRIu64 "-%" PRIu64, first, end - 1);
	else
		(void)snprintf(text, CLAUSE_BYTES, "from byte %" PRIu64, first);
	return text;
}

static void list_range(const struct job *job, const struct stream_damage_range *range)
{
	struct extent extent = extent_of(job, range);
	char chunks[CLAUSE_BYTES], plain[CLAUSE_BYTES], file[CLAUSE_BYTES];

	if (range->count == 1)
		(void)snprintf(chunks, sizeof chunks, "chunk %" PRIu64, range->first);
	else
		(void)snprintf(chunks, sizeof chunks, "chunks %" PRIu64 "-%" PRIu64, range->first,
			       range->first + range->count - 1);
	message_error(job->input.name, "bad: %s of %" PRIu64 " (plaintext %s), file %s", chunks,
		      job->damage.last + 1, bytes_text(plain, extent.plain_first, extent.plain_end),
		      bytes_text(file, extent.file_first, extent.file_end));
}

enum fault salvage_tell(struct job *job)
{
	const struct stream_damage *damage = &job->damage;
	enum fault fault = stream_damage_fault(damage);
	char zeros[MESSAGE_SIZE_BYTES], all[MESSAGE_SIZE_BYTES];

	if (fault == FAULT_NONE)
		return fault;
	progress_end(&job->progress);
	/* The list may be long, and who reads it slow. */
	for (size_t i = 0; i < damage->count && signals_caught() == 0; i++)
		list_range(job, &damage->ranges[i]);
	message_error(
		job->input.name,
		"%s: salvaged to %s, with %" PRIu64 " of %" PRIu64 " chunks bad and %s of %s zeros",
		message_reason(fault, 0), job->output.name, damage->chunks, damage->last + 1,
		message_size(zeros, zero_bytes(job)), message_size(all, job->stream.plain_len));
	if (stream_damage_at_end(damage))
		message_hint("nothing proves how long it was; another copy may have the rest");
	else
		message_hint("another copy may have what is bad in this one");
	job->told = true;
	return fault;
}

static json_t *range_object(const struct job *job, const struct stream_damage_range *range)
{
	struct extent extent = extent_of(job, range);
	bool plain = extent.plain_first < extent.plain_end;
	bool file = extent.file_first < extent.file_end;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "chunk_first",
			 jsonout_number(range->first), "chunk_last",
			 jsonout_number(range->first + range->count - 1), "plaintext_first",
			 jsonout_number(extent.plain_first), "plaintext_last",
			 jsonout_number_if(plain, extent.plain_end - 1), "file_first",
			 jsonout_number(extent.file_first), "file_last",
			 jsonout_number_if(file, extent.file_end - 1));
}

static json_t *ranges_of(struct jsonout *out, const struct job *job)
{
	json_t *ranges = json_array();

	for (size_t i = 0; i < job->damage.count; i++)
		jsonout_append(out, ranges, range_object(job, &job->damage.ranges[i]));
	return ranges;
}

void salvage_add_json(struct jsonout *out, const char *path, const struct job *job,
		      enum fault fault)
{
	const struct stream_damage *damage = &job->damage;
	/* Nothing else comes to one of these two: they are said of an output that was committed. */
	bool kept =
		fault == FAULT_NONE || fault == FAULT_CHUNK_DAMAGED || fault == FAULT_ENDS_EARLY;
	json_t *file = jsonout_file(out, path);

	jsonout_set(out, file, "ok", json_boolean(fault == FAULT_NONE));
	jsonout_set(out, file, "output", kept ? jsonout_text(job->output_path) : json_null());
	jsonout_set(out, file, "opened_by", jsonout_number_if(job->slot != 0, job->slot));
	jsonout_set(out, file, "header_bytes",
		    jsonout_number_if(job->header_len != 0, job->header_len));
	jsonout_set(out, file, "plaintext_bytes", jsonout_number_if(kept, job->stream.plain_len));
	jsonout_set(out, file, "length_proved",
		    kept ? json_boolean(!stream_damage_at_end(damage)) : json_null());
	jsonout_set(out, file, "chunks", jsonout_number_if(kept, damage->last + 1));
	jsonout_set(out, file, "bad_chunks", jsonout_number_if(kept, damage->chunks));
	jsonout_set(out, file, "zero_bytes", jsonout_number_if(kept, zero_bytes(job)));
	jsonout_set(out, file, "bad", kept ? ranges_of(out, job) : json_null());
	jsonout_set(out, file, "error", jsonout_file_error(job, fault));
}
