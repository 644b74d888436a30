/* SPDX-License-Identifier: ISC */
/*
 * counter_stream.h - the keystream of counter mode, a group of SOFT_BLOCKS blocks at a time, with
 * or without two cached rounds.
 *
 * Owns counter blocks and the cache's contents; knows nothing of texts and tags.
 */
#ifndef GCMCRYPT_GCM_SOFT_COUNTER_STREAM_H
#define GCMCRYPT_GCM_SOFT_COUNTER_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "gcm/soft/aes_bitsliced.h"
#include "gcm/soft/ghash_mul.h"
#include "gcm/soft/word.h"

#define SOFT_RUN_GROUPS (256 / SOFT_BLOCKS)

/*
 * What a counter block's last byte does to the state after round 2: entry j, block j % SOFT_BLOCKS
 * of group j / SOFT_BLOCKS, is for the counter byte j + 1 modulo 256, so that a message's first
 * counter is entry 0.  Depends on the key and on bytes 0, 5 and 10 of the nonce.  Key material.
 */
struct soft_cache {
	soft_word entry[SOFT_RUN_GROUPS][8];
	uint8_t first[32]; /* whose it is: round keys 0 and 1, */
	uint8_t nonce[3];  /* these bytes of the nonce, */
	uint8_t rounds;    /* and the key's length */
};

/* Key material: wipe it. */
struct soft_stream {
	soft_word state[8];               /* the group in hand */
	soft_word base[8];                /* cached: the state after round 2 for last byte 0 */
	uint8_t placed[SOFT_GROUP_BYTES]; /* all rounds: counter blocks, but for their counters */
	uint8_t nonce[12];
	uint32_t counter; /* of the next group's first block */
	const struct soft_aes *aes;
	const struct soft_cache *cache; /* NULL: all rounds */
	struct soft_ghash *beside;      /* or NULL: a hash to multiply at while rounds run */
};

/* Whether a cache that has been built serves this key and nonce. */
bool gcm_soft_cache_fits(const struct soft_cache *cache, const struct soft_aes *aes,
			 const uint8_t nonce[12]);

/* Builds it for them.  False: it does not agree with the full rounds and must not be used. */
bool gcm_soft_cache_build(struct soft_cache *cache, const struct soft_aes *aes,
			  const uint8_t nonce[12]);

/* Compares entries 0, 127 and 255 with the full rounds. */
bool gcm_soft_cache_right(const struct soft_cache *cache, const struct soft_aes *aes,
			  const uint8_t nonce[12]);

/*
 * Starts at the counter block j0.  A cache must fit its nonce; it is of use only if j0's
 * last byte is 1, as it is for nonces of 96 bits, and is left aside else.
 */
void gcm_soft_stream_start(struct soft_stream *s, const struct soft_aes *aes,
			   const struct soft_cache *cache_or_null, struct soft_ghash *beside,
			   const uint8_t j0[16]);

/* The next SOFT_BLOCKS blocks of keystream; the counter wraps at 2^32 (SP 800-38D, 6.2). */
void gcm_soft_stream_next(struct soft_stream *s, uint8_t out[SOFT_GROUP_BYTES]);

#endif
