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
 * out, and these 8 bits of each power come in by ANDs and XORs ("spare").  (A count of 16 needs
 * two classes that are all ones: rare in texts, but H times H meets it for one H in 2500.)
 *
 * All that follows is linear over XOR, and a digit's parity is its lowest bit: so products are
 * XORed together with what lies above the parities still in place, over all blocks of a stride,
 * and cleaned, put together and reduced once at the end.  Karatsuba's method serves three times:
 * for halves, for pairs of classes, and for classes: 3 x 3 x 3 multiplications a block.
 */
#include <sodium.h>
#include <string.h>

#include "gcm/soft/ghash_mul.h"
#include "gcm/soft/word.h"

#define DIGITS UINT64_C(0x1111111111111111)

/* Bits of a half that are left out of a power's classes: the lowest digit of each class. */
#define SPARE UINT64_C(0xf)

/* 64-bit integers in a word: loops over a stride take them together. */
#define LANES (sizeof(soft_word) / sizeof(uint64_t))

SOFT_INLINE soft_word load(const uint64_t *from)
{
	soft_word x;

	memcpy(&x, from, sizeof x);
	return x;
}

SOFT_INLINE void store(uint64_t *to, soft_word x)
{
	memcpy(to, &x, sizeof x);
}

/* The nine multiplicands of a half: sums of its classes as two levels of Karatsuba want them. */
SOFT_INLINE void put_classes(uint64_t to[][SOFT_STRIDE], size_t at, soft_word a)
{
	const soft_word a0 = a & DIGITS, a1 = a >> 1 & DIGITS;
	const soft_word a2 = a >> 2 & DIGITS, a3 = a >> 3 & DIGITS;
	const soft_word a01 = a0 ^ a1, a23 = a2 ^ a3;

	store(&to[0 * SOFT_HALVES][at], a0);
	store(&to[1 * SOFT_HALVES][at], a1);
	store(&to[2 * SOFT_HALVES][at], a01);
	store(&to[3 * SOFT_HALVES][at], a2);
	store(&to[4 * SOFT_HALVES][at], a3);
	store(&to[5 * SOFT_HALVES][at], a23);
	store(&to[6 * SOFT_HALVES][at], a0 ^ a2);
	store(&to[7 * SOFT_HALVES][at], a1 ^ a3);
	store(&to[8 * SOFT_HALVES][at], a01 ^ a23);
}

/*
 * The multiplicands of a stride of elements, of which those before from need none; taken from the
 * bits of either half that are in keep.
 */
static void put_stride(uint64_t to[][SOFT_STRIDE], const uint64_t *low, const uint64_t *high,
		       uint64_t keep, size_t from)
{
	for (size_t i = from & ~(LANES - 1); i < SOFT_STRIDE; i += LANES) {
		const soft_word l = load(low + i) & keep;
		const soft_word h = load(high + i) & keep;

		put_classes(to + 0, i, l);
		put_classes(to + 1, i, h);
		put_classes(to + 2, i, l ^ h);
	}
}

/* A word's lanes added up. */
SOFT_INLINE uint64_t across(soft_word x)
{
	uint64_t lane[LANES], sum = 0;

	memcpy(lane, &x, sizeof x);
	for (size_t i = 0; i < LANES; i++)
		sum ^= lane[i];
	return sum;
}

/*
 * Adds the stride's products with the four spare bits of one half of the powers to r: bit i shifts
 * a block up by i.  Horner's rule, so that every shift is by one.
 */
SOFT_INLINE void add_spare(uint64_t r[3], const uint64_t mask[4][SOFT_STRIDE], const uint64_t *low,
			   const uint64_t *high)
{
	soft_word t0, t1, t2;

	t0 = t1 = t2 = load(mask[0]) & 0;
	for (unsigned bit = 4; bit-- > 0;) {
		t2 = t2 << 1 | t1 >> 63;
		t1 = t1 << 1 | t0 >> 63;
		t0 <<= 1;
#pragma GCC unroll 8
		for (size_t i = 0; i < SOFT_STRIDE; i += LANES) {
			t0 ^= load(low + i) & load(mask[bit] + i);
			t1 ^= load(high + i) & load(mask[bit] + i);
		}
	}
	r[0] ^= across(t0);
	r[1] ^= across(t1);
	r[2] ^= across(t2);
}

/* Class i of a product goes to the bits i modulo 4. */
SOFT_INLINE soft_word merge(soft_word s0, soft_word s1, soft_word s2, soft_word s3)
{
	return (s0 & DIGITS) | (s1 & DIGITS) << 1 | (s2 & DIGITS) << 2 | (s3 & DIGITS) << 3;
}

/*
 * Class sums of index i + j from the nine class products of a pair of halves (LANES pairs at
 * once): Karatsuba for (a0 + a1 x) and (a2 + a3 x), and for the pair of these.
 */
SOFT_INLINE void sum_classes(soft_word s[7], const uint64_t *product)
{
	const soft_word q0 = load(product), q1 = load(product + 1 * SOFT_HALVES);
	const soft_word q2 = load(product + 2 * SOFT_HALVES), q3 = load(product + 3 * SOFT_HALVES);
	const soft_word q4 = load(product + 4 * SOFT_HALVES), q5 = load(product + 5 * SOFT_HALVES);
	const soft_word q6 = load(product + 6 * SOFT_HALVES), q7 = load(product + 7 * SOFT_HALVES);
	const soft_word q8 = load(product + 8 * SOFT_HALVES), q13 = q1 ^ q3;

	s[0] = q0;
	s[1] = q2 ^ q0 ^ q1;
	s[2] = q6 ^ q0 ^ q13;
	s[4] = q7 ^ q4 ^ q13;
	s[5] = q5 ^ q3 ^ q4;
	s[3] = q8 ^ q6 ^ q7 ^ s[1] ^ s[5];
	s[6] = q4;
}

/*
 * The products of the pairs of halves from their class products.  Index 4 and up is index 0 and
 * up one digit higher, where the low word's top digit passes into the high word.
 */
static void join_classes(uint64_t low[4], uint64_t high[4], const struct soft_ghash *g)
{
	for (size_t h = 0; h < SOFT_HALVES; h += LANES) {
		soft_word l[7], u[7];

		sum_classes(l, g->low + h);
		sum_classes(u, g->high + h);
		store(low + h, merge(l[0] ^ l[4] << 4, l[1] ^ l[5] << 4, l[2] ^ l[6] << 4, l[3]));
		store(high + h, merge(u[0] ^ u[4] << 4 ^ l[4] >> 60, u[1] ^ u[5] << 4 ^ l[5] >> 60,
				      u[2] ^ u[6] << 4 ^ l[6] >> 60, u[3]));
	}
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

/* Brings the stride in hand into Y; its blocks before from are zero. */
static void settle(struct soft_ghash *g, size_t from)
{
	uint64_t low[4], high[4];

	if (!g->multiplying)
		return;
	while (g->done < SOFT_CLASSES)
		soft_ghash_multiply(g, from);
	join_classes(low, high, g);
	g->sum[0] ^= low[0];
	g->sum[1] ^= high[0] ^ low[2] ^ low[0] ^ low[1];
	g->sum[2] ^= low[1] ^ high[2] ^ high[0] ^ high[1];
	g->sum[3] ^= high[1];
	g->y = reduce(g->sum);
	g->multiplying = false;
}

/* Makes the next blocks the stride in hand; those before from are zero. */
static void begin(struct soft_ghash *g, size_t from)
{
	settle(g, 0);
	g->next_low[from] ^= g->y.low;
	g->next_high[from] ^= g->y.high;
	memset(g->sum, 0, sizeof g->sum);
	for (unsigned half = 0; half < 2; half++)
		add_spare(g->sum + half, g->spare[half], g->next_low, g->next_high);
	put_stride(g->text, g->next_low, g->next_high, UINT64_MAX, from);
	g->waiting = 0;
	g->done = 0;
	g->multiplying = true;
}

SOFT_INLINE void put_block(struct soft_ghash *g, const uint8_t in[16])
{
	g->next_high[g->waiting] = soft_load_be64(in);
	g->next_low[g->waiting] = soft_load_be64(in + 8);
	if (++g->waiting == SOFT_STRIDE)
		begin(g, 0);
}

static void put_powers(struct soft_ghash *g, const struct soft_powers *powers)
{
	for (unsigned bit = 0; bit < 4; bit++) {
		for (size_t i = 0; i < SOFT_STRIDE; i++) {
			g->spare[0][bit][i] = 0 - (powers->low[i] >> bit & 1);
			g->spare[1][bit][i] = 0 - (powers->high[i] >> bit & 1);
		}
	}
	put_stride(g->power, powers->low, powers->high, ~SPARE, 0);
}

void gcm_soft_ghash_key(struct soft_powers *powers, const uint8_t h[16])
{
	const size_t last = SOFT_STRIDE - 1;
	struct soft_element x = {soft_load_be64(h), soft_load_be64(h + 8)};
	const uint64_t carry = 0 - (x.high >> 63);
	struct soft_ghash g;

	/* H z: see the bit order above. */
	x.high = (x.high << 1 | x.low >> 63) ^ (carry & UINT64_C(0xc200000000000000));
	x.low = x.low << 1 ^ (carry & 1);
	memset(powers, 0, sizeof *powers);
	powers->low[last] = x.low;
	powers->high[last] = x.high;
	gcm_soft_ghash_start(&g, powers);
	for (size_t i = last; i > 0; i--) { /* H^n = H^(n-1) H^1: a stride of one block */
		g.next_low[last] = powers->low[i];
		g.next_high[last] = powers->high[i];
		g.y = (struct soft_element){0, 0};
		begin(&g, last);
		settle(&g, last);
		powers->low[i - 1] = g.y.low;
		powers->high[i - 1] = g.y.high;
	}
	sodium_memzero(&g, sizeof g);
}

void gcm_soft_ghash_start(struct soft_ghash *g, const struct soft_powers *powers)
{
	put_powers(g, powers);
	memset(g->next_low, 0, sizeof g->next_low);
	memset(g->next_high, 0, sizeof g->next_high);
	g->low[SOFT_HALVES * SOFT_CLASSES] = g->high[SOFT_HALVES * SOFT_CLASSES] = 0;
	g->waiting = 0;
	g->done = SOFT_CLASSES;
	g->multiplying = false;
	g->y = (struct soft_element){0, 0};
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

/* Blocks that do not fill a stride go to its end, behind zero blocks, which add nothing. */
static void fold_rest(struct soft_ghash *g)
{
	const size_t n = g->waiting, from = SOFT_STRIDE - n;

	if (n == 0)
		return;
	memmove(g->next_low + from, g->next_low, n * sizeof *g->next_low);
	memmove(g->next_high + from, g->next_high, n * sizeof *g->next_high);
	memset(g->next_low, 0, from * sizeof *g->next_low);
	memset(g->next_high, 0, from * sizeof *g->next_high);
	begin(g, from);
	settle(g, from);
}

void gcm_soft_ghash_finish(struct soft_ghash *g, uint8_t y[16])
{
	fold_rest(g);
	settle(g, 0);
	soft_store_be64(y, g->y.high);
	soft_store_be64(y + 8, g->y.low);
	sodium_memzero(g, sizeof *g);
}
