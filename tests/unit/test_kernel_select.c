/* SPDX-License-Identifier: ISC */
/*
 * test_kernel_select.c - faults planted in a kernel: its self-test has to find each of them.
 *
 * kernel_select.c is compiled here once more, with a faulty kernel in the place of soft.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gcm/kernel.h"

static const struct gcm_kernel *const sound = &gcm_kernel_soft;

static enum fault {
	NONE,
	KEY_INIT,
	SEAL_TEXT,
	SEAL_TAG,
	SEAL_WITH_CACHE,
	SEAL_192,
	SEAL_SHORT,
	SEAL_NO_AAD,
	OPEN_TEXT,
	OPEN_SHORT,
	OPEN_TAG,
	OPEN_TAKES_ANY_TAG,
	FAULTS,
} fault;

/* soft keeps nothing that tells the length of a key, so its wrapper remembers it. */
static size_t last_key_len;
static const uint8_t *last_tag;

static void faulty_key_init(struct gcm_key *k, const uint8_t *key, size_t key_len)
{
	last_key_len = key_len;
	sound->key_init(k, key, key_len);
	k->schedule[1] ^= fault == KEY_INIT;
}

static void faulty_seal(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
			uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[12], const uint8_t *aad,
			size_t aad_len, const uint8_t *in, size_t len, uint32_t counter)
{
	uint8_t wrong[12];

	for (size_t i = 0; i < sizeof wrong; i++)
		wrong[i] = nonce[i];
	wrong[3] ^= fault == SEAL_TEXT || (fault == SEAL_WITH_CACHE && cache != NULL) ||
		    (fault == SEAL_192 && last_key_len == 24) ||
		    (fault == SEAL_SHORT && len > 64 && len <= 128) ||
		    (fault == SEAL_NO_AAD && aad_len == 0);
	sound->seal(k, cache, out, tag, wrong, aad, aad_len, in, len, counter);
	tag[7] ^= fault == SEAL_TAG;
	last_tag = tag;
}

static void faulty_open(const struct gcm_key *k, struct gcm_counter_cache *cache, uint8_t *out,
			uint8_t tag[GCM_TAG_BYTES], const uint8_t nonce[12], const uint8_t *aad,
			size_t aad_len, const uint8_t *in, size_t len, uint32_t counter)
{
	sound->open(k, cache, out, tag, nonce, aad, aad_len, in, len, counter);
	if (len != 0)
		out[len - 1] ^= fault == OPEN_TEXT || (fault == OPEN_SHORT && len == 1);
	tag[15] ^= fault == OPEN_TAG;
	for (size_t i = 0; i < GCM_TAG_BYTES && fault == OPEN_TAKES_ANY_TAG; i++)
		tag[i] = last_tag[i]; /* whatever the caller is going to compare */
}

static const struct gcm_kernel faulty = {
	.name = "soft",
	.key_init = faulty_key_init,
	.seal = faulty_seal,
	.open = faulty_open,
};

#define gcm_kernel_soft faulty
#include "gcm/kernel_select.c"

static void test_each_fault_is_found(void **state)
{
	(void)state;
	for (fault = NONE + 1; fault < FAULTS; fault++) {
		assert_null(gcm_kernel_select(0, "soft"));
		assert_null(gcm_kernel_select(0, NULL));
	}
}

static void test_no_fault_passes(void **state)
{
	(void)state;
	fault = NONE;
	assert_ptr_equal(gcm_kernel_select(0, "soft"), &faulty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_fault_is_found),
		cmocka_unit_test(test_no_fault_passes),
	};

	if (sodium_init() < 0)
		return 1;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
