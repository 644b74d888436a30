/* SPDX-License-Identifier: ISC */
/*
 * rekey_header.c - the new header: what stays byte for byte as it was, what comes under fresh salts,
 * and room for later where the length must not change.
 */
#include <string.h>

#include "cli/rekey.h"
#include "cli/sealkeys.h"
#include "io/entropy.h"

#define END_BYTES (HEADER_CHECK_BYTES + HEADER_MAC_BYTES)

static enum fault keep_slot(struct header_writer *writer, const struct header_slot *slot)
{
	uint8_t *body = header_writer_slot(writer, slot->type, slot->len);

	if (body == NULL)
		return FAULT_HEADER_FULL;
	memcpy(body, slot->body, slot->len);
	return FAULT_NONE;
}

static enum fault add_slots(struct job *job, struct rekey *rekey, struct header_writer *writer)
{
	struct run *run = job->run;
	enum fault fault = entropy_seed(&run->hidden->seed, entropy_system, &job->input);

	rekey->first = writer->slot_count;
	if (fault == FAULT_NONE)
		fault = sealkeys_slots(job, writer, &run->incoming);
	rekey->count = writer->slot_count - rekey->first;
	return fault;
}

static enum fault write_slots(struct job *job, struct rekey *rekey, struct header_writer *writer)
{
	enum fault fault = FAULT_NONE;

	for (size_t i = 0; i <= job->header.slot_count && fault == FAULT_NONE; i++) {
		const struct header_slot *slot = &job->header.slots[i];

		if (i == rekey->place && rekey->comes)
			fault = add_slots(job, rekey, writer);
		if (fault != FAULT_NONE || i == job->header.slot_count || rekey->goes[i])
			continue;
		/* In place it gets the length that is left. */
		if (slot->type != SLOT_SPARE || !job->options->in_place)
			fault = keep_slot(writer, slot);
	}
	return fault;
}

/* A spare slot as long as it takes to give the header the length of the old one. */
static enum fault fill_up(struct header_writer *writer, size_t old_len)
{
	size_t len = writer->len + END_BYTES;
	size_t rest = old_len - len;

	if (len == old_len)
		return FAULT_NONE;
	if (len > old_len || rest < HEADER_SLOT_HEAD_BYTES)
		return FAULT_REKEY_ROOM;
	if (header_writer_slot(writer, SLOT_SPARE, rest - HEADER_SLOT_HEAD_BYTES) == NULL)
		return FAULT_HEADER_FULL;
	return FAULT_NONE;
}

enum fault rekey_header(struct job *job, struct rekey *rekey)
{
	struct header_writer writer;
	enum fault fault;

	header_writer_begin(&writer, rekey->bytes, sizeof rekey->bytes);
	fault = write_slots(job, rekey, &writer);
	if (fault == FAULT_NONE && job->options->in_place)
		fault = fill_up(&writer, rekey->old_len);
	if (fault == FAULT_NONE)
		rekey->len = header_writer_finish(&writer, job->run->hidden->file_key);
	return fault;
}
