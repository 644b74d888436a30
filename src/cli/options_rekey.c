/* SPDX-License-Identifier: ISC */
/*
 * options_rekey.c - which of rekey's options go together, and which of them are about the key that
 * comes in.
 *
 * Looks at the command line alone; opens nothing.
 */
#include <string.h>

#include "cli/kdfcost.h"
#include "cli/options.h"

static bool refuse(const char *why)
{
	message_error(NULL, "%s", why);
	return false;
}

static bool names_files(const struct options *options)
{
	for (size_t i = 0; i < options->file_count; i++)
		if (strcmp(options->files[i], "-") == 0)
			return false;
	return options->file_count > 0;
}

static bool names_old_key(const struct options *options)
{
	return options_source_given(&options->passphrase) || options->key_count > 0;
}

static bool names_new_key(const struct options *options)
{
	return options_source_given(&options->new_passphrase) || options->ask_new_passphrase ||
	       options->new_key_count > 0;
}

/* Whether the slots change: not where a header is saved or put back. */
static bool changes_slots(const struct options *options)
{
	return !options->header_only && options->restore_header == NULL;
}

bool options_bring_key(const struct options *options)
{
	if (!changes_slots(options))
		return false;
	/* Whoever names no key at all is at the terminal for both. */
	return names_new_key(options) || (options->remove == 0 && !names_old_key(options));
}

static bool check_new_key(const struct options *options)
{
	const struct options_source *source = &options->new_passphrase;
	struct options incoming;

	if (options->ask_new_passphrase && options_source_given(source))
		return refuse("--new-passphrase asks on the terminal: one source, not two");
	if (source->fd >= 0 && source->fd == options->passphrase.fd)
		return refuse("--passphrase-fd and --new-passphrase-fd: two passphrases need two "
			      "descriptors");
	if (source->variable != NULL && options->passphrase.variable != NULL &&
	    strcmp(source->variable, options->passphrase.variable) == 0)
		return refuse("--passphrase-env and --new-passphrase-env: two passphrases need two "
			      "variables");
	if (options_bring_key(options)) {
		options_incoming(options, &incoming);
		return kdfcost_check(&incoming);
	}
	if (changes_slots(options) && (options->remove == 0 || options->add)) {
		message_error(NULL, "no new key is given");
		message_hint("--new-key-file FILE, --new-recipient, --new-passphrase-file FILE; or "
			     "--new-passphrase to be asked");
		return false;
	}
	return true;
}

/* Saving a header is one thing, putting one back another, and both leave the slots alone. */
static bool check_header(const struct options *options)
{
	bool slots = names_new_key(options) || options->add || options->remove != 0;

	if (options->header_only && options->restore_header != NULL)
		return refuse("--header-only and --restore-header: one of them, not both");
	if (!changes_slots(options) && slots)
		return refuse("--header-only and --restore-header change no slots");
	if (options->restore_header != NULL && strcmp(options->restore_header, "-") == 0)
		return refuse("--restore-header needs a named FILE");
	if (!options->header_only)
		return true;
	if (options->output == NULL)
		return refuse("--header-only needs -o FILE");
	if (names_old_key(options))
		return refuse("--header-only needs no key");
	if (options->in_place || options->dry_run)
		return refuse("--header-only changes nothing: no --in-place, no --dry-run");
	return true;
}

bool options_check_rekey(const struct options *options)
{
	if (options->command->bit != COMMAND_REKEY)
		return true;
	if (!names_files(options))
		return refuse("rekey needs a FILE that has a name");
	if (options->in_place && options->output != NULL)
		return refuse("--in-place makes no other output: no -o");
	if (options->restore_header != NULL && options->file_count > 1)
		return refuse("--restore-header is for one FILE");
	return check_header(options) && check_new_key(options);
}

void options_incoming(const struct options *options, struct options *incoming)
{
	/* It is a seal to whoever looks. */
	static const struct command as_seal = {.name = "rekey", .bit = COMMAND_SEAL};

	*incoming = *options;
	incoming->command = &as_seal;
	incoming->incoming = true;
	incoming->passphrase = options->new_passphrase;
	incoming->ask = options->ask_new_passphrase;
	incoming->key_count = options->new_key_count;
	memcpy(incoming->keys, options->new_keys, sizeof incoming->keys);
}
