/* SPDX-License-Identifier: ISC */
/*
 * bench_stream.h - how long sealing and opening a whole file takes, reading and writing included.
 */
#ifndef GCMCRYPT_CLI_BENCH_STREAM_H
#define GCMCRYPT_CLI_BENCH_STREAM_H

#include "cli/bench_turns.h"

#define BENCH_STREAM_BYTES (UINT64_C(64) << 20) /* starting and ending count little */

/*
 * Fills in the speeds of rows, one for each kernel that rows[i].kernel names: a file of
 * BENCH_STREAM_BYTES is sealed into another and opened from it, both in memory, in rows[0].threads
 * threads, at most STREAM_THREADS_MAX.  FAULT_MEMORY, FAULT_SIGNAL, and what a stream comes to.
 */
enum fault bench_stream(struct bench_turns_row *rows, size_t count, uint64_t nanoseconds);

#endif
