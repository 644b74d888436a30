/* SPDX-License-Identifier: ISC */
/*
 * number.c - numbers on the command line, strictly.
 *
 * Knows nothing of options and their ranges.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/number.h"

/* The shift that a suffix stands for, 0 where it is none. */
static unsigned suffix_shift(char c)
{
	return c == 'K' ? 10 : c == 'M' ? 20 : c == 'G' ? 30 : 0;
}

bool number_parse(uint64_t *value, const char *text, size_t len, bool suffix)
{
	unsigned shift = suffix && len > 1 ? suffix_shift(text[len - 1]) : 0;
	size_t digits = shift == 0 ? len : len - 1;
	uint64_t sum = 0;

	if (digits == 0 || (digits > 1 && text[0] == '0'))
		return false;
	for (size_t i = 0; i < digits; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		uint64_t digit = (uint64_t)(text[i] - '0');

		if (sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = 10 * sum + digit;
	}
	if (sum > UINT64_MAX >> shift)
		return false;
	*value = sum << shift;
	return true;
}

const char *number_size(char text[NUMBER_TEXT_BYTES], uint64_t kib)
{
	char suffix = 'K';

	if (kib != 0 && kib % (1024 * 1024) == 0) {
		kib /= 1024 * 1024;
		suffix = 'G';
	} else if (kib != 0 && kib % 1024 == 0) {
		kib /= 1024;
		suffix = 'M';
	}
	(void)snprintf(text, NUMBER_TEXT_BYTES, "%" PRIu64 "%c", kib, suffix);
	return text;
}
