/* SPDX-License-Identifier: ISC */
/*
 * cmd_keygen.c - makes a key file, an X25519 identity with its recipient, or a passphrase; prints
 * the recipients of identities that are there.
 *
 * The text is made in the arena and written as one piece; mode 0600 until the end and after.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/keysource.h"
#include "cli/words.h"
#include "format/keytext.h"
#include "io/entropy.h"
#include "io/secrets.h"

#define TEXT_BYTES  1024
#define WORDS_LEAST 5 /* 65 bits: fewer can be guessed by whoever wants it enough */

_Static_assert(TEXT_BYTES > WORDS_ROOM(WORDS_MAX), "the text has room for a line of words");

/* Key material: in the arena. */
struct keygen {
	struct seed seed;
	uint8_t key[KEYTEXT_KEY_BYTES];
	char key_text[KEYTEXT_MAX];
	char text[TEXT_BYTES];
};

static void date_text(char text[32])
{
	time_t now = time(NULL);
	struct tm utc;

	if (gmtime_r(&now, &utc) == NULL || strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
		text[0] = '\0';
}

static void write_key_file(struct keygen *made)
{
	char date[32];

	date_text(date);
	keytext_encode(made->key_text, KEYTEXT_KEY_FILE, made->key);
	(void)snprintf(
		made->text, sizeof made->text,
		"# gcmcrypt key file, made %s; who has it opens what was sealed with it\n%s\n",
		date, made->key_text);
}

static void recipient_of(char text[KEYTEXT_MAX], const uint8_t identity[KEYTEXT_KEY_BYTES])
{
	uint8_t public[KEYTEXT_KEY_BYTES];

	(void)crypto_scalarmult_curve25519_base(public, identity);
	keytext_encode(text, KEYTEXT_RECIPIENT, public);
}

static void write_identity(struct keygen *made, char recipient[KEYTEXT_MAX])
{
	char date[32];

	date_text(date);
	recipient_of(recipient, made->key);
	keytext_encode(made->key_text, KEYTEXT_IDENTITY, made->key);
	(void)snprintf(made->text, sizeof made->text,
		       "# gcmcrypt identity, made %s; keep it secret\n# recipient: %s\n%s\n", date,
		       recipient, made->key_text);
}

static void write_words(struct keygen *made, unsigned count)
{
	size_t len = WORDS_ROOM(count);

	words_draw(made->text, count, &made->seed);
	made->text[len - 1] = '\n';
	made->text[len] = '\0';
}

static void tell_of_words(const struct options *options)
{
	unsigned count = (unsigned)options->words;

	message_notice(options_level(options), NULL, "%u word%s out of %u: %u bits", count,
		       count == 1 ? "" : "s", WORDS_COUNT, count * WORDS_BITS);
	if (count < WORDS_LEAST)
		message_warning(options_level(options), NULL, "fewer than %d words can be guessed",
				WORDS_LEAST);
}

static const char *output_path(const struct options *options)
{
	return options->output == NULL ? "-" : options->output;
}

static enum fault write_text(const struct options *options, const char *text, bool secret)
{
	struct file_output output;
	enum fault fault = file_output_open(&output, output_path(options), options->force);

	if (fault == FAULT_NONE)
		fault = file_output_write(&output, (const uint8_t *)text, strlen(text));
	if (fault == FAULT_NONE && secret && file_output_exposed(&output))
		message_warning(options_level(options), output.name,
				"others can read this secret; chmod 600 keeps it");
	if (fault == FAULT_NONE)
		fault = file_output_commit(&output, NULL);
	if (fault != FAULT_NONE && fault != FAULT_SIGNAL && fault != FAULT_BROKEN_PIPE)
		message_fault(output.name, fault, output.error);
	file_output_discard(&output);
	return fault;
}

/* Nothing secret, but too large for a small stack. */
struct recipients {
	struct keysource source;
	char text[KEYSOURCE_KEYS_MAX * KEYTEXT_MAX + 1];
};

static enum fault list_recipients(struct recipients *recipients, const struct options *options,
				  struct secrets *secrets)
{
	struct keysource *source = &recipients->source;
	const char *path = output_path(options);
	char *at = recipients->text;
	enum fault fault = keysource_begin(source, options, secrets);

	if (fault == FAULT_NONE && keysource_holds(source, path)) {
		fault = FAULT_KEY_OUTPUT;
		message_fault(strcmp(path, "-") == 0 ? "standard output" : path, fault, 0);
	}
	for (size_t i = 0; fault == FAULT_NONE && i < source->key_count; i++) {
		recipient_of(at, source->hidden->keys[i].bytes);
		at += strlen(at);
		*at++ = '\n';
	}
	*at = '\0';
	keysource_end(source);
	return fault;
}

/* --recipient -i FILE: the public halves, one a line. */
static enum fault print_recipients(const struct options *options, struct secrets *secrets)
{
	struct recipients *recipients = calloc(1, sizeof *recipients);
	enum fault fault = FAULT_MEMORY;

	if (recipients == NULL)
		message_fault(NULL, fault, 0);
	else
		fault = list_recipients(recipients, options, secrets);
	if (fault == FAULT_NONE)
		fault = write_text(options, recipients->text, false);
	free(recipients);
	return fault;
}

static enum fault make(const struct options *options, struct keygen *made)
{
	char recipient[KEYTEXT_MAX] = "";
	enum fault fault = entropy_seed(&made->seed, entropy_system, NULL);

	if (fault != FAULT_NONE) {
		message_fault(NULL, fault, 0);
		return fault;
	}
	if (options->words > 0) {
		write_words(made, (unsigned)options->words);
	} else {
		seed_draw(&made->seed, made->key, sizeof made->key, "new key");
		if (options->identity)
			write_identity(made, recipient);
		else
			write_key_file(made);
	}
	fault = write_text(options, made->text, true);
	if (fault == FAULT_NONE && options->identity)
		message_notice(options_level(options), NULL, "recipient: %s", recipient);
	if (fault == FAULT_NONE && options->words > 0)
		tell_of_words(options);
	return fault;
}

int cmd_keygen(const struct options *options)
{
	struct secrets *secrets = secrets_new(1);
	struct keygen *made = secrets == NULL ? NULL : secrets_take(secrets, sizeof *made);
	enum fault fault = FAULT_MEMORY;

	if (made == NULL) {
		message_fault(NULL, fault, 0);
	} else {
		if (!secrets_locked(secrets))
			message_warning(options_level(options), NULL,
					"secrets could not be locked into memory");
		fault = options->recipient ? print_recipients(options, secrets)
					   : make(options, made);
	}
	secrets_free(secrets);
	sodium_stackzero(SECRETS_STACK_BYTES);
	return message_status(fault);
}
