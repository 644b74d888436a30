/* SPDX-License-Identifier: ISC */
/*
 * message.c - the only writer to standard error, and the one place where a fault becomes text.
 *
 * Owns the layout of a line and the escaping in it; must not decide what is worth saying.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"

/* Two names of PATH_MAX bytes and a sentence; what is longer is cut. */
#define LINE_BYTES  10240
#define SHOWN_BYTES (4 * LINE_BYTES + 2) /* if each byte is escaped */

static const struct {
	int status;
	const char *sentence;
	const char *hint;
} errors[] = {
#define ERROR(fault, status, sentence, hint) [fault] = {status, sentence, hint},
#include "cli/errors.def"
#undef ERROR
};

enum {
	ERROR_LINES = 0
#define ERROR(fault, status, sentence, hint) +1
#include "cli/errors.def"
#undef ERROR
};

_Static_assert(ERROR_LINES == (int)FAULT_COUNT, "errors.def has one line for every fault");

/* Whether the byte at text[i] is of a control character: C0, DEL, or C1 in UTF-8 (c2 80..9f). */
static bool is_control(const unsigned char *text, size_t i)
{
	if (text[i] == 0xc2)
		return text[i + 1] >= 0x80 && text[i + 1] <= 0x9f;
	if (i > 0 && text[i - 1] == 0xc2)
		return text[i] >= 0x80 && text[i] <= 0x9f;
	return text[i] < 0x20 || text[i] == 0x7f;
}

const char *message_escape(char *shown, size_t room, const char *text)
{
	const unsigned char *in = (const unsigned char *)text;
	size_t used = 0;

	for (size_t i = 0; in[i] != '\0' && used + 5 <= room; i++) {
		if (is_control(in, i)) {
			used += (size_t)snprintf(shown + used, 5, "\\x%02x", in[i]);
		} else {
			shown[used++] = text[i];
			if (text[i] == '\\')
				shown[used++] = '\\';
		}
	}
	shown[used] = '\0';
	return shown;
}

/* gcmcrypt: [NAME: ][label: ]text, control bytes escaped. */
static void put(const char *name, const char *label, const char *format, va_list arguments)
{
	char line[LINE_BYTES];
	char *shown = malloc(SHOWN_BYTES);
	int used = snprintf(line, sizeof line, "gcmcrypt: %s%s%s", name == NULL ? "" : name,
			    name == NULL ? "" : ": ", label);

	if (used > 0 && (size_t)used < sizeof line)
		(void)vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
	/* One write: lines of several programs do not mix. */
	if (shown == NULL) {
		(void)fputs("gcmcrypt: out of memory\n", stderr);
		return;
	}
	(void)message_escape(shown, SHOWN_BYTES - 1, line);
	(void)strcat(shown, "\n");
	(void)fputs(shown, stderr);
	free(shown);
}

void message_error(const char *name, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put(name, "", format, arguments);
	va_end(arguments);
}

void message_hint(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put(NULL, "hint: ", format, arguments);
	va_end(arguments);
}

void message_warning(enum message_level level, const char *name, const char *format, ...)
{
	va_list arguments;

	if (level == MESSAGE_QUIET)
		return;
	va_start(arguments, format);
	put(name, "warning: ", format, arguments);
	va_end(arguments);
}

void message_notice(enum message_level level, const char *name, const char *format, ...)
{
	va_list arguments;

	if (level == MESSAGE_QUIET)
		return;
	va_start(arguments, format);
	put(name, "", format, arguments);
	va_end(arguments);
}

void message_detail(enum message_level level, const char *name, const char *format, ...)
{
	va_list arguments;

	if (level != MESSAGE_VERBOSE)
		return;
	va_start(arguments, format);
	put(name, "", format, arguments);
	va_end(arguments);
}

void message_rewrite(const char *text, size_t columns)
{
	char line[LINE_BYTES];

	(void)snprintf(line, sizeof line, "\r%*s\r%s", (int)columns, "", text);
	(void)fputs(line, stderr);
}

bool message_line(const char *line)
{
	return fputs(line, stderr) != EOF;
}

int message_status(enum fault fault)
{
	return errors[fault].status;
}

const char *message_usual_hint(enum fault fault)
{
	return errors[fault].hint;
}

/* Whether the system's own words for an errno say more than the sentence. */
static bool is_system_fault(enum fault fault)
{
	return fault == FAULT_OPEN || fault == FAULT_READ || fault == FAULT_CREATE ||
	       fault == FAULT_WRITE || fault == FAULT_SYNC;
}

const char *message_reason(enum fault fault, int error)
{
	return error != 0 && is_system_fault(fault) ? strerror(error) : errors[fault].sentence;
}

void message_fault(const char *name, enum fault fault, int error)
{
	message_error(name, "%s", message_reason(fault, error));
	if (message_usual_hint(fault)[0] != '\0')
		message_hint("%s", message_usual_hint(fault));
}

const char *message_size(char text[MESSAGE_SIZE_BYTES], uint64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		(void)snprintf(text, MESSAGE_SIZE_BYTES, "%u byte%s", (unsigned)bytes,
			       bytes == 1 ? "" : "s");
		return text;
	}
	/* 1023.95 would be printed as 1024.0. */
	while (value >= 1023.95 && unit + 1 < sizeof units / sizeof units[0]) {
		value /= 1024;
		unit++;
	}
	(void)snprintf(text, MESSAGE_SIZE_BYTES, "%.1f %s", value, units[unit]);
	return text;
}
