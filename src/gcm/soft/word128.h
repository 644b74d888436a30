/* SPDX-License-Identifier: ISC */
/*
 * word128.h - the planes of the bitsliced AES in vectors of 16 bytes: eight blocks at once.
 *
 * Owns the layout of a word and nothing of AES itself.  Plane b holds bit b of every state byte;
 * the byte of row r and column c of block n sits in bit 32 r + 8 c + n.  So a row is one 32-bit
 * lane, and moving to the next row is one shuffle of lanes, which the poorest vector unit has.
 * For little-endian machines: bit 0 is the lowest bit of the first byte in memory.
 */
#ifndef GCMCRYPT_GCM_SOFT_WORD128_H
#define GCMCRYPT_GCM_SOFT_WORD128_H

#include <stdint.h>
#include <string.h>

#include "gcm/soft/bytes.h"

typedef uint64_t soft_word __attribute__((vector_size(16)));
typedef uint32_t word128_lanes __attribute__((vector_size(16)));
typedef uint16_t word128_halves __attribute__((vector_size(16)));
typedef uint8_t word128_bytes __attribute__((vector_size(16)));

/* Blocks in a word, and the bytes that eight planes hold. */
#define SOFT_BLOCKS      8
#define SOFT_GROUP_BYTES (16 * SOFT_BLOCKS)

/* The bits of a word that belong to its first and to its last block. */
#define SOFT_FIRST_BLOCK UINT64_C(0x0101010101010101)
#define SOFT_LAST_BLOCK  UINT64_C(0x8080808080808080)

/* A word of the 64 bits x, over and over. */
SOFT_INLINE soft_word soft_word_all(uint64_t x)
{
	return (soft_word){x, x};
}

/* What (r, c) gets is what was at (r + rows, c - cols), both modulo 4; constants at every call. */
SOFT_INLINE soft_word soft_word_turn(soft_word x, unsigned rows, unsigned cols)
{
	word128_lanes v = (word128_lanes)x;
	word128_halves h;

	if (rows == 1)
		v = __builtin_shufflevector(v, v, 1, 2, 3, 0);
	else
		v = __builtin_shufflevector(v, v, 2, 3, 0, 1);
	if (cols == 2) {
		h = (word128_halves)v;
		h = __builtin_shufflevector(h, h, 1, 0, 3, 2, 5, 4, 7, 6);
		return (soft_word)h;
	}
	if (cols != 0)
		v = v << 8 * cols | v >> (32 - 8 * cols);
	return (soft_word)v;
}

/*
 * A block's bytes with rows and columns exchanged: byte 4 c + r to byte 4 r + c, and back.  Twice
 * the same interleaving of low and high half, which turns the four bits of a byte's number by one.
 */
SOFT_INLINE soft_word word128_transpose(soft_word x)
{
	for (unsigned i = 0; i < 2; i++) {
		const word128_bytes low = (word128_bytes)x;
		const word128_bytes high = (word128_bytes)__builtin_shufflevector(x, x, 1, 1);

		x = (soft_word)__builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
						       5, 21, 6, 22, 7, 23);
	}
	return x;
}

/* The byte half of the transposition, swap_planes() being the bit half: block n to word n. */
SOFT_INLINE void soft_word_load(soft_word q[8], const uint8_t in[SOFT_GROUP_BYTES])
{
	for (unsigned n = 0; n < SOFT_BLOCKS; n++) {
		memcpy(&q[n], in + 16 * n, sizeof q[n]);
		q[n] = word128_transpose(q[n]);
	}
}

SOFT_INLINE void soft_word_store(uint8_t out[SOFT_GROUP_BYTES], const soft_word q[8])
{
	for (unsigned n = 0; n < SOFT_BLOCKS; n++) {
		const soft_word x = word128_transpose(q[n]);

		memcpy(out + 16 * n, &x, sizeof x);
	}
}

#endif
