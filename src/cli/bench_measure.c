/* SPDX-License-Identifier: ISC */
/*
 * bench_measure.c - the clockwork of bench.
 *
 * Owns buffers and turns; prints nothing.  The keys are random and guard nothing, so they are not
 * in the arena.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench_measure.h"
#include "cpu/ticks.h"
#include "io/signals.h"

#define TURNS_MIN   5
#define TURNS_MAX   999
#define TURN_NS     UINT64_C(100000) /* short against what a scheduler gives: most turns run whole */
#define BATCH_BYTES 65536            /* sealed in one go, then opened: stays in the caches */
#define BATCH_MAX   1024             /* messages of one batch */
#define KEY_BYTES   32
#define ALIGNMENT   64

/* One kernel's prepared key and the times that it took. */
struct lane {
	struct gcm_key key;
	struct gcm_counter_cache cache;
	double seal_ns[TURNS_MAX], seal_ticks[TURNS_MAX]; /* a byte */
	double open_ns[TURNS_MAX], open_ticks[TURNS_MAX];
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

struct elapsed {
	uint64_t ns;
	uint64_t ticks;
};

static void stop(struct elapsed *sum, uint64_t ns, uint64_t ticks)
{
	sum->ticks += cpu_ticks() - ticks;
	sum->ns += cpu_nanoseconds() - ns;
}

/* Base nonce xor number, as for chunks. */
static void make_nonce(uint8_t nonce[GCM_NONCE_BYTES], const struct bench *bench, uint64_t number)
{
	memcpy(nonce, bench->base_nonce, GCM_NONCE_BYTES);
	for (size_t i = GCM_NONCE_BYTES; number != 0; number >>= 8)
		nonce[--i] ^= (uint8_t)number;
}

static void seal_batch(struct bench *bench, struct lane *lane, struct elapsed *sum)
{
	uint64_t ns = cpu_nanoseconds();
	uint64_t ticks = cpu_ticks();

	for (size_t i = 0; i < bench->batch; i++) {
		uint8_t nonce[GCM_NONCE_BYTES];

		make_nonce(nonce, bench, bench->number + i);
		gcm_seal(&lane->key, &lane->cache, bench->sealed + i * bench->size, bench->tags[i],
			 nonce, NULL, 0, bench->plain + i * bench->size, bench->size);
	}
	stop(sum, ns, ticks);
}

static bool open_batch(struct bench *bench, struct lane *lane, struct elapsed *sum)
{
	uint64_t ns = cpu_nanoseconds();
	uint64_t ticks = cpu_ticks();
	bool right = true;

	for (size_t i = 0; i < bench->batch; i++) {
		uint8_t nonce[GCM_NONCE_BYTES];

		make_nonce(nonce, bench, bench->number + i);
		right &= gcm_open(&lane->key, &lane->cache, bench->plain + i * bench->size,
				  bench->tags[i], nonce, NULL, 0, bench->sealed + i * bench->size,
				  bench->size);
	}
	stop(sum, ns, ticks);
	return right;
}

/* One kernel's turn: batches until it took a moment. */
static enum fault take_turn(struct bench *bench, struct lane *lane, size_t turn)
{
	struct elapsed seal = {0, 0}, open = {0, 0};
	double bytes = 0;

	do {
		seal_batch(bench, lane, &seal);
		if (!open_batch(bench, lane, &open))
			return FAULT_KERNEL_WRONG;
		bench->number += bench->batch;
		bytes += (double)bench->batch * (double)bench->size;
	} while (seal.ns + open.ns < TURN_NS && signals_caught() == 0);
	lane->seal_ns[turn] = (double)seal.ns / bytes;
	lane->seal_ticks[turn] = (double)seal.ticks / bytes;
	lane->open_ns[turn] = (double)open.ns / bytes;
	lane->open_ticks[turn] = (double)open.ticks / bytes;
	return signals_caught() == 0 ? FAULT_NONE : FAULT_SIGNAL;
}

static int compare(const void *a, const void *b)
{
	const double *one = a;
	const double *other = b;

	return (*one > *other) - (*one < *other);
}

/* Sorts both; a turn that was disturbed is at the end, and counts as one turn and no more. */
static void sum_up(struct bench_measure_speed *speed, double *ns, double *ticks, size_t turns)
{
	qsort(ns, turns, sizeof ns[0], compare);
	qsort(ticks, turns, sizeof ticks[0], compare);
	speed->gigabytes = 1 / ns[turns / 2];
	speed->ticks = ticks[turns / 2];
	speed->spread = (ns[turns - 1 - turns / 4] - ns[turns / 4]) / ns[turns / 2];
}

static bool begin(struct bench *bench, const struct bench_measure_row *rows, size_t count,
		  size_t size)
{
	uint8_t key[KEY_BYTES];
	size_t room;

	memset(bench, 0, sizeof *bench);
	bench->size = size;
	bench->batch = size > BATCH_BYTES ? 1 : BATCH_BYTES / size;
	if (bench->batch > BATCH_MAX)
		bench->batch = BATCH_MAX;
	room = (bench->batch * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
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

/* Every kernel in turn, again and again until the time is over; *turns is how often. */
static enum fault take_turns(struct bench *bench, size_t count, uint64_t nanoseconds, size_t *turns)
{
	uint64_t start = cpu_nanoseconds();
	enum fault fault = FAULT_NONE;

	/* The first round warms up caches and clocks: the second one takes its place. */
	for (size_t i = 0; i < count && fault == FAULT_NONE; i++)
		fault = take_turn(bench, &bench->lanes[i], 0);
	*turns = 0;
	while (fault == FAULT_NONE && *turns < TURNS_MAX &&
	       (*turns < TURNS_MIN || cpu_nanoseconds() - start < nanoseconds)) {
		for (size_t i = 0; i < count && fault == FAULT_NONE; i++)
			fault = take_turn(bench, &bench->lanes[i], *turns);
		++*turns;
	}
	return fault;
}

enum fault bench_measure(struct bench_measure_row *rows, size_t count, size_t size,
			 uint64_t nanoseconds)
{
	struct bench bench;
	size_t turns = 0;
	enum fault fault = begin(&bench, rows, count, size) ? FAULT_NONE : FAULT_MEMORY;

	if (fault == FAULT_NONE)
		fault = take_turns(&bench, count, nanoseconds, &turns);
	for (size_t i = 0; i < count && fault == FAULT_NONE; i++) {
		struct lane *lane = &bench.lanes[i];

		sum_up(&rows[i].seal, lane->seal_ns, lane->seal_ticks, turns);
		sum_up(&rows[i].open, lane->open_ns, lane->open_ticks, turns);
	}
	end(&bench);
	return fault;
}
