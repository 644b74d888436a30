/* SPDX-License-Identifier: ISC */
/*
 * options.h - what the command line asks for.
 */
#ifndef GCMCRYPT_CLI_OPTIONS_H
#define GCMCRYPT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/command.h"
#include "cli/message.h"

#define OPTIONS_KEYS_MAX  64 /* -K, -r, -R and -i together */
#define OPTIONS_SIZES_MAX 16 /* bench --size */

/* Where a key is to be found. */
enum options_key_kind {
	OPTIONS_KEY_FILE,
	OPTIONS_RECIPIENT, /* the text itself */
	OPTIONS_RECIPIENTS_FILE,
	OPTIONS_IDENTITY,
};

struct options_key {
	enum options_key_kind kind;
	const char *text;
};

/* Where a passphrase is to be found: at most one of these, or the terminal. */
struct options_source {
	const char *option; /* what the names of its options begin with: --passphrase */
	const char *file;
	const char *fd_text;
	int fd; /* -1: not given */
	const char *command;
	const char *variable;
};

/* --range: len is UINT64_MAX for all that follows. */
struct options_range {
	bool given;
	uint64_t offset;
	uint64_t len;
};

/* Texts belong to argv.  A size or number that was not given is 0, a text NULL. */
struct options {
	const struct command *command;
	char *const *files;
	size_t file_count;

	bool from_command;
	char *const
		*producer; /* what stands behind --, with a NULL at its end; NULL: not asked for */

	const char *output;
	bool force;
	bool rm;
	bool progress;
	bool no_progress;
	bool quiet;
	bool verbose;
	bool help;
	bool version;

	struct options_source passphrase;
	struct options_key keys[OPTIONS_KEYS_MAX];
	size_t key_count;

	bool bare;
	const char *context;
	bool require_nonempty;
	uint64_t spare; /* bytes in the body of a spare slot */
	const char *keyref;
	bool digest;
	const char *digest_file;
	uint64_t kdf_memory; /* bytes */
	uint64_t kdf_passes;
	uint64_t max_kdf_memory; /* bytes */
	uint64_t max_kdf_cost;   /* bytes x passes */
	const char *kernel;
	uint64_t threads;
	bool verify_first;
	bool salvage;
	bool sparse;
	struct options_range range;
	bool quick;
	bool json;

	/* rekey: the key that comes in, and what becomes of the old slots. */
	struct options_source new_passphrase;
	bool ask_new_passphrase;
	struct options_key new_keys[OPTIONS_KEYS_MAX];
	size_t new_key_count;
	bool add;
	uint64_t remove; /* bit N - 1: slot N */
	bool dry_run;
	bool in_place;
	bool header_only;
	const char *restore_header;

	bool incoming; /* made by options_incoming() */
	bool ask;      /* a passphrase is asked for beside keys */

	bool identity; /* keygen */
	bool recipient;
	uint64_t words; /* in a passphrase to be made */

	uint64_t sizes[OPTIONS_SIZES_MAX]; /* bench */
	size_t size_count;
	uint64_t seconds;
	bool list;
	bool kdf;
	bool csv;
};

/*
 * Takes apart argv, whose first element is the command.  False: the request makes no sense, and
 * a message has said so.
 */
bool options_parse(struct options *options, const struct command *command, int argc, char **argv);

/* The rules between options; false: as above.  Part of options_parse(). */
bool options_check(struct options *options);

/* The rules for rekey alone; part of options_check(). */
bool options_check_rekey(const struct options *options);

/* Whether rekey is to make new slots: a key was named for it, or the terminal is to be asked. */
bool options_bring_key(const struct options *options);

/*
 * The options by which seal would make the slots that rekey is to add: its own --new options in the
 * place of those that open.
 */
void options_incoming(const struct options *options, struct options *incoming);

enum message_level options_level(const struct options *options);

/* Whether descriptor 0 is read for a passphrase or a key. */
bool options_read_stdin(const struct options *options);

/* Whether the passphrase is to be had without the terminal. */
bool options_source_given(const struct options_source *source);

/* Whether a passphrase is in play: a source was given, or no key at all where one is needed. */
bool options_want_passphrase(const struct options *options);

/* Whether any key is in play; of the commands that take FILEs only info works without. */
bool options_want_key(const struct options *options);

/* The table: rows until options_row(i) is NULL. */
enum options_kind {
	OPTIONS_FLAG,    /* no argument: a bool */
	OPTIONS_TEXT,    /* the last one counts */
	OPTIONS_SOURCE,  /* a text that may be given once */
	OPTIONS_NUMBER,  /* plain decimal, not 0 */
	OPTIONS_SIZE,    /* the same with K, M, G */
	OPTIONS_SIZES,   /* sizes with commas between them */
	OPTIONS_RANGE,   /* size:size, or size: */
	OPTIONS_KEY,     /* one more key; place is its options_key_kind */
	OPTIONS_NEW_KEY, /* the same, for rekey to bring in */
	OPTIONS_SLOT,    /* one more slot's number; a bit each */
	OPTIONS_WORDS,   /* a number of words, or the usual one */
};

struct options_row {
	char letter;          /* 0: none */
	const char *name;     /* NULL: has a letter only */
	const char *argument; /* NULL: takes none; in brackets: may be left out */
	unsigned commands;    /* enum command_bit of those it is for */
	enum options_kind kind;
	size_t place; /* offset in struct options */
	const char *help;
};

#define OPTIONS_ROWS_MAX 96
const struct options_row *options_row(size_t i);

#endif
