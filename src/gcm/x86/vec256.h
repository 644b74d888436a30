/* SPDX-License-Identifier: ISC */
/*
 * vec256.h - the v_ operations of kernel_template.h for two blocks a vector: AVX2 registers.
 *
 * Needs AVX2, VAES and VPCLMULQDQ, and all that vec128.h needs.
 */
#ifndef GCMCRYPT_GCM_X86_VEC256_H
#define GCMCRYPT_GCM_X86_VEC256_H

#include "gcm/x86/part.h"

typedef __m256i vec;

#define LANES 2

GCM_INLINE vec v_zero(void)
{
	return _mm256_setzero_si256();
}

GCM_INLINE vec v_load(const void *p)
{
	return _mm256_loadu_si256(p);
}

GCM_INLINE vec v_load_aligned(const void *p)
{
	return _mm256_load_si256(p);
}

GCM_INLINE void v_store(void *p, vec a)
{
	_mm256_storeu_si256(p, a);
}

GCM_INLINE vec v_from_block(block a)
{
	return _mm256_zextsi128_si256(a);
}

/* The first lane. */
GCM_INLINE block v_block(vec a)
{
	return _mm256_castsi256_si128(a);
}

/* Two blocks in the first lanes; zeroes follow. */
GCM_INLINE vec v_two(block a, block b)
{
	return _mm256_inserti128_si256(v_from_block(a), b, 1);
}

GCM_INLINE vec v_spread(block a)
{
	return _mm256_broadcastsi128_si256(a);
}

GCM_INLINE vec v_broadcast(const void *p)
{
	return v_spread(b_load_aligned(p));
}

/* All lanes xored together. */
GCM_INLINE block v_fold(vec a)
{
	return b_xor(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
}

/* Loads, stores and keeps the first len bytes, 1 to 32; touches no other byte. */
GCM_INLINE vec v_load_part(const uint8_t *p, size_t len)
{
	if (len <= 16)
		return v_from_block(b_load_part(p, len));
	return _mm256_inserti128_si256(v_from_block(b_load(p)), b_load_part(p + 16, len - 16), 1);
}

GCM_INLINE void v_store_part(uint8_t *p, vec a, size_t len)
{
	if (len <= 16) {
		b_store_part(p, _mm256_castsi256_si128(a), len);
	} else {
		b_store(p, _mm256_castsi256_si128(a));
		b_store_part(p + 16, _mm256_extracti128_si256(a, 1), len - 16);
	}
}

GCM_INLINE vec v_keep_part(vec a, size_t len)
{
	static const uint8_t window[64] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	return _mm256_and_si256(a, v_load(window + 32 - len));
}

GCM_INLINE vec v_xor(vec a, vec b)
{
	return _mm256_xor_si256(a, b);
}

GCM_INLINE vec v_xor3(vec a, vec b, vec c)
{
	return v_xor(v_xor(a, b), c);
}

GCM_INLINE vec v_reverse(vec a)
{
	return _mm256_shuffle_epi8(a, v_spread(b_set64(0x0001020304050607, 0x08090a0b0c0d0e0f)));
}

GCM_INLINE vec v_swap64(vec a)
{
	return _mm256_shuffle_epi32(a, 0x4e);
}

GCM_INLINE vec v_mul_ll(vec a, vec b)
{
	return _mm256_clmulepi64_epi128(a, b, 0x00);
}

GCM_INLINE vec v_mul_lh(vec a, vec b)
{
	return _mm256_clmulepi64_epi128(a, b, 0x10);
}

GCM_INLINE vec v_mul_hl(vec a, vec b)
{
	return _mm256_clmulepi64_epi128(a, b, 0x01);
}

GCM_INLINE vec v_mul_hh(vec a, vec b)
{
	return _mm256_clmulepi64_epi128(a, b, 0x11);
}

GCM_INLINE vec v_aes_first(vec s, vec key)
{
	return v_xor(s, key);
}

GCM_INLINE vec v_aes_round(vec s, vec before, vec key)
{
	(void)before;
	return _mm256_aesenc_epi128(s, key);
}

GCM_INLINE vec v_aes_last(vec s, vec before, vec key, vec text)
{
	(void)before;
	return _mm256_aesenclast_epi128(s, v_xor(key, text));
}

/* The counter blocks after first, reversed, one a lane; then n added to every lane (inc32). */
GCM_INLINE vec v_counters(block first)
{
	return _mm256_add_epi32(v_spread(first), _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 1));
}

GCM_INLINE vec v_count(vec counters, uint32_t n)
{
	return _mm256_add_epi32(counters, _mm256_set_epi32(0, 0, 0, (int)n, 0, 0, 0, (int)n));
}

/* next in the last two lanes, base in those before. */
GCM_INLINE vec v_last_two(vec base, vec next)
{
	(void)base;
	return next;
}

/* Nails a value to a register here; kernel_ghash.h says why. */
GCM_INLINE void v_keep(vec *a)
{
	__asm__("" : "+x"(*a));
}

#endif
