/* SPDX-License-Identifier: ISC */
/*
 * ghash_mul.c - see ghash_mul.h.
 *
 * Bit order.  A block is read as one 128-bit integer, most significant byte first; bit i of the
 * integer is the coefficient of z^i in POLYVAL's field (RFC 8452), z^128 = z^127 + z^126 + z^121
 * + 1.  With H multiplied by z once, dot(a, b) = a b z^-128 there is GHASH's product of the two
 * blocks, and no bit ever has to be reversed.
 *
 * Multiplication without carries.  A 64-bit half a is taken apart into four classes, bits i with
 * i = 0, 1, 2, 3 modulo 4, each moved down to "digits" of four bits that are 0 or 1.  The integer
 * product of two classes has in digit k the number of ways to get there, whose parity is the
 * wanted coefficient.  A count of 16 would run over into the next digit; only digit 15 can reach
 * it, and not when one factor has 15 digits.  So the lowest digits of the power's classes are left
 * out, and these 8 bits of each power come in by ANDs and XORs ("spare").
 *
 * All that follows is linear over XOR, and a digit's parity is its lowest bit: so products are
 * XORed together with what lies above the parities still in place, over all blocks of a stride,
 * and cleaned, put together and reduced once at the end.  Karatsuba's method serves three times:
 * for halves, for pairs of classes, and for classes: 3 x 3 x 3 multiplications a block.
 */
#include <sodium.h>
#include <string.h>

#include "gcm/soft/bytes.h"
#include "gcm/soft/ghash_mul.h"

#define DIGITS UINT64_C(0x1111111111111111)

/* Bits of a half that are left out of a power's classes: the lowest digit of each class. */
#define SPARE UINT64_C(0xf)

struct product {
	uint64_t high;
	uint64_t low;
};

/* *sum ^= a * b, the whole 128 bits of the product. */
static inline void multiply_xor(struct product *sum, uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	const unsigned __int128 p = (unsigned __int128)a * b;

	sum->low ^= (uint64_t)p;
	sum->high ^= (uint64_t)(p >> 64);
#else
	/* No carry passes between digits, so the four partial products may be XORed too. */
	const uint64_t middle = (a >> 32) * (uint32_t)b ^ (uint32_t)a * (b >> 32);

	sum->low ^= (uint64_t)(uint32_t)a * (uint32_t)b ^ middle << 32;
	sum->high ^= (a >> 32) * (b >> 32) ^ middle >> 32;
#endif
}

/* The nine multiplicands of a half: sums of its classes as two levels of Karatsuba want them. */
static inline void put_classes(uint64_t to[][SOFT_STRIDE], size_t at, uint64_t a)
{
	const uint64_t a0 = a & DIGITS, a1 = a >> 1 & DIGITS;
	const uint64_t a2 = a >> 2 & DIGITS, a3 = a >> 3 & DIGITS;

	to[0][at] = a0;
	to[1][at] = a1;
	to[2][at] = a0 ^ a1;
	to[3][at] = a2;
	to[4][at] = a3;
	to[5][at] = a2 ^ a3;
	to[6][at] = a0 ^ a2;
	to[7][at] = a1 ^ a3;
	to[8][at] = a0 ^ a1 ^ a2 ^ a3;
}

static inline void put_element(uint64_t to[SOFT_PRODUCTS][SOFT_STRIDE], size_t at,
			       struct soft_element x)
{
	put_classes(to, at, x.low);
	put_classes(to + 9, at, x.high);
	put_classes(to + 18, at, x.low ^ x.high);
}

/* Moves bits 3..0 of each digit's parity home: class i of the product to the bits i modulo 4. */
static inline uint64_t merge(uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3)
{
	return (s0 & DIGITS) | (s1 & DIGITS) << 1 | (s2 & DIGITS) << 2 | (s3 & DIGITS) << 3;
}

/*
 * The product of two halves from its nine class products.  Class sums of index i and j give
 * index i + j, 0..6; index 4 and up is index 0 and up, one digit higher.
 */
static struct product join_classes(const struct product p[9])
{
	uint64_t low[7], high[7];

	for (unsigned w = 0; w < 2; w++) {
		uint64_t *s = w ? high : low;
		uint64_t q[9];

		for (unsigned i = 0; i < 9; i++)
			q[i] = w ? p[i].high : p[i].low;
		s[0] = q[0];
		s[1] = q[2] ^ q[0] ^ q[1];
		s[2] = q[1] ^ q[6] ^ q[0] ^ q[3];
		s[3] = q[8] ^ q[6] ^ q[7] ^ s[1] ^ q[5] ^ q[3] ^ q[4];
		s[4] = q[7] ^ q[1] ^ q[4] ^ q[3];
		s[5] = q[5] ^ q[3] ^ q[4];
		s[6] = q[4];
	}
	return (struct product){
		.low = merge(low[0] ^ low[4] << 4, low[1] ^ low[5] << 4, low[2] ^ low[6] << 4,
			     low[3]),
		.high = merge(high[0] ^ (high[4] << 4 | low[4] >> 60),
			      high[1] ^ (high[5] << 4 | low[5] >> 60),
			      high[2] ^ (high[6] << 4 | low[6] >> 60), high[3]),
	};
}

/*
 * r (256 bits, r[0] lowest) z^-128, reduced: adds v (z^128 + z^127 + z^126 + z^121 + 1), which is
 * zero in the field, for each of the two lowest words v, so that these become zero.
 */
static struct soft_element reduce(uint64_t r[4])
{
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t v = r[i];

		r[i + 1] ^= v << 63 ^ v << 62 ^ v << 57;
		r[i + 2] ^= v ^ v >> 1 ^ v >> 2 ^ v >> 7;
	}
	return (struct soft_element){.high = r[3], .low = r[2]};
}

/*
 * Adds the products with the powers' spare bits to r: bit i of a half shifts the block by i.
 * Horner's rule, so that every shift is by one.
 */
static inline void add_spare(uint64_t r[3], const struct soft_ghash *g, unsigned half, size_t n)
{
	const size_t from = SOFT_STRIDE - n;
	uint64_t t0 = 0, t1 = 0, t2 = 0;

	for (unsigned bit = 4; bit-- > 0;) {
		t2 = t2 << 1 | t1 >> 63;
		t1 = t1 << 1 | t0 >> 63;
		t0 <<= 1;
		for (size_t i = 0; i < n; i++) {
			const uint64_t mask = g->spare[4 * half + bit][from + i];

			t0 ^= g->block[i].low & mask;
			t1 ^= g->block[i].high & mask;
		}
	}
	r[0] ^= t0;
	r[1] ^= t1;
	r[2] ^= t2;
}

/* Y = the sum of the n waiting blocks times H^n .. H^1. */
static inline void fold(struct soft_ghash *g, size_t n)
{
	const size_t from = SOFT_STRIDE - n;
	struct product p[SOFT_PRODUCTS];
	struct product low, high, middle;
	uint64_t r[4];

	for (unsigned j = 0; j < SOFT_PRODUCTS; j++) {
		struct product sum = {0, 0};

		for (size_t i = 0; i < n; i++)
			multiply_xor(&sum, g->text[j][i], g->power[j][from + i]);
		p[j] = sum;
	}
	low = join_classes(p);
	high = join_classes(p + 9);
	middle = join_classes(p + 18);
	r[0] = low.low;
	r[1] = low.high ^ middle.low ^ low.low ^ high.low;
	r[2] = high.low ^ middle.high ^ low.high ^ high.high;
	r[3] = high.high;
	for (unsigned half = 0; half < 2; half++)
		add_spare(r + half, g, half, n);
	g->y = reduce(r);
	g->waiting = 0;
}

/* Full strides get their own copy, with loops of constant length. */
static void fold_waiting(struct soft_ghash *g)
{
	if (g->waiting == SOFT_STRIDE)
		fold(g, SOFT_STRIDE);
	else if (g->waiting > 0)
		fold(g, g->waiting);
}

static void put_block(struct soft_ghash *g, const uint8_t in[16])
{
	struct soft_element x = {soft_load_be64(in), soft_load_be64(in + 8)};

	x.high ^= g->y.high;
	x.low ^= g->y.low;
	g->y = (struct soft_element){0, 0};
	g->block[g->waiting] = x;
	put_element(g->text, g->waiting, x);
	if (++g->waiting == SOFT_STRIDE)
		fold_waiting(g);
}

static void put_power(struct soft_ghash *g, size_t at, struct soft_element h)
{
	for (unsigned i = 0; i < 4; i++) {
		g->spare[i][at] = 0 - (h.low >> i & 1);
		g->spare[4 + i][at] = 0 - (h.high >> i & 1);
	}
	h.low &= ~SPARE;
	h.high &= ~SPARE;
	put_element(g->power, at, h);
}

void gcm_soft_ghash_key(struct soft_powers *powers, const uint8_t h[16])
{
	struct soft_element x = {soft_load_be64(h), soft_load_be64(h + 8)};
	const uint64_t carry = 0 - (x.high >> 63);
	struct soft_ghash g;

	/* H z: see the bit order above. */
	x.high = (x.high << 1 | x.low >> 63) ^ (carry & UINT64_C(0xc200000000000000));
	x.low = x.low << 1 ^ (carry & 1);
	put_power(&g, SOFT_STRIDE - 1, x);
	for (size_t i = SOFT_STRIDE; i-- > 0;) {
		powers->h[i] = x;
		g.block[0] = x;
		put_element(g.text, 0, x);
		fold(&g, 1);
		x = g.y;
	}
	sodium_memzero(&g, sizeof g);
}

void gcm_soft_ghash_start(struct soft_ghash *g, const struct soft_powers *powers, uint64_t blocks)
{
	const size_t n = blocks < SOFT_STRIDE ? (size_t)blocks : SOFT_STRIDE;

	for (size_t i = SOFT_STRIDE - n; i < SOFT_STRIDE; i++)
		put_power(g, i, powers->h[i]);
	g->y = (struct soft_element){0, 0};
	g->waiting = 0;
}

void gcm_soft_ghash_update(struct soft_ghash *g, const uint8_t *in, size_t len)
{
	for (; len >= 16; in += 16, len -= 16)
		put_block(g, in);
	if (len > 0) {
		uint8_t last[16] = {0};

		memcpy(last, in, len);
		put_block(g, last);
		sodium_memzero(last, sizeof last);
	}
}

void gcm_soft_ghash_finish(struct soft_ghash *g, uint8_t y[16])
{
	fold_waiting(g);
	soft_store_be64(y, g->y.high);
	soft_store_be64(y + 8, g->y.low);
	sodium_memzero(g, sizeof *g);
}
