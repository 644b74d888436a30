/* SPDX-License-Identifier: ISC */
/*
 * gcm.h - the AES-GCM that callers see (NIST SP 800-38D, 96-bit nonces, 128-bit tags).
 *
 * Knows bytes, keys, nonces and tags; nothing of files or chunks.  No allocation, no I/O, no
 * global state: everything lives in structures that the caller owns.  Parameter order: context,
 * outputs, inputs.  Lengths are bytes.  A pointer may be NULL where its length is 0.
 *
 * Not secret: lengths, the kernel, whether a tag was right, and nonces.
 */
#ifndef GCMCRYPT_GCM_GCM_H
#define GCMCRYPT_GCM_GCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GCM_NONCE_BYTES 12
#define GCM_TAG_BYTES   16
/* SP 800-38D, 5.2.1.1: at most 2^39 - 256 bits under one nonce. */
#define GCM_TEXT_MAX ((UINT64_C(1) << 36) - 32)

/* One implementation of AES-GCM; kernel.h has its members. */
struct gcm_kernel;

/*
 * A prepared key: round keys, powers of H, and the kernel they were laid out for.  Key material,
 * const once prepared, so many threads may share one.
 */
struct gcm_key {
	_Alignas(64) uint8_t schedule[3008]; /* belongs to the kernel */
	const struct gcm_kernel *kernel;
};

/*
 * What the first two AES rounds of counter mode come to, remembered from one message to the next.
 * Key material; one per thread.
 */
struct gcm_counter_cache {
	_Alignas(64) uint8_t rounds[4096 + 128]; /* belongs to the kernel that filled it */
	const struct gcm_kernel *kernel;         /* which one that was; NULL: empty */
};

/*
 * The best kernel that cpu_features (from cpu_probe()) allows and that passes its self-test, or
 * the one called name.  NULL: no such kernel, not usable here, or its self-test failed.
 */
const struct gcm_kernel *gcm_kernel_select(uint32_t cpu_features, const char *name_or_null);

/* The table of kernels, best first; gcm_kernel_at(i) is NULL for i >= gcm_kernel_count(). */
size_t gcm_kernel_count(void);
const struct gcm_kernel *gcm_kernel_at(size_t i);
const char *gcm_kernel_name(const struct gcm_kernel *kernel);

/* Whether cpu_features has all that the kernel needs. */
bool gcm_kernel_usable(const struct gcm_kernel *kernel, uint32_t cpu_features);

/* The features a kernel needs, an OR of enum cpu_feature. */
uint32_t gcm_kernel_needs(const struct gcm_kernel *kernel);

/* Prepares a key of 16, 24 or 32 bytes; false (and *k wiped) for any other length. */
bool gcm_key_init(struct gcm_key *k, const struct gcm_kernel *kernel, const uint8_t *key,
		  size_t key_len);
void gcm_key_wipe(struct gcm_key *k);

/* Empty: any key may use it next.  It notices a change of key or nonce itself, by value. */
void gcm_counter_cache_init(struct gcm_counter_cache *cache);
void gcm_counter_cache_wipe(struct gcm_counter_cache *cache);

/*
 * Seals len bytes of pt into ct and tag (SP 800-38D, 7.1).  ct == pt is allowed, any other
 * overlap is not.  len is at most GCM_TEXT_MAX; more stops the program.  A nonce must never be
 * used twice with one key.
 */
void gcm_seal(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *ct,
	      uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES], const uint8_t *aad,
	      size_t aad_len, const uint8_t *pt, size_t len);

/*
 * Opens len bytes of ct into pt (SP 800-38D, 7.2).  True: the tag was right.  False: it was not,
 * and pt holds len zero bytes.  pt == ct is allowed, any other overlap is not.
 */
bool gcm_open(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *pt,
	      const uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
	      const uint8_t *aad, size_t aad_len, const uint8_t *ct, size_t len);

struct gcm_slice {
	const uint8_t *at;
	size_t len;
};

/*
 * gcm_seal() of the count pieces joined; ct holds the sum of their lengths.  No piece may overlap
 * ct.  The sum is at most GCM_TEXT_MAX.
 */
void gcm_seal_gather(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *ct,
		     uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
		     const uint8_t *aad, size_t aad_len, const struct gcm_slice *pieces,
		     size_t count);

#endif
