/* SPDX-License-Identifier: ISC */
/*
 * kernel_aes.h - a part of kernel_template.h: AES rounds, key expansion and powers of H.
 */

/*
 * Rounds from the first to the last but one, for n vectors side by side, n a constant.  Round keys
 * end at a fixed place, so the three key sizes differ in two jumps that are always predicted.
 */
GCM_INLINE void aes_round_all(const struct prepared *p, vec *s, size_t n, size_t round)
{
	const vec before = v_broadcast(p->round_key[round - 1]);
	const vec key = v_broadcast(p->round_key[round]);

	EACH (i, n)
		s[i] = v_aes_round(s[i], before, key);
}

/*
 * The rounds that only longer keys have, behind skip rounds that are done; after them come rounds
 * 5 + skip to 13 and the last for all keys.
 */
GCM_INLINE void aes_early_rounds(const struct prepared *p, vec *s, size_t n, size_t skip)
{
	if (p->first == 4)
		return;
	if (p->first == 0) {
		aes_round_all(p, s, n, 1 + skip);
		aes_round_all(p, s, n, 2 + skip);
	}
	aes_round_all(p, s, n, 3 + skip);
	aes_round_all(p, s, n, 4 + skip);
}

GCM_INLINE vec aes_last(const struct prepared *p, vec s, vec text)
{
	return v_aes_last(s, v_broadcast(p->round_key[13]), v_broadcast(p->round_key[14]), text);
}

/* Rounds from to before end of one block. */
GCM_INLINE block aes_block_rounds(const struct prepared *p, block s, size_t from, size_t end)
{
	for (size_t r = from; r < end; r++)
		s = b_aes_round(s, b_load_aligned(p->round_key[r - 1]),
				b_load_aligned(p->round_key[r]));
	return s;
}

/* Round from and all that follow. */
GCM_INLINE block aes_block_finish(const struct prepared *p, block s, size_t from)
{
	s = aes_block_rounds(p, s, from, 14);
	return b_aes_last(s, b_load_aligned(p->round_key[13]), b_load_aligned(p->round_key[14]),
			  b_zero());
}

/* All rounds; unrolled, unlike the two above, for J0 of every message. */
GCM_INLINE block aes_block(const struct prepared *p, block s)
{
	s = b_aes_first(s, b_load_aligned(p->round_key[p->first]));
	if (p->first == 0)
		s = aes_block_rounds(p, s, 1, 3);
	if (p->first <= 2)
		s = aes_block_rounds(p, s, 3, 5);
	EACH (i, 9)
		s = aes_block_rounds(p, s, 5 + i, 6 + i);
	return b_aes_last(s, b_load_aligned(p->round_key[13]), b_load_aligned(p->round_key[14]),
			  b_zero());
}

/* FIPS 197, 5.2; SubWord is the S-box of an AES round, so there is no table to index. */
static void expand_key(struct prepared *p, const uint8_t *key, size_t key_len)
{
	const size_t n = key_len / 4, words = 4 * (n + 7);
	uint8_t *at;
	uint32_t w, earlier, rcon = 1;

	p->first = (uint8_t)(8 - n);
	at = p->round_key[p->first];
	memcpy(at, key, key_len);
	memcpy(&w, at + key_len - 4, 4);
	for (size_t i = n; i < words; i++) {
		if (i % n == 0) {
			w = b_subword(w);
			w = (w >> 8 | w << 24) ^ rcon;
			rcon = rcon == 0x80 ? 0x1b : rcon << 1;
		} else if (n == 8 && i % n == 4) {
			w = b_subword(w);
		}
		memcpy(&earlier, at + 4 * (i - n), 4);
		w ^= earlier;
		memcpy(at + 4 * i, &w, 4);
	}
}

/* H x, reversed: see "bit order" above. */
static block hash_key(const struct prepared *p)
{
	block h = b_reverse(aes_block(p, b_zero()));
	uint64_t high = b_high64(h), low = b_low64(h), carry = 0 - (high >> 63);

	return b_set64((high << 1 | low >> 63) ^ (carry & UINT64_C(0xc2) << 56),
		       low << 1 ^ (carry & 1));
}

/* Stores the powers that end with H^top, in both forms. */
GCM_INLINE void store_powers(struct prepared *p, size_t top, vec a)
{
	v_store(p->power[POWERS - top], a);
	v_store(p->folded[POWERS - top], v_xor(a, v_swap64(a)));
}

/*
 * H to H^LANES one by one, then each time as many more as there are: products that do not wait for
 * each other, where a chain of them would take twice as long.
 */
static void prepare_powers(struct prepared *p)
{
	const block h = hash_key(p);
	block power = h;

	memset(p->power + POWERS, 0, LANES * sizeof p->power[0]);
	memset(p->folded + POWERS, 0, LANES * sizeof p->folded[0]);
	for (size_t i = 1; i <= LANES; i++) {
		b_store(p->power[POWERS - i], power);
		power = block_mul(power, h);
	}
	store_powers(p, LANES, v_load(p->power[POWERS - LANES]));
	for (size_t done = LANES, top = LANES; top < POWERS; done = top) {
		const vec a = v_broadcast(p->power[POWERS - done]);
		const vec folded = v_broadcast(p->folded[POWERS - done]);

		for (size_t i = LANES; i <= done && top < POWERS; i += LANES) {
			struct sum s;

			top += LANES;
			sum_clear(&s);
			sum_add(&s, v_load(p->power[POWERS - i]), a, folded);
			store_powers(p, top, sum_reduce(s));
		}
	}
}
