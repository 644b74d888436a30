/* SPDX-License-Identifier: ISC */
/*
 * aes_bitsliced.c - see aes_bitsliced.h.
 *
 * Eight words ("planes") hold bit 0 to bit 7 of all state bytes; the word headers say where in a
 * word each byte has its bit.  SubBytes is then a circuit of ANDs and XORs over the planes, and
 * works on all bytes of all blocks together.
 *
 * Fixslicing (Adomnicai and Peyrin, ePrint 2020/1123): ShiftRows moves nothing.  Bytes stay where
 * they are, and their true column is reckoned instead: with d rounds still to come, place (r, c)
 * holds the state's byte (r, c + d r).  Every round lowers d by one, which is what ShiftRows does
 * to row r, and after the last round d = 0: all bytes are at home.  Round keys and counter blocks
 * are brought into the same places beforehand.  MixColumns must look for the byte one row further
 * down in the same true column: it is at (r + 1, c - d); two rows down at (r + 2, c - 2 d).
 */
#include <sodium.h>
#include <string.h>

#include "gcm/soft/aes_bitsliced.h"

/*
 * The affine constant of SubBytes.  It passes ShiftRows and MixColumns (1 + 1 + 2 + 3 = 1)
 * unchanged, so it is added to the round keys once instead of to the state in every round.
 */
#define SBOX_CONSTANT 0x63

/* Exchanges the bits of *a under the complement of mask with those of *b under mask. */
SOFT_INLINE void swap_bits(soft_word *a, soft_word *b, unsigned shift, uint64_t mask)
{
	const soft_word t = (*a >> shift ^ *b) & mask;

	*b ^= t;
	*a ^= t << shift;
}

/*
 * The bit half of the transposition between bytes and planes: exchanges the three bits of a
 * word's number with the three lowest bits of a place in a word.  Undoes itself.  Unrolled by
 * pragma since gcc 12 -O2 would go through memory (2 % of a seal); clang needs no telling.
 */
static void swap_planes(soft_word q[8])
{
#pragma GCC unroll 4
	for (unsigned i = 0; i < 8; i += 2)
		swap_bits(&q[i], &q[i + 1], 1, UINT64_C(0x5555555555555555));
#pragma GCC unroll 4
	for (unsigned i = 0; i < 8; i += 4) {
		swap_bits(&q[i], &q[i + 2], 2, UINT64_C(0x3333333333333333));
		swap_bits(&q[i + 1], &q[i + 3], 2, UINT64_C(0x3333333333333333));
	}
#pragma GCC unroll 4
	for (unsigned i = 0; i < 4; i++)
		swap_bits(&q[i], &q[i + 4], 4, UINT64_C(0x0f0f0f0f0f0f0f0f));
}

/*
 * SubBytes without its constant: the circuit of 32 ANDs and 77 XORs of Boyar and Peralta (ePrint
 * 2009/191, as shortened to 113 gates in the authors' published straight-line program), under
 * their names.  u0 is the most significant bit.  It inverts in GF(2^8) as an extension of GF(2^4):
 * y is a change of basis, t the norm and its inverse in the subfield, z the products with it; the
 * sums c and s change back and do the affine map's matrix.  Every value is made shortly before it
 * is used, for want of registers: 5 % faster than one part after the other (gcc 12, SSE2).
 */
SOFT_INLINE void sub_bytes(soft_word q[8])
{
	const soft_word u0 = q[7], u1 = q[6], u2 = q[5], u3 = q[4];
	const soft_word u4 = q[3], u5 = q[2], u6 = q[1], u7 = q[0];

	/* Change of basis, and the norm in GF(2^4) as soon as its terms are there. */
	const soft_word y14 = u3 ^ u5, y13 = u0 ^ u6, y12 = y13 ^ y14;
	const soft_word t1 = u4 ^ y12, y15 = t1 ^ u5, t2 = y12 & y15, y6 = y15 ^ u7, y20 = t1 ^ u1;
	const soft_word y9 = u0 ^ u3, y11 = y20 ^ y9, t12 = y9 & y11, y7 = u7 ^ y11, y8 = u0 ^ u5;
	const soft_word t0 = u1 ^ u2, y10 = y15 ^ t0, y17 = y10 ^ y11, y19 = y10 ^ y8;
	const soft_word t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
	const soft_word y16 = t0 ^ y11, y21 = y13 ^ y16, t7 = y13 & y16, y18 = u0 ^ y16;
	const soft_word y1 = t0 ^ u7, y4 = y1 ^ u3, t6 = (y4 & u7) ^ t2, t22 = t6 ^ t16 ^ y19;
	const soft_word y2 = y1 ^ u0, t11 = (y2 & y7) ^ t7, t24 = t11 ^ t16 ^ y18;
	const soft_word y5 = y1 ^ u6, t9 = (y5 & y1) ^ t7, t23 = t9 ^ t14 ^ y21;
	const soft_word y3 = y5 ^ y8, t4 = (y3 & y6) ^ t2, t21 = t4 ^ y20 ^ t14;

	/* Its inverse. */
	const soft_word t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t31 = t22 ^ t26;
	const soft_word t29 = (t25 & t27) ^ t22, t33 = (t31 & (t23 ^ t24)) ^ t24;
	const soft_word t36 = t24 & (t27 ^ t33), t40 = t25 ^ (t29 & (t27 ^ t36));

	/* Products with it, the change back, and the linear part of the affine map. */
	const soft_word t43 = t29 ^ t40, z3 = t43 & y16, z12 = t43 & y13;
	const soft_word z14 = t29 & y2, z5 = t29 & y7, z13 = t40 & y5, z4 = t40 & y1;
	const soft_word c6 = z3 ^ z4, c12 = z3 ^ z5;
	const soft_word t37 = t36 ^ t23 ^ t33, t41 = t40 ^ t37, z8 = t41 & y10, z17 = t41 & y8;
	const soft_word t44 = t33 ^ t37, z0 = t44 & y15, z9 = t44 & y12;
	const soft_word z10 = t37 & y3, z1 = t37 & y6, c11 = c6 ^ z1 ^ z0, z11 = t33 & y4;
	const soft_word t42 = t29 ^ t33, t45 = t42 ^ t41, z7 = t45 & y17, c8 = z7 ^ c6;
	const soft_word z16 = t45 & y14, c16 = (t42 & y11) ^ c8, z15 = t42 & y9;
	const soft_word c1 = z15 ^ z16, c2 = z10 ^ c1, c3 = z9 ^ c2, s3 = c3 ^ c11;
	const soft_word c4 = z0 ^ (t33 & u7), c10 = c8 ^ z8 ^ z12 ^ c4, c17 = z14 ^ c10;
	const soft_word c14 = c4 ^ c12, c18 = z13 ^ c1 ^ c14;

	q[7] = c3 ^ c16;
	q[6] = s3 ^ c16;
	q[5] = c17 ^ z15 ^ c16 ^ z17;
	q[4] = s3;
	q[3] = c14 ^ s3;
	q[2] = c2 ^ z11 ^ c17;
	q[1] = c10 ^ c18;
	q[0] = z12 ^ c18;
}

/*
 * MixColumns with d rounds to come.  With a the byte, a' the next one down its column and
 * t = a ^ a', the result is 2 t ^ a' ^ (t two rows down).  Doubling moves each plane up by one;
 * plane 7 comes back into planes 0, 1, 3 and 4 (x^8 = x^4 + x^3 + x + 1).
 */
SOFT_INLINE void mix_columns(soft_word q[8], unsigned d)
{
	const unsigned d2 = 2 * d % 4;
	const soft_word a0 = soft_word_turn(q[0], 1, d), t0 = q[0] ^ a0;
	const soft_word a1 = soft_word_turn(q[1], 1, d), t1 = q[1] ^ a1;
	const soft_word a2 = soft_word_turn(q[2], 1, d), t2 = q[2] ^ a2;
	const soft_word a3 = soft_word_turn(q[3], 1, d), t3 = q[3] ^ a3;
	const soft_word a4 = soft_word_turn(q[4], 1, d), t4 = q[4] ^ a4;
	const soft_word a5 = soft_word_turn(q[5], 1, d), t5 = q[5] ^ a5;
	const soft_word a6 = soft_word_turn(q[6], 1, d), t6 = q[6] ^ a6;
	const soft_word a7 = soft_word_turn(q[7], 1, d), t7 = q[7] ^ a7;

	q[0] = a0 ^ t7 ^ soft_word_turn(t0, 2, d2);
	q[1] = a1 ^ t0 ^ t7 ^ soft_word_turn(t1, 2, d2);
	q[2] = a2 ^ t1 ^ soft_word_turn(t2, 2, d2);
	q[3] = a3 ^ t2 ^ t7 ^ soft_word_turn(t3, 2, d2);
	q[4] = a4 ^ t3 ^ t7 ^ soft_word_turn(t4, 2, d2);
	q[5] = a5 ^ t4 ^ soft_word_turn(t5, 2, d2);
	q[6] = a6 ^ t5 ^ soft_word_turn(t6, 2, d2);
	q[7] = a7 ^ t6 ^ soft_word_turn(t7, 2, d2);
}

SOFT_INLINE void add_round_key(soft_word q[8], const soft_word key[8])
{
	q[0] ^= key[0];
	q[1] ^= key[1];
	q[2] ^= key[2];
	q[3] ^= key[3];
	q[4] ^= key[4];
	q[5] ^= key[5];
	q[6] ^= key[6];
	q[7] ^= key[7];
}

void gcm_soft_aes_rounds(const struct soft_aes *aes, soft_word state[8], unsigned first,
			 unsigned last, struct soft_ghash *beside)
{
	soft_word q[8] = {state[0], state[1], state[2], state[3],
			  state[4], state[5], state[6], state[7]};

	if (first == 1)
		add_round_key(q, aes->round_key[0]);
	for (unsigned r = first; r <= last; r++) {
		const unsigned d = aes->rounds - r;

		if (beside)
			soft_ghash_step(beside);
		sub_bytes(q);
		if (d % 4 == 3)
			mix_columns(q, 3);
		else if (d % 4 == 2)
			mix_columns(q, 2);
		else if (d % 4 == 1)
			mix_columns(q, 1);
		else if (d != 0) /* the last round has no MixColumns */
			mix_columns(q, 0);
		add_round_key(q, aes->round_key[r]);
	}
	memcpy(state, q, sizeof q);
}

void gcm_soft_aes_place(uint8_t out[16], const uint8_t in[16], unsigned d)
{
	for (unsigned c = 0; c < 4; c++)
		for (unsigned r = 0; r < 4; r++)
			out[4 * c + r] = in[4 * ((c + d * r) % 4) + r];
}

void gcm_soft_aes_load(soft_word q[8], const uint8_t in[SOFT_GROUP_BYTES])
{
	soft_word_load(q, in);
	swap_planes(q);
}

void gcm_soft_aes_store(uint8_t out[SOFT_GROUP_BYTES], soft_word q[8])
{
	swap_planes(q);
	soft_word_store(out, q);
}

/*
 * SubWord (FIPS 197, 5.2).  The circuit does not care where in a word the bits are: plane b takes
 * bit b of each byte of w, left at the byte's lowest bit.
 */
static uint32_t sub_word(uint32_t w)
{
	soft_word q[8], all;
	uint64_t low;

	for (unsigned b = 0; b < 8; b++)
		q[b] = soft_word_all(w >> b & 0x01010101);
	sub_bytes(q);
	all = q[0];
	for (unsigned b = 1; b < 8; b++)
		all |= q[b] << b;
	memcpy(&low, &all, sizeof low);
	return (uint32_t)low ^ SBOX_CONSTANT * UINT32_C(0x01010101);
}

/* KeyExpansion (FIPS 197, 5.2): 4 (rounds + 1) words from the nk words of key. */
static void expand_key(uint8_t *bytes, const uint8_t *key, unsigned nk, unsigned rounds)
{
	uint32_t rcon = 1;
	uint32_t t = soft_load_be32(key + 4 * nk - 4);
	unsigned at = 0; /* i modulo nk */

	memcpy(bytes, key, (size_t)4 * nk);
	for (unsigned i = nk; i < 4 * (rounds + 1); i++) {
		if (at == 0) {
			t = sub_word(t << 8 | t >> 24) ^ rcon << 24;
			rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
		} else if (nk == 8 && at == 4) {
			t = sub_word(t);
		}
		t ^= soft_load_be32(bytes + 4 * (i - nk));
		soft_store_be32(bytes + 4 * i, t);
		at = at + 1 < nk ? at + 1 : 0;
	}
}

/* A round key from block n of the planes q: into the places of all blocks, constant added. */
static void put_round_key(soft_word to[8], const soft_word q[8], unsigned n, unsigned constant)
{
	for (unsigned b = 0; b < 8; b++) {
		const soft_word x = q[b] >> n & SOFT_FIRST_BLOCK;

		to[b] = (x << SOFT_BLOCKS) - x;
		to[b] ^= soft_word_all(0 - (uint64_t)(constant >> b & 1));
	}
}

void gcm_soft_aes_init(struct soft_aes *aes, const uint8_t *key, size_t key_len)
{
	const unsigned nk = (unsigned)(key_len / 4);
	uint8_t bytes[16 * 16] = {0};
	uint8_t group[SOFT_GROUP_BYTES];
	soft_word q[8];

	aes->rounds = nk + 6;
	expand_key(bytes, key, nk, aes->rounds);
	memcpy(aes->first, bytes, sizeof aes->first);
	for (unsigned from = 0; from <= aes->rounds; from += SOFT_BLOCKS) {
		for (unsigned n = 0; n < SOFT_BLOCKS; n++)
			gcm_soft_aes_place(group + 16 * n, bytes + 16 * (from + n),
					   aes->rounds - from - n);
		gcm_soft_aes_load(q, group);
		for (unsigned r = from; r < from + SOFT_BLOCKS && r <= aes->rounds; r++)
			put_round_key(aes->round_key[r], q, r - from, r > 0 ? SBOX_CONSTANT : 0);
	}
	sodium_memzero(bytes, sizeof bytes);
	sodium_memzero(group, sizeof group);
	sodium_memzero(q, sizeof q);
}
