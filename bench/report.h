/* SPDX-License-Identifier: ISC */
/*
 * report.h - what bench prints and writes.
 */
#ifndef GCMCRYPT_BENCH_REPORT_H
#define GCMCRYPT_BENCH_REPORT_H

#include <stdio.h>

#include "measure.h"

/* Machine, compiler and libraries, one a line, each line begun by start ("# " in CSV). */
void bench_report_about(FILE *out, const char *start);

/* Core cycles a byte: a table for each operation and key, a line for each competitor. */
void bench_report_tables(FILE *out, const struct bench_results *results,
			 const struct bench_options *options);

/* All figures, one row a line; false if out took not all of it. */
bool bench_report_csv(FILE *out, const struct bench_results *results);

/* Kernels against their bounds and OpenSSL at 16 KiB, and short seals: see summary.c. */
void bench_report_summary(FILE *out, const struct bench_results *results);

#endif
