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
#include "gcm/soft/aes_bitsliced.h"
#include "gcm/soft/ghash_mul.h"

/* What struct gcm_key's schedule holds. */
struct soft_key {
	struct soft_aes aes;
	struct soft_powers powers;
};
static_assert(sizeof(struct soft_key) <= sizeof((struct gcm_key *)0)->schedule,
	      "the schedule is too small");

static void key_init(struct gcm_key *k, const uint8_t *key, size_t key_len)
{
	static const uint8_t zeros[12];
	struct soft_key *s = (void *)k->schedule;
	uint8_t group[SOFT_GROUP_BYTES];

	gcm_soft_aes_init(&s->aes, key, key_len);
	gcm_soft_aes_counters(&s->aes, group, zeros, 0);
	gcm_soft_ghash_key(&s->powers, group); /* H is the zero block sealed: 6.4 */
	sodium_memzero(group, sizeof group);
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
 * Counter mode from j0 on: the first 16 bytes of the keystream are E(J0), for the tag, and the
 * text's keystream follows at once (7.1: it starts at inc32(J0)).
 */
static void run(const struct gcm_key *k, uint8_t *out, uint8_t tag[GCM_TAG_BYTES],
		const uint8_t j0[16], const uint8_t *aad, size_t aad_len, const uint8_t *in,
		size_t len, bool sealing)
{
	const struct soft_key *s = (const void *)k->schedule;
	uint8_t keystream[SOFT_GROUP_BYTES];
	uint8_t lengths[16];
	uint8_t mask[GCM_TAG_BYTES];
	struct soft_ghash g;
	uint32_t counter = soft_load_be32(j0 + 12);
	size_t used = 16;

	soft_store_be64(lengths, (uint64_t)aad_len * 8);
	soft_store_be64(lengths + 8, (uint64_t)len * 8);
	gcm_soft_ghash_start(&g, &s->powers,
			     (uint64_t)(aad_len / 16) + len / 16 +
				     3); /* two ends and the lengths */
	gcm_soft_ghash_update(&g, aad, aad_len);
	gcm_soft_aes_counters(&s->aes, keystream, j0, counter);
	memcpy(mask, keystream, sizeof mask);
	while (len > 0) {
		const size_t n = len < sizeof keystream - used ? len : sizeof keystream - used;

		if (!sealing)
			gcm_soft_ghash_update(&g, in, n); /* before out, which may be in */
		add_keystream(out, in, keystream + used, n);
		if (sealing)
			gcm_soft_ghash_update(&g, out, n);
		in += n;
		out += n;
		len -= n;
		used = 0;
		counter += SOFT_BLOCKS;
		if (len > 0)
			gcm_soft_aes_counters(&s->aes, keystream, j0, counter);
	}
	gcm_soft_ghash_update(&g, lengths, sizeof lengths);
	gcm_soft_ghash_finish(&g, tag);
	for (unsigned i = 0; i < GCM_TAG_BYTES; i++)
		tag[i] ^= mask[i];
	sodium_memzero(keystream, sizeof keystream);
	sodium_memzero(mask, sizeof mask);
}

static void seal(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *out,
		 uint8_t tag[GCM_TAG_BYTES], const uint8_t j0[16], const uint8_t *aad,
		 size_t aad_len, const uint8_t *in, size_t len)
{
	(void)cache_or_null;
	run(k, out, tag, j0, aad, aad_len, in, len, true);
}

static void open(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *out,
		 uint8_t tag[GCM_TAG_BYTES], const uint8_t j0[16], const uint8_t *aad,
		 size_t aad_len, const uint8_t *in, size_t len)
{
	(void)cache_or_null;
	run(k, out, tag, j0, aad, aad_len, in, len, false);
}

const struct gcm_kernel gcm_kernel_soft = {
	.name = "soft",
	.needs = 0,
	.key_init = key_init,
	.seal = seal,
	.open = open,
};
