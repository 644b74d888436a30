/* SPDX-License-Identifier: ISC */
/*
 * stream_batch.h - some chunks on their way: the bytes that came in, and what they became.
 *
 * For the files of the engine, stream*.c, and their tests.
 */
#ifndef GCMCRYPT_IO_STREAM_BATCH_H
#define GCMCRYPT_IO_STREAM_BATCH_H

#include "format/fault.h"
#include "format/payload.h"

/* 512 KiB of plaintext: few system calls, and still within a cache. */
#define STREAM_BATCH_CHUNKS 32

static inline uint64_t stream_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct stream_batch {
	uint8_t *in;    /* in and out are halves of the batch's memory; */
	uint8_t *out;   /* each has room for a batch of sealed chunks */
	size_t touched; /* bytes of each half that may hold something by now */

	uint64_t number; /* of the batch, from 0: the ring's */

	/* What was read: chunks first, first + 1, ... */
	uint64_t first;
	size_t in_len;
	bool ends;         /* the input ends with this batch: its last chunk is the short one */
	bool last;         /* no batch is read after this one */
	uint64_t end_at;   /* where the input stood behind it */
	enum fault unread; /* why not more was read; what was read in full comes before it */
	int error;         /* and its errno */

	/* What the work came to. */
	uint64_t done; /* chunks sealed, or opened with a right tag, or salvaged */
	uint32_t bad;  /* bit i: chunk first + i did not open, and zeros stand for it */
	size_t out_len;
	size_t plain_len;
	enum fault fault; /* what was wrong with chunk first + done */
};

/* What a batch needs for both halves, a multiple of a page. */
size_t stream_batch_bytes(void);

/* Puts a new batch into so many bytes at at, which stay its caller's. */
void stream_batch_place(struct stream_batch *batch, uint8_t *at);

void stream_batch_wipe(struct stream_batch *batch);

/* Makes it ready for chunks from first on, which are then put at batch->in. */
void stream_batch_begin(struct stream_batch *batch, uint64_t first);

/* So many bytes were put there. */
void stream_batch_filled(struct stream_batch *batch, size_t len);

/*
 * Works on what was read, up to the first fault: FAULT_TOO_LONG, and when opening
 * FAULT_CHUNK_DAMAGED (more of the batch follows the bad chunk) and FAULT_ENDS_EARLY.  Touches
 * nothing but the batch and the cache.
 */
typedef void stream_batch_work(struct stream_batch *batch, const struct payload_key *key,
			       struct gcm_counter_cache *cache);
stream_batch_work stream_batch_seal, stream_batch_open;

/* As stream_batch_open(), but a chunk that does not open is noted in bad, and no fault. */
stream_batch_work stream_batch_salvage;

#endif
