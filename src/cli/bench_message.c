/* SPDX-License-Identifier: ISC */
/*
 * bench_message.c - seals and opens messages of one size in memory, for bench.
 *
 * Owns the buffers; prints nothing.  The key is random and guards nothing, so it is not in the
 * arena.
 */
#include "cli/bench_message.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "io/signals.h"

#define TURN_NS     UINT64_C(100000) /* short against what a scheduler gives: most turns run whole */
#define BATCH_BYTES 65536            /* sealed in one go, then opened: stays in the caches */
#define BATCH_MAX   1024             /* messages of one batch */
#define KEY_BYTES   32
#define ALIGNMENT   64

/* One kernel's prepared key. */
struct lane {
	struct gcm_key key;
	struct gcm_counter_cache cache;
};

struct bench {
	struct lane *lanes;
	uint8_t *plain;  /* a batch of messages */
	uint8_t *sealed; /* the same, sealed */
	uint8_t (*tags)[GCM_TAG_BYTES];
	size_t size;
	size_t batch;    /* messages */
	uint64_t number; /* of the next message: no nonce comes twice */
	uint8_t base_nonce[GCM_NONCE_BYTES];
};

/* Base nonce xor number, as for chunks. */
static void make_nonce(uint8_t nonce[GCM_NONCE_BYTES], const struct bench *bench, uint64_t number)
{
	memcpy(nonce, bench->base_nonce, GCM_NONCE_BYTES);
	for (size_t i = GCM_NONCE_BYTES; number != 0; number >>= 8)
		nonce[--i] ^= (uint8_t)number;
}

static void seal_batch(struct bench *bench, struct lane *lane, struct bench_turns_time *sum)
{
	struct bench_turns_time start = bench_turns_start();

	for (size_t i = 0; i < bench->batch; i++) {
		uint8_t nonce[GCM_NONCE_BYTES];

		make_nonce(nonce, bench, bench->number + i);
		gcm_seal(&lane->key, &lane->cache, bench->sealed + i * bench->size, bench->tags[i],
			 nonce, NULL, 0, bench->plain + i * bench->size, bench->size);
	}
	bench_turns_stop(sum, start);
}

static bool open_batch(struct bench *bench, struct lane *lane, struct bench_turns_time *sum)
{
	struct bench_turns_time start = bench_turns_start();
	bool right = true;

	for (size_t i = 0; i < bench->batch; i++) {
		uint8_t nonce[GCM_NONCE_BYTES];

		make_nonce(nonce, bench, bench->number + i);
		right &= gcm_open(&lane->key, &lane->cache, bench->plain + i * bench->size,
				  bench->tags[i], nonce, NULL, 0, bench->sealed + i * bench->size,
				  bench->size);
	}
	bench_turns_stop(sum, start);
	return right;
}

/* One kernel's turn: batches until it took a moment. */
static enum fault take_turn(void *context, size_t which, struct bench_turns_taken *taken)
{
	struct bench *bench = context;
	struct lane *lane = &bench->lanes[which];

	do {
		seal_batch(bench, lane, &taken->seal);
		if (!open_batch(bench, lane, &taken->open))
			return FAULT_KERNEL_WRONG;
		bench->number += bench->batch;
		taken->bytes += bench->batch * bench->size;
	} while (taken->seal.ns + taken->open.ns < TURN_NS && signals_caught() == 0);
	return FAULT_NONE;
}

static bool begin(struct bench *bench, const struct bench_turns_row *rows, size_t count)
{
	uint8_t key[KEY_BYTES];
	size_t room;

	memset(bench, 0, sizeof *bench);
	bench->size = (size_t)rows[0].bytes;
	bench->batch = bench->size > BATCH_BYTES ? 1 : BATCH_BYTES / bench->size;
	if (bench->batch > BATCH_MAX)
		bench->batch = BATCH_MAX;
	room = (bench->batch * bench->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	bench->lanes = aligned_alloc(ALIGNMENT, count * sizeof *bench->lanes);
	bench->plain = aligned_alloc(ALIGNMENT, room);
	bench->sealed = aligned_alloc(ALIGNMENT, room);
	bench->tags = malloc(bench->batch * sizeof *bench->tags);
	if (bench->lanes == NULL || bench->plain == NULL || bench->sealed == NULL ||
	    bench->tags == NULL)
		return false;
	randombytes_buf(key, sizeof key);
	randombytes_buf(bench->base_nonce, sizeof bench->base_nonce);
	randombytes_buf(bench->plain, room);
	for (size_t i = 0; i < count; i++) {
		(void)gcm_key_init(&bench->lanes[i].key, rows[i].kernel, key, sizeof key);
		gcm_counter_cache_init(&bench->lanes[i].cache);
	}
	return true;
}

static void end(struct bench *bench)
{
	free(bench->tags);
	free(bench->sealed);
	free(bench->plain);
	free(bench->lanes);
}

enum fault bench_message(struct bench_turns_row *rows, size_t count, uint64_t nanoseconds)
{
	struct bench bench;
	enum fault fault = begin(&bench, rows, count) ? FAULT_NONE : FAULT_MEMORY;

	if (fault == FAULT_NONE)
		fault = bench_turns(rows, count, nanoseconds, take_turn, &bench);
	end(&bench);
	return fault;
}
