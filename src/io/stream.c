/* SPDX-License-Identifier: ISC */
/*
 * stream.c - reader, work and ordered writer over batches of chunks.
 *
 * A batch goes round: read it, work on its chunks, deliver what came out.  Work touches nothing
 * but its own batch, so that several batches could be worked on at once; reading and delivering
 * happen in order.  No chunk is delivered before its tag was made or found right, and nothing is
 * delivered after the first fault.
 */
#include "io/stream.h"

#include <sodium.h>
#include <stdlib.h>

#define BATCH_CHUNKS   32 /* 512 KiB of plaintext: few system calls, and still within a cache */
#define BATCH_SEALED   ((size_t)BATCH_CHUNKS * PAYLOAD_SEALED_BYTES)
#define PAGE_ALIGNMENT 4096
#define BATCH_TAGS     ((size_t)BATCH_CHUNKS * GCM_TAG_BYTES)
#define HALF_BYTES     ((BATCH_SEALED + BATCH_TAGS) / PAGE_ALIGNMENT * PAGE_ALIGNMENT + PAGE_ALIGNMENT)
#define STACK_BYTES    32768 /* deeper than any kernel leaves key material on the stack */

/* Chunks first, first + 1, ... on their way from in to out. */
struct batch {
	uint8_t *in;    /* starts the one allocation; in and out are halves of it */
	uint8_t *out;   /* each has room for a batch of sealed chunks */
	size_t touched; /* bytes of each half that may hold something by now */
	size_t in_len;
	bool ends; /* the input ends with this batch: its last chunk is the short one */
	uint64_t first;

	/* What the work came to. */
	uint64_t done; /* chunks sealed, or opened with a right tag */
	size_t out_len;
	size_t plain_len;
	enum fault fault; /* what was wrong with chunk first + done */
};

/* What sealing and opening differ in. */
struct direction {
	size_t full_chunk; /* bytes of one on the way in */
	void (*work)(struct batch *batch, const struct payload_key *key,
		     struct gcm_counter_cache *cache);
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t greatest(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void seal_batch(struct batch *batch, const struct payload_key *key,
		       struct gcm_counter_cache *cache)
{
	size_t count = batch->in_len / PAYLOAD_CHUNK_BYTES + batch->ends;

	while (batch->done < count) {
		uint64_t number = batch->first + batch->done;
		const uint8_t *pt = batch->in + batch->plain_len;
		size_t len = least(batch->in_len - batch->plain_len, PAYLOAD_CHUNK_BYTES);

		if (number >= PAYLOAD_CHUNKS_MAX) {
			batch->fault = FAULT_TOO_LONG;
			return;
		}
		payload_seal_chunk(key, cache, batch->out + batch->out_len, number, pt, len);
		batch->out_len += len + GCM_TAG_BYTES;
		batch->plain_len += len;
		batch->done++;
	}
}

static void open_batch(struct batch *batch, const struct payload_key *key,
		       struct gcm_counter_cache *cache)
{
	size_t count = batch->in_len / PAYLOAD_SEALED_BYTES + batch->ends;
	size_t taken = 0;

	while (batch->done < count) {
		uint64_t number = batch->first + batch->done;
		const uint8_t *sealed = batch->in + taken;
		size_t len = least(batch->in_len - taken, PAYLOAD_SEALED_BYTES);

		taken += len;
		if (number >= PAYLOAD_CHUNKS_MAX)
			batch->fault = FAULT_TOO_LONG;
		else if (len < GCM_TAG_BYTES)
			batch->fault = FAULT_ENDS_EARLY;
		else if (!payload_open_chunk(key, cache, batch->out + batch->out_len, number,
					     sealed, len))
			batch->fault =
				taken < batch->in_len ? FAULT_CHUNK_DAMAGED : FAULT_ENDS_EARLY;
		if (batch->fault != FAULT_NONE)
			return;
		batch->out_len += len - GCM_TAG_BYTES;
		batch->plain_len = batch->out_len;
		batch->done++;
	}
}

static const struct direction sealing = {PAYLOAD_CHUNK_BYTES, seal_batch};
static const struct direction opening = {PAYLOAD_SEALED_BYTES, open_batch};

static bool batch_new(struct batch *batch)
{
	*batch = (struct batch){.in = aligned_alloc(PAGE_ALIGNMENT, 2 * HALF_BYTES)};
	if (batch->in == NULL)
		return false;
	batch->out = batch->in + HALF_BYTES;
	return true;
}

static void batch_free(struct batch *batch)
{
	sodium_memzero(batch->in, batch->touched);
	sodium_memzero(batch->out, batch->touched);
	free(batch->in);
}

/* Fills a batch, or takes what is left of the input. */
static enum fault read_batch(struct batch *batch, struct stream *stream,
			     const struct direction *direction)
{
	size_t want = BATCH_CHUNKS * direction->full_chunk;
	enum fault fault = file_input_read(stream->input, batch->in, want, &batch->in_len);

	/* Out gets longer than in by the tags at most. */
	batch->touched = greatest(batch->touched, batch->in_len + BATCH_CHUNKS * GCM_TAG_BYTES);
	batch->ends = batch->in_len < want;
	batch->first = stream->chunk;
	batch->done = 0;
	batch->out_len = 0;
	batch->plain_len = 0;
	batch->fault = FAULT_NONE;
	return fault;
}

/* The last chunk of a full batch is bad: is it the last of the file? */
static enum fault damaged_or_cut(struct stream *stream)
{
	uint8_t next;
	size_t got;
	enum fault fault = file_input_read(stream->input, &next, 1, &got);

	if (fault != FAULT_NONE)
		return fault;
	return got > 0 ? FAULT_CHUNK_DAMAGED : FAULT_ENDS_EARLY;
}

/* Passes on what is good in a batch, then says what was wrong with the rest. */
static enum fault deliver_batch(const struct batch *batch, struct stream *stream)
{
	stream->chunk += batch->done;
	stream->plain_len += batch->plain_len;
	if (stream->output != NULL) {
		enum fault fault = file_output_write(stream->output, batch->out, batch->out_len);

		stream->output_failed = fault != FAULT_NONE;
		if (stream->output_failed)
			return fault;
	}
	if (batch->fault == FAULT_ENDS_EARLY && !batch->ends)
		return damaged_or_cut(stream);
	return batch->fault;
}

static enum fault run(struct stream *stream, const struct direction *direction)
{
	struct batch batch;
	enum fault fault;

	stream->plain_len = 0;
	stream->output_failed = false;
	if (!batch_new(&batch))
		return FAULT_MEMORY;
	file_input_expect_all(stream->input);
	if (stream->output != NULL)
		file_output_expect_much(stream->output);
	do {
		fault = read_batch(&batch, stream, direction);
		if (fault == FAULT_NONE) {
			direction->work(&batch, stream->key, stream->cache);
			fault = deliver_batch(&batch, stream);
		}
	} while (fault == FAULT_NONE && !batch.ends);
	batch_free(&batch);
	sodium_stackzero(STACK_BYTES);
	return fault;
}

enum fault stream_seal(struct stream *stream)
{
	return run(stream, &sealing);
}

enum fault stream_open(struct stream *stream)
{
	return run(stream, &opening);
}
