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

/* The affine constant of SubBytes.  It passes ShiftRows and MixColumns (1 + 1 + 2 + 3 = 1)
 * unchanged, so it is added to the round keys once instead of to the state in every round. */
#define SBOX_CONSTANT 0x63

/* Exchanges the bits of *a under the complement of mask with those of *b under mask. */
static inline void swap_bits(soft_word *a, soft_word *b, unsigned shift, uint64_t mask)
{
	const soft_word t = (*a >> shift ^ *b) & mask;

	*b ^= t;
	*a ^= t << shift;
}

/*
 * The bit half of the transposition between bytes and planes: exchanges the three bits of a
 * word's number with the three lowest bits of a place in a word.  Undoes itself.
 */
static void swap_planes(soft_word q[8])
{
	for (unsigned i = 0; i < 8; i += 2)
		swap_bits(&q[i], &q[i + 1], 1, UINT64_C(0x5555555555555555));
	for (unsigned i = 0; i < 8; i += 4) {
		swap_bits(&q[i], &q[i + 2], 2, UINT64_C(0x3333333333333333));
		swap_bits(&q[i + 1], &q[i + 3], 2, UINT64_C(0x3333333333333333));
	}
	for (unsigned i = 0; i < 4; i++)
		swap_bits(&q[i], &q[i + 4], 4, UINT64_C(0x0f0f0f0f0f0f0f0f));
}

/*
 * SubBytes without its constant: the circuit of 32 ANDs and 77 XORs of Boyar and Peralta (ePrint
 * 2009/191, as shortened to 113 gates in the authors' published straight-line program), under
 * their names.  u0 is the most significant bit.  It inverts in GF(2^8) as an extension of GF(2^4):
 * y is a change of basis, t the norm and its inverse in the subfield, z the products with it; the
 * sums after them change back and do the affine map's matrix.
 */
static inline void sub_bytes(soft_word q[8])
{
	const soft_word u0 = q[7], u1 = q[6], u2 = q[5], u3 = q[4];
	const soft_word u4 = q[3], u5 = q[2], u6 = q[1], u7 = q[0];

	/* Change of basis. */
	const soft_word y14 = u3 ^ u5, y13 = u0 ^ u6, y12 = y13 ^ y14;
	const soft_word t1 = u4 ^ y12, y15 = t1 ^ u5, y6 = y15 ^ u7, y20 = t1 ^ u1;
	const soft_word y9 = u0 ^ u3, y11 = y20 ^ y9, y7 = u7 ^ y11, y8 = u0 ^ u5;
	const soft_word t0 = u1 ^ u2, y10 = y15 ^ t0, y17 = y10 ^ y11, y19 = y10 ^ y8;
	const soft_word y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = u0 ^ y16;
	const soft_word y1 = t0 ^ u7, y4 = y1 ^ u3, y2 = y1 ^ u0, y5 = y1 ^ u6, y3 = y5 ^ y8;

	/* The norm, in GF(2^4). */
	const soft_word t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & u7) ^ t2;
	const soft_word t7 = y13 & y16, t9 = (y5 & y1) ^ t7, t11 = (y2 & y7) ^ t7;
	const soft_word t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
	const soft_word t21 = t4 ^ y20 ^ t14, t22 = t6 ^ t16 ^ y19;
	const soft_word t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;

	/* Its inverse. */
	const soft_word t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26;
	const soft_word t29 = (t25 & t27) ^ t22, t31 = t22 ^ t26;
	const soft_word t33 = (t31 & (t23 ^ t24)) ^ t24;
	const soft_word t36 = t24 & (t27 ^ t33), t37 = t36 ^ t23 ^ t33;
	const soft_word t40 = t25 ^ (t29 & (t27 ^ t36));
	const soft_word t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40;
	const soft_word t44 = t33 ^ t37, t45 = t42 ^ t41;

	/* Products with it. */
	const soft_word z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & u7;
	const soft_word z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
	const soft_word z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10;
	const soft_word z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
	const soft_word z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2;
	const soft_word z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

	/* Change back, and the linear part of the affine map. */
	const soft_word c1 = z15 ^ z16, c2 = z10 ^ c1, c3 = z9 ^ c2, c4 = z0 ^ z2;
	const soft_word c6 = z3 ^ z4, c8 = z7 ^ c6, c10 = c8 ^ z8 ^ z12 ^ c4;
	const soft_word c14 = c4 ^ z3 ^ z5, c16 = z6 ^ c8, c17 = z14 ^ c10;
	const soft_word c18 = z13 ^ c1 ^ c14, s3 = c3 ^ c6 ^ z1 ^ z0;

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
static inline void mix_columns(soft_word q[8], unsigned d)
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

static inline void add_round_key(soft_word q[8], const soft_word key[8])
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

/* Rounds first to last on planes that have had the key additions before first. */
static void run_rounds(const struct soft_aes *aes, soft_word state[8], unsigned first,
		       unsigned last)
{
	soft_word q[8] = {state[0], state[1], state[2], state[3],
			  state[4], state[5], state[6], state[7]};

	for (unsigned r = first; r <= last; r++) {
		const unsigned d = aes->rounds - r;

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

/* Brings a block's bytes into their places with d rounds to come. */
static void place_bytes(uint8_t out[16], const uint8_t in[16], unsigned d)
{
	for (unsigned c = 0; c < 4; c++)
		for (unsigned r = 0; r < 4; r++)
			out[4 * c + r] = in[4 * ((c + d * r) % 4) + r];
}

void gcm_soft_aes_counters(const struct soft_aes *aes, uint8_t out[SOFT_GROUP_BYTES],
			   const uint8_t prefix[12], uint32_t counter)
{
	soft_word q[8];
	uint8_t block[16];
	uint8_t placed[SOFT_GROUP_BYTES];

	memcpy(block, prefix, 12);
	for (unsigned n = 0; n < SOFT_BLOCKS; n++) {
		soft_store_be32(block + 12, counter + n);
		place_bytes(placed + 16 * n, block, aes->rounds);
	}
	soft_word_load(q, placed);
	swap_planes(q);
	add_round_key(q, aes->round_key[0]);
	run_rounds(aes, q, 1, aes->rounds);
	swap_planes(q);
	soft_word_store(out, q);
}

/* SubWord (FIPS 197, 5.2) through the planes, so that key expansion needs no table either. */
static void sub_word(uint8_t w[4])
{
	uint8_t group[SOFT_GROUP_BYTES] = {0};
	soft_word q[8];

	memcpy(group, w, 4);
	soft_word_load(q, group);
	swap_planes(q);
	sub_bytes(q);
	swap_planes(q);
	soft_word_store(group, q);
	for (unsigned i = 0; i < 4; i++)
		w[i] = group[i] ^ SBOX_CONSTANT;
	sodium_memzero(group, sizeof group);
	sodium_memzero(q, sizeof q);
}

/* KeyExpansion (FIPS 197, 5.2): 16 (rounds + 1) bytes from nk words of key. */
static void expand_key(uint8_t *w, const uint8_t *key, unsigned nk, unsigned rounds)
{
	uint8_t rcon = 1;

	memcpy(w, key, (size_t)4 * nk);
	for (unsigned i = nk; i < 4 * (rounds + 1); i++) {
		uint8_t t[4];

		memcpy(t, w + 4 * (i - 1), 4);
		if (i % nk == 0) {
			const uint8_t first = t[0];

			memmove(t, t + 1, 3);
			t[3] = first;
			sub_word(t);
			t[0] ^= rcon;
			rcon = (uint8_t)(rcon << 1 ^ (rcon >> 7) * 0x1b);
		} else if (nk == 8 && i % nk == 4) {
			sub_word(t);
		}
		for (unsigned j = 0; j < 4; j++)
			w[4 * i + j] = w[4 * (i - nk) + j] ^ t[j];
		sodium_memzero(t, sizeof t);
	}
}

void gcm_soft_aes_init(struct soft_aes *aes, const uint8_t *key, size_t key_len)
{
	const unsigned nk = (unsigned)(key_len / 4);
	uint8_t bytes[15 * 16];
	uint8_t group[SOFT_GROUP_BYTES];

	aes->rounds = nk + 6;
	expand_key(bytes, key, nk, aes->rounds);
	for (unsigned r = 0; r <= aes->rounds; r++) {
		place_bytes(group, bytes + 16 * r, aes->rounds - r);
		for (unsigned i = 0; i < 16 && r > 0; i++)
			group[i] ^= SBOX_CONSTANT;
		for (unsigned n = 1; n < SOFT_BLOCKS; n++)
			memcpy(group + 16 * n, group, 16);
		soft_word_load(aes->round_key[r], group);
		swap_planes(aes->round_key[r]);
	}
	sodium_memzero(bytes, sizeof bytes);
	sodium_memzero(group, sizeof group);
}
