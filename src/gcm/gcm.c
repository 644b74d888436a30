/* SPDX-License-Identifier: ISC */
/*
 * gcm.c - what is the same for every kernel, once: the first counter, the limit on lengths, the
 * comparison of tags, the zeroed output after a wrong one, and wiping.  Kernels do the rest.
 */
#include <sodium.h>
#include <string.h>

#include "gcm/kernel.h"

_Static_assert(sizeof(struct gcm_key) % 64 == 0, "gcm.h promises a multiple of 64");
_Static_assert(sizeof(struct gcm_counter_cache) % 64 == 0, "gcm.h promises a multiple of 64");

bool gcm_key_init(struct gcm_key *k, const struct gcm_kernel *kernel, const uint8_t *key,
		  size_t key_len)
{
	gcm_key_wipe(k);
	if (key_len != 16 && key_len != 24 && key_len != 32)
		return false;
	k->kernel = kernel;
	kernel->key_init(k, key, key_len);
	return true;
}

void gcm_key_wipe(struct gcm_key *k)
{
	sodium_memzero(k, sizeof *k);
}

void gcm_counter_cache_init(struct gcm_counter_cache *cache)
{
	cache->kernel = NULL;
}

void gcm_counter_cache_wipe(struct gcm_counter_cache *cache)
{
	sodium_memzero(cache, sizeof *cache);
}

/* J0's counter for nonces of 96 bits (SP 800-38D, 7.1, step 2). */
#define FIRST_COUNTER 1

/* A longer text would repeat counter blocks, and no caller can carry on from that. */
static void check_length(uint64_t len)
{
	if (len > GCM_TEXT_MAX)
		sodium_misuse();
}

/* Every byte counts and none decides when to stop. */
static bool tags_equal(const uint8_t a[GCM_TAG_BYTES], const uint8_t b[GCM_TAG_BYTES])
{
	uint64_t x[2], y[2];

	memcpy(x, a, sizeof x);
	memcpy(y, b, sizeof y);
	return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

void gcm_seal(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *ct,
	      uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES], const uint8_t *aad,
	      size_t aad_len, const uint8_t *pt, size_t len)
{
	check_length(len);
	k->kernel->seal(k, cache_or_null, ct, tag, nonce, aad, aad_len, pt, len, FIRST_COUNTER);
}

bool gcm_open(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *pt,
	      const uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
	      const uint8_t *aad, size_t aad_len, const uint8_t *ct, size_t len)
{
	uint8_t right_tag[GCM_TAG_BYTES];

	check_length(len);
	k->kernel->open(k, cache_or_null, pt, right_tag, nonce, aad, aad_len, ct, len,
			FIRST_COUNTER);
	if (tags_equal(tag, right_tag))
		return true;
	/* The right tag of a forged message is a secret; that of a right one came with it. */
	sodium_memzero(right_tag, sizeof right_tag);
	if (len != 0)
		sodium_memzero(pt, len);
	return false;
}

/*
 * The least mean length of pieces that are read where they are; shorter ones are copied first.
 * 16 KiB on a Zen 5 core, time by time of copying and sealing in place (vaes512, aesni): 2 pieces
 * 0.88, 0.97; 4: 0.91, 0.97; 5 and 6: 0.92 to 0.95, 1.00; 8: 0.98, 1.01; 16: 1.14, 1.05.
 */
#define GATHER_MEAN_MIN 3072

/* Pieces joined in out. */
static void copy_pieces(uint8_t *out, const struct gcm_slice *pieces, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pieces[i].len != 0) {
			memcpy(out, pieces[i].at, pieces[i].len);
			out += pieces[i].len;
		}
}

void gcm_seal_gather(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *ct,
		     uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
		     const uint8_t *aad, size_t aad_len, const struct gcm_slice *pieces,
		     size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		check_length(pieces[i].len);
		sum += pieces[i].len;
		check_length(sum);
	}
	if (count == 1) {
		gcm_seal(k, cache_or_null, ct, tag, nonce, aad, aad_len, pieces->at, pieces->len);
	} else if (k->kernel->seal_gather != NULL && count != 0 && sum / count >= GATHER_MEAN_MIN) {
		k->kernel->seal_gather(k, cache_or_null, ct, tag, nonce, aad, aad_len, pieces,
				       count, (size_t)sum, FIRST_COUNTER);
	} else {
		copy_pieces(ct, pieces, count);
		gcm_seal(k, cache_or_null, ct, tag, nonce, aad, aad_len, ct, (size_t)sum);
	}
}
