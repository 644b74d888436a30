/* SPDX-License-Identifier: ISC */
/*
 * progress_text.h - what a line of progress says: how much is done, how fast, how long it takes.
 *
 * Pure functions over numbers and names; nothing is printed here.
 */
#ifndef GCMCRYPT_CLI_PROGRESS_TEXT_H
#define GCMCRYPT_CLI_PROGRESS_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct progress_text {
	const char *name;
	uint64_t done;         /* bytes of plaintext */
	uint64_t total;        /* 0: not known */
	uint64_t milliseconds; /* since the beginning */
};

/*
 * "45%, 921.6 MiB of 2.0 GiB, 701.2 MiB/s, 0:02 left", or, with no total, "921.6 MiB in 0:13,
 * 70.9 MiB/s".  The speed is that of all the time since the beginning.  ASCII.  Returns text.
 */
#define PROGRESS_TEXT_FIGURES_BYTES 192
const char *progress_text_figures(char text[PROGRESS_TEXT_FIGURES_BYTES],
				  const struct progress_text *now);

/*
 * "gcmcrypt: NAME: FIGURES", the name escaped, in as many columns as are given, or as
 * PROGRESS_TEXT_COLUMNS if that is fewer.  Where they are too few the end of the name is left out,
 * then all of it, then the end of the figures.  Returns the columns that it takes at most: what a
 * terminal may draw two columns wide counts as two.
 */
#define PROGRESS_TEXT_COLUMNS    256
#define PROGRESS_TEXT_LINE_BYTES 2048
size_t progress_text_line(char text[PROGRESS_TEXT_LINE_BYTES], const struct progress_text *now,
			  size_t columns);

#endif
