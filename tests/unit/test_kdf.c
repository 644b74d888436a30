/* SPDX-License-Identifier: ISC */
/*
 * test_kdf.c - Argon2id against another implementation's answers, and with too little memory.
 */
#include "io_util.h"

#include "io/kdf.h"

#include <sys/resource.h>

static const struct {
	const char *passphrase;
	size_t repeat;
	uint32_t passes, memory_kib;
	const char *s; /* python3-argon2: hash_secret_raw(..., 1, 32, Type.ID, 0x13) */
} answers[] = {
	{"x", 1, 1, 8, "b2858cd0d28ed8d564e64ab8c010885cf4af11ac9a70e740166133d9d4d122c7"},
	{"correct horse battery staple", 1, 2, 64,
	 "2df47ede6358ed17a9976d4fcedb897a10036d432a4acef17d263bfc98bd20ac"},
	{"p", 1024, 3, 1024, "f937219d13e51cabc2974745e8625d2f01f8b08392269da9f40f49b86796e361"},
	{"\xff\x80\xc3", 1, 1, 65536,
	 "0c31ada8463f3a260613202fc878f4899533bb847c96882bfef3f685526355cd"},
};

static void known_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(answers); i++) {
		struct slot_argon2 params = {.passes = answers[i].passes,
					     .memory_kib = answers[i].memory_kib};
		size_t len = strlen(answers[i].passphrase);
		uint8_t passphrase[1024];
		struct slot_secret secret;
		char hex[65];

		for (size_t j = 0; j < sizeof params.salt; j++)
			params.salt[j] = (uint8_t)j;
		for (size_t j = 0; j < answers[i].repeat; j++)
			memcpy(passphrase + j * len, answers[i].passphrase, len);
		assert_int_equal(
			kdf_argon2id(&secret, &params, passphrase, len * answers[i].repeat),
			FAULT_NONE);
		assert_int_equal(secret.len, 32);
		sodium_bin2hex(hex, sizeof hex, secret.bytes, secret.len);
		assert_string_equal(hex, answers[i].s);
	}
}

/* More than any machine has: refused before it is asked for. */
static void more_than_there_is(void **state)
{
	const struct slot_argon2 params = {.passes = 1, .memory_kib = UINT32_MAX};
	struct slot_secret secret;

	(void)state;
	assert_int_equal(kdf_argon2id(&secret, &params, (const uint8_t *)"x", 1), FAULT_KDF_MEMORY);
}

/* Each limit on the address space ends in an answer or in FAULT_KDF_MEMORY, never in a crash. */
static int under_limit(void *argument)
{
	const struct slot_argon2 params = {.passes = 1, .memory_kib = 32768};
	rlim_t bytes = *(const rlim_t *)argument;
	const struct rlimit limit = {bytes, bytes};
	struct slot_secret secret;

	if (setrlimit(RLIMIT_AS, &limit) != 0)
		return 2;
	switch (kdf_argon2id(&secret, &params, (const uint8_t *)"x", 1)) {
	case FAULT_NONE:
		return 0;
	case FAULT_KDF_MEMORY:
		return 1;
	default:
		return 3;
	}
}

static void a_sweep_of_limits(void **state)
{
	(void)state;
	for (rlim_t mib = 8; mib <= 256; mib += 8) {
		rlim_t bytes = mib << 20;
		int status = run_child(under_limit, &bytes);

		assert_true(WIFEXITED(status));
		assert_in_range(WEXITSTATUS(status), 0, 1);
		if (mib <= 32)
			assert_int_equal(WEXITSTATUS(status), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),
		cmocka_unit_test(more_than_there_is),
		cmocka_unit_test(a_sweep_of_limits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return sodium_init() < 0 ? 99 : cmocka_run_group_tests(tests, NULL, NULL);
}
