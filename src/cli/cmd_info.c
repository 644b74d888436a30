/* SPDX-License-Identifier: ISC */
/*
 * cmd_info.c - what a sealed file says about itself; needs no key, so nothing of it is proved.
 *
 * Prints to standard output; the length of a pipe is found by reading it to its end.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/report.h"
#include "io/reader.h"

#define PIECE_BYTES 65536
#define NAME_BYTES  4096

struct info {
	struct file_input input;
	struct header header;
	uint8_t bytes[HEADER_MAX_BYTES];
	uint8_t piece[PIECE_BYTES];
	struct print print;
	bool named; /* one block a file, each under its name */
};

static void print_slot(struct print *print, size_t number, const struct header_slot *slot)
{
	struct slot_argon2 argon2;
	char size[MESSAGE_SIZE_BYTES];

	print_text(print, "slot %-7zu", number);
	switch (slot->type) {
	case SLOT_SPARE:
		print_text(print, "spare, %u bytes\n", slot->len);
		break;
	case SLOT_PASSPHRASE:
		slot_argon2_decode(&argon2, slot->body);
		print_text(print, "passphrase; Argon2id takes %s and %" PRIu32 " pass%s to open\n",
			   message_size(size, UINT64_C(1024) * argon2.memory_kib), argon2.passes,
			   argon2.passes == 1 ? "" : "es");
		break;
	case SLOT_KEY_FILE:
		print_text(print, "key file\n");
		break;
	case SLOT_X25519:
		print_text(print, "X25519 recipient\n");
		break;
	case SLOT_XWING:
		print_text(print, "reserved type 4, which this program skips\n");
		break;
	default:
		print_text(print, "unknown type %u, which this program skips\n", slot->type);
	}
}

static void print_length(struct print *print, uint64_t file_len, const struct payload_shape *shape)
{
	char size[MESSAGE_SIZE_BYTES];

	print_text(print, "plaintext   %" PRIu64 " bytes", shape->plain_len);
	if (shape->plain_len >= 1024)
		print_text(print, " (%s)", message_size(size, shape->plain_len));
	print_text(print, ", if complete\n");
	print_text(print, "chunks      %" PRIu64 "\n", shape->last + 1);
	print_text(print, "overhead    %" PRIu64 " bytes\n", file_len - shape->plain_len);
}

/* Bytes of the whole file: known, or found by reading on. */
static enum fault file_length(struct info *info, uint64_t *len)
{
	size_t got = PIECE_BYTES;
	enum fault fault = FAULT_NONE;

	if (info->input.regular) {
		*len = info->input.length;
		return FAULT_NONE;
	}
	while (fault == FAULT_NONE && got == PIECE_BYTES)
		fault = file_input_read(&info->input, info->piece, PIECE_BYTES, &got);
	*len = info->input.taken;
	return fault;
}

static enum fault print_info(struct info *info)
{
	struct print *print = &info->print;
	const struct header *header = &info->header;
	struct payload_shape shape;
	uint64_t len = 0;
	enum fault fault = file_length(info, &len);

	if (fault != FAULT_NONE)
		return fault;
	print_text(print, "format      gcmcrypt version 1\n");
	print_text(print, "cipher      AES-256-GCM in chunks of 16384 bytes (Cobblestone-256)\n");
	print_text(print, "header      %zu bytes\n", header->len);
	for (size_t i = 0; i < header->slot_count; i++)
		print_slot(print, i + 1, &header->slots[i]);
	if (len < header->len)
		return FAULT_ENDS_EARLY;
	fault = payload_shape(&shape, len - header->len);
	if (fault == FAULT_NONE)
		print_length(print, len, &shape);
	return fault;
}

static void report(const struct info *info, enum fault fault)
{
	const char *name = info->input.name;

	if (fault == FAULT_FOREIGN)
		report_foreign(name, info->bytes, (size_t)info->input.taken);
	else if (fault == FAULT_NEWER)
		report_other_version(name, info->bytes);
	else if (fault == FAULT_ENDS_EARLY)
		message_error(name, "ends early: no complete file has this length");
	else if (fault == FAULT_TERMINAL)
		message_error(NULL, "standard input is a terminal");
	else if (fault != FAULT_SIGNAL)
		message_fault(name, fault, info->input.error);
}

static void print_name(struct print *print, const char *name)
{
	char shown[NAME_BYTES];

	print_text(print, "%s:\n", message_escape(shown, sizeof shown, name));
}

static enum fault info_one(void *context, const char *path)
{
	struct info *info = context;
	enum fault fault = file_input_open(&info->input, path);
	enum fault sent;

	if (fault == FAULT_NONE && info->input.is_stdin && file_stdin_is_terminal())
		fault = FAULT_TERMINAL;
	if (fault == FAULT_NONE)
		fault = reader_header(&info->input, &info->header, info->bytes);
	if (fault == FAULT_NONE && info->named)
		print_name(&info->print, info->input.name);
	if (fault == FAULT_NONE)
		fault = print_info(info);
	/* What was printed stands before the message about what was not. */
	sent = print_send(&info->print);
	if (fault != FAULT_NONE)
		report(info, fault);
	file_input_close(&info->input);
	return fault == FAULT_NONE ? sent : fault;
}

int cmd_info(const struct options *options)
{
	struct info *info = calloc(1, sizeof *info);
	enum fault first, ended;

	if (info == NULL) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return message_status(FAULT_MEMORY);
	}
	info->named = options->file_count > 1;
	print_begin(&info->print);
	first = run_all(options, info_one, info);
	ended = print_end(&info->print);
	free(info);
	return run_status(options, first == FAULT_NONE ? ended : first);
}
