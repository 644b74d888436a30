/* SPDX-License-Identifier: ISC */
/*
 * kernel_template.h - AES-GCM over whole messages, written once over vector operations.
 *
 * Included once by each settings file, which first defines
 *
 *	KERNEL	the kernel's name, as in kernels.def
 *	NEEDS	the cpu_feature bits that the settings file's target allows itself
 *	VECS	vectors in a group, which is hashed with one reduction: 4 to 16
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
 * A short loop with a constant count, always unrolled: left alone, gcc -O2 keeps it rolled and its
 * array of vectors in memory, and clang 14 the one over a batch's places (a fifth slower).
 */
#if defined(__clang__)
#define EACH(i, n) GCM_PRAGMA(clang loop unroll(full)) for (size_t i = 0; i < (n); i++)
#else
#define EACH(i, n) GCM_PRAGMA(GCC unroll 16) for (size_t i = 0; i < (n); i++)
#endif

#define GLUE(a, b)    GLUE_(a, b)
#define GLUE_(a, b)   a##b
#define QUOTE(a)      QUOTE_(a)
#define QUOTE_(a)     #a
#define KERNEL_SYMBOL GLUE(gcm_kernel_, KERNEL)
#define KERNEL_NAME   QUOTE(KERNEL)

#include "gcm/kernel_key.h"
#include "gcm/kernel_ghash.h"
#include "gcm/kernel_aes.h"
#include "gcm/kernel_counter.h"
#include "gcm/kernel_gather.h"
#include "gcm/kernel_short.h"

/* What a batch hashes on its way through AES: BATCH vectors of text, against powers of H. */
struct hashing {
	const uint8_t *text, *power;
	struct sum sum;
	vec y; /* for the first vector */
};

/*
 * Twelve places in a batch, which share its vectors evenly, so that multiplications wait for one
 * unit while AES rounds wait for another.  Does those of places from to before end.  Measured for
 * 16 KiB on a Zen 5 core against all hashing at the start of a batch: aesni 6 %, vaes256 9 %,
 * vaes512 13 % faster; against places after the early rounds alone, aesni and vaes256 11 %.
 */
GCM_INLINE void hash_between(struct hashing *h, size_t from, size_t end)
{
	const size_t first = (from * BATCH + 11) / 12, last = (end * BATCH + 11) / 12;

	if (h == NULL)
		return;
	EACH (n, last - first) {
		const size_t i = first + n, at = 16 * LANES * i;
		vec a = v_reverse(v_load(h->text + at));

		sum_add(&h->sum, i == 0 ? v_xor(a, h->y) : a, v_broadcast(h->power + at),
			v_broadcast(h->power + FOLDED + at));
	}
}

/*
 * One batch through counter mode, and one through GHASH if h is not NULL.  Its text may be what
 * this batch reads, but not what it writes.
 */
GCM_INLINE void crypt_batch(struct run *m, struct hashing *h, bool cached)
{
	const size_t skip = cached ? 2 : 0;
	vec before, last;
	vec s[BATCH];

	if (cached)
		start_cached(m, s);
	else
		start_counters(m, s, BATCH);
	hash_between(h, 0, 2);
	if (m->p->first == 0) {
		aes_round_all(m->p, s, BATCH, 1 + skip);
		aes_round_all(m->p, s, BATCH, 2 + skip);
	}
	hash_between(h, 2, 4);
	if (m->p->first <= 2) {
		aes_round_all(m->p, s, BATCH, 3 + skip);
		aes_round_all(m->p, s, BATCH, 4 + skip);
	}
	if (!cached) {
		aes_round_all(m->p, s, BATCH, 5);
		aes_round_all(m->p, s, BATCH, 6);
	}
	EACH (i, 7) {
		hash_between(h, 4 + i, 5 + i);
		aes_round_all(m->p, s, BATCH, 7 + i);
	}
	hash_between(h, 11, 12);
	/* Before the loop, in which each store might change p for all a compiler knows: 2 to 4 %. */
	before = v_broadcast(m->p->round_key[13]);
	last = v_broadcast(m->p->round_key[14]);
	EACH (i, BATCH)
		v_store(m->out + 16 * LANES * i,
			v_aes_last(s[i], before, last, v_load(m->in + 16 * LANES * i)));
	m->in += BATCH_BYTES;
	m->out += BATCH_BYTES;
	if (h != NULL) {
		h->text += BATCH_BYTES;
		h->power += BATCH_BYTES;
		h->y = v_zero();
	}
}

GCM_INLINE void crypt_group(struct run *m, bool cached)
{
	for (size_t i = 0; i < VECS / BATCH; i++)
		crypt_batch(m, NULL, cached);
}

/* A group through counter mode and text, a group, into y; returns the new y. */
GCM_INLINE vec crypt_and_hash_group(struct run *m, vec y, const uint8_t *text, bool cached)
{
	struct hashing h = {.text = text, .power = powers(m->p, GROUP), .y = y};

	sum_clear(&h.sum);
	for (size_t i = 0; i < VECS / BATCH; i++)
		crypt_batch(m, &h, cached);
	return sum_reduce(h.sum);
}

/* The products of the last full group at text, which n blocks will follow. */
GCM_INLINE void sum_last_group(struct sum *sum, const struct prepared *p, vec y,
			       const uint8_t *text, size_t n)
{
	const uint8_t *power = powers(p, GROUP + n);

	EACH (i, VECS) {
		vec a = v_reverse(v_load(text + 16 * LANES * i));

		sum_add(sum, i == 0 ? v_xor(a, y) : a, v_load(power + 16 * LANES * i),
			v_load(power + FOLDED + 16 * LANES * i));
	}
}

/*
 * All full groups of a message that has at least one.  Sealing hashes the group before the one
 * that is in AES, opening hashes the same; so sealing has one more AES group before the loop and
 * opening one after, and what is left to hash after the loop is the last group in either case.
 */
GCM_INLINE void crypt_groups(struct run *m, struct sum *sum, struct gather *g, block y,
			     size_t groups, size_t follow, bool sealing, bool cached)
{
	const uint8_t *text = sealing ? m->out : m->in;
	vec lanes = v_from_block(y);

	if (sealing) {
		gather_next(g, m, GROUP_BYTES);
		crypt_group(m, cached);
	}
	for (; groups > 1; groups--) {
		gather_next(g, m, GROUP_BYTES);
		lanes = crypt_and_hash_group(m, lanes, text, cached);
		text += GROUP_BYTES;
	}
	sum_last_group(sum, m->p, lanes, text, follow);
	if (!sealing)
		crypt_group(m, cached);
}

/* n vectors, n a constant; len bytes, of which only the last vector may be short. */
GCM_INLINE void crypt_tail(struct run *m, struct sum *sum, const uint8_t *power, size_t n,
			   size_t len, bool sealing)
{
	const size_t last = len - 16 * LANES * (n - 1);
	vec s[8];

	start_counters(m, s, n);
	aes_early_rounds(m->p, s, n, 0);
	EACH (r, 9) /* rounds 5 to 13 */
		aes_round_all(m->p, s, n, 5 + r);
	EACH (i, n) {
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
		sum_add(sum, v_reverse(in), v_load(power + at), v_load(power + FOLDED + at));
	}
	m->in += len;
	m->out += len;
}

/*
 * Up to a group: the vectors that are left, eight, four, two, one at a time.  The parts do not
 * wait for each other, so a processor overlaps them, and four bodies do instead of VECS.
 */
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

/* The groups of a long message, from J0's successor on; follow blocks come after them. */
GCM_INLINE void crypt_long(struct run *m, struct sum *sum, struct gather *g,
			   struct gcm_counter_cache *cache, block j0, block y, size_t len,
			   size_t follow, bool sealing)
{
	const size_t groups = len / GROUP_BYTES;

	if (cache != NULL && counter_is_one(j0) && cache_ready(cache, m->p, j0, len)) {
		run_start(m, cache, j0);
		crypt_groups(m, sum, g, y, groups, follow, sealing, true);
		m->counters = v_count(m->counters, (uint32_t)(groups * GROUP));
	} else {
		crypt_groups(m, sum, g, y, groups, follow, sealing, false);
	}
}

/* One message: len is up to a group, or more than one if is_long; in or g has its text. */
GCM_INLINE void crypt(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
		      uint8_t *tag, block j0, const uint8_t *aad, size_t aad_len, const uint8_t *in,
		      struct gather *g, size_t len, bool sealing, bool is_long)
{
	const struct prepared *p = prepared(k);
	const block h = b_load_aligned(powers(p, 1)), mask = aes_block(p, j0);
	const size_t rest = is_long ? len % GROUP_BYTES : len, follow = (rest + 15) / 16 + 1;
	struct run m = {.p = p, .out = out, .in = in, .counters = v_counters(b_reverse(j0))};
	struct sum sum;
	block y = hash_aad(p, aad, aad_len);

	sum_clear(&sum);
	if (is_long) {
		crypt_long(&m, &sum, g, cache, j0, block_mul(y, h), len, follow, sealing);
		y = b_zero();
	}
	if (rest != 0)
		gather_next(g, &m, rest);
	crypt_rest(&m, &sum, rest, sealing);
	sum_add_two(&sum, y, powers(p, follow + 1), lengths(aad_len, len), powers(p, 1));
	b_store(tag, b_xor(b_reverse(v_fold(sum_reduce(sum))), mask));
}

/* A function with the parameters of a kernel's seal and open. */
#define MESSAGE(name)                                                                     \
	void name(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out, \
		  uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],       \
		  const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t len,      \
		  uint32_t counter)

/*
 * Messages of each length in a function of their own: the registers and the stack that a loop
 * wants would cost a short message as much as its AES.  The parameters are the same, so that one
 * goes to the other in a jump.
 */
#define NOINLINE static __attribute__((noinline))

NOINLINE MESSAGE(seal_long)
{
	crypt(k, cache, out, tag, b_load_j0(nonce, counter), aad, aad_len, in, NULL, len, true,
	      true);
}

NOINLINE MESSAGE(seal_group)
{
	(void)cache;
	crypt(k, NULL, out, tag, b_load_j0(nonce, counter), aad, aad_len, in, NULL, len, true,
	      false);
}

static MESSAGE(seal_message)
{
	if (len > GROUP_BYTES)
		seal_long(k, cache, out, tag, nonce, aad, aad_len, in, len, counter);
	else if (len > 16 * LANES || aad_len > 16)
		seal_group(k, cache, out, tag, nonce, aad, aad_len, in, len, counter);
	else
		crypt_short(k, out, tag, b_load_j0(nonce, counter), aad, aad_len, in, len, true);
}

NOINLINE MESSAGE(open_long)
{
	crypt(k, cache, out, tag, b_load_j0(nonce, counter), aad, aad_len, in, NULL, len, false,
	      true);
}

NOINLINE MESSAGE(open_group)
{
	(void)cache;
	crypt(k, NULL, out, tag, b_load_j0(nonce, counter), aad, aad_len, in, NULL, len, false,
	      false);
}

static MESSAGE(open_message)
{
	if (len > GROUP_BYTES)
		open_long(k, cache, out, tag, nonce, aad, aad_len, in, len, counter);
	else if (len > 16 * LANES || aad_len > 16)
		open_group(k, cache, out, tag, nonce, aad, aad_len, in, len, counter);
	else
		crypt_short(k, out, tag, b_load_j0(nonce, counter), aad, aad_len, in, len, false);
}

static void seal_gather(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
			uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[GCM_NONCE_BYTES],
			const uint8_t *aad, size_t aad_len, const struct gcm_slice *pieces,
			size_t count, size_t len, uint32_t counter)
{
	struct gather g = {.piece = pieces, .pieces_end = pieces + count};

	crypt(k, cache, out, tag, b_load_j0(nonce, counter), aad, aad_len, NULL, &g, len, true,
	      true);
}

static void key_init(struct gcm_key *k, const uint8_t *key, size_t key_len)
{
	struct prepared *p = (struct prepared *)(void *)k->schedule;

	expand_key(p, key, key_len);
	prepare_powers(p);
}

const struct gcm_kernel KERNEL_SYMBOL = {
	.name = KERNEL_NAME,
	.needs = NEEDS,
	.key_init = key_init,
	.seal = seal_message,
	.open = open_message,
	.seal_gather = seal_gather,
};
