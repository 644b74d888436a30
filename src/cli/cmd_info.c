/* SPDX-License-Identifier: ISC */
/*
 * cmd_info.c - what a sealed file says about itself; needs no key, and without one nothing of it is
 * proved.
 *
 * Prints to standard output; the length of a pipe is found by reading it to its end.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/info_json.h"
#include "cli/openkeys.h"
#include "cli/print.h"

#define PIECE_BYTES 65536
#define NAME_BYTES  4096

/* What the files of one run share. */
struct info {
	uint8_t piece[PIECE_BYTES];
	struct print print;
	struct jsonout json;
	bool named; /* one block a file, each under its name */
};

static void print_slot(struct print *print, size_t number, const struct header_slot *slot)
{
	struct slot_argon2 argon2;
	char size[MESSAGE_SIZE_BYTES];

	print_text(print, "slot %-7zu", number);
	switch (slot->type) {
	case SLOT_SPARE:
		print_text(print, "spare, %u byte%s\n", slot->len, slot->len == 1 ? "" : "s");
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

	print_text(print, "plaintext   %" PRIu64 " byte%s", shape->plain_len,
		   shape->plain_len == 1 ? "" : "s");
	if (shape->plain_len >= 1024)
		print_text(print, " (%s)", message_size(size, shape->plain_len));
	print_text(print, ", if complete\n");
	print_text(print, "chunks      %" PRIu64 "\n", shape->last + 1);
	print_text(print, "overhead    %" PRIu64 " bytes\n", file_len - shape->plain_len);
}

/* Bytes of the whole file: known, or found by reading on. */
static enum fault file_length(struct job *job, struct info *info, uint64_t *len)
{
	size_t got = PIECE_BYTES;
	enum fault fault = FAULT_NONE;

	if (job->input.regular) {
		*len = job->input.length;
		return FAULT_NONE;
	}
	while (fault == FAULT_NONE && got == PIECE_BYTES)
		fault = file_input_read(&job->input, info->piece, PIECE_BYTES, &got);
	*len = job->input.taken;
	return fault;
}

/* Which slot opens with what was given, if anything was, and the length: the first fault counts. */
static enum fault gather(struct job *job, struct info *info, struct info_json_facts *facts)
{
	enum fault unlocked = FAULT_NONE, measured;

	if (options_want_key(job->options)) {
		unlocked = openkeys_unlock(job);
		facts->opened = unlocked == FAULT_NONE;
	}
	if (unlocked == FAULT_SIGNAL)
		return unlocked;
	measured = file_length(job, info, &facts->len);
	facts->measured = measured == FAULT_NONE;
	if (facts->measured)
		measured = facts->len < job->header.len
				   ? FAULT_ENDS_EARLY
				   : payload_shape(&job->shape, facts->len - job->header.len);
	facts->possible = measured == FAULT_NONE;
	return unlocked == FAULT_NONE ? measured : unlocked;
}

/* All that can be said, whatever is wrong. */
static void print_facts(const struct job *job, struct info *info,
			const struct info_json_facts *facts)
{
	struct print *print = &info->print;
	char shown[NAME_BYTES];

	if (info->named)
		print_text(print, "%s:\n", message_escape(shown, sizeof shown, job->input.name));
	print_text(print, "format      gcmcrypt version 1\n");
	print_text(print, "cipher      AES-256-GCM in chunks of 16384 bytes (Cobblestone-256)\n");
	print_text(print, "header      %zu bytes\n", job->header.len);
	for (size_t i = 0; i < job->header.slot_count; i++)
		print_slot(print, i + 1, &job->header.slots[i]);
	if (facts->opened)
		print_text(print, "opened      slot %zu, and the header is as it was written\n",
			   job->slot);
	if (facts->possible)
		print_length(print, facts->len, &job->shape);
}

static enum fault info_file(struct job *job, struct info *info, struct info_json_facts *facts,
			    const char *path)
{
	enum fault fault = job_open_input(job, path);

	if (fault == FAULT_NONE)
		fault = openkeys_read_header(job);
	if (fault != FAULT_NONE)
		return fault;
	fault = gather(job, info, facts);
	if (!info->json.wanted)
		print_facts(job, info, facts);
	if (fault == FAULT_ENDS_EARLY) {
		/* What was printed stands before the message about what was not. */
		(void)print_send(&info->print);
		message_error(job->input.name, "ends early: no complete file has this length");
		job->told = true;
	}
	return fault;
}

static enum fault info_one(struct run *run, const char *path)
{
	struct info_json_facts facts = {.opened = false};
	struct info *info = run->own;
	struct job *job = job_begin(run);
	enum fault fault, sent;

	if (job == NULL)
		return FAULT_MEMORY;
	fault = info_file(job, info, &facts, path);
	if (info->json.wanted)
		info_json_add(&info->json, path, job, &facts, fault);
	sent = print_send(&info->print);
	fault = job_end(job, fault);
	return fault == FAULT_NONE ? sent : fault;
}

/* With --json the object is all that is printed. */
static int info_all(const struct options *options, struct info *info)
{
	enum fault first, ended;

	jsonout_begin(&info->json, options, "gcmcrypt-info/1");
	if (info->json.wanted)
		return jsonout_end(&info->json, options, run_files(options, info_one, info));
	info->named = options->file_count > 1;
	print_begin(&info->print);
	first = run_files(options, info_one, info);
	ended = print_end(&info->print);
	return run_status(options, first == FAULT_NONE ? ended : first);
}

int cmd_info(const struct options *options)
{
	struct info *info = calloc(1, sizeof *info);
	int status;

	if (info == NULL) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return message_status(FAULT_MEMORY);
	}
	status = info_all(options, info);
	free(info);
	return status;
}
