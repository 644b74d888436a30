/* SPDX-License-Identifier: ISC */
/*
 * vec512.h - the v_ operations of kernel_template.h for four blocks a vector: AVX-512 registers.
 *
 * Needs AVX512F, AVX512BW and AVX512VL (byte masks), VAES and VPCLMULQDQ, and all that block.h
 * needs.  A part of a vector is a masked load or store, which touches no masked byte.
 */
#ifndef GCMCRYPT_GCM_X86_VEC512_H
#define GCMCRYPT_GCM_X86_VEC512_H

#include "gcm/x86/block.h"

typedef __m512i vec;

#define LANES 4

GCM_INLINE block b_load_part(const uint8_t *p, size_t len)
{
	return _mm_maskz_loadu_epi8((__mmask16)(0xffffu >> (16 - len)), p);
}

GCM_INLINE void b_store_part(uint8_t *p, block a, size_t len)
{
	_mm_mask_storeu_epi8(p, (__mmask16)(0xffffu >> (16 - len)), a);
}

GCM_INLINE block b_keep_part(block a, size_t len)
{
	return _mm_maskz_mov_epi8((__mmask16)(0xffffu >> (16 - len)), a);
}

GCM_INLINE vec v_zero(void)
{
	return _mm512_setzero_si512();
}

GCM_INLINE vec v_load(const void *p)
{
	return _mm512_loadu_si512(p);
}

GCM_INLINE vec v_load_aligned(const void *p)
{
	return _mm512_load_si512(p);
}

GCM_INLINE void v_store(void *p, vec a)
{
	_mm512_storeu_si512(p, a);
}

GCM_INLINE vec v_from_block(block a)
{
	return _mm512_zextsi128_si512(a);
}

/* The first lane. */
GCM_INLINE block v_block(vec a)
{
	return _mm512_castsi512_si128(a);
}

/* Two blocks in the first lanes; zeroes follow. */
GCM_INLINE vec v_two(block a, block b)
{
	return _mm512_zextsi256_si512(_mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1));
}

GCM_INLINE vec v_spread(block a)
{
	return _mm512_broadcast_i32x4(a);
}

GCM_INLINE vec v_broadcast(const void *p)
{
	return v_spread(b_load_aligned(p));
}

/* All lanes xored together. */
GCM_INLINE block v_fold(vec a)
{
	__m256i half = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));

	return b_xor(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

/* Loads, stores and keeps the first len bytes, 1 to 64; touches no other byte. */
GCM_INLINE __mmask64 v_mask(size_t len)
{
	return UINT64_MAX >> (64 - len);
}

GCM_INLINE vec v_load_part(const uint8_t *p, size_t len)
{
	return _mm512_maskz_loadu_epi8(v_mask(len), p);
}

GCM_INLINE void v_store_part(uint8_t *p, vec a, size_t len)
{
	_mm512_mask_storeu_epi8(p, v_mask(len), a);
}

GCM_INLINE vec v_keep_part(vec a, size_t len)
{
	return _mm512_maskz_mov_epi8(v_mask(len), a);
}

GCM_INLINE vec v_xor(vec a, vec b)
{
	return _mm512_xor_si512(a, b);
}

GCM_INLINE vec v_xor3(vec a, vec b, vec c)
{
	return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

GCM_INLINE vec v_reverse(vec a)
{
	return _mm512_shuffle_epi8(a, v_spread(b_set64(0x0001020304050607, 0x08090a0b0c0d0e0f)));
}

GCM_INLINE vec v_swap64(vec a)
{
	return _mm512_shuffle_epi32(a, 0x4e);
}

GCM_INLINE vec v_mul_ll(vec a, vec b)
{
	return _mm512_clmulepi64_epi128(a, b, 0x00);
}

GCM_INLINE vec v_mul_lh(vec a, vec b)
{
	return _mm512_clmulepi64_epi128(a, b, 0x10);
}

GCM_INLINE vec v_mul_hl(vec a, vec b)
{
	return _mm512_clmulepi64_epi128(a, b, 0x01);
}

GCM_INLINE vec v_mul_hh(vec a, vec b)
{
	return _mm512_clmulepi64_epi128(a, b, 0x11);
}

GCM_INLINE vec v_aes_first(vec s, vec key)
{
	return v_xor(s, key);
}

GCM_INLINE vec v_aes_round(vec s, vec before, vec key)
{
	(void)before;
	return _mm512_aesenc_epi128(s, key);
}

GCM_INLINE vec v_aes_last(vec s, vec before, vec key, vec text)
{
	(void)before;
	return _mm512_aesenclast_epi128(s, v_xor(key, text));
}

/* The counter blocks after first, reversed, one a lane; then n added to every lane (inc32). */
GCM_INLINE vec v_counters(block first)
{
	return _mm512_add_epi32(v_spread(first),
				_mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1));
}

GCM_INLINE vec v_count(vec counters, uint32_t n)
{
	return _mm512_add_epi32(counters, v_spread(_mm_set_epi32(0, 0, 0, (int)n)));
}

/* next in the last two lanes, base in those before. */
GCM_INLINE vec v_last_two(vec base, vec next)
{
	return _mm512_mask_blend_epi64(0xf0, base, next);
}

/* Ternary logic leaves no chain of xors to put off (kernel_ghash.h); nailing costs 1 to 4 %. */
GCM_INLINE void v_keep(vec *a)
{
	(void)a;
}

#endif
