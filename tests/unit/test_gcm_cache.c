/* SPDX-License-Identifier: ISC */
/*
 * test_gcm_cache.c - the counter cache: a chain of messages through one cache has to come out as
 * OpenSSL seals each alone, however keys, nonces, kernels and lengths follow each other.
 */
#include "gcm_util.h"

#if defined(__x86_64__)
GCM_TARGET_BEGIN("aes,pclmul,ssse3,sse4.1")

#include "gcm/x86/vec128.h"

static const void *faulty_store; /* where the kernel stores something else than it should */

GCM_INLINE void store_or_fail(uint8_t *p, block a)
{
	b_store(p, a);
	if (p == faulty_store)
		p[5] ^= 0x20;
}

#undef v_store
#define v_store(p, a) store_or_fail(p, a)

GCM_TARGET_END

#include "gcm/x86/aesni.c" /* for what the kernel does not export */
#endif

#define TEXT_MAX (16384 + 300)
#define CHUNK    16384

static uint8_t text[TEXT_MAX], expected[TEXT_MAX + 16], work[TEXT_MAX];
static const uint8_t aad[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

static void make_message(struct message *m, uint64_t seed, size_t len)
{
	fill(m->key, sizeof m->key, 2 * seed);
	fill(m->nonce, sizeof m->nonce, 2 * seed + 1);
	m->key_len = key_lens[seed % 3];
	m->aad = aad;
	m->aad_len = sizeof aad;
	m->pt = text;
	m->len = len;
	m->ct = expected;
}

/* Changes the nonce as payloads do: the number is xored into its last five bytes. */
static void number_nonce(struct message *m, uint64_t number)
{
	for (size_t i = 0; i < 5; i++)
		m->nonce[11 - i] ^= (uint8_t)(number >> 8 * i);
}

/* Seals and opens m with key and cache; soft, without the cache, opens it too. */
static void check(const struct gcm_key *key, struct gcm_counter_cache *cache, struct message *m)
{
	uint8_t tag[GCM_TAG_BYTES];
	struct gcm_key other;

	openssl_seal(m);
	gcm_seal(key, cache, work, tag, m->nonce, aad, sizeof aad, m->pt, m->len);
	assert_memory_equal(work, m->ct, m->len);
	assert_memory_equal(tag, m->tag, sizeof tag);
	assert_true(gcm_key_init(&other, &gcm_kernel_soft, m->key, m->key_len));
	assert_true(gcm_open(&other, NULL, work, tag, m->nonce, aad, sizeof aad, work, m->len));
	assert_memory_equal(work, m->pt, m->len);
	assert_true(gcm_open(key, cache, work, tag, m->nonce, aad, sizeof aad, m->ct, m->len));
	assert_memory_equal(work, m->pt, m->len);
}

static void check_numbers(const struct gcm_kernel *kernel, struct gcm_counter_cache *cache,
			  uint64_t around, uint64_t seed)
{
	struct gcm_key key;
	struct message m;

	make_message(&m, seed, CHUNK);
	assert_true(gcm_key_init(&key, kernel, m.key, m.key_len));
	for (uint64_t number = around - 3; number < around + 3; number++) {
		number_nonce(&m, number);
		check(&key, cache, &m);
		number_nonce(&m, number);
	}
}

/* One cache for all numbers: whatever number came before may have filled it. */

static void test_chunk_numbers(void **state)
{
	static const uint64_t around[] = {3,
					  256,
					  512,
					  UINT64_C(1) << 16,
					  UINT64_C(1) << 24,
					  UINT64_C(1) << 32,
					  (UINT64_C(1) << 40) - 4};
	struct gcm_counter_cache cache;

	(void)state;
	gcm_counter_cache_init(&cache);
	for (size_t i = 0; i < kernel_count; i++)
		for (uint64_t seed = 0; seed < 3; seed++)
			for (size_t n = 0; n < sizeof around / sizeof around[0]; n++)
				check_numbers(kernels[i], &cache, around[n], seed);
}

/* Two files whose chunks one worker seals by turns, past the number where a cache grows stale. */
static void test_files_in_turn(void **state)
{
	struct gcm_counter_cache cache;
	struct gcm_key key[2];
	struct message m[2];

	(void)state;
	gcm_counter_cache_init(&cache);
	for (size_t i = 0; i < kernel_count; i++)
		for (uint64_t seed = 0; seed < 3; seed++) {
			for (size_t file = 0; file < 2; file++) {
				make_message(&m[file], 30 + seed + 3 * file, 0);
				assert_true(gcm_key_init(&key[file], kernels[i], m[file].key,
							 m[file].key_len));
			}
			for (uint64_t turn = 0; turn < 24; turn++) {
				const uint64_t number = 250 + turn / 2;
				const size_t file = turn % 3 % 2;

				m[file].len = turn % 5 == 4 ? 4080 + turn : CHUNK;
				number_nonce(&m[file], number);
				check(&key[file], &cache, &m[file]);
				number_nonce(&m[file], number);
			}
		}
}

static void test_every_byte_of_the_nonce(void **state)
{
	struct gcm_counter_cache cache;
	struct gcm_key key;
	struct message m;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		gcm_counter_cache_init(&cache);
		make_message(&m, i, CHUNK);
		assert_true(gcm_key_init(&key, kernels[i], m.key, m.key_len));
		for (size_t byte = 0; byte < GCM_NONCE_BYTES; byte++) {
			check(&key, &cache, &m);
			m.nonce[byte] ^= 0x80;
			check(&key, &cache, &m);
		}
	}
}

/* Lengths that fill a cache, use it and do without it, where counters pass 256 and elsewhere. */
static void test_lengths_in_turn(void **state)
{
	static const size_t lens[] = {CHUNK, 0,    1,    300,   512,   513,   1024,      4079,
				      4080,  4081, 4096, 4097,  4111,  4112,  4113,      4608,
				      8176,  8191, 8192, 12271, 12272, 12288, CHUNK - 1, CHUNK + 1};
	struct gcm_counter_cache cache;
	struct gcm_key key;
	struct message m;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (uint64_t seed = 0; seed < 3; seed++) {
			gcm_counter_cache_init(&cache);
			make_message(&m, 10 * i + seed, 0);
			assert_true(gcm_key_init(&key, kernels[i], m.key, m.key_len));
			for (size_t n = 0; n < sizeof lens / sizeof lens[0]; n++) {
				m.len = lens[n];
				number_nonce(&m, n);
				check(&key, &cache, &m);
			}
		}
}

static void test_every_length_around_a_run(void **state)
{
	struct gcm_counter_cache cache;
	struct gcm_key key;
	struct message m;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		gcm_counter_cache_init(&cache);
		make_message(&m, i, CHUNK);
		assert_true(gcm_key_init(&key, kernels[i], m.key, m.key_len));
		check(&key, &cache, &m);
		for (m.len = 4064; m.len <= 4128; m.len++)
			check(&key, &cache, &m);
		for (m.len = CHUNK - 20; m.len <= CHUNK + 20; m.len++)
			check(&key, &cache, &m);
	}
}

/* Two keys in turn, at two addresses and at one, with the same nonce. */
static void test_keys_in_turn(void **state)
{
	struct gcm_counter_cache cache;
	struct gcm_key key[2], same;
	struct message m[2];

	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (uint64_t seed = 0; seed < 9; seed++) {
			gcm_counter_cache_init(&cache);
			make_message(&m[0], seed, CHUNK);
			make_message(&m[1], 20 + seed / 3, CHUNK);
			memcpy(m[1].nonce, m[0].nonce, sizeof m[0].nonce);
			for (size_t turn = 0; turn < 6; turn++) {
				struct message *one = &m[turn % 2];

				assert_true(gcm_key_init(&key[turn % 2], kernels[i], one->key,
							 one->key_len));
				check(&key[turn % 2], &cache, one);
				assert_true(
					gcm_key_init(&same, kernels[i], one->key, one->key_len));
				check(&same, &cache, one);
			}
		}
}

/* One bit of a key is enough of a difference, wherever it is. */
static void test_keys_that_differ_in_one_bit(void **state)
{
	struct gcm_counter_cache cache;
	struct gcm_key key;
	struct message m;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (uint64_t seed = 0; seed < 3; seed++) {
			gcm_counter_cache_init(&cache);
			make_message(&m, seed, 8192);
			for (size_t byte = 0; byte < m.key_len; byte++) {
				m.key[byte] ^= (uint8_t)(1u << byte % 8);
				assert_true(gcm_key_init(&key, kernels[i], m.key, m.key_len));
				check(&key, &cache, &m);
			}
		}
}

static void test_kernels_in_turn(void **state)
{
	struct gcm_counter_cache cache;
	struct gcm_key key;
	struct message m;

	(void)state;
	gcm_counter_cache_init(&cache);
	make_message(&m, 5, CHUNK);
	for (size_t turn = 0; turn < 3 * kernel_count; turn++) {
		assert_true(gcm_key_init(&key, kernels[turn % kernel_count], m.key, m.key_len));
		check(&key, &cache, &m);
	}
}

/* Counters that start at 1 of any 256, up to the last before they wrap, without and with. */
static void check_run(const struct gcm_kernel *kernel, uint32_t low)
{
	static uint8_t plain[TEXT_MAX];
	struct gcm_counter_cache cache;
	struct gcm_key key;
	struct message m;
	uint8_t nonce[12], tags[2][GCM_TAG_BYTES];

	make_message(&m, low % 9, CHUNK);
	assert_true(gcm_key_init(&key, kernel, m.key, m.key_len));
	gcm_counter_cache_init(&cache);
	memset(nonce, 0xff, sizeof nonce);
	kernel->seal(&key, NULL, plain, tags[0], nonce, aad, sizeof aad, text, CHUNK, low);
	for (size_t again = 0; again < 2; again++) {
		kernel->seal(&key, &cache, work, tags[1], nonce, aad, sizeof aad, text, CHUNK, low);
		assert_memory_equal(work, plain, CHUNK);
		assert_memory_equal(tags[0], tags[1], sizeof tags[0]);
	}
}

static void test_counters_wrap_in_runs(void **state)
{
	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		for (uint32_t back = 1; back <= 6; back++)
			check_run(kernels[i], 0 - 256 * back + 1);
		for (uint32_t low = 0; low < 4; low++)
			check_run(kernels[i], low);
		check_run(kernels[i], 0xfffffe01);
		check_run(kernels[i], 0x00ffff01);
	}
}

/* A wrong entry is found where probes look, one from each way that entries are made. */
#if defined(__x86_64__)
GCM_TARGET_BEGIN("aes,pclmul,ssse3,sse4.1")

static void check_probes(const struct gcm_key *key)
{
	static const uint8_t probed[] = {0, 127, 255};
	const block zero = b_set64(0x0102030405060708, (uint64_t)0x090a0b0c << 32);
	struct counter_cache cache;

	cache_build(&cache, prepared(key), zero);
	assert_true(cache_is_sound(&cache, prepared(key), zero));
	for (size_t bit = 0; bit < 3 * 128; bit++) {
		uint8_t *byte = &cache.entry[probed[bit / 128]][bit % 128 / 8];

		*byte ^= (uint8_t)(1u << bit % 8);
		assert_false(cache_is_sound(&cache, prepared(key), zero));
		*byte ^= (uint8_t)(1u << bit % 8);
	}
}

GCM_TARGET_END

static void test_wrong_entries_are_found(void **state)
{
	struct gcm_key key;
	uint8_t bytes[32] = {1};

	(void)state;
	if (!gcm_kernel_usable(&gcm_kernel_aesni, cpu_probe()))
		skip();
	for (size_t k = 0; k < 3; k++) {
		assert_true(gcm_key_init(&key, &gcm_kernel_aesni, bytes, key_lens[k]));
		check_probes(&key);
	}
}

/* A cache that was built wrong is not used: all rounds are done, and the next message tries anew. */
static void test_wrong_cache_is_not_used(void **state)
{
	static const size_t probed[] = {0, 127};
	struct gcm_counter_cache cache;
	struct gcm_key key;
	struct message m;

	(void)state;
	if (!gcm_kernel_usable(&gcm_kernel_aesni, cpu_probe()))
		skip();
	for (uint64_t seed = 0; seed < 6; seed++) {
		make_message(&m, seed, CHUNK);
		assert_true(gcm_key_init(&key, &gcm_kernel_aesni, m.key, m.key_len));
		gcm_counter_cache_init(&cache);
		faulty_store = cache.rounds + 16 * probed[seed / 3];
		check(&key, &cache, &m);
		assert_null(cache.kernel);
		faulty_store = NULL;
		check(&key, &cache, &m);
		assert_ptr_equal(cache.kernel, &gcm_kernel_aesni);
	}
}
#else
static void test_wrong_entries_are_found(void **state)
{
	(void)state;
	skip();
}

static void test_wrong_cache_is_not_used(void **state)
{
	(void)state;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chunk_numbers),
		cmocka_unit_test(test_files_in_turn),
		cmocka_unit_test(test_every_byte_of_the_nonce),
		cmocka_unit_test(test_lengths_in_turn),
		cmocka_unit_test(test_every_length_around_a_run),
		cmocka_unit_test(test_keys_in_turn),
		cmocka_unit_test(test_keys_that_differ_in_one_bit),
		cmocka_unit_test(test_kernels_in_turn),
		cmocka_unit_test(test_counters_wrap_in_runs),
		cmocka_unit_test(test_wrong_entries_are_found),
		cmocka_unit_test(test_wrong_cache_is_not_used),
	};

	if (sodium_init() < 0)
		return 1;
	find_kernels();
	fill(text, sizeof text, 1);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
