/* SPDX-License-Identifier: ISC */
/*
 * sealkeys.c - a file key, one slot for each key and passphrase, and the payload key.
 *
 * Every value is drawn from the file's own seed; the passphrase's salt from the first file's, so
 * that one derivation serves the whole run (format.md's wrap is made for that).
 */
#include <sodium.h>
#include <string.h>

#include "cli/sealkeys.h"
#include "io/entropy.h"

static enum fault passphrase_slot(struct job *job, struct header_writer *writer,
				  struct keysource *keys)
{
	struct run *run = job->run;
	struct run_hidden *hidden = run->hidden;
	const struct slot_secret *secret;
	enum fault fault = keysource_passphrase(keys);

	if (fault != FAULT_NONE) {
		job->told = true;
		return fault;
	}
	if (!run->argon2_chosen) {
		kdfcost_choose(keys->options, &run->argon2);
		seed_draw(&hidden->seed, run->argon2.salt, sizeof run->argon2.salt,
			  "passphrase salt");
		run->argon2_chosen = true;
	}
	job->kdf_memory_kib = run->argon2.memory_kib;
	fault = keysource_derive(keys, &run->argon2, &secret);
	if (fault != FAULT_NONE)
		return fault;
	uint8_t *body = header_writer_slot(writer, SLOT_PASSPHRASE, SLOT_PASSPHRASE_BYTES);

	if (body == NULL)
		return FAULT_HEADER_FULL;
	slot_argon2_encode(body, &run->argon2);
	slot_wrap(body, SLOT_PASSPHRASE, secret, hidden->file_key);
	return FAULT_NONE;
}

static enum fault key_file_slot(struct run_hidden *hidden, struct header_writer *writer,
				const struct keysource_key *key)
{
	uint8_t *body = header_writer_slot(writer, SLOT_KEY_FILE, SLOT_KEY_FILE_BYTES);

	if (body == NULL)
		return FAULT_HEADER_FULL;
	seed_draw(&hidden->seed, body, slot_params_bytes(SLOT_KEY_FILE), "key file salt");
	slot_secret_key_file(&hidden->slot, body, key->bytes);
	slot_wrap(body, SLOT_KEY_FILE, &hidden->slot, hidden->file_key);
	return FAULT_NONE;
}

static enum fault x25519_slot(struct run_hidden *hidden, struct header_writer *writer,
			      const struct keysource_key *key)
{
	uint8_t *body = header_writer_slot(writer, SLOT_X25519, SLOT_X25519_BYTES);
	bool made;

	if (body == NULL)
		return FAULT_HEADER_FULL;
	seed_draw(&hidden->seed, hidden->ephemeral, sizeof hidden->ephemeral, "ephemeral key");
	made = slot_secret_x25519_seal(&hidden->slot, body, hidden->ephemeral, key->bytes);
	sodium_memzero(hidden->ephemeral, sizeof hidden->ephemeral);
	if (!made)
		return FAULT_BAD_KEY; /* of low order: refused when it was read */
	slot_wrap(body, SLOT_X25519, &hidden->slot, hidden->file_key);
	return FAULT_NONE;
}

enum fault sealkeys_slots(struct job *job, struct header_writer *writer, struct keysource *keys)
{
	struct run_hidden *hidden = job->run->hidden;
	enum fault fault = FAULT_NONE;

	if (options_want_passphrase(keys->options))
		fault = passphrase_slot(job, writer, keys);
	for (size_t i = 0; i < keys->key_count && fault == FAULT_NONE; i++) {
		const struct keysource_key *key = &keys->hidden->keys[i];

		if (key->known)
			continue;
		fault = key->type == SLOT_KEY_FILE ? key_file_slot(hidden, writer, key)
						   : x25519_slot(hidden, writer, key);
	}
	return fault;
}

/* --spare: the last slot, of zero bytes. */
static enum fault spare_slot(struct header_writer *writer, uint64_t len)
{
	if (len == 0)
		return FAULT_NONE;
	return header_writer_slot(writer, SLOT_SPARE, (size_t)len) == NULL ? FAULT_HEADER_FULL
									   : FAULT_NONE;
}

static enum fault make_header(struct job *job)
{
	struct run_hidden *hidden = job->run->hidden;
	struct header_writer writer;
	enum fault fault;

	seed_draw(&hidden->seed, hidden->file_key, sizeof hidden->file_key, "file key");
	header_writer_begin(&writer, job->bytes, HEADER_MAX_BYTES);
	fault = sealkeys_slots(job, &writer, &job->run->keys);
	if (fault == FAULT_NONE)
		fault = spare_slot(&writer, job->options->spare);
	if (fault != FAULT_NONE)
		return fault;
	job->header_len = header_writer_finish(&writer, hidden->file_key);
	payload_input_key(hidden->input_key, hidden->file_key);
	return FAULT_NONE;
}

enum fault sealkeys_make(struct job *job, size_t *len)
{
	struct run *run = job->run;
	struct run_hidden *hidden = run->hidden;
	const char *context = job->options->context == NULL ? "" : job->options->context;
	enum fault fault = entropy_seed(&hidden->seed, entropy_system, &job->input);

	if (fault != FAULT_NONE)
		return fault;
	if (job->options->bare)
		memcpy(hidden->input_key, run->keys.hidden->keys[0].bytes,
		       sizeof hidden->input_key);
	else
		fault = make_header(job);
	if (fault != FAULT_NONE)
		return fault;
	uint8_t *salt = job->bytes + job->header_len;

	seed_draw(&hidden->seed, salt, PAYLOAD_SALT_BYTES, "payload salt");
	payload_derive(&hidden->payload, salt + PAYLOAD_SALT_BYTES, run->kernel, hidden->input_key,
		       salt, job->options->bare, context, strlen(context));
	*len = job->header_len + PAYLOAD_START_BYTES;
	return FAULT_NONE;
}
