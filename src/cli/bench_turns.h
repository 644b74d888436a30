/* SPDX-License-Identifier: ISC */
/*
 * bench_turns.h - kernels take turns at some piece of work, so that what disturbs the machine
 * disturbs all of them; medians come out.
 */
#ifndef GCMCRYPT_CLI_BENCH_TURNS_H
#define GCMCRYPT_CLI_BENCH_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "format/fault.h"
#include "gcm/gcm.h"

/* What one turn took, per direction: a sum over bench_turns_start() ... bench_turns_stop(). */
struct bench_turns_time {
	uint64_t ns;
	uint64_t ticks; /* cpu_ticks() */
};

struct bench_turns_taken {
	struct bench_turns_time seal, open;
	uint64_t bytes; /* of plaintext, sealed and opened */
};

/* The turn of kernel number which: seals and opens, adds to *taken.  A fault ends the bench. */
typedef enum fault bench_turn(void *context, size_t which, struct bench_turns_taken *taken);

/* Medians of one direction. */
struct bench_turns_speed {
	double gigabytes; /* 10^9 bytes a second */
	double ticks;     /* cpu_ticks() a byte */
	double spread;    /* width of the middle half of the turns, relative to the median */
};

/* One line of what bench prints. */
struct bench_turns_row {
	const struct gcm_kernel *kernel;
	uint64_t bytes;   /* of one message, or of a whole stream */
	unsigned threads; /* 0: messages, on the thread that asks; else a stream, in so many */
	struct bench_turns_speed seal, open;
};

struct bench_turns_time bench_turns_start(void);
void bench_turns_stop(struct bench_turns_time *sum, struct bench_turns_time start);

/*
 * Fills in the speeds of rows, whose kernels take turns for about that many nanoseconds, and at
 * least five times each.  FAULT_MEMORY, FAULT_SIGNAL, and the faults of turn.
 */
enum fault bench_turns(struct bench_turns_row *rows, size_t count, uint64_t nanoseconds,
		       bench_turn *turn, void *context);

#endif
