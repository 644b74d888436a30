/* SPDX-License-Identifier: ISC */
/*
 * test_gcm_promises.c - what gcm.h promises beside right answers: refusals, zeroed outputs, the
 * longest text, key lengths, wiping.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gcm_util.h"

#define TEXT_MAX 4096

/* A message with len bytes of text for the tests below. */
struct sample {
	struct gcm_key key;
	uint8_t nonce[GCM_NONCE_BYTES], aad[13], tag[GCM_TAG_BYTES], pt[TEXT_MAX], ct[TEXT_MAX];
	size_t len;
};

static void make_sample(struct sample *s, const struct gcm_kernel *kernel, size_t len)
{
	uint8_t bytes[32];

	fill(bytes, sizeof bytes, 31 + len);
	fill(s->nonce, sizeof s->nonce, 32 + len);
	fill(s->aad, sizeof s->aad, 33 + len);
	fill(s->pt, sizeof s->pt, 34 + len);
	s->len = len;
	assert_true(gcm_key_init(&s->key, kernel, bytes, 32));
	gcm_seal(&s->key, NULL, s->ct, s->tag, s->nonce, s->aad, sizeof s->aad, s->pt, len);
}

static void assert_refused(const struct sample *s)
{
	uint8_t out[TEXT_MAX];

	memset(out, 0xc5, sizeof out);
	assert_false(gcm_open(&s->key, NULL, out, s->tag, s->nonce, s->aad, sizeof s->aad, s->ct,
			      s->len));
	assert_true(sodium_is_zero(out, s->len));
	for (size_t i = s->len; i < s->len + 16; i++)
		assert_int_equal(out[i], 0xc5);
}

static void flip_every_bit(struct sample *s, uint8_t *bytes, size_t len)
{
	for (size_t bit = 0; bit < 8 * len; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_refused(s);
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void test_every_flipped_bit_is_refused(void **state)
{
	static const size_t lens[] = {0, 1, 15, 16, 17, 64, 100, 257, 1031};
	struct sample s;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (size_t n = 0; n < sizeof lens / sizeof lens[0]; n++) {
			make_sample(&s, kernels[i], lens[n]);
			flip_every_bit(&s, s.tag, sizeof s.tag);
			flip_every_bit(&s, s.aad, sizeof s.aad);
			flip_every_bit(&s, s.nonce, sizeof s.nonce);
			flip_every_bit(&s, s.ct, lens[n] > 40 ? 40 : lens[n]);
		}
}

static void test_wrong_tag_in_place_leaves_zeroes(void **state)
{
	struct sample s;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (size_t len = 0; len < 700; len += 29) {
			make_sample(&s, kernels[i], len);
			s.tag[len % 16] ^= 0x10;
			assert_false(gcm_open(&s.key, NULL, s.ct, s.tag, s.nonce, s.aad,
					      sizeof s.aad, s.ct, len));
			assert_true(sodium_is_zero(s.ct, len));
		}
}

static void test_null_where_a_length_is_zero(void **state)
{
	/* Test case 13 of the GCM specification: everything zero or empty. */
	static const char answer[] = "530f8afbc74536b9a963b4f1c4cb738b";
	struct gcm_key key;
	uint8_t bytes[32] = {0}, tag[GCM_TAG_BYTES], want[GCM_TAG_BYTES];

	(void)state;
	assert_int_equal(
		sodium_hex2bin(want, sizeof want, answer, strlen(answer), NULL, NULL, NULL), 0);
	for (size_t i = 0; i < kernel_count; i++) {
		assert_true(gcm_key_init(&key, kernels[i], bytes, 32));
		gcm_seal(&key, NULL, NULL, tag, bytes, NULL, 0, NULL, 0);
		assert_memory_equal(tag, want, sizeof tag);
		assert_true(gcm_open(&key, NULL, NULL, tag, bytes, NULL, 0, NULL, 0));
		tag[3] ^= 1;
		assert_false(gcm_open(&key, NULL, NULL, tag, bytes, NULL, 0, NULL, 0));
	}
}

static void test_key_lengths(void **state)
{
	struct gcm_key key;
	uint8_t bytes[64] = {1};

	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (size_t len = 0; len <= sizeof bytes; len++) {
			bool right = len == 16 || len == 24 || len == 32;

			memset(&key, 0xc5, sizeof key);
			assert_int_equal(gcm_key_init(&key, kernels[i], bytes, len), right);
			assert_int_equal(sodium_is_zero((const uint8_t *)&key, sizeof key), !right);
		}
}

static void test_wipes(void **state)
{
	struct gcm_key key;
	struct gcm_counter_cache cache;
	uint8_t bytes[16] = {1};

	(void)state;
	assert_true(gcm_key_init(&key, kernels[0], bytes, sizeof bytes));
	gcm_key_wipe(&key);
	assert_true(sodium_is_zero((const uint8_t *)&key, sizeof key));
	memset(&cache, 0xc5, sizeof cache);
	gcm_counter_cache_wipe(&cache);
	assert_true(sodium_is_zero((const uint8_t *)&cache, sizeof cache));
	assert_int_equal(sizeof key % 64, 0);
	assert_int_equal(sizeof cache % 64, 0);
}

/* A kernel that does nothing, so that lengths may be tried which no buffer has. */
static void no_text(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
		    uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[12], const uint8_t *aad,
		    size_t aad_len, const uint8_t *in, size_t len, uint32_t counter)
{
	(void)k, (void)cache, (void)out, (void)nonce, (void)counter, (void)aad, (void)aad_len,
		(void)in, (void)len;
	memset(tag, 0, GCM_TAG_BYTES);
}

static void no_key(struct gcm_key *k, const uint8_t *key, size_t key_len)
{
	(void)k, (void)key, (void)key_len;
}

static void call_seal(const struct gcm_key *key, uint64_t len)
{
	uint8_t byte = 0, tag[GCM_TAG_BYTES], nonce[GCM_NONCE_BYTES] = {0};

	gcm_seal(key, NULL, &byte, tag, nonce, NULL, 0, &byte, (size_t)len);
}

static void call_open(const struct gcm_key *key, uint64_t len)
{
	uint8_t byte = 0, tag[GCM_TAG_BYTES] = {0}, nonce[GCM_NONCE_BYTES] = {0};

	if (!gcm_open(key, NULL, &byte, tag, nonce, NULL, 0, &byte, (size_t)len))
		_exit(1);
}

/* Two pieces; the sum of their lengths may also pass 2^64. */
static void call_gather(const struct gcm_key *key, uint64_t len)
{
	uint8_t byte = 0, tag[GCM_TAG_BYTES], nonce[GCM_NONCE_BYTES] = {0};
	const struct gcm_slice pieces[2] = {{&byte, 1}, {&byte, (size_t)len - 1}};

	gcm_seal_gather(key, NULL, &byte, tag, nonce, NULL, 0, pieces, 2);
}

/* Whether call(len) in a process of its own dies of SIGABRT, as sodium_misuse() promises. */
static bool aborts(void (*call)(const struct gcm_key *, uint64_t), uint64_t len)
{
	static const struct gcm_kernel nothing = {
		.name = "nothing", .key_init = no_key, .seal = no_text, .open = no_text};
	uint8_t bytes[32] = {0};
	struct gcm_key key;
	int status;
	pid_t child;

	assert_true(gcm_key_init(&key, &nothing, bytes, sizeof bytes));
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		const struct rlimit no_core = {0, 0};

		setrlimit(RLIMIT_CORE, &no_core);
		signal(SIGABRT, SIG_DFL); /* cmocka catches it */
		call(&key, len);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status))
		assert_int_equal(WTERMSIG(status), SIGABRT);
	else
		assert_int_equal(WEXITSTATUS(status), 0);
	return WIFSIGNALED(status);
}

static void test_longest_text(void **state)
{
	(void)state;
	assert_true(GCM_TEXT_MAX == (UINT64_C(1) << 36) - 32);
	assert_false(aborts(call_seal, GCM_TEXT_MAX));
	assert_false(aborts(call_open, GCM_TEXT_MAX));
	assert_true(aborts(call_seal, GCM_TEXT_MAX + 1));
	assert_true(aborts(call_open, GCM_TEXT_MAX + 1));
	assert_true(aborts(call_seal, UINT64_MAX));
	assert_true(aborts(call_gather, GCM_TEXT_MAX + 1));
	assert_true(aborts(call_gather, UINT64_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_flipped_bit_is_refused),
		cmocka_unit_test(test_wrong_tag_in_place_leaves_zeroes),
		cmocka_unit_test(test_null_where_a_length_is_zero),
		cmocka_unit_test(test_key_lengths),
		cmocka_unit_test(test_wipes),
		cmocka_unit_test(test_longest_text),
	};

	if (sodium_init() < 0)
		return 1;
	find_kernels();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
