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

#include "gcm/soft/word64.h"

/* Round keys as planes, the same for every block of a word. */
struct soft_aes {
	soft_word round_key[15][8];
	unsigned rounds; /* 10, 12 or 14 */
};

/* Expands a key of 16, 24 or 32 bytes (FIPS 197, 5.2). */
void gcm_soft_aes_init(struct soft_aes *aes, const uint8_t *key, size_t key_len);

/*
 * Runs SOFT_BLOCKS counter blocks through AES: block n is the first 12 bytes of prefix, then
 * counter + n modulo 2^32 as four bytes, most significant first.
 */
void gcm_soft_aes_counters(const struct soft_aes *aes, uint8_t out[SOFT_GROUP_BYTES],
			   const uint8_t prefix[12], uint32_t counter);

#endif
