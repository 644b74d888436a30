/* SPDX-License-Identifier: ISC */
/*
 * options.h - what bench is asked for on its command line.
 */
#ifndef GCMCRYPT_BENCH_OPTIONS_H
#define GCMCRYPT_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define BENCH_SIZES_MAX    16
#define BENCH_KEY_BITS_MAX 2

struct bench_options {
	size_t sizes[BENCH_SIZES_MAX];
	size_t size_count;
	size_t key_bits[BENCH_KEY_BITS_MAX];
	size_t key_bits_count;
	size_t aad_len;
	size_t samples; /* accepted, of each competitor */
	size_t seconds; /* at most, to wait for them, for each size and operation */
	const char *csv;
	const char *only; /* names, separated by commas; NULL: all */
	bool about;
};

/* Fills options, or ends the program: usage is status 2, --help 0. */
void bench_options_parse(struct bench_options *options, int argc, char **argv);

/* Whether the competitor called name is to take part. */
bool bench_options_wants(const struct bench_options *options, const char *name);

#endif
