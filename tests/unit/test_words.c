/* SPDX-License-Identifier: ISC */
/*
 * test_words.c - what the manual says of the words: how many, how far apart, and all equally likely.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/words.h"

#define ROUNDS 1024
#define CANARY 0x5a

typedef char word[WORDS_LETTERS + 1];

static int compare(const void *one, const void *other)
{
	return memcmp(one, other, WORDS_LETTERS);
}

/* All words, sorted, with a dot in the place of one letter, or of none. */
static word *all_words(size_t blank)
{
	word *words = calloc(WORDS_COUNT, sizeof *words);

	assert_non_null(words);
	for (unsigned i = 0; i < WORDS_COUNT; i++) {
		words_spell(words[i], i);
		words[i][blank] = blank < WORDS_LETTERS ? '.' : '\0';
	}
	qsort(words, WORDS_COUNT, sizeof *words, compare);
	return words;
}

static void syllables(void **state)
{
	word *words = all_words(WORDS_LETTERS);

	(void)state;
	for (unsigned i = 0; i < WORDS_COUNT; i++) {
		assert_int_equal(strlen(words[i]), WORDS_LETTERS);
		for (size_t at = 0; at < WORDS_LETTERS; at += 3) {
			assert_non_null(strchr("bdghjkvz", words[i][at]));
			assert_non_null(strchr("aiou", words[i][at + 1]));
			assert_non_null(strchr("flmnrstx", words[i][at + 2]));
		}
	}
	free(words);
}

/* Distinct, and so when any one letter cannot be read: then no word is one letter from another. */
static void two_letters_apart(void **state)
{
	(void)state;
	for (size_t blank = 0; blank <= WORDS_LETTERS; blank++) {
		word *words = all_words(blank);

		for (unsigned i = 1; i < WORDS_COUNT; i++)
			assert_int_not_equal(compare(words[i - 1], words[i]), 0);
		free(words);
	}
}

static void some_seed(struct seed *seed)
{
	const uint8_t system[SEED_SYSTEM_BYTES] = {1};

	seed_init(seed, system, "", 0);
}

static void known_line(void **state)
{
	char text[WORDS_ROOM(WORDS_USUAL)], again[sizeof text];
	struct seed seed;

	(void)state;
	some_seed(&seed);
	words_draw(text, WORDS_USUAL, &seed);
	assert_int_equal(seed.counter, WORDS_USUAL);
	words_draw(again, WORDS_USUAL, &seed);
	assert_string_not_equal(text, again);
	some_seed(&seed);
	words_draw(again, WORDS_USUAL, &seed);
	assert_string_equal(text, again);
}

static void every_length(void **state)
{
	char text[WORDS_ROOM(WORDS_MAX) + 1];
	struct seed seed;

	(void)state;
	some_seed(&seed);
	for (unsigned count = 1; count <= WORDS_MAX; count++) {
		memset(text, CANARY, sizeof text);
		words_draw(text, count, &seed);
		assert_int_equal(strlen(text), WORDS_ROOM(count) - 1);
		assert_int_equal(text[WORDS_ROOM(count)], CANARY);
		for (unsigned i = 1; i < count; i++)
			assert_int_equal(text[WORDS_ROOM(i) - 1], '-');
	}
}

/* Counts in tally how often each word comes in ROUNDS lines. */
static void count_words(unsigned tally[WORDS_COUNT])
{
	word *words = all_words(WORDS_LETTERS);
	char text[WORDS_ROOM(WORDS_MAX)];
	struct seed seed;

	some_seed(&seed);
	for (int round = 0; round < ROUNDS; round++) {
		words_draw(text, WORDS_MAX, &seed);
		for (unsigned i = 0; i < WORDS_MAX; i++) {
			word *found = bsearch(text + WORDS_ROOM(i), words, WORDS_COUNT,
					      sizeof *words, compare);

			assert_non_null(found);
			tally[found - words]++;
		}
	}
	free(words);
}

/* The sum of squares is 8191 on average, with a deviation of 128. */
static void equally_likely(void **state)
{
	const double expected = (double)ROUNDS * WORDS_MAX / WORDS_COUNT;
	unsigned *tally = calloc(WORDS_COUNT, sizeof *tally);
	double sum = 0;

	(void)state;
	assert_non_null(tally);
	count_words(tally);
	for (unsigned i = 0; i < WORDS_COUNT; i++)
		sum += (tally[i] - expected) * (tally[i] - expected) / expected;
	free(tally);
	assert_true(sum > 8191 - 5 * 128 && sum < 8191 + 5 * 128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syllables),      cmocka_unit_test(two_letters_apart),
		cmocka_unit_test(known_line),     cmocka_unit_test(every_length),
		cmocka_unit_test(equally_likely),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
