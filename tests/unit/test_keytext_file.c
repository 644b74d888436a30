/* SPDX-License-Identifier: ISC */
/*
 * test_keytext_file.c - the grammar of key files: what lines may hold, how they may end, and how
 * long a file may be.
 */
#include "format_util.h"

#include "format/keytext.h"

static const struct {
	enum keytext_kind kind;
	const char *text;
} texts[] = {
	{KEYTEXT_RECIPIENT, "text_recipient"},
	{KEYTEXT_IDENTITY, "text_identity"},
	{KEYTEXT_KEY_FILE, "text_key_file"},
};

/* What came out of a key file: how many keys, the last of them, or the line that was bad. */
struct outcome {
	size_t keys, bad_line, key_line;
	uint8_t key[KEYTEXT_KEY_BYTES];
};

static void note(struct outcome *outcome, const struct keytext_parser *parser,
		 enum keytext_line line)
{
	if (line == KEYTEXT_LINE_KEY) {
		outcome->keys++;
		outcome->key_line = parser->line_number;
	} else if (line == KEYTEXT_LINE_BAD && outcome->bad_line == 0) {
		outcome->bad_line = parser->line_number;
		assert_true(outcome->bad_line > 0);
	} else if (line == KEYTEXT_LINE_NONE) {
		assert_int_equal(outcome->bad_line, 0); /* bad once, bad for good */
	}
	if (outcome->bad_line != 0)
		assert_int_equal(parser->line_number, outcome->bad_line);
}

static struct outcome parse_bytes(enum keytext_kind kind, const char *text, size_t len)
{
	struct outcome outcome;
	struct keytext_parser parser;

	memset(&outcome, 0, sizeof outcome);
	keytext_parser_init(&parser, kind);
	for (size_t i = 0; i < len; i++)
		note(&outcome, &parser,
		     keytext_parser_byte(&parser, (uint8_t)text[i], outcome.key));
	note(&outcome, &parser, keytext_parser_end(&parser, outcome.key));
	keytext_parser_wipe(&parser);
	assert_true(all_zero(&parser, sizeof parser));
	return outcome;
}

/* A key file after a pattern, in which every % stands for the text of the key. */
static struct outcome parse(const char *pattern)
{
	const char *const key = answer_text("text_key_file");
	char text[1024];
	size_t len = 0;

	for (; *pattern != '\0'; pattern++) {
		if (*pattern == '%') {
			memcpy(text + len, key, strlen(key));
			len += strlen(key);
		} else {
			text[len++] = *pattern;
		}
	}
	return parse_bytes(KEYTEXT_KEY_FILE, text, len);
}

static void check_one_key(const char *pattern, size_t line)
{
	const struct outcome outcome = parse(pattern);
	uint8_t want[KEYTEXT_KEY_BYTES];

	answer_exact(want, sizeof want, "slot_02_key");
	assert_int_equal(outcome.bad_line, 0);
	assert_int_equal(outcome.keys, 1);
	assert_int_equal(outcome.key_line, line);
	assert_memory_equal(outcome.key, want, sizeof want);
}

static void file_with_one_key(void **state)
{
	(void)state;
	check_one_key("%\n", 1);
	check_one_key("%", 1); /* the last line lacks its newline */
	check_one_key("%\r\n", 1);
	check_one_key("# made by keygen\n%\n", 2);
	check_one_key("#\n\n\n%\n\n# end", 4);
	check_one_key("# made by keygen\r\n\r\n%\r\n\r\n", 3);
	check_one_key("#\ttab and ~ and %\n%\n", 2); /* a key in a comment is none */
}

static void file_with_no_key(void **state)
{
	static const char *const patterns[] = {"", "\n", "\r\n", "#", "# only\n\n# comments\r\n"};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(patterns); i++) {
		const struct outcome outcome = parse(patterns[i]);

		assert_int_equal(outcome.keys, 0);
		assert_int_equal(outcome.bad_line, 0);
	}
}

static void file_with_several_keys(void **state)
{
	struct outcome outcome = parse("%\n# second\n%\n%");

	(void)state;
	assert_int_equal(outcome.keys, 3);
	assert_int_equal(outcome.bad_line, 0);
	assert_int_equal(outcome.key_line, 4);
	outcome = parse("%\n%\nnonsense\n");
	assert_int_equal(outcome.keys, 2);
	assert_int_equal(outcome.bad_line, 3);
}

static void check_bad(const char *pattern, size_t keys, size_t line)
{
	const struct outcome outcome = parse(pattern);

	assert_int_equal(outcome.bad_line, line);
	assert_int_equal(outcome.keys, keys);
}

static void reject_lines(void **state)
{
	(void)state;
	check_bad("nonsense", 0, 1);
	check_bad("%%\n", 0, 1);
	check_bad(" %\n", 0, 1);
	check_bad("% \n", 0, 1);
	check_bad("% # mine\n", 0, 1);
	check_bad("%#\n", 0, 1);
	check_bad(" \n%\n", 0, 1);
	check_bad("#\n #\n", 0, 2);
	check_bad("%\nx\n%\n", 1, 2);
}

static void reject_lone_cr(void **state)
{
	(void)state;
	check_bad("%\r", 0, 1);
	check_bad("%\r\r\n", 0, 1);
	check_bad("\r%\n", 0, 1);
	check_bad("# hides\r%\n", 0, 1);
	check_bad("%\n\n#\r", 1, 3);
}

/* In keys and in comments; tab alone of the control bytes may stand in a comment. */
static void reject_what_is_not_text(void **state)
{
	char text[16] = "#\n# comment ?\n";

	(void)state;
	for (unsigned byte = 0; byte < 256; byte++) {
		const bool fine = (byte >= 0x20 && byte < 0x7f) || byte == '\t' || byte == '\n';
		struct outcome outcome;

		text[12] = (char)byte;
		outcome = parse_bytes(KEYTEXT_KEY_FILE, text, 14);
		assert_int_equal(outcome.bad_line, fine || byte == '\r' ? 0 : 2);
	}
	check_bad("%\xc3\xa9\n", 0, 1);
}

static void reject_keys_of_another_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		const char *const text = answer_text(texts[i].text);

		for (size_t kind = 0; kind < COUNT_OF(texts); kind++) {
			const struct outcome outcome =
				parse_bytes(texts[kind].kind, text, strlen(text));

			assert_int_equal(outcome.keys, i == kind);
			assert_int_equal(outcome.bad_line, i != kind);
		}
	}
}

/* A file of len bytes: a key, and a comment for the rest. */
static struct outcome parse_long(size_t len)
{
	static char text[KEYTEXT_FILE_BYTES + 100];
	const char *const key = answer_text("text_key_file");

	memset(text, '.', sizeof text);
	memcpy(text, key, strlen(key));
	memcpy(text + strlen(key), "\n#", 2);
	return parse_bytes(KEYTEXT_KEY_FILE, text, len);
}

static void reject_over_64_kib(void **state)
{
	struct outcome outcome = parse_long(KEYTEXT_FILE_BYTES);

	(void)state;
	assert_int_equal(outcome.keys, 1);
	assert_int_equal(outcome.bad_line, 0);
	outcome = parse_long(KEYTEXT_FILE_BYTES + 1);
	assert_int_equal(outcome.bad_line, 2);
	outcome = parse_long(KEYTEXT_FILE_BYTES + 100);
	assert_int_equal(outcome.bad_line, 2);
}

/* The 65537th byte is an error even if it is only a newline. */
static void reject_over_64_kib_of_newlines(void **state)
{
	static char text[KEYTEXT_FILE_BYTES + 1];

	(void)state;
	memset(text, '\n', sizeof text);
	assert_int_equal(parse_bytes(KEYTEXT_KEY_FILE, text, KEYTEXT_FILE_BYTES).bad_line, 0);
	assert_int_equal(parse_bytes(KEYTEXT_KEY_FILE, text, sizeof text).bad_line, 65537);
}

static void reject_long_line(void **state)
{
	static char text[4096];

	(void)state;
	memset(text, 'Q', sizeof text);
	for (size_t len = 1; len < sizeof text; len += 7)
		assert_int_equal(parse_bytes(KEYTEXT_KEY_FILE, text, len).bad_line, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_with_one_key),
		cmocka_unit_test(file_with_no_key),
		cmocka_unit_test(file_with_several_keys),
		cmocka_unit_test(reject_lines),
		cmocka_unit_test(reject_lone_cr),
		cmocka_unit_test(reject_what_is_not_text),
		cmocka_unit_test(reject_keys_of_another_kind),
		cmocka_unit_test(reject_over_64_kib),
		cmocka_unit_test(reject_over_64_kib_of_newlines),
		cmocka_unit_test(reject_long_line),
	};

	return FORMAT_TESTS_RUN(tests);
}
