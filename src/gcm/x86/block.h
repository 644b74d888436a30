/* SPDX-License-Identifier: ISC */
/*
 * block.h - one block in an XMM register: the b_ operations of kernel_template.h.
 *
 * A block of GHASH is kept byte-reversed, so that polynomial coefficients run from the highest
 * bit down (see "bit order" in kernel_template.h).  Loads and stores need no alignment.
 */
#ifndef GCMCRYPT_GCM_X86_BLOCK_H
#define GCMCRYPT_GCM_X86_BLOCK_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "gcm/kernel.h"

typedef __m128i block;

GCM_INLINE block b_zero(void)
{
	return _mm_setzero_si128();
}

GCM_INLINE block b_set64(uint64_t high, uint64_t low)
{
	return _mm_set_epi64x((long long)high, (long long)low);
}

GCM_INLINE uint64_t b_low64(block a)
{
	return (uint64_t)_mm_cvtsi128_si64(a);
}

GCM_INLINE uint64_t b_high64(block a)
{
	return (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(a, a));
}

GCM_INLINE block b_load(const void *p)
{
	return _mm_loadu_si128(p);
}

/* From an address that is a multiple of 16: without AVX, only these merge into instructions. */
GCM_INLINE block b_load_aligned(const void *p)
{
	return _mm_load_si128(p);
}

/* J0: the nonce and the counter (SP 800-38D, 7.1, step 2). */
GCM_INLINE block b_load_j0(const uint8_t nonce[12], uint32_t counter)
{
	block low = _mm_loadl_epi64((const void *)nonce);
	int third;

	memcpy(&third, nonce + 8, sizeof third);
	low = _mm_insert_epi32(low, third, 2);
	return _mm_insert_epi32(low, (int)__builtin_bswap32(counter), 3);
}

GCM_INLINE void b_store(void *p, block a)
{
	_mm_storeu_si128(p, a);
}

GCM_INLINE block b_xor(block a, block b)
{
	return _mm_xor_si128(a, b);
}

GCM_INLINE block b_and(block a, block b)
{
	return _mm_and_si128(a, b);
}

GCM_INLINE block b_or(block a, block b)
{
	return _mm_or_si128(a, b);
}

GCM_INLINE bool b_is_zero(block a)
{
	return (b_low64(a) | b_high64(a)) == 0;
}

/* n added to the counter of a reversed counter block (inc32). */
GCM_INLINE block b_count(block counter, uint32_t n)
{
	return _mm_add_epi32(counter, _mm_cvtsi32_si128((int)n));
}

GCM_INLINE block b_reverse(block a)
{
	return _mm_shuffle_epi8(a, b_set64(0x0001020304050607, 0x08090a0b0c0d0e0f));
}

GCM_INLINE block b_swap64(block a)
{
	return _mm_shuffle_epi32(a, 0x4e);
}

/* Carry-less products of halves: low x low, low x high and so on. */
GCM_INLINE block b_mul_ll(block a, block b)
{
	return _mm_clmulepi64_si128(a, b, 0x00);
}

GCM_INLINE block b_mul_lh(block a, block b)
{
	return _mm_clmulepi64_si128(a, b, 0x10);
}

GCM_INLINE block b_mul_hl(block a, block b)
{
	return _mm_clmulepi64_si128(a, b, 0x01);
}

GCM_INLINE block b_mul_hh(block a, block b)
{
	return _mm_clmulepi64_si128(a, b, 0x11);
}

/*
 * AES rounds.  This machine's round ends with its key; one whose round starts with a key uses
 * before instead, and its b_aes_first() does nothing.
 */
GCM_INLINE block b_aes_first(block s, block key)
{
	return _mm_xor_si128(s, key);
}

GCM_INLINE block b_aes_round(block s, block before, block key)
{
	(void)before;
	return _mm_aesenc_si128(s, key);
}

GCM_INLINE block b_aes_last(block s, block before, block key, block text)
{
	(void)before;
	return _mm_aesenclast_si128(s, _mm_xor_si128(key, text));
}

/* SubWord of FIPS 197: four equal columns make ShiftRows of the last round do nothing. */
GCM_INLINE uint32_t b_subword(uint32_t w)
{
	block s = _mm_aesenclast_si128(_mm_set1_epi32((int)w), _mm_setzero_si128());

	return (uint32_t)_mm_cvtsi128_si32(s);
}

#endif
