/* SPDX-License-Identifier: ISC */
/*
 * keysource.h - every key that the command line names: key files, recipients, identities, and
 * the passphrase, which is asked for or read only when it is needed, and once.
 *
 * Its functions write their own messages; the caller passes the fault on.
 */
#ifndef GCMCRYPT_CLI_KEYSOURCE_H
#define GCMCRYPT_CLI_KEYSOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "cli/passphrase_source.h"
#include "format/keytext.h"
#include "format/slot.h"
#include "io/file.h"
#include "io/secrets.h"

#define KEYSOURCE_KEYS_MAX    64
#define KEYSOURCE_DERIVED_MAX 16 /* derivations that are remembered, twice what a file may cost */
#define KEYSOURCE_PIECE_BYTES 256

struct keysource_key {
	enum slot_type type;           /* SLOT_KEY_FILE or SLOT_X25519 */
	uint8_t bytes[SLOT_KEY_BYTES]; /* of X25519 the recipient when sealing, else the identity */
	bool known; /* rekey: a slot that stays opens with it, so it gets no other */
};

struct keysource_derived {
	struct slot_argon2 params;
	struct slot_secret secret;
};

/* Key material: in the arena. */
struct keysource_hidden {
	struct keysource_key keys[KEYSOURCE_KEYS_MAX];
	struct keysource_derived derived[KEYSOURCE_DERIVED_MAX];
	struct keytext_parser parser;
	uint8_t piece[KEYSOURCE_PIECE_BYTES]; /* of a key file */
	uint8_t key[KEYTEXT_KEY_BYTES];
	struct passphrase passphrase;
	struct passphrase again;
	struct seed seed; /* of words in its place */
};

struct keysource {
	const struct options *options;
	struct keysource_hidden *hidden;
	size_t key_count;
	size_t derived_count; /* derivations made for this passphrase; the oldest are forgotten */

	/* Files that hold keys, closed but for the passphrase's: no output may be one of them. */
	struct file_input files[OPTIONS_KEYS_MAX + 1];
	size_t file_count;
	struct passphrase_source source;

	enum fault passphrase_fault; /* why there is none: not tried again */
	bool has_passphrase;
	bool passphrase_proven; /* it opened something */
	unsigned asked;         /* times that the terminal was asked */
};

/*
 * Opens the passphrase's source and reads all keys.  FAULT_MEMORY, FAULT_BAD_KEY, and the faults of
 * passphrase_source_open() and keyfile_read().  keysource_end() follows, after a fault too.
 */
enum fault keysource_begin(struct keysource *source, const struct options *options,
			   struct secrets *secrets);
void keysource_end(struct keysource *source);

/* Takes one more key; equal ones count once.  FAULT_BAD_KEY: more than KEYSOURCE_KEYS_MAX. */
enum fault keysource_add(struct keysource *source, const char *name, enum slot_type type,
			 const uint8_t bytes[SLOT_KEY_BYTES]);

/* Makes sure that there is a passphrase.  A failure is remembered, and said once. */
enum fault keysource_passphrase(struct keysource *source);

/* Whether no command is left to be run for the passphrase, and no terminal to be asked. */
bool keysource_settled(const struct keysource *source);

/* Whether a passphrase that opens nothing may be typed again; true forgets it. */
bool keysource_may_ask_again(struct keysource *source);

/* S of a passphrase slot, from memory where it was derived before.  Faults of kdf_argon2id(). */
enum fault keysource_derive(struct keysource *source, const struct slot_argon2 *params,
			    const struct slot_secret **secret);

/* Whether input is where a key or the passphrase comes from, so that its bytes are not all data. */
bool keysource_shares(const struct keysource *source, const struct file_input *input);

/* Whether path ("-": standard output) is a file that holds a key or the passphrase. */
bool keysource_holds(const struct keysource *source, const char *path);

#endif
