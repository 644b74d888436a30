/* SPDX-License-Identifier: ISC */
/*
 * format_util.h - what the unit tests of src/format share: cmocka, hex and known answers.
 */
#ifndef GCMCRYPT_TESTS_FORMAT_UTIL_H
#define GCMCRYPT_TESTS_FORMAT_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

struct format_answer {
	const char *name;
	const char *hex; /* or text, as the name says */
};

#include "../vectors/format_answers.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Decodes hex of any length up to room bytes and returns how many there were. */
static inline size_t hex_bytes(uint8_t *out, size_t room, const char *hex)
{
	size_t len = 0;

	if (sodium_hex2bin(out, room, hex, strlen(hex), NULL, &len, NULL) != 0)
		fail_msg("not hex, or over %zu bytes: %.40s", room, hex);
	return len;
}

static inline const char *answer_text(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(format_answers); i++) {
		if (strcmp(format_answers[i].name, name) == 0)
			return format_answers[i].hex;
	}
	fail_msg("no known answer is called %s", name);
	return "";
}

static inline size_t answer(uint8_t *out, size_t room, const char *name)
{
	return hex_bytes(out, room, answer_text(name));
}

/* A known answer that has exactly len bytes. */
static inline void answer_exact(uint8_t *out, size_t len, const char *name)
{
	assert_int_equal(answer(out, len, name), len);
}

static inline bool all_zero(const void *at, size_t len)
{
	return sodium_is_zero(at, len) == 1;
}

/* Bytes without meaning, the same for the same name. */
static inline void some_bytes(void *out, size_t len, uint8_t name)
{
	const uint8_t seed[randombytes_SEEDBYTES] = {name};

	randombytes_buf_deterministic(out, len, seed);
}

/* CHECK as it should be for the header in bytes[len], wherever a changed hlen may point. */
static inline void header_check_remake(uint8_t *bytes, size_t len)
{
	uint8_t digest[crypto_hash_sha512_BYTES];

	crypto_hash_sha512(digest, bytes, len - 40);
	memcpy(bytes + len - 40, digest, 8);
}

/* Makes sodium_misuse() a failure that expect_assert_failure() can expect. */
static inline void misuse_caught(void)
{
	mock_assert(0, "sodium_misuse", __FILE__, __LINE__);
}

/* What main() of each test program does. */
#define FORMAT_TESTS_RUN(tests)                          \
	(cmocka_set_message_output(CM_OUTPUT_TAP),       \
	 sodium_init() < 0 ? 99                          \
	 : sodium_set_misuse_handler(misuse_caught) != 0 \
		 ? 99                                    \
		 : cmocka_run_group_tests(tests, NULL, NULL))

#endif
