/* SPDX-License-Identifier: ISC */
/*
 * passphrase.h - the one rule for passphrases, whatever they come from, and the terminal's prompts.
 *
 * Every source follows one rule: one final LF or CRLF is dropped; what is left has 1..1024 bytes,
 * none of them NUL, LF or CR.
 */
#ifndef GCMCRYPT_CLI_PASSPHRASE_H
#define GCMCRYPT_CLI_PASSPHRASE_H

#include <stddef.h>
#include <stdint.h>

#include "format/fault.h"
#include "format/seed.h"
#include "io/file.h"

#define PASSPHRASE_MAX  1024
#define PASSPHRASE_ROOM (PASSPHRASE_MAX + 3) /* one byte too many shows, behind a CRLF too */

/* Key material: born in the arena. */
struct passphrase {
	uint8_t bytes[PASSPHRASE_ROOM];
	size_t len;
};

/*
 * Drops the newline and looks at what is left of what a source gave: all of it, or as much as there
 * is room for.  FAULT_BAD_PASSPHRASE; a message was written that begins with name (NULL: none).
 */
enum fault passphrase_check(struct passphrase *passphrase, const char *name);

/*
 * Reads input to its end.  FAULT_READ, FAULT_SIGNAL, FAULT_BAD_PASSPHRASE; a message was written, but
 * for FAULT_SIGNAL.
 */
enum fault passphrase_read(struct passphrase *passphrase, struct file_input *input);

/*
 * Asks on the terminal.  FAULT_NO_KEY_SOURCE where there is no terminal, FAULT_SIGNAL,
 * FAULT_BAD_PASSPHRASE; a message was written, but for FAULT_SIGNAL.
 */
enum fault passphrase_ask(struct passphrase *passphrase);

/*
 * Asks for one to seal with, and again for the same.  Where nothing is typed the usual number of
 * words is drawn, from a seed made for that, and shown on the terminal alone.  FAULT_BAD_PASSPHRASE
 * too where the two differ, FAULT_NO_RANDOMNESS, and FAULT_CREATE or FAULT_WRITE where the terminal
 * does not take the words; else as above.
 */
enum fault passphrase_ask_new(struct passphrase *passphrase, struct passphrase *again,
			      struct seed *seed);

void passphrase_wipe(struct passphrase *passphrase);

#endif
