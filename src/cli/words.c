/* SPDX-License-Identifier: ISC */
/*
 * words.c - the rule of words.h: 13 bits become six letters.
 *
 * Knows neither terminal nor file.
 */
#include "cli/words.h"

#include <sodium.h>

static const char onsets[] = "bdghjkvz";
static const char vowels[] = "aiou";
static const char codas[] = "flmnrstx";

void words_spell(char *word, unsigned number)
{
	unsigned onset = number & 7, vowel = number >> 3 & 3, coda = number >> 5 & 7;
	unsigned next_onset = number >> 8 & 7, next_vowel = number >> 11 & 3;

	word[0] = onsets[onset];
	word[1] = vowels[vowel];
	word[2] = codas[coda];
	word[3] = onsets[next_onset];
	word[4] = vowels[next_vowel];
	/* Another letter at one of the five places is another sum. */
	word[5] = codas[(onset + vowel + coda + next_onset + next_vowel) & 7];
}

void words_draw(char *text, unsigned count, struct seed *seed)
{
	uint8_t random[2];

	for (unsigned i = 0; i < count; i++) {
		char *word = text + WORDS_ROOM(i);

		/* Whole bits of two bytes: no word is more likely than another. */
		seed_draw(seed, random, sizeof random, "word");
		words_spell(word, (random[0] | (unsigned)random[1] << 8) % WORDS_COUNT);
		word[WORDS_LETTERS] = i + 1 < count ? '-' : '\0';
	}
	sodium_memzero(random, sizeof random);
}
