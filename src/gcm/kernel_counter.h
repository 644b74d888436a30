/* SPDX-License-Identifier: ISC */
/*
 * kernel_counter.h - a part of kernel_template.h: counter blocks on their way into AES, with all
 * rounds or with the first two remembered.
 *
 * In 256 counter blocks only the last byte changes.  After one round that has touched one column,
 * and after the second the state is
 *
 *	base(nonce, counter / 256)  xor  entry[counter % 256],
 *
 * where an entry depends on the key and, of the nonce, on bytes 0, 5 and 10 alone: those that
 * ShiftRows brings into the column of byte 15.  Bernstein and Schwabe ("New AES software speed
 * records", 2008) remembered rounds of counter mode, Park and Lee ("FACE", CHES 2018) more of
 * them.  A table of all 256 entries, read in the order of the public counter, spares two rounds,
 * the increment, the byte order and the first key, for one xor.
 *
 * A message's first data block has counter 2, so entry[0] belongs to 2, [253] to 255, and [254]
 * and [255] to 0 and 1 of the next 256: loads stay aligned, and 256 entries from [0] are a run.
 * The last two of a run take the next run's base.
 */

/* The layout of gcm_counter_cache's rounds. */
struct counter_cache {
	uint8_t entry[256][16];
	uint8_t key[2][16];      /* the first two round keys, which know the key by value */
	uint8_t nonce_bytes[16]; /* the nonce's bytes 0, 5 and 10 where they are, and zeroes */
};

_Static_assert(sizeof(struct counter_cache) <= sizeof(((struct gcm_counter_cache *)0)->rounds),
	       "gcm.h: the counter cache is too small");

/*
 * Shorter messages leave a cache alone that another key or nonce filled.  On a Zen 5 core building
 * one takes 171 cycles on vaes512, 286 on vaes256 and 543 on aesni, and spares some 300 in 16 KiB,
 * so it pays from 10, 15 and 30 KiB on; callers keep theirs for 256 chunks.
 */
#define CACHE_BUILD_MIN 8192

/* The vectors at the end of a run that hold its last two blocks. */
#define EDGE (LANES == 1 ? 2 : 1)

/* A message on its way. */
struct run {
	const struct prepared *p;
	uint8_t *out;
	const uint8_t *in;
	vec counters; /* the next counter blocks, reversed */

	/* With the cache: */
	const uint8_t *table, *entry; /* all entries, and the next batch's */
	vec base, last;               /* of the next batch: its base, and its last vectors' */
	vec next;                     /* the next run's base */
	block next_counter;           /* the next run's counter / 256 * 256, reversed */
};

/* Whether the last byte of j0's counter is 1, where a run's entries start. */
GCM_INLINE bool counter_is_one(block j0)
{
	return b_high64(j0) >> 56 == 1;
}

/* A counter block with its last 32 bits cleared; both are reversed. */
GCM_INLINE block counter_zero(block counter)
{
	return b_set64(b_high64(counter), b_low64(counter) >> 32 << 32);
}

GCM_INLINE block counter_base(const struct prepared *p, block counter)
{
	block s = b_aes_first(b_reverse(counter), b_load(p->round_key[p->first]));

	return aes_block_rounds(p, s, p->first + 1, p->first + 3);
}

static void cache_build(struct counter_cache *c, const struct prepared *p, block zero)
{
	const uint8_t(*key)[16] = p->round_key + p->first;
	const block base = counter_base(p, zero);
	vec counters = v_counters(b_count(zero, 1));

	for (size_t i = 0; i < 256; i += LANES) {
		vec s = v_aes_first(v_reverse(counters), v_broadcast(key[0]));

		s = v_aes_round(s, v_broadcast(key[0]), v_broadcast(key[1]));
		s = v_aes_round(s, v_broadcast(key[1]), v_broadcast(key[2]));
		v_store(c->entry[i], v_xor(s, v_spread(base)));
		counters = v_count(counters, LANES);
	}
	b_store(c->entry[254], b_zero());
	b_store(c->entry[255], b_xor(base, counter_base(p, b_count(zero, 1))));
}

/*
 * A wrong entry would seal garbage under a right tag, so three of them, one from each way that
 * entries are made, are taken through all rounds and compared.
 */
static bool cache_is_sound(const struct counter_cache *c, const struct prepared *p, block zero)
{
	static const struct {
		uint8_t entry, counter;
	} probes[] = {{0, 2}, {127, 129}, {255, 1}};
	const block base = counter_base(p, zero);
	block differ = b_zero();

	for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
		block s = b_xor(base, b_load(c->entry[probes[i].entry]));
		block right = aes_block(p, b_reverse(b_count(zero, probes[i].counter)));

		differ = b_or(differ, b_xor(right, aes_block_finish(p, s, p->first + 3)));
	}
	return b_is_zero(differ);
}

/* Whether the cache holds, now, the entries for this key and for j0's nonce. */
static bool cache_ready(struct gcm_counter_cache *cache, const struct prepared *p, block j0,
			size_t len)
{
	struct counter_cache *c = (struct counter_cache *)(void *)cache->rounds;
	const block first = b_load(p->round_key[p->first]);
	const block second = b_load(p->round_key[p->first + 1]);
	const block nonce_bytes = b_and(j0, b_set64(0xff0000, 0xff00000000ff));
	block differ;

	if (cache->kernel == &KERNEL_SYMBOL) {
		differ = b_or(b_xor(first, b_load(c->key[0])), b_xor(second, b_load(c->key[1])));
		differ = b_or(differ, b_xor(nonce_bytes, b_load(c->nonce_bytes)));
		if (b_is_zero(differ))
			return true;
	}
	if (len < CACHE_BUILD_MIN)
		return false;
	cache->kernel = NULL;
	cache_build(c, p, counter_zero(b_reverse(j0)));
	if (!cache_is_sound(c, p, counter_zero(b_reverse(j0))))
		return false;
	b_store(c->key[0], first);
	b_store(c->key[1], second);
	b_store(c->nonce_bytes, nonce_bytes);
	cache->kernel = &KERNEL_SYMBOL;
	return true;
}

/* The first run starts one before j0, whose counter's last byte is 1. */
GCM_INLINE void run_start(struct run *m, const struct gcm_counter_cache *cache, block j0)
{
	const block counter = b_count(b_reverse(j0), UINT32_MAX);

	m->table = m->entry = cache->rounds;
	m->base = m->last = v_spread(counter_base(m->p, counter));
	m->next_counter = b_count(counter, 256);
	m->next = v_spread(counter_base(m->p, m->next_counter));
}

/* One jump a batch that is taken twice in a run: before its last batch and after it. */
GCM_INLINE void run_advance(struct run *m)
{
	const uint8_t *last_batch = m->table + 4096 - BATCH_BYTES;

	m->entry += BATCH_BYTES;
	if (__builtin_expect(m->entry < last_batch, 1))
		return;
	if (m->entry == last_batch) {
		m->last = v_last_two(m->base, m->next);
		return;
	}
	m->entry = m->table;
	m->base = m->last = m->next;
	m->next_counter = b_count(m->next_counter, 256);
	m->next = v_spread(counter_base(m->p, m->next_counter));
}

/* The states of n vectors, n a constant, before round first + 1. */
GCM_INLINE void start_counters(struct run *m, vec *s, size_t n)
{
	const vec key = v_broadcast(m->p->round_key[m->p->first]);

	EACH (i, n) {
		s[i] = v_aes_first(v_reverse(m->counters), key);
		m->counters = v_count(m->counters, LANES);
	}
}

/* The states of a batch before round first + 3. */
GCM_INLINE void start_cached(struct run *m, vec *s)
{
	EACH (i, BATCH)
		s[i] = v_xor(v_load_aligned(m->entry + 16 * LANES * i),
			     i + EDGE < BATCH ? m->base : m->last);
	run_advance(m);
}
