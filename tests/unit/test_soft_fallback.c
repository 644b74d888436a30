/* SPDX-License-Identifier: ISC */
/*
 * test_soft_fallback.c - the portable kernel when a cache that it built does not agree with the
 * full rounds: it must leave the cache alone and seal rightly all the same.
 *
 * soft.c is compiled here once more, with a builder that spoils the cache and says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

#include "gcm/kernel.h"
#include "gcm/soft/counter_stream.h"

static unsigned built;

static bool spoil(struct soft_cache *cache, const struct soft_aes *aes, const uint8_t nonce[12])
{
	(void)aes;
	(void)nonce;
	built++;
	memset(cache, 0x5a, sizeof *cache);
	return false;
}

extern const struct gcm_kernel spoiling;

#define gcm_kernel_soft      spoiling
#define gcm_soft_cache_build spoil
#include "gcm/soft/soft.c"
#undef gcm_kernel_soft
#undef gcm_soft_cache_build

static uint8_t text[16384], sealed[16384], expected[16384];

static void test_spoiled_cache_is_left_alone(void **state)
{
	static const uint8_t bytes[32] = {7};
	struct gcm_counter_cache cache;
	struct gcm_key sound_key, key;
	uint8_t nonce[12] = {3}, tag[16], expected_tag[16];

	(void)state;
	gcm_counter_cache_init(&cache);
	assert_true(gcm_key_init(&key, &spoiling, bytes, sizeof bytes));
	assert_true(gcm_key_init(&sound_key, &gcm_kernel_soft, bytes, sizeof bytes));
	for (unsigned i = 1; i <= 3; i++) {
		nonce[11] = (uint8_t)i;
		gcm_seal(&sound_key, NULL, expected, expected_tag, nonce, NULL, 0, text, 16384);
		gcm_seal(&key, &cache, sealed, tag, nonce, NULL, 0, text, 16384);
		assert_int_equal(built, i);
		assert_null(cache.kernel);
		assert_memory_equal(sealed, expected, sizeof sealed);
		assert_memory_equal(tag, expected_tag, sizeof tag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spoiled_cache_is_left_alone),
	};

	if (sodium_init() < 0)
		return 1;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
