/* SPDX-License-Identifier: ISC */
/*
 * gate.h - measures only while the machine is quiet.
 *
 * Shared machines have neighbours: another guest on the sibling thread of a core makes code half
 * as slow again, which no average removes.  So a yardstick, OpenSSL's seal of 16 KiB, is
 * timed right before and right after each sample, and the sample counts only if both times are
 * what they are when nothing disturbs, and if the sample itself went evenly.
 */
#ifndef GCMCRYPT_BENCH_GATE_H
#define GCMCRYPT_BENCH_GATE_H

#include "competitor.h"

#define BENCH_YARDSTICK_BYTES 16384
/* How much slower than in quiet the yardstick may be, and a sample than its fastest slice. */
#define BENCH_GATE_TOLERANCE 1.04

/* What one competitor does again and again; its messages are numbered through all its samples. */
struct bench_turn {
	const struct bench_competitor *competitor;
	bool opening;
	struct bench_load load; /* its own */
	size_t slice;           /* messages timed in one go, by bench_gate_fit() */
	size_t slices;          /* of one sample */
};

struct bench_gate {
	struct bench_turn yardstick;
	double quiet;        /* the yardstick's core cycles when nothing disturbs */
	double ticks_per_ns; /* of cpu_ticks() */
	unsigned long tried;
	unsigned long accepted;
};

struct bench_sample {
	double ticks;  /* of cpu_ticks(), a message */
	double cycles; /* of the core, a message */
	double yard;   /* the yardstick's cycles: the longer of before and after */
};

/* load is for the yardstick, of BENCH_YARDSTICK_BYTES.  Takes about a second. */
void bench_gate_begin(struct bench_gate *gate, const struct bench_competitor *yardstick,
		      const struct bench_load *load);

/* Looks for the quiet value again, for a tenth of a second; it can only fall. */
void bench_gate_settle(struct bench_gate *gate);

/* Finds out how many messages make one sample. */
void bench_gate_fit(const struct bench_gate *gate, struct bench_turn *turn);

/* Takes one sample; false if the machine was not quiet. */
bool bench_gate_sample(struct bench_gate *gate, struct bench_turn *turn,
		       struct bench_sample *sample);

#endif
