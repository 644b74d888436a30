/* SPDX-License-Identifier: ISC */
/*
 * openkeys.c - which slot opens, at what cost, and whether the header is what its maker wrote.
 *
 * Nothing that a stranger wrote decides how much memory or time is spent, beyond the caps.
 */
#include <sodium.h>
#include <string.h>

#include "cli/openkeys.h"
#include "io/reader.h"
#include "io/signals.h"

enum fault openkeys_read_header(struct job *job)
{
	enum fault fault;

	if (job->options->bare)
		return FAULT_NONE;
	fault = reader_header(&job->input, &job->header, job->bytes);
	if (fault == FAULT_NONE)
		job->header_len = job->header.len;
	return fault;
}

/* Whether slot gives up the file key to secret; then the MAC decides. */
static enum fault try_secret(struct job *job, const struct header_slot *slot,
			     const struct slot_secret *secret)
{
	uint8_t *file_key = job->run->hidden->file_key;

	if (!slot_unwrap(file_key, slot, secret))
		return FAULT_NOTHING_OPENS;
	job->slot = (size_t)(slot - job->header.slots) + 1;
	return header_mac_right(&job->header, file_key) ? FAULT_NONE : FAULT_HEADER_TAMPERED;
}

static enum fault try_key(struct job *job, const struct header_slot *slot,
			  const struct keysource_key *key)
{
	struct slot_secret *secret = &job->run->hidden->slot;

	if (key->type == SLOT_KEY_FILE)
		slot_secret_key_file(secret, slot->body, key->bytes);
	else if (!slot_secret_x25519_open(secret, slot->body, key->bytes))
		return FAULT_NOTHING_OPENS; /* a shared value of zero: the reader goes on */
	return try_secret(job, slot, secret);
}

/* Slots for key files and identities, in the order of the file, with some of the keys. */
static enum fault try_keys(struct job *job, const struct keysource_key *keys, size_t count)
{
	for (size_t i = 0; i < job->header.slot_count; i++) {
		const struct header_slot *slot = &job->header.slots[i];

		for (size_t k = 0; k < count; k++) {
			enum fault fault = FAULT_NOTHING_OPENS;

			if (keys[k].type == slot->type)
				fault = try_key(job, slot, &keys[k]);
			if (fault != FAULT_NOTHING_OPENS)
				return fault;
		}
	}
	return FAULT_NOTHING_OPENS;
}

enum fault openkeys_every_key(struct job *job)
{
	const struct keysource *keys = &job->run->keys;
	enum fault fault = FAULT_NONE;

	for (size_t k = 0; k < keys->key_count && fault == FAULT_NONE; k++)
		fault = try_keys(job, &keys->hidden->keys[k], 1);
	return fault;
}

/* The passphrase slots of a header, each with the verdict of the caps. */
struct plan {
	size_t count;
	bool skipped; /* at least one is over a cap */
	bool affordable[HEADER_SLOTS_MAX];
	const struct header_slot *slots[HEADER_SLOTS_MAX];
	struct slot_argon2 params[HEADER_SLOTS_MAX];
};

/* Where the same derivation stands earlier in the plan, or plan->count. */
static size_t same_before(const struct plan *plan, const struct slot_argon2 *params)
{
	size_t i = 0;

	while (i < plan->count && !slot_argon2_same(&plan->params[i], params))
		i++;
	return i;
}

/* Charges every distinct derivation once, in the order of the file. */
static void make_plan(struct job *job, struct plan *plan)
{
	struct slot_kdf_budget budget = {.caps = kdfcost_caps(job->options)};
	size_t tried = 0;

	memset(plan, 0, sizeof *plan);
	memset(&job->need, 0, sizeof job->need);
	for (size_t i = 0; i < job->header.slot_count; i++) {
		const struct header_slot *slot = &job->header.slots[i];
		struct slot_argon2 *params = &plan->params[plan->count];
		bool affordable;

		if (slot->type != SLOT_PASSPHRASE)
			continue;
		slot_argon2_decode(params, slot->body);
		size_t before = same_before(plan, params);

		if (before == plan->count)
			kdfcost_add(&job->need, params);
		if (tried == SLOT_PASSPHRASES_MAX)
			affordable = false;
		else if (before < plan->count)
			affordable = plan->affordable[before];
		else
			affordable = slot_kdf_charge(&budget, params);
		tried += affordable;
		plan->skipped |= !affordable;
		plan->affordable[plan->count] = affordable;
		plan->slots[plan->count++] = slot;
	}
}

static bool affords_something(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->affordable[i])
			return true;
	return false;
}

/* One passphrase against all slots that may be tried. */
static enum fault try_passphrase(struct job *job, const struct plan *plan)
{
	enum fault unopened = plan->skipped ? FAULT_KDF_COST : FAULT_NOTHING_OPENS;
	struct keysource *keys = &job->run->keys;

	for (size_t i = 0; i < plan->count; i++) {
		const struct slot_secret *secret;
		enum fault fault;

		if (!plan->affordable[i])
			continue;
		fault = keysource_derive(keys, &plan->params[i], &secret);
		if (signals_caught() != 0)
			return FAULT_SIGNAL;
		if (fault != FAULT_NONE) {
			/* The others still run: they may need less. */
			job->kdf_memory_kib = plan->params[i].memory_kib;
			unopened = fault;
			continue;
		}
		job->passphrase_tried = true;
		fault = try_secret(job, plan->slots[i], secret);
		if (fault != FAULT_NOTHING_OPENS) {
			keys->passphrase_proven = true;
			return fault;
		}
	}
	return unopened;
}

enum fault openkeys_passphrase(struct job *job)
{
	struct keysource *keys = &job->run->keys;
	struct plan plan;
	enum fault fault;

	make_plan(job, &plan);
	if (plan.count == 0 || !options_want_passphrase(job->options))
		return FAULT_NOTHING_OPENS;
	if (!affords_something(&plan))
		return FAULT_KDF_COST;
	for (;;) {
		fault = keysource_passphrase(keys);
		if (fault != FAULT_NONE) {
			job->told = true;
			return fault;
		}
		fault = try_passphrase(job, &plan);
		if (fault != FAULT_NOTHING_OPENS || !keysource_may_ask_again(keys))
			return fault;
		message_error(job->input.name, "wrong passphrase; try again");
	}
}

enum fault openkeys_unlock(struct job *job)
{
	struct run_hidden *hidden = job->run->hidden;
	enum fault fault;

	if (job->options->bare) {
		memcpy(hidden->input_key, job->run->keys.hidden->keys[0].bytes,
		       sizeof hidden->input_key);
		return FAULT_NONE;
	}
	fault = try_keys(job, job->run->keys.hidden->keys, job->run->keys.key_count);
	if (fault == FAULT_NOTHING_OPENS)
		fault = openkeys_passphrase(job);
	if (fault == FAULT_NONE)
		payload_input_key(hidden->input_key, hidden->file_key);
	return fault;
}

enum fault openkeys_payload(struct job *job)
{
	struct run_hidden *hidden = job->run->hidden;
	const char *context = job->options->context == NULL ? "" : job->options->context;
	uint8_t *start = job->bytes + job->header_len;
	uint8_t commitment[PAYLOAD_COMMITMENT_BYTES];
	enum fault fault = reader_payload_start(&job->input, start);

	if (fault == FAULT_HEADER_CUT && job->input.taken == 0)
		return FAULT_INPUT_EMPTY;
	if (fault != FAULT_NONE)
		return fault;
	payload_derive(&hidden->payload, commitment, job->run->kernel, hidden->input_key, start,
		       job->options->bare, context, strlen(context));
	if (sodium_memcmp(commitment, start + PAYLOAD_SALT_BYTES, sizeof commitment) == 0)
		return FAULT_NONE;
	return job->options->bare ? FAULT_NOTHING_OPENS : FAULT_COMMITMENT;
}
