/* SPDX-License-Identifier: ISC */
/*
 * test_hkdf.c - HMAC-SHA-512 and HKDF-Expand against RFC 4231 and an independent implementation.
 */
#include "format_util.h"

#include "format/hkdf.h"

/* RFC 4231, test cases 2 and 6: a short key, and one longer than a SHA-512 block. */
static void hmac_known_answers(void **state)
{
	static const char message[] = "what do ya want for nothing?";
	static const char longer[] = "Test Using Larger Than Block-Size Key - Hash Key First";
	uint8_t want[HKDF_HASH_BYTES], got[HKDF_HASH_BYTES], key[131];

	(void)state;
	hex_bytes(want, sizeof want,
		  "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
		  "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737");
	hkdf_hmac(got, (const uint8_t *)"Jefe", 4, message, strlen(message));
	assert_memory_equal(got, want, sizeof want);

	hex_bytes(want, sizeof want,
		  "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
		  "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598");
	memset(key, 0xaa, sizeof key);
	hkdf_hmac(got, key, sizeof key, longer, strlen(longer));
	assert_memory_equal(got, want, sizeof want);
}

struct expand_case {
	uint8_t prk[256], info[256], okm[HKDF_OKM_MAX];
	size_t prk_len, info_len, okm_len;
};

static void expand_case_read(struct expand_case *c, unsigned i)
{
	char name[32];

	snprintf(name, sizeof name, "hkdf_%u_prk", i);
	c->prk_len = answer(c->prk, sizeof c->prk, name);
	snprintf(name, sizeof name, "hkdf_%u_info", i);
	c->info_len = answer(c->info, sizeof c->info, name);
	snprintf(name, sizeof name, "hkdf_%u_okm", i);
	c->okm_len = answer(c->okm, sizeof c->okm, name);
}

static void expand_known_answers(void **state)
{
	static struct expand_case c;
	static uint8_t okm[HKDF_OKM_MAX + 1];

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		expand_case_read(&c, i);
		const struct hkdf_piece whole = {c.info, c.info_len};

		memset(okm, 0x5a, sizeof okm);
		hkdf_expand(okm, c.okm_len, c.prk, c.prk_len, &whole, 1);
		assert_memory_equal(okm, c.okm, c.okm_len);
		assert_int_equal(okm[c.okm_len], 0x5a);
	}
}

static void pieces_are_joined(void **state)
{
	static struct expand_case c;
	uint8_t okm[128];

	(void)state;
	expand_case_read(&c, 4); /* 33 bytes of info, 128 of okm */
	assert_int_equal(c.okm_len, sizeof okm);
	for (size_t cut = 0; cut <= c.info_len; cut++) {
		const struct hkdf_piece pieces[] = {
			{c.info, cut}, {NULL, 0}, {c.info + cut, c.info_len - cut}};

		hkdf_expand(okm, sizeof okm, c.prk, c.prk_len, pieces, 3);
		assert_memory_equal(okm, c.okm, sizeof okm);
	}
}

static void shorter_okm_is_a_prefix(void **state)
{
	static struct expand_case c;
	uint8_t okm[200];

	(void)state;
	expand_case_read(&c, 6);
	const struct hkdf_piece whole = {c.info, c.info_len};

	for (size_t len = 0; len < sizeof okm; len++) {
		memset(okm, 0x5a, sizeof okm);
		hkdf_expand(okm, len, c.prk, c.prk_len, &whole, 1);
		assert_memory_equal(okm, c.okm, len);
		assert_int_equal(okm[len], 0x5a);
	}
}

static void too_much_okm_stops(void **state)
{
	static uint8_t okm[HKDF_OKM_MAX + 1];

	(void)state;
	expect_assert_failure(hkdf_expand(okm, sizeof okm, okm, 32, NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hmac_known_answers), cmocka_unit_test(expand_known_answers),
		cmocka_unit_test(pieces_are_joined),  cmocka_unit_test(shorter_okm_is_a_prefix),
		cmocka_unit_test(too_much_okm_stops),
	};

	return FORMAT_TESTS_RUN(tests);
}
