/* SPDX-License-Identifier: ISC */
/*
 * words.h - 8192 words that can be spoken and typed, made by a rule instead of a list.
 *
 * Each has two syllables of three letters: an onset of bdghjkvz, a vowel of aiou, a coda of
 * flmnrstx.  The second coda follows from the five letters before it, so any two words differ in
 * two letters or more, and one slip of the tongue or finger never makes another word.  All have one
 * length, so none begins with another.
 */
#ifndef GCMCRYPT_CLI_WORDS_H
#define GCMCRYPT_CLI_WORDS_H

#include "format/seed.h"

#define WORDS_BITS    13 /* of one word, exactly */
#define WORDS_COUNT   (1u << WORDS_BITS)
#define WORDS_LETTERS 6
#define WORDS_USUAL   7
#define WORDS_MAX     128 /* words: still a passphrase that seal takes */

/* Bytes of so many words, a hyphen or a NUL behind each. */
#define WORDS_ROOM(count) ((size_t)(count) * (WORDS_LETTERS + 1))

/* Spells the word of a number below WORDS_COUNT: WORDS_LETTERS letters, no NUL. */
void words_spell(char *word, unsigned number);

/*
 * Draws count words, 1..WORDS_MAX, from seed into text of WORDS_ROOM(count) bytes: hyphens between
 * them and a NUL at the end.  Each word is as likely as any other.
 */
void words_draw(char *text, unsigned count, struct seed *seed);

#endif
