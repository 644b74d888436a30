/* SPDX-License-Identifier: ISC */
/*
 * print.h - text for standard output: what help, info and bench have to say.
 *
 * It goes through file.h as data does, so that a full disk, a pipe that nobody reads and one that
 * does not block are met in the same way.
 */
#ifndef GCMCRYPT_CLI_PRINT_H
#define GCMCRYPT_CLI_PRINT_H

#include "cli/message.h"
#include "io/file.h"

#define PRINT_BYTES 16384

struct print {
	struct file_output output;
	enum fault fault; /* the first; a message was written, and nothing more is sent */
	size_t used;
	char bytes[PRINT_BYTES]; /* not sent yet */
};

void print_begin(struct print *print);

/* Adds text of fewer than PRINT_BYTES bytes; whoever asks print_send() later learns of a fault. */
void print_text(struct print *print, const char *format, ...) MESSAGE_PRINTF(2, 3);

/* The same for so many bytes. */
void print_bytes(struct print *print, const char *bytes, size_t len);

/*
 * Sends what was added.  The first fault so far: FAULT_CREATE, FAULT_WRITE, FAULT_BROKEN_PIPE,
 * FAULT_SIGNAL; the last two go without a message.
 */
enum fault print_send(struct print *print);

/* The same, and brings a regular file to disk: FAULT_SYNC too. */
enum fault print_end(struct print *print);

#endif
