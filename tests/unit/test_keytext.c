/* SPDX-License-Identifier: ISC */
/*
 * test_keytext.c - keys as text against an independent Bech32m, and each thing that makes a text
 * no key.
 */
#include "format_util.h"

#include "format/keytext.h"

static const struct {
	enum keytext_kind kind;
	const char *text, *key;
	size_t len;
} texts[] = {
	{KEYTEXT_RECIPIENT, "text_recipient", "slot_03_recipient", 63},
	{KEYTEXT_IDENTITY, "text_identity", "slot_03_identity", 75},
	{KEYTEXT_KEY_FILE, "text_key_file", "slot_02_key", 73},
};

static bool decodes(enum keytext_kind kind, const char *text, size_t len)
{
	uint8_t key[KEYTEXT_KEY_BYTES];
	bool right;

	memset(key, 0x5a, sizeof key);
	right = keytext_decode(key, kind, text, len);
	if (!right)
		assert_true(all_zero(key, sizeof key));
	return right;
}

static void change_case(char *out, const char *text, bool up)
{
	size_t i = 0;

	for (; text[i] != '\0'; i++) {
		const char c = text[i];

		if (up)
			out[i] = c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
		else
			out[i] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
	}
	out[i] = '\0';
}

static void known_answers(void **state)
{
	uint8_t want[KEYTEXT_KEY_BYTES], got[KEYTEXT_KEY_BYTES];
	char text[KEYTEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		answer_exact(want, sizeof want, texts[i].key);
		keytext_encode(text, texts[i].kind, want);
		assert_string_equal(text, answer_text(texts[i].text));
		assert_int_equal(strlen(text), texts[i].len);
		assert_true(keytext_decode(got, texts[i].kind, text, strlen(text)));
		assert_memory_equal(got, want, sizeof want);
	}
	assert_int_equal(strncmp(answer_text("text_recipient"), "gcmc1", 5), 0);
	assert_int_equal(strncmp(answer_text("text_identity"), "GCMC-SECRET-KEY-1", 17), 0);
	assert_int_equal(strncmp(answer_text("text_key_file"), "GCMC-FILE-KEY-1", 15), 0);
}

static void round_trips(void **state)
{
	uint8_t key[KEYTEXT_KEY_BYTES], again[KEYTEXT_KEY_BYTES];
	char text[KEYTEXT_MAX];

	(void)state;
	for (unsigned i = 0; i < 600; i++) {
		const enum keytext_kind kind = texts[i % 3].kind;

		randombytes_buf(key, sizeof key);
		if (i < 6)
			memset(key, i < 3 ? 0xff : 0x00, sizeof key);
		if (kind == KEYTEXT_RECIPIENT) {
			crypto_scalarmult_curve25519_base(again, key);
			memcpy(key, again, sizeof key);
		}
		keytext_encode(text, kind, key);
		assert_true(keytext_decode(again, kind, text, strlen(text)));
		assert_memory_equal(again, key, sizeof key);
	}
}

static void accept_all_lower_or_all_upper(void **state)
{
	uint8_t want[KEYTEXT_KEY_BYTES], got[KEYTEXT_KEY_BYTES];
	char text[KEYTEXT_MAX];

	(void)state;
	for (size_t i = 0; i < 2 * COUNT_OF(texts); i++) {
		answer_exact(want, sizeof want, texts[i / 2].key);
		change_case(text, answer_text(texts[i / 2].text), i % 2 == 0);
		assert_true(keytext_decode(got, texts[i / 2].kind, text, strlen(text)));
		assert_memory_equal(got, want, sizeof want);
	}
}

static void reject_mixed_case(void **state)
{
	char text[KEYTEXT_MAX];

	(void)state;
	for (size_t i = 0; i < 2 * COUNT_OF(texts); i++) {
		change_case(text, answer_text(texts[i / 2].text), i % 2 == 0);
		for (size_t at = 0; text[at] != '\0'; at++) {
			if ((text[at] & 0x40) == 0)
				continue; /* not a letter */
			text[at] ^= 0x20;
			assert_false(decodes(texts[i / 2].kind, text, strlen(text)));
			text[at] ^= 0x20;
		}
	}
}

/* Any one character replaced by any other byte. */
static void reject_checksum(void **state)
{
	char text[KEYTEXT_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		change_case(text, answer_text(texts[i].text), false);
		for (size_t at = 0; text[at] != '\0'; at++) {
			const char right = text[at];

			for (unsigned byte = 0; byte < 256; byte++) {
				text[at] = (char)byte;
				assert_int_equal(decodes(texts[i].kind, text, texts[i].len),
						 text[at] == right);
			}
			text[at] = right;
		}
	}
	/* Right for Bech32, the older constant. */
	assert_false(decodes(KEYTEXT_RECIPIENT, answer_text("text_recipient_bech32"), 63));
}

static void reject_padding(void **state)
{
	char name[40];

	(void)state;
	for (unsigned bit = 0; bit < 4; bit++) {
		snprintf(name, sizeof name, "text_recipient_padding_%u", bit);
		assert_int_equal(strlen(answer_text(name)), 63);
		assert_false(decodes(KEYTEXT_RECIPIENT, answer_text(name), 63));
	}
}

static void reject_length(void **state)
{
	const char *const shorter = answer_text("text_recipient_31_bytes");
	const char *const longer = answer_text("text_recipient_33_bytes");
	char text[2 * KEYTEXT_MAX];

	(void)state;
	assert_false(decodes(KEYTEXT_RECIPIENT, shorter, strlen(shorter)));
	assert_false(decodes(KEYTEXT_RECIPIENT, longer, strlen(longer)));
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		memset(text, 'q', sizeof text);
		memcpy(text, answer_text(texts[i].text), texts[i].len);
		for (size_t len = 0; len < sizeof text; len++)
			assert_int_equal(decodes(texts[i].kind, text, len), len == texts[i].len);
	}
}

static void reject_other_hrp(void **state)
{
	(void)state;
	assert_false(decodes(KEYTEXT_RECIPIENT, answer_text("text_recipient_other_hrp"), 63));
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		for (size_t kind = 0; kind < COUNT_OF(texts); kind++)
			assert_int_equal(
				decodes(texts[kind].kind, answer_text(texts[i].text), texts[i].len),
				i == kind);
	}
}

/* As text, whose checksum is right, and as bytes; the same bytes are a fine secret. */
static void check_unsound(const uint8_t key[KEYTEXT_KEY_BYTES])
{
	uint8_t again[KEYTEXT_KEY_BYTES];
	char text[KEYTEXT_MAX];

	assert_false(keytext_recipient_sound(key));
	keytext_encode(text, KEYTEXT_RECIPIENT, key);
	assert_false(decodes(KEYTEXT_RECIPIENT, text, strlen(text)));
	keytext_encode(text, KEYTEXT_IDENTITY, key);
	assert_true(keytext_decode(again, KEYTEXT_IDENTITY, text, strlen(text)));
	assert_memory_equal(again, key, sizeof again);
}

static void reject_low_order(void **state)
{
	static const char *const points[] = {
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
		"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	};
	uint8_t key[KEYTEXT_KEY_BYTES];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(points); i++) {
		hex_bytes(key, sizeof key, points[i]);
		check_unsound(key);
		key[31] |= 0x80;
		check_unsound(key);
	}
}

/* p to 2^255 - 1 are second names of 0 to 18; p - 2 is the greatest that is no low-order one. */
static void reject_not_canonical(void **state)
{
	uint8_t key[KEYTEXT_KEY_BYTES];

	(void)state;
	memset(key, 0xff, sizeof key);
	key[31] = 0x7f;
	for (unsigned low = 0xed; low <= 0xff; low++) {
		key[0] = (uint8_t)low;
		check_unsound(key);
	}
	key[0] = 0xeb;
	assert_true(keytext_recipient_sound(key));
	for (size_t at = 1; at < 31; at++) {
		key[0] = 0xff;
		key[at] = 0xfe;
		assert_true(keytext_recipient_sound(key));
		key[at] = 0xff;
	}
	key[31] = 0x7e;
	assert_true(keytext_recipient_sound(key));
}

static void reject_bit_255(void **state)
{
	uint8_t key[KEYTEXT_KEY_BYTES];

	(void)state;
	answer_exact(key, sizeof key, "slot_03_recipient");
	assert_true(keytext_recipient_sound(key));
	key[31] |= 0x80;
	check_unsound(key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),
		cmocka_unit_test(round_trips),
		cmocka_unit_test(accept_all_lower_or_all_upper),
		cmocka_unit_test(reject_mixed_case),
		cmocka_unit_test(reject_checksum),
		cmocka_unit_test(reject_padding),
		cmocka_unit_test(reject_length),
		cmocka_unit_test(reject_other_hrp),
		cmocka_unit_test(reject_low_order),
		cmocka_unit_test(reject_not_canonical),
		cmocka_unit_test(reject_bit_255),
	};

	return FORMAT_TESTS_RUN(tests);
}
