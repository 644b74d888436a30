/* SPDX-License-Identifier: ISC */
/*
 * aes_bitsliced.h - AES (FIPS 197) forward, several blocks at once, in constant time.
 *
 * Owns key expansion and the rounds; knows no mode.  No table, no branch and no address depends
 * on a key or on text.
 */
#ifndef GCMCRYPT_GCM_SOFT_AES_BITSLICED_H
#define GCMCRYPT_GCM_SOFT_AES_BITSLICED_H

#include <stddef.h>
#include <stdint.h>

#include "gcm/soft/ghash_mul.h"
#include "gcm/soft/word.h"

/* Round keys as planes, the same for every block of a word. */
struct soft_aes {
	soft_word round_key[15][8];
	unsigned rounds;   /* 10, 12 or 14 */
	uint8_t first[32]; /* round keys 0 and 1, which tell any two keys of one length apart */
};

/* Expands a key of 16, 24 or 32 bytes (FIPS 197, 5.2). */
void gcm_soft_aes_init(struct soft_aes *aes, const uint8_t *key, size_t key_len);

/* Brings a block's bytes into the places where the rounds want them, with d rounds to come. */
void gcm_soft_aes_place(uint8_t out[16], const uint8_t in[16], unsigned d);

/* Planes from and to the bytes of SOFT_BLOCKS blocks.  What goes in has been placed. */
void gcm_soft_aes_load(soft_word q[8], const uint8_t in[SOFT_GROUP_BYTES]);
void gcm_soft_aes_store(uint8_t out[SOFT_GROUP_BYTES], soft_word q[8]);

/*
 * Rounds first to last.  Round 1 begins with the addition of round key 0; after the last round of
 * the cipher all bytes are at home.
 *
 * A round is one long chain of bit operations, in vectors that need no multiplier: a hash beside,
 * if there is one, takes a step in each round, and most of that time is saved.  Sealing 16 KiB
 * with SSE2 and two cached rounds on a Zen 5 core with a busy sibling: 14.7 -> 12.3 cycles a byte
 * with gcc 12, 12.9 -> 12.0 with clang 14; in 64-bit words no difference.
 */
void gcm_soft_aes_rounds(const struct soft_aes *aes, soft_word q[8], unsigned first, unsigned last,
			 struct soft_ghash *beside);

#endif
