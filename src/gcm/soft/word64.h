/* SPDX-License-Identifier: ISC */
/*
 * word64.h - the planes of the bitsliced AES in 64-bit integers: four blocks at once.
 *
 * Owns the layout of a word and nothing of AES itself.  Plane b holds bit b of every state byte;
 * the byte of row r and column c of block n sits in bit 16 r + 4 c + n.  So a row is 16 bits, a
 * column of a row 4 bits, and moving to the next row is one rotation of the whole word.
 */
#ifndef GCMCRYPT_GCM_SOFT_WORD64_H
#define GCMCRYPT_GCM_SOFT_WORD64_H

#include <stdint.h>

#include "gcm/soft/bytes.h"

typedef uint64_t soft_word;

/* Blocks in a word, and the bytes that eight planes hold. */
#define SOFT_BLOCKS      4
#define SOFT_GROUP_BYTES (16 * SOFT_BLOCKS)

/* The bits of a word that belong to its first and to its last block. */
#define SOFT_FIRST_BLOCK UINT64_C(0x1111111111111111)
#define SOFT_LAST_BLOCK  UINT64_C(0x8888888888888888)

/* A word of the 64 bits x, over and over. */
SOFT_INLINE soft_word soft_word_all(uint64_t x)
{
	return x;
}

SOFT_INLINE uint64_t word64_ror(uint64_t x, unsigned n)
{
	return x >> (n & 63) | x << ((64 - n) & 63);
}

/*
 * What (r, c) gets is what was at (r + rows, c - cols), both modulo 4; constants at every call.
 * Columns that do not wrap come from 16 rows - 4 cols bits further up; for those that do, the
 * source is one row's width further.
 */
SOFT_INLINE soft_word soft_word_turn(soft_word x, unsigned rows, unsigned cols)
{
	const uint64_t wraps = ((UINT64_C(1) << 4 * cols) - 1) * UINT64_C(0x0001000100010001);

	return (word64_ror(x, 16 * rows - 4 * cols) & ~wraps) |
	       (word64_ror(x, 16 * rows - 4 * cols + 16) & wraps);
}

/* Exchanges the bytes (or pairs of bytes) under mask with those shift bits above. */
SOFT_INLINE uint64_t word64_swap(uint64_t x, unsigned shift, uint64_t mask)
{
	const uint64_t t = (x ^ x >> shift) & mask;

	return x ^ t ^ t << shift;
}

/* Exchanges the bytes of *a under the mask's complement with the neighbours of *b under it. */
SOFT_INLINE void word64_swap_bytes(uint64_t *a, uint64_t *b)
{
	const uint64_t t = (*a >> 8 ^ *b) & UINT64_C(0x00ff00ff00ff00ff);

	*b ^= t;
	*a ^= t << 8;
}

/*
 * The byte half of the transposition; swap_planes() of aes_bitsliced.c is the bit half.  A block
 * is two little-endian integers whose bytes count (c1) c0 r1 r0, and goes to words n and n + 4,
 * bytes (c0) r1 r0 c1: three exchanges of two index bits, each of which undoes itself.
 */
SOFT_INLINE void soft_word_load(soft_word q[8], const uint8_t in[SOFT_GROUP_BYTES])
{
	for (unsigned n = 0; n < SOFT_BLOCKS; n++) {
		uint64_t a = soft_load_le64(in + 16 * n);
		uint64_t b = soft_load_le64(in + 16 * n + 8);

		a = word64_swap(a, 16, UINT64_C(0x00000000ffff0000));
		b = word64_swap(b, 16, UINT64_C(0x00000000ffff0000));
		a = word64_swap(a, 8, UINT64_C(0x0000ff000000ff00));
		b = word64_swap(b, 8, UINT64_C(0x0000ff000000ff00));
		word64_swap_bytes(&a, &b);
		q[n] = a;
		q[n + 4] = b;
	}
}

SOFT_INLINE void soft_word_store(uint8_t out[SOFT_GROUP_BYTES], const soft_word q[8])
{
	for (unsigned n = 0; n < SOFT_BLOCKS; n++) {
		uint64_t a = q[n];
		uint64_t b = q[n + 4];

		word64_swap_bytes(&a, &b);
		a = word64_swap(a, 8, UINT64_C(0x0000ff000000ff00));
		b = word64_swap(b, 8, UINT64_C(0x0000ff000000ff00));
		a = word64_swap(a, 16, UINT64_C(0x00000000ffff0000));
		b = word64_swap(b, 16, UINT64_C(0x00000000ffff0000));
		soft_store_le64(out + 16 * n, a);
		soft_store_le64(out + 16 * n + 8, b);
	}
}

#endif
