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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gcm/soft/bytes.h"

/* Blocks that share one reduction. */
#define SOFT_STRIDE 8

/*
 * A product of two field elements takes 9 class products for each of 3 pairs of halves: low,
 * high, and low + high.  Number 3 j + h is class product j of pair h.
 */
#define SOFT_CLASSES 9
#define SOFT_HALVES  3

/* An element of GF(2^128) as ghash_mul.c keeps it. */
struct soft_element {
	uint64_t high; /* the block's bytes 0..7, most significant first */
	uint64_t low;  /* its bytes 8..15 */
};

/* H^8 .. H^1: descending, so that a stride meets them in order. */
struct soft_powers {
	uint64_t low[SOFT_STRIDE];
	uint64_t high[SOFT_STRIDE];
};

/*
 * A running GHASH.  A full stride is multiplied step by step, when somebody calls for a step or
 * the next stride is full.  Key material and text: gcm_soft_ghash_finish() wipes it.
 */
struct soft_ghash {
	uint64_t power[SOFT_HALVES * SOFT_CLASSES][SOFT_STRIDE]; /* the powers' multiplicands */
	uint64_t spare[2][4][SOFT_STRIDE];                       /* masks of what these leave out */
	uint64_t text[SOFT_HALVES * SOFT_CLASSES][SOFT_STRIDE];  /* the stride's multiplicands */
	uint64_t low[SOFT_HALVES * SOFT_CLASSES + 1];  /* sums of its class products; one word */
	uint64_t high[SOFT_HALVES * SOFT_CLASSES + 1]; /* more, for a vector's second lane */
	uint64_t sum[4];                               /* its products with spare bits */
	uint64_t next_low[SOFT_STRIDE];                /* blocks of the stride to come */
	uint64_t next_high[SOFT_STRIDE];
	size_t waiting;        /* how many these are */
	unsigned done;         /* class products of the stride so far */
	bool multiplying;      /* whether there is a stride that is not in y yet */
	struct soft_element y; /* Y, to be added to the next block */
};

/* Computes the powers of h, the zero block sealed under the key. */
void gcm_soft_ghash_key(struct soft_powers *powers, const uint8_t h[16]);

void gcm_soft_ghash_start(struct soft_ghash *g, const struct soft_powers *powers);

/* Puts in len bytes, and zeros up to a whole block after them. */
void gcm_soft_ghash_update(struct soft_ghash *g, const uint8_t *in, size_t len);

/* The hash of all that was put in; wipes *g. */
void gcm_soft_ghash_finish(struct soft_ghash *g, uint8_t y[16]);

/* *low, *high ^= the 128 bits of a * b, where digits have no carries. */
SOFT_INLINE void soft_multiply_xor(uint64_t *low, uint64_t *high, uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	const unsigned __int128 p = (unsigned __int128)a * b;

	*low ^= (uint64_t)p;
	*high ^= (uint64_t)(p >> 64);
#else
	/* No carry passes between digits, so the four partial products may be XORed too. */
	const uint64_t middle = (a >> 32) * (uint32_t)b ^ (uint32_t)a * (b >> 32);

	*low ^= (uint64_t)(uint32_t)a * (uint32_t)b ^ middle << 32;
	*high ^= (a >> 32) * (b >> 32) ^ middle >> 32;
#endif
}

/* The next class product, summed over the stride; its blocks before from are zero. */
SOFT_INLINE void soft_ghash_multiply(struct soft_ghash *g, size_t from)
{
	for (unsigned h = 0; h < SOFT_HALVES; h++) {
		const unsigned n = SOFT_HALVES * g->done + h;
		uint64_t low = 0, high = 0;

#pragma GCC unroll 8
		for (size_t i = from; i < SOFT_STRIDE; i++)
			soft_multiply_xor(&low, &high, g->text[n][i], g->power[n][i]);
		g->low[n] = low;
		g->high[n] = high;
	}
	g->done++;
}

/* One step, if there is anything to do.  For loops that leave the multiplier idle. */
SOFT_INLINE void soft_ghash_step(struct soft_ghash *g)
{
	if (g->done < SOFT_CLASSES)
		soft_ghash_multiply(g, 0);
}

#endif
