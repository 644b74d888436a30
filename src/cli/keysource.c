/* SPDX-License-Identifier: ISC */
/*
 * keysource.c - gathers the keys of the command line, and the passphrase when it is needed.
 *
 * Owns the list of keys and the memory of derivations; what opens which slot is for openkeys.c
 * and sealkeys.c.
 */
#include <sodium.h>
#include <string.h>

#include "cli/keyfile.h"
#include "cli/keysource.h"
#include "io/kdf.h"

#define TRIES 3 /* at the terminal */

enum fault keysource_add(struct keysource *source, const char *name, enum slot_type type,
			 const uint8_t bytes[SLOT_KEY_BYTES])
{
	struct keysource_key *keys = source->hidden->keys;

	for (size_t i = 0; i < source->key_count; i++) {
		if (keys[i].type == type &&
		    sodium_memcmp(keys[i].bytes, bytes, SLOT_KEY_BYTES) == 0) {
			message_warning(options_level(source->options), name,
					"the same key was given before; it counts once");
			return FAULT_NONE;
		}
	}
	if (source->key_count == KEYSOURCE_KEYS_MAX) {
		message_error(name, "more than %d keys in all", KEYSOURCE_KEYS_MAX);
		return FAULT_BAD_KEY;
	}
	keys[source->key_count].type = type;
	memcpy(keys[source->key_count++].bytes, bytes, SLOT_KEY_BYTES);
	return FAULT_NONE;
}

static enum fault add_recipient(struct keysource *source, const char *text)
{
	const char *option = source->options->incoming ? "--new-recipient" : "-r";
	uint8_t key[SLOT_KEY_BYTES]; /* public */

	if (keytext_decode(key, KEYTEXT_RECIPIENT, text, strlen(text)))
		return keysource_add(source, option, SLOT_X25519, key);
	/* Not repeated in the message: it may be a secret key that was pasted by mistake. */
	message_error(option, "not a recipient of the form gcmc1...");
	message_hint("keygen --identity writes one%s",
		     source->options->incoming ? "" : "; a file of them goes with -R");
	return FAULT_BAD_KEY;
}

static enum fault read_keys(struct keysource *source)
{
	const struct options *options = source->options;
	enum fault fault = FAULT_NONE;

	for (size_t i = 0; i < options->key_count && fault == FAULT_NONE; i++) {
		const struct options_key *key = &options->keys[i];

		fault = key->kind == OPTIONS_RECIPIENT ? add_recipient(source, key->text)
						       : keyfile_read(source, key->kind, key->text);
	}
	return fault;
}

static enum fault open_passphrase(struct keysource *source)
{
	enum fault fault = passphrase_source_open(&source->source, &source->options->passphrase,
						  &source->files[source->file_count],
						  &source->hidden->passphrase);

	source->file_count += source->source.input != NULL;
	return fault;
}

/* A passphrase takes a slot too. */
static enum fault check_slots(const struct keysource *source)
{
	const struct options *options = source->options;
	bool sealing = options->command->bit == COMMAND_SEAL;

	if (!sealing || !options_want_passphrase(options) || source->key_count < HEADER_SLOTS_MAX)
		return FAULT_NONE;
	message_error(NULL, "a passphrase and more than %d keys do not fit in one file",
		      HEADER_SLOTS_MAX - 1);
	return FAULT_BAD_KEY;
}

enum fault keysource_begin(struct keysource *source, const struct options *options,
			   struct secrets *secrets)
{
	enum fault fault;

	memset(source, 0, sizeof *source);
	source->options = options;
	source->hidden = secrets_take(secrets, sizeof *source->hidden);
	if (source->hidden == NULL) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return FAULT_MEMORY;
	}
	/* First, so that --passphrase-fd can name no descriptor but one that was handed over. */
	fault = open_passphrase(source);
	if (fault == FAULT_NONE)
		fault = read_keys(source);
	return fault == FAULT_NONE ? check_slots(source) : fault;
}

void keysource_end(struct keysource *source)
{
	passphrase_source_close(&source->source);
	if (source->hidden != NULL)
		sodium_memzero(source->hidden, sizeof *source->hidden);
	source->hidden = NULL;
}

/* Where there is no terminal: what a script gives instead. */
static void hint_at_options(const struct options *options)
{
	const char *option = options->passphrase.option;
	const char *or_key = ", -K KEYFILE or -i IDENTITY";

	if (options->incoming)
		or_key = " or --new-key-file KEYFILE";
	else if (options->command->bit == COMMAND_SEAL)
		or_key = " or -K KEYFILE";
	message_hint("use %s-file FILE, %s-fd N%s", option, option, or_key);
}

/* What cannot be a passphrase, or was not typed twice alike, is one of the tries. */
static enum fault ask(struct keysource *source)
{
	struct keysource_hidden *hidden = source->hidden;
	/* One that has to open a file need not be typed twice, and cannot be made up. */
	bool new = source->options->command->bit == COMMAND_SEAL && source->options->keyref == NULL;
	enum fault fault;

	do {
		source->asked++;
		fault = new ? passphrase_ask_new(&hidden->passphrase, &hidden->again, &hidden->seed)
			    : passphrase_ask(&hidden->passphrase);
	} while (fault == FAULT_BAD_PASSPHRASE && source->asked < TRIES);
	if (fault == FAULT_NO_KEY_SOURCE)
		hint_at_options(source->options);
	return fault;
}

static enum fault get_passphrase(struct keysource *source)
{
	if (options_source_given(&source->options->passphrase))
		return passphrase_source_read(&source->source, &source->hidden->passphrase);
	return ask(source);
}

enum fault keysource_passphrase(struct keysource *source)
{
	if (source->has_passphrase)
		return FAULT_NONE;
	if (source->passphrase_fault == FAULT_NONE)
		source->passphrase_fault = get_passphrase(source);
	source->has_passphrase = source->passphrase_fault == FAULT_NONE;
	return source->passphrase_fault;
}

bool keysource_settled(const struct keysource *source)
{
	const struct options_source *from = &source->options->passphrase;

	if (source->has_passphrase || source->passphrase_fault != FAULT_NONE ||
	    !options_want_passphrase(source->options))
		return true;
	return options_source_given(from) && from->command == NULL;
}

bool keysource_may_ask_again(struct keysource *source)
{
	if (source->asked == 0 || source->asked >= TRIES || source->passphrase_proven)
		return false;
	source->has_passphrase = false;
	source->derived_count = 0;
	passphrase_wipe(&source->hidden->passphrase);
	sodium_memzero(source->hidden->derived, sizeof source->hidden->derived);
	return true;
}

enum fault keysource_derive(struct keysource *source, const struct slot_argon2 *params,
			    const struct slot_secret **secret)
{
	struct keysource_hidden *hidden = source->hidden;
	struct keysource_derived *derived = hidden->derived;
	size_t known = source->derived_count < KEYSOURCE_DERIVED_MAX ? source->derived_count
								     : KEYSOURCE_DERIVED_MAX;
	enum fault fault;

	for (size_t i = 0; i < known; i++) {
		if (slot_argon2_same(&derived[i].params, params)) {
			*secret = &derived[i].secret;
			return FAULT_NONE;
		}
	}
	derived += source->derived_count % KEYSOURCE_DERIVED_MAX;
	memset(derived, 0, sizeof *derived);
	fault = kdf_argon2id(&derived->secret, params, hidden->passphrase.bytes,
			     hidden->passphrase.len);
	sodium_stackzero(SECRETS_STACK_BYTES); /* where libsodium leaves what it derived */
	if (fault != FAULT_NONE)
		return fault;
	derived->params = *params;
	source->derived_count++;
	*secret = &derived->secret;
	return FAULT_NONE;
}

bool keysource_shares(const struct keysource *source, const struct file_input *input)
{
	for (size_t i = 0; i < source->file_count; i++)
		if (file_input_shares(&source->files[i], input))
			return true;
	return false;
}

bool keysource_holds(const struct keysource *source, const char *path)
{
	for (size_t i = 0; i < source->file_count; i++)
		if (file_same(&source->files[i], path))
			return true;
	return false;
}
