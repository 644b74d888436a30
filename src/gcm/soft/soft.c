/* SPDX-License-Identifier: ISC */
/*
 * soft.c - the kernel that needs nothing: AES-GCM (NIST SP 800-38D) in portable C and constant
 * time, over the bitsliced AES and the multiplying GHASH of this folder.
 *
 * Owns the mode: which counter blocks, what is hashed in which order.  Arithmetic is elsewhere.
 */
#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "gcm/kernel.h"
#include "gcm/soft/counter_stream.h"
#include "gcm/soft/ghash_mul.h"

/* What struct gcm_key's schedule holds. */
struct soft_key {
	struct soft_aes aes;
	struct soft_powers powers;
};
static_assert(sizeof(struct soft_key) <= sizeof((struct gcm_key *)0)->schedule,
	      "the schedule is too small");

/*
 * The least text for which a cache is built.  To build and check it takes 21000 cycles and it saves
 * 2.2 a byte (gcc 12, SSE2, Zen 5): even at 9.5 KiB, and a file's whole chunks have 16.
 */
#define CACHE_PAYS 10240

static void key_init(struct gcm_key *k, const uint8_t *key, size_t key_len)
{
	static const uint8_t zero_block[16];
	struct soft_key *s = (void *)k->schedule;
	struct soft_stream stream;
	uint8_t group[SOFT_GROUP_BYTES];

	gcm_soft_aes_init(&s->aes, key, key_len);
	gcm_soft_stream_start(&stream, &s->aes, NULL, NULL, zero_block);
	gcm_soft_stream_next(&stream, group);
	gcm_soft_ghash_key(&s->powers, group); /* H is the zero block sealed: 6.4 */
	sodium_memzero(group, sizeof group);
	sodium_memzero(&stream, sizeof stream);
}

/* The caller's cache, if it can serve this message: it does, or to make it so pays. */
static const struct soft_cache *usable_cache(struct gcm_counter_cache *cache,
					     const struct soft_aes *aes, const uint8_t j0[16],
					     size_t len)
{
	struct soft_cache *c;

	if (!cache || j0[15] != 1)
		return NULL;
	c = (void *)cache->rounds;
	if (cache->kernel == &gcm_kernel_soft && gcm_soft_cache_fits(c, aes, j0))
		return c;
	if (len < CACHE_PAYS)
		return NULL;
	cache->kernel = NULL;
	if (!gcm_soft_cache_build(c, aes, j0))
		return NULL;
	cache->kernel = &gcm_kernel_soft;
	return c;
}

/* out = in xor keystream; out may be in. */
static void add_keystream(uint8_t *out, const uint8_t *in, const uint8_t *keystream, size_t len)
{
	size_t i = 0;

	for (; i + sizeof(uint64_t) <= len; i += sizeof(uint64_t)) {
		uint64_t a, b;

		memcpy(&a, in + i, sizeof a);
		memcpy(&b, keystream + i, sizeof b);
		a ^= b;
		memcpy(out + i, &a, sizeof a);
	}
	for (; i < len; i++)
		out[i] = in[i] ^ keystream[i];
}

/*
 * Counter mode over len bytes, and their ciphertext into the hash.  The first block of the first
 * keystream is E(J0), for the tag, which goes to mask; the text's follows at once, since it starts
 * at inc32(J0) (7.1).
 */
static void cross(struct soft_stream *stream, struct soft_ghash *hash, uint8_t mask[16],
		  uint8_t *out, const uint8_t *in, size_t len, bool sealing)
{
	uint8_t keystream[SOFT_GROUP_BYTES];
	size_t used = 16;

	gcm_soft_stream_next(stream, keystream);
	memcpy(mask, keystream, 16);
	while (len > 0) {
		size_t n = sizeof keystream - used;

		if (n == 0) {
			gcm_soft_stream_next(stream, keystream);
			used = 0;
			n = sizeof keystream;
		}
		if (n > len)
			n = len;
		if (!sealing)
			gcm_soft_ghash_update(hash, in, n); /* before out, which may be in */
		add_keystream(out, in, keystream + used, n);
		if (sealing)
			gcm_soft_ghash_update(hash, out, n);
		in += n;
		out += n;
		len -= n;
		used += n;
	}
	sodium_memzero(keystream, sizeof keystream);
}

/* Tag: GHASH of aad, ciphertext and their lengths in bits, xor E(J0) (7.1, 7.2). */
static void run(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
		uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
		const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t len, uint32_t counter,
		bool sealing)
{
	const struct soft_key *s = (const void *)k->schedule;
	struct soft_stream stream;
	struct soft_ghash hash;
	uint8_t j0[16], lengths[16], mask[16];

	memcpy(j0, nonce, GCM_NONCE_BYTES);
	soft_store_be32(j0 + GCM_NONCE_BYTES, counter);
	gcm_soft_ghash_start(&hash, &s->powers);
	gcm_soft_stream_start(&stream, &s->aes, usable_cache(cache, &s->aes, j0, len), &hash, j0);
	gcm_soft_ghash_update(&hash, aad, aad_len);
	cross(&stream, &hash, mask, out, in, len, sealing);
	soft_store_be64(lengths, (uint64_t)aad_len * 8);
	soft_store_be64(lengths + 8, (uint64_t)len * 8);
	gcm_soft_ghash_update(&hash, lengths, sizeof lengths);
	gcm_soft_ghash_finish(&hash, tag);
	for (unsigned i = 0; i < GCM_TAG_BYTES; i++)
		tag[i] ^= mask[i];
	sodium_memzero(mask, sizeof mask);
	sodium_memzero(&stream, sizeof stream);
}

static void seal_text(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null,
		      uint8_t *out, uint8_t tag[GCM_TAG_BYTES],
		      const uint8_t nonce[GCM_NONCE_BYTES], const uint8_t *aad, size_t aad_len,
		      const uint8_t *in, size_t len, uint32_t counter)
{
	run(k, cache_or_null, out, tag, nonce, aad, aad_len, in, len, counter, true);
}

static void open_text(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null,
		      uint8_t *out, uint8_t tag[GCM_TAG_BYTES],
		      const uint8_t nonce[GCM_NONCE_BYTES], const uint8_t *aad, size_t aad_len,
		      const uint8_t *in, size_t len, uint32_t counter)
{
	run(k, cache_or_null, out, tag, nonce, aad, aad_len, in, len, counter, false);
}

const struct gcm_kernel gcm_kernel_soft = {
	.name = "soft",
	.needs = 0,
	.key_init = key_init,
	.seal = seal_text,
	.open = open_text,
};
