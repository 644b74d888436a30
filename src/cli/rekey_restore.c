/* SPDX-License-Identifier: ISC */
/*
 * rekey_restore.c - finds the payload that a header belongs to, in a file whose own header may be
 * in any state.
 */
#include <string.h>

#include "cli/openkeys.h"
#include "cli/rekey.h"

/* Whether the payload starts there: its commitment is one of the header's file key. */
static enum fault try_at(struct job *job, struct rekey *rekey, size_t len)
{
	enum fault fault = file_input_seek(&job->input, len);

	if (fault == FAULT_NONE)
		fault = openkeys_payload(job);
	if (fault == FAULT_NONE)
		rekey->old_len = len;
	if (fault == FAULT_COMMITMENT || fault == FAULT_HEADER_CUT || fault == FAULT_INPUT_EMPTY)
		return FAULT_RESTORE_OTHER;
	return fault;
}

/* Behind the file's own header, if that says how long it is, or behind one as long as the other. */
static enum fault find_payload(struct job *job, struct rekey *rekey)
{
	uint8_t preamble[HEADER_PREAMBLE_BYTES];
	size_t got, len = 0;
	enum fault fault = file_input_read(&job->input, preamble, sizeof preamble, &got);

	if (fault != FAULT_NONE)
		return fault;
	fault = FAULT_RESTORE_OTHER;
	if (header_check_preamble(preamble, got, &len) == FAULT_NONE)
		fault = try_at(job, rekey, len);
	if (fault == FAULT_RESTORE_OTHER && len != job->header_len)
		fault = try_at(job, rekey, job->header_len);
	return fault;
}

enum fault rekey_restore(struct job *job, struct rekey *rekey, const char *path)
{
	enum fault fault;

	file_input_close(&job->input);
	if ((fault = job_open_input(job, path)) != FAULT_NONE)
		return fault;
	if ((fault = rekey_refuse(job)) != FAULT_NONE)
		return fault;
	if ((fault = find_payload(job, rekey)) != FAULT_NONE)
		return fault;
	if (job->options->in_place && rekey->old_len != job->header_len)
		return FAULT_REKEY_ROOM;
	rekey->len = job->header_len;
	memcpy(rekey->bytes, job->bytes, rekey->len);
	return FAULT_NONE;
}
