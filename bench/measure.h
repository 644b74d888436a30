/* SPDX-License-Identifier: ISC */
/*
 * measure.h - the rows of results: who, what, and all accepted samples.
 */
#ifndef GCMCRYPT_BENCH_MEASURE_H
#define GCMCRYPT_BENCH_MEASURE_H

#include "competitor.h"
#include "gate.h"
#include "options.h"
#include "stage.h"

/* Fewer make no median. */
#define BENCH_SAMPLES_MIN 9
#define BENCH_SAMPLES_MAX 99

struct bench_row {
	char name[24];
	bool opening;
	size_t key_bits;
	size_t size;
	struct bench_sample samples[BENCH_SAMPLES_MAX];
	size_t count;
};

struct bench_results {
	struct bench_row *rows;
	size_t count;
	struct bench_gate gate;
};

/* The middle of a row's samples that are quiet by the gate's last judgement. */
struct bench_figures {
	double cycles;  /* of the core, a message: the median, or NaN without a sample */
	double least;   /* the same: the minimum */
	double spread;  /* width of the middle half, relative to the median */
	double seconds; /* a message: the median */
	size_t samples;
};

/* Checks that all competitors agree, then times them.  The rows are the caller's to free. */
void bench_measure(struct bench_results *results, const struct bench_options *options);

struct bench_figures bench_row_figures(const struct bench_results *results,
				       const struct bench_row *row);

/* The row, or NULL. */
const struct bench_row *bench_row_find(const struct bench_results *results, const char *name,
				       bool opening, size_t key_bits, size_t size);

#endif
