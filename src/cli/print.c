/* SPDX-License-Identifier: ISC */
/*
 * print.c - gathers text and sends it to standard output.
 *
 * Owns when it is sent; must not decide what is worth printing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"

static void failed(struct print *print, enum fault fault)
{
	print->fault = fault;
	if (fault != FAULT_NONE && fault != FAULT_SIGNAL && fault != FAULT_BROKEN_PIPE)
		message_fault(print->output.name, fault, print->output.error);
}

void print_begin(struct print *print)
{
	print->used = 0;
	failed(print, file_output_open(&print->output, "-", false));
}

void print_text(struct print *print, const char *format, ...)
{
	for (int attempt = 0; attempt < 2; attempt++) {
		size_t room = PRINT_BYTES - print->used;
		va_list arguments;

		va_start(arguments, format);
		int len = vsnprintf(print->bytes + print->used, room, format, arguments);

		va_end(arguments);
		if (len >= 0 && (size_t)len < room) {
			print->used += (size_t)len;
			return;
		}
		(void)print_send(print);
	}
	abort(); /* text longer than print.h allows: losing a part of it is no way out */
}

void print_bytes(struct print *print, const char *bytes, size_t len)
{
	while (len > 0) {
		size_t room = PRINT_BYTES - print->used;
		size_t some = len < room ? len : room;

		memcpy(print->bytes + print->used, bytes, some);
		print->used += some;
		bytes += some;
		len -= some;
		if (print->used == PRINT_BYTES)
			(void)print_send(print);
	}
}

enum fault print_send(struct print *print)
{
	size_t len = print->used;

	print->used = 0;
	if (print->fault == FAULT_NONE && len > 0)
		failed(print,
		       file_output_write(&print->output, (const uint8_t *)print->bytes, len));
	return print->fault;
}

enum fault print_end(struct print *print)
{
	if (print_send(print) == FAULT_NONE)
		failed(print, file_output_commit(&print->output, NULL));
	return print->fault;
}
