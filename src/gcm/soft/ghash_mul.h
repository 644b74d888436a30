/* SPDX-License-Identifier: ISC */
/*
 * ghash_mul.h - GHASH (NIST SP 800-38D, 6.4) by ordinary integer multiplication.
 *
 * Owns the arithmetic of GF(2^128); knows nothing of counters or texts.  No table, no branch and
 * no address depends on H or on what is hashed; that time does not either rests on a multiply
 * instruction of constant time, which every 64-bit processor and most others have.
 */
#ifndef GCMCRYPT_GCM_SOFT_GHASH_MUL_H
#define GCMCRYPT_GCM_SOFT_GHASH_MUL_H

#include <stddef.h>
#include <stdint.h>

/* Blocks that share one reduction.  More gain little and cost stack. */
#define SOFT_STRIDE 8

/* Word multiplications in a product of two field elements: 3 ways to pair halves, 9 digits. */
#define SOFT_PRODUCTS 27

/* Elements of GF(2^128) as ghash_mul.c keeps them. */
struct soft_element {
	uint64_t high; /* the block's bytes 0..7, most significant first */
	uint64_t low;  /* its bytes 8..15 */
};

/* H^8 .. H^1: descending, so that n blocks meet the last n of them in order. */
struct soft_powers {
	struct soft_element h[SOFT_STRIDE];
};

/* A running GHASH.  Key material and text: wipe by gcm_soft_ghash_finish(). */
struct soft_ghash {
	uint64_t power[SOFT_PRODUCTS][SOFT_STRIDE]; /* the powers' multiplicands */
	uint64_t spare[8][SOFT_STRIDE];             /* masks: their low digits, left out above */
	uint64_t text[SOFT_PRODUCTS][SOFT_STRIDE];  /* multiplicands of the waiting blocks */
	struct soft_element block[SOFT_STRIDE];     /* the waiting blocks themselves */
	struct soft_element y;                      /* Y, to be added to the next block */
	size_t waiting;
};

/* Computes the powers of h, the zero block sealed under the key. */
void gcm_soft_ghash_key(struct soft_powers *powers, const uint8_t h[16]);

/* Starts a hash; no more than blocks blocks will be put in. */
void gcm_soft_ghash_start(struct soft_ghash *g, const struct soft_powers *powers, uint64_t blocks);

/* Puts in len bytes, and zeros up to a whole block after them. */
void gcm_soft_ghash_update(struct soft_ghash *g, const uint8_t *in, size_t len);

/* The hash of all that was put in; wipes *g. */
void gcm_soft_ghash_finish(struct soft_ghash *g, uint8_t y[16]);

#endif
