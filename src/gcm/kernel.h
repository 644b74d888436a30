/* SPDX-License-Identifier: ISC */
/*
 * kernel.h - what a kernel is.  For the files of src/gcm and their tests only.
 *
 * A kernel sees whole messages, so that it can overlap E(J0), the bulk and the tail.  It neither
 * compares tags nor zeroes anything on failure: gcm.c does that, once, for all of them.
 */
#ifndef GCMCRYPT_GCM_KERNEL_H
#define GCMCRYPT_GCM_KERNEL_H

#include "gcm/gcm.h"

struct gcm_kernel {
	const char *name;
	uint32_t needs; /* enum cpu_feature bits that must all be there */

	/* Expands a key of 16, 24 or 32 bytes into k->schedule. */
	void (*key_init)(struct gcm_key *k, const uint8_t *key, size_t key_len);

	/*
	 * Counter mode over in, starting at inc32(J0), and GHASH over aad and the ciphertext (out
	 * when sealing, in when opening); tag receives GHASH xor E(J0).  J0 is the nonce and a
	 * counter, which gcm.c sets to 1; it may be any number and wraps at 2^32 without a carry
	 * (inc32).  J0 does not come as a block: a block just stored in parts makes the kernel that
	 * loads it wait.  out == in is allowed.
	 */
	void (*seal)(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *out,
		     uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
		     const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t len,
		     uint32_t counter);
	void (*open)(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null, uint8_t *out,
		     uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
		     const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t len,
		     uint32_t counter);

	/*
	 * seal() of count pieces joined, len bytes in all, more than 512.  No piece overlaps out.
	 * NULL where to copy them first costs next to nothing beside sealing.
	 */
	void (*seal_gather)(const struct gcm_key *k, struct gcm_counter_cache *cache_or_null,
			    uint8_t *out, uint8_t tag[GCM_TAG_BYTES],
			    const uint8_t nonce[GCM_NONCE_BYTES], const uint8_t *aad,
			    size_t aad_len, const struct gcm_slice *pieces, size_t count,
			    size_t len, uint32_t counter);
};

/* The table's kernels: gcm_kernel_vaes512 and so on. */
#define GCM_KERNEL(kernel) extern const struct gcm_kernel gcm_kernel_##kernel;
#include "gcm/kernels.def"
#undef GCM_KERNEL

/* What every operation of a kernel is: inlined into the target region that uses it, or wrong. */
#define GCM_INLINE static inline __attribute__((always_inline, unused))

/*
 * Everything between these two is compiled for the features in text, whatever the compiler was
 * told on its command line, and nothing else in the program is.
 */
#define GCM_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define GCM_TARGET_BEGIN(text) \
	GCM_PRAGMA(clang attribute push(__attribute__((target(text))), apply_to = function))
#define GCM_TARGET_END GCM_PRAGMA(clang attribute pop)
#else
#define GCM_TARGET_BEGIN(text) GCM_PRAGMA(GCC push_options) GCM_PRAGMA(GCC target(text))
#define GCM_TARGET_END         GCM_PRAGMA(GCC pop_options)
#endif

#endif
