/* SPDX-License-Identifier: ISC */
/*
 * rekey_plan.c - which slots go and which come, and whether anybody can open what is left.
 */
#include <inttypes.h>

#include "cli/rekey.h"

static bool is_removed(const struct options *options, size_t slot)
{
	return (options->remove >> slot & 1) != 0;
}

/* What --remove names has to be there. */
static enum fault check_numbers(const struct job *job)
{
	size_t count = job->header.slot_count;

	for (size_t i = count; i < HEADER_SLOTS_MAX; i++) {
		if (!is_removed(job->options, i))
			continue;
		message_error(job->input.name, "has no slot %zu: there %s %zu", i + 1,
			      count == 1 ? "is" : "are", count);
		message_hint("gcmcrypt info shows the numbers");
		return FAULT_USAGE;
	}
	return FAULT_NONE;
}

/* Behind all slots, but for a spare, which comes last. */
static size_t end_of_slots(const struct header *header)
{
	size_t last = header->slot_count - 1;

	return header->slots[last].type == SLOT_SPARE ? last : last + 1;
}

static void mark(struct job *job, struct rekey *rekey)
{
	const struct options *options = job->options;
	bool replaces = options->remove == 0 && !options->add;

	for (size_t i = 0; i < job->header.slot_count; i++) {
		rekey->goes[i] = replaces ? i == job->slot - 1 : is_removed(options, i);
		rekey->going += rekey->goes[i];
	}
	rekey->comes = options_bring_key(options);
	rekey->place = replaces ? job->slot - 1 : end_of_slots(&job->header);
}

/* Whether this program could open the slot, given the key. */
static bool can_open(uint8_t type)
{
	return type == SLOT_PASSPHRASE || type == SLOT_KEY_FILE || type == SLOT_X25519;
}

static bool leaves_one(const struct job *job, const struct rekey *rekey)
{
	for (size_t i = 0; i < job->header.slot_count; i++)
		if (!rekey->goes[i] && can_open(job->header.slots[i].type))
			return true;
	return rekey->comes;
}

/* Whether a reader would try one more passphrase slot, after those that stay. */
static enum fault check_passphrase(struct job *job, const struct rekey *rekey)
{
	const struct options *incoming = &job->run->incoming_options;
	struct slot_kdf_budget budget = {.caps = kdfcost_caps(incoming)};
	struct slot_argon2 params;
	size_t stay = 0;

	for (size_t i = 0; i < job->header.slot_count; i++) {
		if (rekey->goes[i] || job->header.slots[i].type != SLOT_PASSPHRASE)
			continue;
		slot_argon2_decode(&params, job->header.slots[i].body);
		(void)slot_kdf_charge(&budget, &params); /* one over a cap costs nothing */
		stay++;
	}
	if (stay >= SLOT_PASSPHRASES_MAX)
		return FAULT_REKEY_PASSPHRASES;
	kdfcost_wanted(incoming, &params);
	return slot_kdf_charge(&budget, &params) ? FAULT_NONE : FAULT_REKEY_COST;
}

/* Whether a slot that stays gives up the file key to a key file. */
static bool opens_already(struct job *job, const struct rekey *rekey,
			  const struct keysource_key *key)
{
	struct run_hidden *hidden = job->run->hidden;
	uint8_t *again = hidden->input_key; /* whose work is done: the payload was looked at */
	bool opens = false;

	for (size_t i = 0; i < job->header.slot_count && !opens; i++) {
		const struct header_slot *slot = &job->header.slots[i];

		if (rekey->goes[i] || slot->type != SLOT_KEY_FILE || key->type != SLOT_KEY_FILE)
			continue;
		slot_secret_key_file(&hidden->slot, slot->body, key->bytes);
		opens = slot_unwrap(again, slot, &hidden->slot);
	}
	return opens;
}

/* Of passphrases and recipients nobody can tell, not without Argon2id or the identity. */
static void find_known(struct job *job, const struct rekey *rekey)
{
	struct keysource *incoming = &job->run->incoming;

	for (size_t i = 0; i < incoming->key_count; i++) {
		struct keysource_key *key = &incoming->hidden->keys[i];

		key->known = opens_already(job, rekey, key);
		if (key->known)
			message_warning(job->run->level, job->input.name,
					"a slot that stays has that new key; it counts once");
	}
}

enum fault rekey_plan(struct job *job, struct rekey *rekey)
{
	enum fault fault = check_numbers(job);

	if (fault != FAULT_NONE) {
		job->told = true;
		return fault;
	}
	rekey->old_len = job->header_len;
	mark(job, rekey);
	if (!leaves_one(job, rekey))
		return FAULT_REKEY_LAST;
	find_known(job, rekey);
	if (rekey->comes && options_want_passphrase(&job->run->incoming_options))
		return check_passphrase(job, rekey);
	return FAULT_NONE;
}
