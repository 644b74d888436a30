/* SPDX-License-Identifier: ISC */
/*
 * vec128.h - the v_ operations of kernel_template.h for one block a vector: SSE registers.
 *
 * The vector operations are the block operations.  Needs AES, PCLMULQDQ, SSSE3 and SSE4.1.
 */
#ifndef GCMCRYPT_GCM_X86_VEC128_H
#define GCMCRYPT_GCM_X86_VEC128_H

#include "gcm/x86/part.h"

typedef block vec;

#define LANES 1

#define v_zero()                       b_zero()
#define v_load(p)                      b_load(p)
#define v_load_aligned(p)              b_load_aligned(p)
#define v_store(p, a)                  b_store(p, a)
#define v_load_part(p, len)            b_load_part(p, len)
#define v_store_part(p, a, len)        b_store_part(p, a, len)
#define v_keep_part(a, len)            b_keep_part(a, len)
#define v_broadcast(p)                 b_load_aligned(p)
#define v_from_block(a)                (a)
#define v_block(a)                     (a)
#define v_two(a, b)                    (a)
#define v_spread(a)                    (a)
#define v_last_two(base, next)         (next)
#define v_fold(a)                      (a)
#define v_xor(a, b)                    b_xor(a, b)
#define v_xor3(a, b, c)                b_xor(b_xor(a, b), c)
#define v_reverse(a)                   b_reverse(a)
#define v_swap64(a)                    b_swap64(a)
#define v_mul_ll(a, b)                 b_mul_ll(a, b)
#define v_mul_lh(a, b)                 b_mul_lh(a, b)
#define v_mul_hl(a, b)                 b_mul_hl(a, b)
#define v_mul_hh(a, b)                 b_mul_hh(a, b)
#define v_aes_first(s, key)            b_aes_first(s, key)
#define v_aes_round(s, before, key)    b_aes_round(s, before, key)
#define v_aes_last(s, before, key, in) b_aes_last(s, before, key, in)

/* The counter block after first, reversed, in each lane; then n added to every lane (inc32). */
GCM_INLINE vec v_counters(block first)
{
	return b_count(first, 1);
}

GCM_INLINE vec v_count(vec counters, uint32_t n)
{
	return b_count(counters, n);
}

/* Not needed: gcc 12 spills no less with it, and the rest is slower by 1 % (kernel_ghash.h). */
GCM_INLINE void v_keep(vec *a)
{
	(void)a;
}

#endif
