/* SPDX-License-Identifier: ISC */
/*
 * number.h - numbers on the command line: plain decimal, and K, M, G behind it for sizes.
 */
#ifndef GCMCRYPT_CLI_NUMBER_H
#define GCMCRYPT_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads all of text[len].  False for anything but digits without a leading zero, or more than 64
 * bits can hold.  suffix: one K, M or G may follow, for 2^10, 2^20, 2^30.
 */
bool number_parse(uint64_t *value, const char *text, size_t len, bool suffix);

/* The shortest text that number_parse() reads as kib KiB: "4G", "65M", "17K". */
#define NUMBER_TEXT_BYTES 24
const char *number_size(char text[NUMBER_TEXT_BYTES], uint64_t kib);

#endif
