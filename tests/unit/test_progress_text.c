/* SPDX-License-Identifier: ISC */
/*
 * test_progress_text.c - figures of a line of progress, and how it is made to fit.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/progress_text.h"
#include "format/payload.h"

#define KIB      UINT64_C(1024)
#define MIB      (1024 * KIB)
#define GIB      (1024 * MIB)
#define SECOND   UINT64_C(1000)
#define HOUR     (3600 * SECOND)
#define DAY      (24 * HOUR)
#define LONGEST  (PAYLOAD_CHUNKS_MAX * PAYLOAD_CHUNK_BYTES)
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const struct {
	uint64_t done, total, milliseconds;
	const char *text;
} known[] = {
	{0, 2 * GIB, 0, "0%, 0 bytes of 2.0 GiB, 0 bytes/s"},
	{0, 2 * GIB, 5 * SECOND, "0%, 0 bytes of 2.0 GiB, 0 bytes/s"},
	{GIB, 2 * GIB, 0, "50%, 1.0 GiB of 2.0 GiB, 0 bytes/s, 0:01 left"},
	{GIB, 2 * GIB, 4 * SECOND, "50%, 1.0 GiB of 2.0 GiB, 256.0 MiB/s, 0:05 left"},
	{GIB / 2, 2 * GIB, 30 * SECOND, "25%, 512.0 MiB of 2.0 GiB, 17.1 MiB/s, 1:31 left"},
	/* Rounded down until it is true. */
	{2 * GIB - 1, 2 * GIB, SECOND, "99%, 2.0 GiB of 2.0 GiB, 2.0 GiB/s, 0:01 left"},
	{2 * GIB, 2 * GIB, SECOND, "100%, 2.0 GiB of 2.0 GiB, 2.0 GiB/s"},
	/* An input that has grown. */
	{2 * GIB + 1, 2 * GIB, SECOND, "2.0 GiB in 0:01, 2.0 GiB/s"},
	{1, 1000, 1, "0%, 1 byte of 1000 bytes, 1000 bytes/s, 0:01 left"},
	{1, 1000, 10 * SECOND, "0%, 1 byte of 1000 bytes, 0 bytes/s, 2:46:31 left"},
	{1, 1000, 359 * SECOND, "0%, 1 byte of 1000 bytes, 0 bytes/s, 99:37:22 left"},
	{1, 1000, 361 * SECOND, "0%, 1 byte of 1000 bytes, 0 bytes/s, 4 days left"},
	{LONGEST / 2, LONGEST, 10 * DAY, "50%, 2.0 PiB of 4.0 PiB, 2.4 GiB/s, 10 days left"},
	{1, LONGEST, 365 * DAY, "0%, 1 byte of 4.0 PiB, 0 bytes/s, 49710 days left"},
};

static void figures_of_a_known_size(void **state)
{
	char text[PROGRESS_TEXT_FIGURES_BYTES];

	(void)state;
	for (size_t i = 0; i < COUNT(known); i++) {
		struct progress_text now = {"x", known[i].done, known[i].total,
					    known[i].milliseconds};

		assert_string_equal(progress_text_figures(text, &now), known[i].text);
	}
}

static const struct {
	uint64_t done, milliseconds;
	const char *text;
} unknown[] = {
	{0, 0, "0 bytes in 0:00, 0 bytes/s"},
	{0, 61 * SECOND, "0 bytes in 1:01, 0 bytes/s"},
	{1000, 999, "1000 bytes in 0:00, 1001 bytes/s"},
	{MIB, SECOND, "1.0 MiB in 0:01, 1.0 MiB/s"},
	{GIB, HOUR - 1, "1.0 GiB in 59:59, 291.3 KiB/s"},
	{GIB, HOUR, "1.0 GiB in 1:00:00, 291.3 KiB/s"},
	{GIB, 100 * HOUR - 1, "1.0 GiB in 99:59:59, 2.9 KiB/s"},
	{GIB, 100 * HOUR, "1.0 GiB in 4 days, 2.9 KiB/s"},
	{LONGEST, DAY, "4.0 PiB in 24:00:00, 48.5 GiB/s"},
};

static void figures_of_an_unknown_size(void **state)
{
	char text[PROGRESS_TEXT_FIGURES_BYTES];

	(void)state;
	for (size_t i = 0; i < COUNT(unknown); i++) {
		struct progress_text now = {"x", unknown[i].done, 0, unknown[i].milliseconds};

		assert_string_equal(progress_text_figures(text, &now), unknown[i].text);
	}
}

/* The figures take 26 columns; 10 and 2 more stand before and behind the name. */
static const struct {
	const char *name;
	size_t columns, taken;
	const char *text;
} fitted[] = {
	{"name", 79, 42, "gcmcrypt: name: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"name", 42, 42, "gcmcrypt: name: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"name", 41, 26, "1.0 MiB in 0:01, 1.0 MiB/s"},
	{"a-long-name", 49, 49, "gcmcrypt: a-long-name: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"a-long-name", 48, 48, "gcmcrypt: a-long-...: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"a-long-name", 46, 46, "gcmcrypt: a-lon...: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"a-long-name", 45, 26, "1.0 MiB in 0:01, 1.0 MiB/s"},
	{"a-long-name", 26, 26, "1.0 MiB in 0:01, 1.0 MiB/s"},
	{"a-long-name", 7, 7, "1.0 MiB"},
	{"a-long-name", 0, 0, ""},
	/* Control bytes are escaped before anything is measured. */
	{"a\033[2J\n", 79, 50, "gcmcrypt: a\\x1b[2J\\x0a: 1.0 MiB in 0:01, 1.0 MiB/s"},
	/* Letters are never cut; those of three bytes and more may be two columns wide. */
	{"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 46, 46,
	 "gcmcrypt: \u00e9\u00e9\u00e9\u00e9\u00e9...: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"\u6587\u6587\u6587\u6587\u6587", 48, 48,
	 "gcmcrypt: \u6587\u6587\u6587\u6587\u6587: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"\u6587\u6587\u6587\u6587\u6587", 47, 47,
	 "gcmcrypt: \u6587\u6587\u6587...: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"\u6587\u6587\u6587\u6587\u6587", 46, 45,
	 "gcmcrypt: \u6587\u6587...: 1.0 MiB in 0:01, 1.0 MiB/s"},
	/* Bytes that are no UTF-8. */
	{"\xe9t\xe9", 79, 43, "gcmcrypt: \xe9t\xe9: 1.0 MiB in 0:01, 1.0 MiB/s"},
	{"\xa9\xa9", 79, 40, "gcmcrypt: \xa9\xa9: 1.0 MiB in 0:01, 1.0 MiB/s"},
};

static void lines_fit(void **state)
{
	char text[PROGRESS_TEXT_LINE_BYTES];

	(void)state;
	for (size_t i = 0; i < COUNT(fitted); i++) {
		struct progress_text now = {fitted[i].name, MIB, 0, SECOND};
		size_t taken = progress_text_line(text, &now, fitted[i].columns);

		assert_string_equal(text, fitted[i].text);
		assert_int_equal(taken, fitted[i].taken);
	}
}

/* The longest names in the widest letters, on terminals of any width. */
static void no_line_is_too_long(void **state)
{
	static const char *const letters[] = {"x", "\n", "\u00e9", "\u6587", "\U0001f600", "\xff"};
	static char name[4096 + 4];
	char text[PROGRESS_TEXT_LINE_BYTES];

	(void)state;
	for (size_t i = 0; i < COUNT(letters); i++) {
		size_t len = strlen(letters[i]);

		for (size_t at = 0; at + len < sizeof name; at += len)
			memcpy(name + at, letters[i], len + 1);
		for (size_t columns = 0; columns <= 1000; columns++) {
			struct progress_text now = {name, LONGEST / 3, LONGEST, 7 * DAY};
			size_t most =
				columns < PROGRESS_TEXT_COLUMNS ? columns : PROGRESS_TEXT_COLUMNS;
			size_t taken = progress_text_line(text, &now, columns);

			assert_true(taken <= most);
			assert_true(strlen(text) < sizeof text - 1);
			/* No more is left out than there is need for. */
			assert_true(columns < 80 || taken + 4 > most);
			assert_true(columns < 80 || strstr(text, "...: 33%, ") != NULL);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_a_known_size),
		cmocka_unit_test(figures_of_an_unknown_size),
		cmocka_unit_test(lines_fit),
		cmocka_unit_test(no_line_is_too_long),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
