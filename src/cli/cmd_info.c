/* SPDX-License-Identifier: ISC */
/*
 * cmd_info.c - what a sealed file says about itself; needs no key, so nothing of it is proved.
 *
 * Prints to standard output; the length of a pipe is found by reading it to its end.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/options.h"
#include "cli/report.h"
#include "io/reader.h"
#include "io/signals.h"

#define PIECE_BYTES 65536
#define NAME_BYTES  4096

struct info {
	struct file_input input;
	struct header header;
	uint8_t bytes[HEADER_MAX_BYTES];
	uint8_t piece[PIECE_BYTES];
};

static void print_slot(size_t number, const struct header_slot *slot)
{
	struct slot_argon2 argon2;
	char size[MESSAGE_SIZE_BYTES];

	printf("slot %-7zu", number);
	switch (slot->type) {
	case SLOT_SPARE:
		printf("spare, %u bytes\n", slot->len);
		break;
	case SLOT_PASSPHRASE:
		slot_argon2_decode(&argon2, slot->body);
		printf("passphrase; Argon2id takes %s and %" PRIu32 " pass%s to open\n",
		       message_size(size, UINT64_C(1024) * argon2.memory_kib), argon2.passes,
		       argon2.passes == 1 ? "" : "es");
		break;
	case SLOT_KEY_FILE:
		printf("key file\n");
		break;
	case SLOT_X25519:
		printf("X25519 recipient\n");
		break;
	case SLOT_XWING:
		printf("reserved type 4, which this program skips\n");
		break;
	default:
		printf("unknown type %u, which this program skips\n", slot->type);
	}
}

static void print_length(uint64_t file_len, const struct payload_shape *shape)
{
	char size[MESSAGE_SIZE_BYTES];

	printf("plaintext   %" PRIu64 " bytes", shape->plain_len);
	if (shape->plain_len >= 1024)
		printf(" (%s)", message_size(size, shape->plain_len));
	printf(", if complete\n");
	printf("chunks      %" PRIu64 "\n", shape->last + 1);
	printf("overhead    %" PRIu64 " bytes\n", file_len - shape->plain_len);
}

/* Bytes of the whole file: known, or found by reading on. */
static enum fault file_length(struct info *info, uint64_t *len)
{
	size_t got = PIECE_BYTES;
	enum fault fault = FAULT_NONE;

	if (info->input.regular) {
		*len = (uint64_t)info->input.at_open.st_size;
		return FAULT_NONE;
	}
	while (fault == FAULT_NONE && got == PIECE_BYTES)
		fault = file_input_read(&info->input, info->piece, PIECE_BYTES, &got);
	*len = info->input.taken;
	return fault;
}

static enum fault print_info(struct info *info)
{
	const struct header *header = &info->header;
	struct payload_shape shape;
	uint64_t len = 0;
	enum fault fault = file_length(info, &len);

	if (fault != FAULT_NONE)
		return fault;
	printf("format      gcmcrypt version 1\n");
	printf("cipher      AES-256-GCM in chunks of 16384 bytes (Cobblestone-256)\n");
	printf("header      %zu bytes\n", header->len);
	for (size_t i = 0; i < header->slot_count; i++)
		print_slot(i + 1, &header->slots[i]);
	if (len < header->len)
		return FAULT_ENDS_EARLY;
	fault = payload_shape(&shape, len - header->len);
	if (fault == FAULT_NONE)
		print_length(len, &shape);
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

/* One block a file, each under its name where there are several. */
static void print_name(const char *name)
{
	char shown[NAME_BYTES];

	printf("%s:\n", message_escape(shown, sizeof shown, name));
}

static enum fault info_one(struct info *info, const char *path, bool named)
{
	enum fault fault = file_input_open(&info->input, path);

	if (fault == FAULT_NONE && info->input.is_stdin && file_stdin_is_terminal())
		fault = FAULT_TERMINAL;
	if (fault == FAULT_NONE)
		fault = reader_header(&info->input, &info->header, info->bytes);
	if (fault == FAULT_NONE && named)
		print_name(info->input.name);
	if (fault == FAULT_NONE)
		fault = print_info(info);
	if (fault != FAULT_NONE)
		report(info, fault);
	file_input_close(&info->input);
	return fault;
}

int cmd_info(const struct options *options)
{
	size_t count = options->file_count == 0 ? 1 : options->file_count;
	enum fault first = FAULT_NONE;
	size_t failed = 0;
	struct info info;

	for (size_t i = 0; i < count && signals_caught() == 0; i++) {
		const char *path = options->file_count == 0 ? "-" : options->files[i];
		enum fault fault = info_one(&info, path, count > 1);

		failed += fault != FAULT_NONE;
		if (first == FAULT_NONE)
			first = fault;
	}
	if (failed > 0 && count > 1)
		message_error(NULL, "%zu of %zu files failed", failed, count);
	return run_status(options, first);
}
