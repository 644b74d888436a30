/* SPDX-License-Identifier: ISC */
/*
 * stream_batch.c - sealing and opening the chunks of one batch, from its one half to the other.
 *
 * Knows neither files nor threads: several batches are worked on at once.
 */
#include "io/stream_batch.h"

#include <sodium.h>

#define BATCH_SEALED   ((size_t)STREAM_BATCH_CHUNKS * PAYLOAD_SEALED_BYTES)
#define BATCH_TAGS     ((size_t)STREAM_BATCH_CHUNKS * GCM_TAG_BYTES)
#define PAGE_ALIGNMENT 4096
#define HALF_BYTES     ((BATCH_SEALED + BATCH_TAGS) / PAGE_ALIGNMENT * PAGE_ALIGNMENT + PAGE_ALIGNMENT)

_Static_assert(STREAM_BATCH_CHUNKS <= 32, "a bit of stream_batch.bad for each chunk");

size_t stream_batch_bytes(void)
{
	return 2 * HALF_BYTES;
}

void stream_batch_place(struct stream_batch *batch, uint8_t *at)
{
	*batch = (struct stream_batch){.in = at, .out = at + HALF_BYTES};
}

void stream_batch_wipe(struct stream_batch *batch)
{
	sodium_memzero(batch->in, batch->touched);
	sodium_memzero(batch->out, batch->touched);
}

void stream_batch_begin(struct stream_batch *batch, uint64_t first)
{
	*batch = (struct stream_batch){
		.in = batch->in,
		.out = batch->out,
		.touched = batch->touched,
		.number = batch->number,
		.first = first,
	};
}

void stream_batch_filled(struct stream_batch *batch, size_t len)
{
	batch->in_len = len;
	/* Out gets longer than in by the tags at most. */
	if (batch->touched < len + BATCH_TAGS)
		batch->touched = len + BATCH_TAGS;
}

void stream_batch_seal(struct stream_batch *batch, const struct payload_key *key,
		       struct gcm_counter_cache *cache)
{
	size_t count = batch->in_len / PAYLOAD_CHUNK_BYTES + batch->ends;

	while (batch->done < count) {
		uint64_t number = batch->first + batch->done;
		const uint8_t *pt = batch->in + batch->plain_len;
		size_t len =
			(size_t)stream_least(batch->in_len - batch->plain_len, PAYLOAD_CHUNK_BYTES);

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

/* Opens the next chunk, sealed[len], behind those that are done; on a fault there are zeros. */
static enum fault open_next(struct stream_batch *batch, const struct payload_key *key,
			    struct gcm_counter_cache *cache, const uint8_t *sealed, size_t len)
{
	uint64_t number = batch->first + batch->done;

	if (number >= PAYLOAD_CHUNKS_MAX)
		return FAULT_TOO_LONG;
	if (len < GCM_TAG_BYTES)
		return FAULT_ENDS_EARLY;
	if (payload_open_chunk(key, cache, batch->out + batch->out_len, number, sealed, len))
		return FAULT_NONE;
	return sealed + len < batch->in + batch->in_len ? FAULT_CHUNK_DAMAGED : FAULT_ENDS_EARLY;
}

static void open_chunks(struct stream_batch *batch, const struct payload_key *key,
			struct gcm_counter_cache *cache, bool salvage)
{
	size_t count = batch->in_len / PAYLOAD_SEALED_BYTES + batch->ends;
	size_t taken = 0;

	while (batch->done < count) {
		size_t len = (size_t)stream_least(batch->in_len - taken, PAYLOAD_SEALED_BYTES);
		enum fault fault = open_next(batch, key, cache, batch->in + taken, len);

		if (fault != FAULT_NONE && (!salvage || fault == FAULT_TOO_LONG)) {
			batch->fault = fault;
			return;
		}
		if (fault != FAULT_NONE)
			batch->bad |= UINT32_C(1) << batch->done;
		taken += len;
		batch->out_len += len < GCM_TAG_BYTES ? 0 : len - GCM_TAG_BYTES;
		batch->plain_len = batch->out_len;
		batch->done++;
	}
}

void stream_batch_open(struct stream_batch *batch, const struct payload_key *key,
		       struct gcm_counter_cache *cache)
{
	open_chunks(batch, key, cache, false);
}

void stream_batch_salvage(struct stream_batch *batch, const struct payload_key *key,
			  struct gcm_counter_cache *cache)
{
	open_chunks(batch, key, cache, true);
}
