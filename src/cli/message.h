/* SPDX-License-Identifier: ISC */
/*
 * message.h - the only writer to standard error.
 *
 * `gcmcrypt: NAME: what happened`, then at most one `gcmcrypt: hint: what to do`.  Control bytes
 * of names are shown escaped.  A name may be NULL: then it is about the request as a whole.
 */
#ifndef GCMCRYPT_CLI_MESSAGE_H
#define GCMCRYPT_CLI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/fault.h"

enum message_level {
	MESSAGE_QUIET, /* errors and their hints */
	MESSAGE_NORMAL,
	MESSAGE_VERBOSE,
};

#define MESSAGE_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Always printed. */
void message_error(const char *name, const char *format, ...) MESSAGE_PRINTF(2, 3);
void message_hint(const char *format, ...) MESSAGE_PRINTF(1, 2);

/* Not printed when quiet. */
void message_warning(enum message_level level, const char *name, const char *format, ...)
	MESSAGE_PRINTF(3, 4);
void message_notice(enum message_level level, const char *name, const char *format, ...)
	MESSAGE_PRINTF(3, 4);

/* Printed when verbose. */
void message_detail(enum message_level level, const char *name, const char *format, ...)
	MESSAGE_PRINTF(3, 4);

/*
 * For a line that is rewritten in place on a terminal: clears so many columns and writes text, which
 * is escaped and fits, with no newline.  The next message has to be preceded by one with "".
 */
void message_rewrite(const char *text, size_t columns);

/*
 * A whole line for other programs to read, its newline included, as it is.  False: standard error
 * does not take it.
 */
bool message_line(const char *line);

/* What errors.def says of a fault: its exit status, and its hint or "". */
int message_status(enum fault fault);
const char *message_usual_hint(enum fault fault);

/* The sentence of a fault, or, where it came from the system, its words for the errno. */
const char *message_reason(enum fault fault, int error);

/* Reason and usual hint of a fault, as an error. */
void message_fault(const char *name, enum fault fault, int error);

/*
 * Writes text into shown[room] with control bytes as \x1b and backslashes doubled; what does not
 * fit is cut.  Returns shown.
 */
const char *message_escape(char *shown, size_t room, const char *text);

/* "512 bytes", "95.3 MiB", "41.0 GiB". */
#define MESSAGE_SIZE_BYTES 32
const char *message_size(char text[MESSAGE_SIZE_BYTES], uint64_t bytes);

#endif
