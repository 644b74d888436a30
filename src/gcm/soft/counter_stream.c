/* SPDX-License-Identifier: ISC */
/*
 * counter_stream.c - see counter_stream.h.
 *
 * Two cached rounds (Bernstein and Schwabe 2008; Park and Lee, CHES 2018).  Of two counter blocks
 * that differ in the last byte alone, the states after round 1 differ in column 0 alone, which
 * comes from bytes 0, 5, 10 and 15; and round 2 up to its key addition works on the columns'
 * bytes one by one and then linearly.  So the state after round 2 is
 *
 *     base (key, nonce, counter / 256)  xor  entry (key, nonce bytes 0, 5 and 10, counter % 256)
 *
 * with the base reckoned for last byte 0 and the entry as the difference that the byte makes.
 * Both are kept as planes: the input's transposition is saved too.
 */
#include <sodium.h>
#include <string.h>

#include "gcm/soft/counter_stream.h"

/* Where byte i of a counter block is with all rounds to come. */
static unsigned place_of(unsigned i, unsigned rounds)
{
	const unsigned c = i / 4, r = i % 4;

	return 4 * ((c - rounds * r) % 4) + r;
}

/* SOFT_BLOCKS blocks in their places: the nonce, and room for a counter. */
static void place_nonce(uint8_t placed[SOFT_GROUP_BYTES], const struct soft_aes *aes,
			const uint8_t nonce[12])
{
	uint8_t block[16] = {0};

	memcpy(block, nonce, 12);
	gcm_soft_aes_place(placed, block, aes->rounds);
	for (unsigned n = 1; n < SOFT_BLOCKS; n++)
		memcpy(placed + 16 * n, placed, 16);
}

/* Gives block n the counter start + n * step. */
static void place_counters(uint8_t placed[SOFT_GROUP_BYTES], const struct soft_aes *aes,
			   uint32_t start, uint32_t step)
{
	for (unsigned i = 0; i < 4; i++) {
		uint8_t *byte = placed + place_of(12 + i, aes->rounds);

		for (uint32_t n = 0; n < SOFT_BLOCKS; n++)
			byte[16 * n] = (uint8_t)((start + n * step) >> (24 - 8 * i));
	}
}

/* Planes of the blocks with counters start + n * step, after the first two rounds. */
static void two_rounds(const struct soft_aes *aes, soft_word q[8], const uint8_t nonce[12],
		       uint32_t start, uint32_t step)
{
	uint8_t placed[SOFT_GROUP_BYTES];

	place_nonce(placed, aes, nonce);
	place_counters(placed, aes, start, step);
	gcm_soft_aes_load(q, placed);
	gcm_soft_aes_rounds(aes, q, 1, 2, NULL);
}

bool gcm_soft_cache_right(const struct soft_cache *cache, const struct soft_aes *aes,
			  const uint8_t nonce[12])
{
	static const uint32_t entries[] = {0, 127, 255};
	uint8_t got[SOFT_GROUP_BYTES], want[SOFT_GROUP_BYTES];
	uint8_t j0[16] = {0};
	struct soft_stream cached, full;
	bool right = true;

	memcpy(j0, nonce, 12);
	j0[15] = 1;
	gcm_soft_stream_start(&cached, aes, cache, NULL, j0);
	gcm_soft_stream_start(&full, aes, NULL, NULL, j0);
	for (unsigned i = 0; i < 3; i++) {
		const uint32_t group = entries[i] / SOFT_BLOCKS, n = entries[i] % SOFT_BLOCKS;

		cached.counter = full.counter = 1 + group * SOFT_BLOCKS;
		gcm_soft_stream_next(&cached, got);
		gcm_soft_stream_next(&full, want);
		right = sodium_memcmp(got + 16 * n, want + 16 * n, 16) == 0 && right;
	}
	sodium_memzero(got, sizeof got);
	sodium_memzero(want, sizeof want);
	sodium_memzero(&cached, sizeof cached);
	sodium_memzero(&full, sizeof full);
	return right;
}

bool gcm_soft_cache_fits(const struct soft_cache *cache, const struct soft_aes *aes,
			 const uint8_t nonce[12])
{
	const uint8_t bytes[3] = {nonce[0], nonce[5], nonce[10]};

	return cache->rounds == aes->rounds &&
	       sodium_memcmp(cache->first, aes->first, sizeof aes->first) == 0 &&
	       memcmp(cache->nonce, bytes, sizeof bytes) == 0;
}

bool gcm_soft_cache_build(struct soft_cache *cache, const struct soft_aes *aes,
			  const uint8_t nonce[12])
{
	const uint8_t bytes[3] = {nonce[0], nonce[5], nonce[10]};
	soft_word zero[8];

	two_rounds(aes, zero, nonce, 0, 0);
	for (uint32_t g = 0; g < SOFT_RUN_GROUPS; g++) {
		two_rounds(aes, cache->entry[g], nonce, 1 + SOFT_BLOCKS * g, 1);
		for (unsigned b = 0; b < 8; b++)
			cache->entry[g][b] ^= zero[b];
	}
	for (unsigned b = 0; b < 8; b++) /* entry 255 is for byte 0, not for 256: no difference */
		cache->entry[SOFT_RUN_GROUPS - 1][b] &= ~SOFT_LAST_BLOCK;
	sodium_memzero(zero, sizeof zero);
	memcpy(cache->first, aes->first, sizeof aes->first);
	memcpy(cache->nonce, bytes, sizeof bytes);
	cache->rounds = (uint8_t)aes->rounds;
	return gcm_soft_cache_right(cache, aes, nonce);
}

void gcm_soft_stream_start(struct soft_stream *s, const struct soft_aes *aes,
			   const struct soft_cache *cache_or_null, struct soft_ghash *beside,
			   const uint8_t j0[16])
{
	s->aes = aes;
	s->beside = beside;
	s->cache = j0[15] == 1 ? cache_or_null : NULL;
	s->counter = soft_load_be32(j0 + 12);
	memcpy(s->nonce, j0, sizeof s->nonce);
	if (s->cache)
		two_rounds(aes, s->base, j0, s->counter - 1, 0);
	else
		place_nonce(s->placed, aes, j0);
}

/* The last block of a run's last group has counter byte 0: it and what follows get a new base. */
static void next_run(struct soft_stream *s)
{
	soft_word next[8];

	two_rounds(s->aes, next, s->nonce, s->counter - 1 + SOFT_BLOCKS, 0);
	for (unsigned b = 0; b < 8; b++) {
		s->state[b] ^= (s->base[b] ^ next[b]) & SOFT_LAST_BLOCK;
		s->base[b] = next[b];
	}
	sodium_memzero(next, sizeof next);
}

/* The state after round 2, from the cache. */
static void from_cache(struct soft_stream *s)
{
	const uint32_t g = (s->counter - 1) % 256 / SOFT_BLOCKS;

	for (unsigned b = 0; b < 8; b++)
		s->state[b] = s->base[b] ^ s->cache->entry[g][b];
	if (g == SOFT_RUN_GROUPS - 1)
		next_run(s);
}

void gcm_soft_stream_next(struct soft_stream *s, uint8_t out[SOFT_GROUP_BYTES])
{
	if (s->cache) {
		from_cache(s);
		gcm_soft_aes_rounds(s->aes, s->state, 3, s->aes->rounds, s->beside);
	} else {
		place_counters(s->placed, s->aes, s->counter, 1);
		gcm_soft_aes_load(s->state, s->placed);
		gcm_soft_aes_rounds(s->aes, s->state, 1, s->aes->rounds, s->beside);
	}
	gcm_soft_aes_store(out, s->state);
	s->counter += SOFT_BLOCKS;
}
