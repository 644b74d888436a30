/* SPDX-License-Identifier: ISC */
/*
 * kernel_ghash.h - a part of kernel_template.h: sums of products in GHASH's field, and the AAD.
 */

/* Products of 128 x 128 bits that wait for their reduction: low, middle and high 128 bits. */
struct block_sum {
	block low, mid, high;
};

struct sum {
	vec low, mid, high; /* lane by lane */
};

GCM_INLINE void block_sum_add(struct block_sum *s, block a, block power)
{
	s->low = b_xor(s->low, b_mul_ll(a, power));
	s->mid = b_xor(s->mid, b_xor(b_mul_lh(a, power), b_mul_hl(a, power)));
	s->high = b_xor(s->high, b_mul_hh(a, power));
}

/*
 * Modulo x^128 + x^7 + x^2 + x + 1, 64 bits at a time from the low end: 0xc2 << 56 is that
 * polynomial's middle in this bit order, and its outer terms are the swap and the xor.
 */
GCM_INLINE block block_sum_reduce(struct block_sum s)
{
	const block poly = b_set64(0, UINT64_C(0xc2) << 56);

	s.mid = b_xor(s.mid, b_xor(b_swap64(s.low), b_mul_ll(s.low, poly)));
	return b_xor(s.high, b_xor(b_swap64(s.mid), b_mul_ll(s.mid, poly)));
}

GCM_INLINE block block_mul(block a, block power)
{
	struct block_sum s = {b_zero(), b_zero(), b_zero()};

	block_sum_add(&s, a, power);
	return block_sum_reduce(s);
}

/*
 * Karatsuba: three products instead of four, for a shuffle and an xor more.  mid is the product of
 * the folded factors, to which sum_reduce adds what it lacks.  On a Zen 5 core, which takes two
 * cycles a product, this is worth 16 % on aesni, 17 % on vaes256, 1 % on vaes512.
 *
 * v_keep: with AVX2, gcc 12 puts the xors of a sum off until its reduction and spills what they
 * wait for; an empty asm after each addition keeps it from that (vaes256: 7 %).
 */
GCM_INLINE void sum_add(struct sum *s, vec a, vec power, vec folded)
{
	s->low = v_xor(s->low, v_mul_ll(a, power));
	v_keep(&s->low);
	s->high = v_xor(s->high, v_mul_hh(a, power));
	v_keep(&s->high);
	s->mid = v_xor(s->mid, v_mul_ll(v_xor(a, v_swap64(a)), folded));
	v_keep(&s->mid);
}

/* The products of two blocks, which need not stand side by side. */
GCM_INLINE void sum_add_two(struct sum *s, block a, const uint8_t *power_a, block b,
			    const uint8_t *power_b)
{
	if (LANES == 1)
		sum_add(s, v_from_block(b), v_load_aligned(power_b),
			v_load_aligned(power_b + FOLDED));
	sum_add(s, v_two(a, b), v_two(b_load_aligned(power_a), b_load_aligned(power_b)),
		v_two(b_load_aligned(power_a + FOLDED), b_load_aligned(power_b + FOLDED)));
}

GCM_INLINE vec sum_reduce(struct sum s)
{
	static const _Alignas(16) uint8_t poly_bytes[16] = {[7] = 0xc2};
	const vec poly = v_broadcast(poly_bytes);

	s.mid = v_xor3(s.mid, s.low, s.high);
	s.mid = v_xor3(s.mid, v_swap64(s.low), v_mul_ll(s.low, poly));
	return v_xor3(s.high, v_swap64(s.mid), v_mul_ll(s.mid, poly));
}

GCM_INLINE void sum_clear(struct sum *s)
{
	s->low = s->mid = s->high = v_zero();
}

/* The block that ends every message: its lengths in bits (SP 800-38D, 7.1, step 5), reversed. */
GCM_INLINE block lengths(size_t aad_len, size_t len)
{
	return b_set64((uint64_t)aad_len * 8, (uint64_t)len * 8);
}

/*
 * GHASH of the AAD but for its last multiplication by H, which a caller may merge into another.
 * Not inlined, so that its loop takes no part in how short messages use registers.
 */
static __attribute__((noinline)) block hash_long_aad(const struct prepared *p, const uint8_t *aad,
						     size_t len)
{
	block y = b_zero();

	while (len > 16) {
		size_t n = (len - 1) / 16 < GROUP ? (len - 1) / 16 : GROUP;
		const uint8_t *power = powers(p, n);
		struct block_sum s = {b_zero(), b_zero(), b_zero()};

		for (size_t i = 0; i < n; i++) {
			block a = b_xor(b_reverse(b_load(aad + 16 * i)), y);

			block_sum_add(&s, a, b_load(power + 16 * i));
			y = b_zero();
		}
		y = block_sum_reduce(s);
		aad += 16 * n;
		len -= 16 * n;
	}
	return b_xor(y, b_reverse(b_load_part(aad, len)));
}

/* The same for any AAD: most are short. */
GCM_INLINE block hash_aad(const struct prepared *p, const uint8_t *aad, size_t len)
{
	if (len > 16)
		return hash_long_aad(p, aad, len);
	return len == 0 ? b_zero() : b_reverse(b_load_part(aad, len));
}
