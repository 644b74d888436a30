/* SPDX-License-Identifier: ISC */
/*
 * stage.h - the messages that all competitors get: the same bytes in the same places.
 */
#ifndef GCMCRYPT_BENCH_STAGE_H
#define GCMCRYPT_BENCH_STAGE_H

#include "competitor.h"

#define BENCH_SIZE_MAX 1048576
#define BENCH_AAD_MAX  64

struct bench_stage {
	uint8_t *plain;  /* BENCH_SIZE_MAX bytes */
	uint8_t *sealed; /* plain under the first ticket; every ticket's tag is for these bytes */
	uint8_t *out;
	uint8_t *other; /* a second output, to compare */
	struct bench_ticket *tickets;
	uint8_t aad[BENCH_AAD_MAX];
	uint8_t tag[GCM_TAG_BYTES];
	size_t aad_len;
};

/* Makes random messages; the numbers of the tickets count up from 0.  Never fails. */
void bench_stage_begin(struct bench_stage *stage, size_t aad_len);
void bench_stage_end(struct bench_stage *stage);

/* Seals len bytes by the reference and gives every ticket the tag that opens them. */
void bench_stage_set(struct bench_stage *stage, const struct bench_competitor *reference,
		     size_t len);

/* One operation's load, after bench_stage_set() with the same len. */
struct bench_load bench_stage_seal_load(struct bench_stage *stage, size_t len);
struct bench_load bench_stage_open_load(struct bench_stage *stage, size_t len);

/*
 * Compares a competitor with the reference, after bench_stage_set(): ciphertext, tag, plaintext,
 * and that a wrong tag is refused.  Ends the program if they differ.
 */
void bench_stage_agree(struct bench_stage *stage, const struct bench_competitor *reference,
		       const struct bench_competitor *competitor, size_t len);

#endif
