/* SPDX-License-Identifier: ISC */
/*
 * kernel_template.h - AES-GCM over whole messages, written once over vector operations.
 *
 * Included once by each settings file, which first defines
 *
 *	KERNEL	the kernel's name, as in kernels.def
 *	NEEDS	the cpu_feature bits that the settings file's target allows itself
 *	VECS	vectors in a group.  A group is hashed with one reduction.
 *	BATCH	vectors that go through AES side by side: 4 or 8; VECS is a multiple of it
 *
 * and includes a header of operations, which defines LANES (blocks in a vector: 1, 2 or 4), the
 * types vec and block, and operations on them (v_ and b_).  An operation of AES takes the round
 * keys on both sides of a round, since x86 and POWER xor a key in at the end of a round and Arm
 * at its start; the compiler drops the one that is not used.
 *
 * Bit order.  GHASH numbers bits from the left: the first bit of a block is the coefficient of
 * x^0.  A block is reversed byte by byte as it is loaded; the number it then shows is the
 * polynomial with its bits the other way round.  A carry-less product of two such numbers comes
 * out one bit too low, so H is multiplied by x once, when the key is prepared, and blocks need
 * no correction (Gueron and Kounavis, "Intel carry-less multiplication instruction and its usage
 * for computing the GCM mode", algorithm 5).
 *
 * A message of m blocks and the length block are one sum,
 *
 *	(Y xor C_1) H^(m+1)  xor  C_2 H^m  xor  ...  xor  C_m H^2  xor  L H,
 *
 * so any run of products may share one reduction.  Lanes are summed apart: in a loop over groups
 * each lane multiplies its sum by H^GROUP, and only the last group, whose lanes take descending
 * powers, brings the lanes together.
 */

#define GROUP       (LANES * VECS) /* blocks */
#define GROUP_BYTES ((size_t)16 * GROUP)
#define BATCH_BYTES ((size_t)16 * LANES * BATCH)

/* A last full group, a tail of up to a group and the length block share one reduction. */
#define POWERS (2 * GROUP + LANES)

/*
 * A short loop with a constant count, always unrolled.  gcc -O2 would leave it rolled and its
 * array of vectors in memory; clang unrolls by itself, and worse when it is told to.
 */
#if defined(__clang__)
#define EACH(i, n) for (size_t i = 0; i < (n); i++)
#else
#define EACH(i, n) GCM_PRAGMA(GCC unroll 16) for (size_t i = 0; i < (n); i++)
#endif

#include "gcm/kernel_key.h"
#include "gcm/kernel_ghash.h"
#include "gcm/kernel_aes.h"

/* A message on its way. */
struct run {
	const struct prepared *p;
	vec counters; /* the next counter blocks, reversed */
	uint8_t *out;
	const uint8_t *in;
};

GCM_INLINE void start_counters(struct run *m, vec *s, size_t n)
{
	const vec key = v_broadcast(m->p->round_key[m->p->first]);

	EACH(i, n)
	{
		s[i] = v_aes_first(v_reverse(m->counters), key);
		m->counters = v_count(m->counters, LANES);
	}
}

/*
 * One batch through counter mode.  If text is not NULL, as many vectors of text are hashed with
 * the powers at power on the way, one every other round or so, so that the two kinds of work wait
 * for different units.  text may be what this batch reads, but not what it writes.
 */
GCM_INLINE void crypt_batch(struct run *m, struct sum *sum, vec y, const uint8_t *text,
			    const uint8_t *power)
{
	vec s[BATCH];

	start_counters(m, s, BATCH);
	aes_early_rounds(m->p, s, BATCH);
	aes_round_all(m->p, s, BATCH, 5);
	aes_round_all(m->p, s, BATCH, 6);
	EACH(step, 8)
	{ /* rounds 7 to 13 and the last */
		if (step < 7)
			aes_round_all(m->p, s, BATCH, 7 + step);
		if (text != NULL && step % (8 / BATCH) == 0) {
			size_t i = step / (8 / BATCH);
			vec a = v_reverse(v_load(text + 16 * LANES * i));

			sum_add(sum, i == 0 ? v_xor(a, y) : a, v_broadcast(power + 16 * LANES * i));
		}
	}
	EACH(i, BATCH)
	v_store(m->out + 16 * LANES * i, aes_last(m->p, s[i], v_load(m->in + 16 * LANES * i)));
	m->in += BATCH_BYTES;
	m->out += BATCH_BYTES;
}

GCM_INLINE void crypt_group(struct run *m)
{
	for (size_t i = 0; i < VECS / BATCH; i++)
		crypt_batch(m, NULL, v_zero(), NULL, NULL);
}

/* A group through counter mode and text, a group, into y; returns the new y. */
GCM_INLINE vec crypt_and_hash_group(struct run *m, vec y, const uint8_t *text)
{
	const uint8_t *power = powers(m->p, GROUP);
	struct sum sum;

	sum_clear(&sum);
	for (size_t i = 0; i < VECS / BATCH; i++) {
		crypt_batch(m, &sum, y, text + i * BATCH_BYTES, power + i * BATCH_BYTES);
		y = v_zero();
	}
	return sum_reduce(sum);
}

/* The products of the last full group at text, which n blocks will follow. */
GCM_INLINE void sum_last_group(struct sum *sum, const struct prepared *p, vec y,
			       const uint8_t *text, size_t n)
{
	const uint8_t *power = powers(p, GROUP + n);

	EACH(i, VECS)
	{
		vec a = v_reverse(v_load(text + 16 * LANES * i));

		sum_add(sum, i == 0 ? v_xor(a, y) : a, v_load(power + 16 * LANES * i));
	}
}

/*
 * All full groups of a message that has at least one.  Sealing hashes the group before the one
 * that is in AES, opening hashes the same; so sealing has one more AES group before the loop and
 * opening one after, and what is left to hash after the loop is the last group in either case.
 */
GCM_INLINE void crypt_groups(struct run *m, struct sum *sum, block y, size_t groups, size_t follow,
			     bool sealing)
{
	const uint8_t *text = sealing ? m->out : m->in;
	vec lanes = v_from_block(y);

	if (sealing)
		crypt_group(m);
	for (; groups > 1; groups--) {
		lanes = crypt_and_hash_group(m, lanes, text);
		text += GROUP_BYTES;
	}
	sum_last_group(sum, m->p, lanes, text, follow);
	if (!sealing)
		crypt_group(m);
}

/* n vectors, n a constant; len bytes, of which only the last vector may be short. */
GCM_INLINE void crypt_tail(struct run *m, struct sum *sum, const uint8_t *power, size_t n,
			   size_t len, bool sealing)
{
	const size_t last = len - 16 * LANES * (n - 1);
	vec s[8];

	start_counters(m, s, n);
	aes_early_rounds(m->p, s, n);
	EACH(r, 9) /* rounds 5 to 13 */
	aes_round_all(m->p, s, n, 5 + r);
	EACH(i, n)
	{
		const size_t at = 16 * LANES * i;
		const bool whole = i + 1 < n;
		vec in = whole ? v_load(m->in + at) : v_load_part(m->in + at, last);
		vec out = aes_last(m->p, s[i], in);

		if (whole)
			v_store(m->out + at, out);
		else
			v_store_part(m->out + at, out, last);
		if (sealing)
			in = whole ? out : v_keep_part(out, last);
		sum_add(sum, v_reverse(in), v_load(power + at));
	}
	m->in += len;
	m->out += len;
}

/* Up to a group: the vectors that are left, eight, four, two, one at a time. */
GCM_INLINE void crypt_rest(struct run *m, struct sum *sum, size_t len, bool sealing)
{
	const size_t width = 16 * LANES;
	const uint8_t *power = powers(m->p, (len + 15) / 16 + 1);
	size_t n = (len + width - 1) / width;

#define TAIL(count)                                               \
	do {                                                      \
		size_t part = n == (count) ? len : (count)*width; \
		crypt_tail(m, sum, power, count, part, sealing);  \
		power += part;                                    \
		len -= part;                                      \
		n -= (count);                                     \
	} while (0)
	while (VECS >= 8 && n >= 8)
		TAIL(8);
	if (n >= 4)
		TAIL(4);
	if (n >= 2)
		TAIL(2);
	if (n >= 1)
		TAIL(1);
#undef TAIL
}

/* The whole of kernel.h's seal and open. */
GCM_INLINE void crypt(const struct gcm_key *k, uint8_t *out, uint8_t *tag, const uint8_t *j0,
		      const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t len,
		      bool sealing)
{
	const struct prepared *p = prepared(k);
	const block first = b_load(j0), h = b_load(powers(p, 1));
	const block mask = aes_block(p, first);
	struct run m = {p, v_counters(b_reverse(first)), out, in};
	struct block_sum s = {b_zero(), b_zero(), b_zero()};
	struct sum sum;
	block y = hash_aad(p, aad, aad_len);

	sum_clear(&sum);
	if (len <= GROUP_BYTES) {
		block_sum_add(&s, y, b_load(powers(p, (len + 15) / 16 + 2)));
	} else {
		const size_t rest = len % GROUP_BYTES;

		crypt_groups(&m, &sum, block_mul(y, h), len / GROUP_BYTES, (rest + 15) / 16 + 1,
			     sealing);
		len = rest;
	}
	crypt_rest(&m, &sum, len, sealing);
	len = (size_t)(m.in - in);
	block_sum_add(&s, b_set64((uint64_t)aad_len * 8, (uint64_t)len * 8), h);
	s.low = b_xor(s.low, v_fold(sum.low));
	s.mid = b_xor(s.mid, v_fold(sum.mid));
	s.high = b_xor(s.high, v_fold(sum.high));
	b_store(tag, b_xor(b_reverse(block_sum_reduce(s)), mask));
}

static void seal(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
		 uint8_t tag[GCM_TAG_BYTES], const uint8_t j0[16], const uint8_t *aad,
		 size_t aad_len, const uint8_t *in, size_t len)
{
	(void)cache;
	crypt(k, out, tag, j0, aad, aad_len, in, len, true);
}

static void open(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
		 uint8_t tag[GCM_TAG_BYTES], const uint8_t j0[16], const uint8_t *aad,
		 size_t aad_len, const uint8_t *in, size_t len)
{
	(void)cache;
	crypt(k, out, tag, j0, aad, aad_len, in, len, false);
}

static void key_init(struct gcm_key *k, const uint8_t *key, size_t key_len)
{
	struct prepared *p = (struct prepared *)(void *)k->schedule;

	expand_key(p, key, key_len);
	prepare_powers(p);
}

#define NAME_OF(kernel)  NAME_OF_(kernel)
#define NAME_OF_(kernel) gcm_kernel_##kernel
#define TEXT_OF(kernel)  TEXT_OF_(kernel)
#define TEXT_OF_(kernel) #kernel

const struct gcm_kernel NAME_OF(KERNEL) = {
	.name = TEXT_OF(KERNEL),
	.needs = NEEDS,
	.key_init = key_init,
	.seal = seal,
	.open = open,
};
