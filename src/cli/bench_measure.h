/* SPDX-License-Identifier: ISC */
/*
 * bench_measure.h - how long kernels take to seal and open messages of one size.
 *
 * Kernels take turns inside each repetition, so that what disturbs the machine disturbs all of
 * them; every message has a new nonce that counts up as chunks do, and every tag is checked.
 */
#ifndef GCMCRYPT_CLI_BENCH_MEASURE_H
#define GCMCRYPT_CLI_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/fault.h"
#include "gcm/gcm.h"

/* Medians of one direction. */
struct bench_measure_speed {
	double gigabytes; /* 10^9 bytes a second */
	double ticks;     /* cpu_ticks() a byte */
	double spread;    /* width of the middle half of the turns, relative to the median */
};

struct bench_measure_row {
	const struct gcm_kernel *kernel;
	struct bench_measure_speed seal;
	struct bench_measure_speed open;
};

/*
 * Fills rows, one for each kernel that rows[i].kernel names, for messages of size bytes, within
 * about that many nanoseconds.  FAULT_MEMORY, FAULT_SIGNAL, or FAULT_KERNEL_WRONG: a tag was wrong.
 */
enum fault bench_measure(struct bench_measure_row *rows, size_t count, size_t size,
			 uint64_t nanoseconds);

#endif
