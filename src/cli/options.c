/* SPDX-License-Identifier: ISC */
/*
 * options.c - the one table of options, and the walk over the command line.
 *
 * Knows the form of each argument; the rules between options are in options_check.c, and what
 * an option does is the business of whoever reads struct options.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/number.h"
#include "cli/options.h"
#include "format/header.h"

#define SEAL       ((unsigned)COMMAND_SEAL)
#define OPEN       ((unsigned)COMMAND_OPEN)
#define VERIFY     ((unsigned)COMMAND_VERIFY)
#define INFO       ((unsigned)COMMAND_INFO)
#define KEYGEN     ((unsigned)COMMAND_KEYGEN)
#define REKEY      ((unsigned)COMMAND_REKEY)
#define BENCH      ((unsigned)COMMAND_BENCH)
#define ALL        ((unsigned)COMMAND_ALL)
#define OF(member) offsetof(struct options, member)

static const struct options_row rows[] = {
	{'o', "output", "FILE", SEAL | OPEN | KEYGEN | REKEY, OPTIONS_TEXT, OF(output),
	 "write there; - is standard output, even a terminal"},
	{'f', "force", NULL, SEAL | OPEN | KEYGEN | REKEY, OPTIONS_FLAG, OF(force),
	 "replace an existing output, only after success"},
	{0, "rm", NULL, SEAL | OPEN, OPTIONS_FLAG, OF(rm),
	 "remove each input once its output is safely on disk"},
	{0, "passphrase-file", "FILE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.file), "read the passphrase from FILE"},
	{0, "passphrase-fd", "N", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.fd_text), "read the passphrase from descriptor N"},
	{0, "passphrase-command", "CMD", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.command), "run CMD by sh -c, if needed; its output is the passphrase"},
	{0, "passphrase-env", "VAR", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.variable), "take the passphrase out of the variable VAR"},
	{'K', "key-file", "FILE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_KEY,
	 OPTIONS_KEY_FILE, "use a key file made by keygen; may be repeated"},
	{'r', "recipient", "TEXT", SEAL, OPTIONS_KEY, OPTIONS_RECIPIENT,
	 "seal to the public key gcmc1...; may be repeated"},
	{'R', "recipients-file", "FILE", SEAL, OPTIONS_KEY, OPTIONS_RECIPIENTS_FILE,
	 "seal to every public key in FILE; may be repeated"},
	{'i', "identity", "FILE", OPEN | VERIFY | INFO | REKEY, OPTIONS_KEY, OPTIONS_IDENTITY,
	 "use the secret keys in FILE; may be repeated"},
	{0, "new-passphrase", NULL, REKEY, OPTIONS_FLAG, OF(ask_new_passphrase),
	 "ask for a new passphrase on the terminal"},
	{0, "new-passphrase-file", "FILE", REKEY, OPTIONS_SOURCE, OF(new_passphrase.file),
	 "read the new passphrase from FILE"},
	{0, "new-passphrase-fd", "N", REKEY, OPTIONS_SOURCE, OF(new_passphrase.fd_text),
	 "read the new passphrase from descriptor N"},
	{0, "new-passphrase-command", "CMD", REKEY, OPTIONS_SOURCE, OF(new_passphrase.command),
	 "run CMD by sh -c; its output is the new passphrase"},
	{0, "new-passphrase-env", "VAR", REKEY, OPTIONS_SOURCE, OF(new_passphrase.variable),
	 "take the new passphrase out of the variable VAR"},
	{0, "new-key-file", "FILE", REKEY, OPTIONS_NEW_KEY, OPTIONS_KEY_FILE,
	 "the new key is this key file; may be repeated"},
	{0, "new-recipient", "TEXT", REKEY, OPTIONS_NEW_KEY, OPTIONS_RECIPIENT,
	 "the new key is gcmc1...; may be repeated"},
	{0, "add", NULL, REKEY, OPTIONS_FLAG, OF(add), "keep the slot that opened FILE"},
	{0, "remove", "N", REKEY, OPTIONS_SLOT, OF(remove),
	 "take out slot N of info instead of that slot; may be repeated"},
	{0, "dry-run", NULL, REKEY, OPTIONS_FLAG, OF(dry_run),
	 "print what would change, and change nothing"},
	{0, "in-place", NULL, REKEY, OPTIONS_FLAG, OF(in_place),
	 "write the header alone; the old one goes to FILE.header-backup"},
	{0, "header-only", NULL, REKEY, OPTIONS_FLAG, OF(header_only),
	 "save the header as it is to -o FILE; needs no key"},
	{0, "restore-header", "FILE", REKEY, OPTIONS_TEXT, OF(restore_header),
	 "put the header back that FILE holds, if it belongs there"},
	{0, "bare", NULL, SEAL | OPEN | VERIFY, OPTIONS_FLAG, OF(bare),
	 "no header: a pure Cobblestone-256 message under one key file"},
	{0, "context", "TEXT", SEAL | OPEN | VERIFY | REKEY, OPTIONS_TEXT, OF(context),
	 "bind TEXT to the key; not stored, the same is needed to open"},
	{0, "require-nonempty", NULL, SEAL, OPTIONS_FLAG, OF(require_nonempty),
	 "an empty input is an error, and nothing is written"},
	{0, "from-command", NULL, SEAL, OPTIONS_FLAG, OF(from_command),
	 "run the command behind --, seal its output if it succeeds"},
	{0, "spare", "BYTES", SEAL, OPTIONS_SIZE, OF(spare),
	 "leave room in the header for slots that come later"},
	{0, "digest", NULL, SEAL, OPTIONS_FLAG, OF(digest),
	 "print the SHA-256 of each output on standard error"},
	{0, "digest-file", "FILE", SEAL, OPTIONS_TEXT, OF(digest_file),
	 "write it to FILE, for sha256sum -c"},
	{0, "kdf-memory", "SIZE", SEAL | REKEY, OPTIONS_SIZE, OF(kdf_memory),
	 "memory for Argon2id (default 256M)"},
	{0, "kdf-passes", "N", SEAL | REKEY, OPTIONS_NUMBER, OF(kdf_passes),
	 "passes of Argon2id over it (default 3)"},
	{0, "max-kdf-memory", "SIZE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SIZE,
	 OF(max_kdf_memory), "most memory that one passphrase slot may take (default 1G)"},
	{0, "max-kdf-cost", "SIZE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SIZE,
	 OF(max_kdf_cost), "most memory times passes, summed over slots (default 16G)"},
	{0, "range", "OFF:LEN", OPEN, OPTIONS_RANGE, OF(range),
	 "LEN bytes from byte OFF on; OFF: is all from there"},
	{0, "verify-first", NULL, OPEN, OPTIONS_FLAG, OF(verify_first),
	 "check all of the file before anything is written"},
	{0, "quick", NULL, VERIFY, OPTIONS_FLAG, OF(quick),
	 "check header, key and last chunk alone: in milliseconds"},
	{'T', "threads", "N", SEAL | OPEN | VERIFY, OPTIONS_NUMBER, OF(threads),
	 "work in N threads (default: as many as pay)"},
	{0, "kernel", "NAME", SEAL | OPEN | VERIFY | BENCH, OPTIONS_TEXT, OF(kernel),
	 "use this AES-GCM kernel"},
	{0, "recipient", NULL, KEYGEN, OPTIONS_FLAG, OF(recipient),
	 "print the recipients of identities, which -i names"},
	{'i', NULL, "FILE", KEYGEN, OPTIONS_KEY, OPTIONS_IDENTITY,
	 "the identities for --recipient; may be repeated"},
	{0, "identity", NULL, KEYGEN, OPTIONS_FLAG, OF(identity),
	 "make an X25519 identity instead of a key file"},
	{0, "size", "LIST", BENCH, OPTIONS_SIZES, OF(sizes),
	 "message sizes in bytes (default 64,1024,16384)"},
	{0, "seconds", "N", BENCH, OPTIONS_NUMBER, OF(seconds),
	 "how long to measure in all (default 3)"},
	{0, "list", NULL, BENCH, OPTIONS_FLAG, OF(list),
	 "show the kernels, and why one is not usable here"},
	{0, "kdf", NULL, BENCH, OPTIONS_FLAG, OF(kdf), "measure Argon2id too"},
	{0, "csv", NULL, BENCH, OPTIONS_FLAG, OF(csv), "comma-separated values"},
	{0, "json", NULL, VERIFY | INFO | BENCH, OPTIONS_FLAG, OF(json),
	 "one JSON object on standard output; see the manual"},
	{0, "progress", NULL, SEAL | OPEN | VERIFY, OPTIONS_FLAG, OF(progress),
	 "show how far it is, also in pipes and logs"},
	{0, "no-progress", NULL, SEAL | OPEN | VERIFY, OPTIONS_FLAG, OF(no_progress),
	 "do not show it, unless SIGUSR1 asks"},
	{'q', "quiet", NULL, ALL, OPTIONS_FLAG, OF(quiet), "no warnings and notices"},
	{'v', "verbose", NULL, ALL, OPTIONS_FLAG, OF(verbose), "say more"},
	{'h', "help", NULL, ALL, OPTIONS_FLAG, OF(help), "print this text"},
	{'V', "version", NULL, ALL, OPTIONS_FLAG, OF(version), "print the version"},
};

#define ROWS       (sizeof rows / sizeof rows[0])
#define NAME_BYTES 32
#define OPERAND    1   /* what getopt_long() returns for what is no option */
#define FIRST_LONG 256 /* what getopt_long() returns for row 0; no letter reaches it */

const struct options_row *options_row(size_t i)
{
	return i < ROWS ? &rows[i] : NULL;
}

/* Fills in what getopt_long() wants to know of the rows that this command has. */
static void describe_rows(struct option longs[ROWS + 1], char shorts[2 * ROWS + 3], unsigned bit)
{
	size_t count = 0;
	size_t used = 0;

	shorts[used++] = '-'; /* operands come in their order, as OPERAND */
	shorts[used++] = ':'; /* a missing argument is told apart */
	for (size_t i = 0; i < ROWS; i++) {
		int argument = rows[i].argument == NULL ? no_argument : required_argument;

		if ((rows[i].commands & bit) == 0)
			continue;
		if (rows[i].name != NULL)
			longs[count++] =
				(struct option){rows[i].name, argument, NULL, FIRST_LONG + (int)i};
		if (rows[i].letter == 0)
			continue;
		shorts[used++] = rows[i].letter;
		if (rows[i].argument != NULL)
			shorts[used++] = ':';
	}
	memset(&longs[count], 0, sizeof longs[count]);
	shorts[used] = '\0';
}

/* The row that getopt_long() means by what it returned (or left in optopt); NULL: none. */
static const struct options_row *row_of(int found, unsigned bit)
{
	if (found >= FIRST_LONG)
		return &rows[found - FIRST_LONG];
	for (size_t i = 0; i < ROWS; i++)
		if (found != 0 && rows[i].letter == found && (rows[i].commands & bit) != 0)
			return &rows[i];
	return NULL;
}

/* Whether typed is --NAME or --NAME=..., and not just the beginning of NAME. */
static bool is_full_name(const char *typed, const char *name)
{
	size_t len = strlen(name);

	return strncmp(typed, "--", 2) == 0 && strncmp(typed + 2, name, len) == 0 &&
	       (typed[2 + len] == '\0' || typed[2 + len] == '=');
}

/* Whether another command has the long option that was typed. */
static bool is_another_commands(const char *typed)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].name != NULL && is_full_name(typed, rows[i].name))
			return true;
	return false;
}

static bool refuse(const struct options *options, const char *what, const char *why)
{
	/* What stands behind a = is not repeated: somebody may have typed a passphrase there. */
	message_error(NULL, "%.*s: %s", (int)strcspn(what, "="), what, why);
	message_hint("see gcmcrypt %s --help", options->command->name);
	return false;
}

/* What getopt_long() did not like: found is '?' or ':', typed the word if it was a long option. */
static bool refuse_typed(const struct options *options, int found, const char *typed)
{
	const struct options_row *row = row_of(optopt, options->command->bit);
	bool is_long = optopt == 0 || optopt >= FIRST_LONG;
	char letter[3] = {'-', (char)optopt, '\0'};
	const char *what = is_long ? typed : letter;

	if (strcmp(what, "-k") == 0 || strcmp(what, "--keep") == 0)
		return refuse(options, what, "originals are always kept; -k is not needed");
	if (row != NULL && (!is_long || is_full_name(typed, row->name)))
		return refuse(options, what,
			      found == ':' ? "needs an argument" : "takes no argument");
	return refuse(options, what,
		      is_long && is_another_commands(typed) ? "not an option of this command"
							    : "unknown option");
}

static bool take_sizes(struct options *options, const char *list)
{
	options->size_count = 0;
	for (;;) {
		size_t len = strcspn(list, ",");
		uint64_t *size = &options->sizes[options->size_count];

		if (options->size_count == OPTIONS_SIZES_MAX ||
		    !number_parse(size, list, len, true) || *size == 0)
			return false;
		options->size_count++;
		if (list[len] == '\0')
			return true;
		list += len + 1;
	}
}

static bool take_range(struct options *options, const struct options_row *row, const char *text)
{
	struct options_range *range = (void *)((char *)options + row->place);
	size_t len = strcspn(text, ":");
	const char *rest = text + len + 1;

	if (text[len] != ':' || !number_parse(&range->offset, text, len, true))
		return false;
	range->given = true;
	range->len = UINT64_MAX;
	return *rest == '\0' || number_parse(&range->len, rest, strlen(rest), true);
}

static bool take_number(struct options *options, const struct options_row *row, const char *text)
{
	uint64_t *value = (void *)((char *)options + row->place);

	return number_parse(value, text, strlen(text), row->kind == OPTIONS_SIZE) && *value != 0;
}

static bool take_text(struct options *options, const struct options_row *row, const char *text)
{
	const char **place = (void *)((char *)options + row->place);

	if (row->kind == OPTIONS_SOURCE && *place != NULL)
		return false;
	*place = text;
	return true;
}

static bool take_key(struct options_key *keys, size_t *count, const struct options_row *row,
		     const char *text)
{
	if (*count == OPTIONS_KEYS_MAX)
		return false;
	keys[*count].kind = (enum options_key_kind)row->place;
	keys[(*count)++].text = text;
	return true;
}

static bool take_slot(struct options *options, const struct options_row *row, const char *text)
{
	uint64_t *slots = (void *)((char *)options + row->place);
	uint64_t number;

	if (!number_parse(&number, text, strlen(text), false) || number == 0 ||
	    number > HEADER_SLOTS_MAX)
		return false;
	*slots |= UINT64_C(1) << (number - 1);
	return true;
}

static bool refuse_row(const struct options *options, const struct options_row *row,
		       const char *why)
{
	char name[NAME_BYTES];

	if (row->name != NULL)
		(void)snprintf(name, sizeof name, "--%s", row->name);
	else
		(void)snprintf(name, sizeof name, "-%c", row->letter);
	return refuse(options, name, why);
}

/* Puts one option where it belongs. */
static bool take(struct options *options, const struct options_row *row, const char *text)
{
	switch (row->kind) {
	case OPTIONS_FLAG:
		*(bool *)((char *)options + row->place) = true;
		return true;
	case OPTIONS_TEXT:
		return take_text(options, row, text);
	case OPTIONS_SOURCE:
		return take_text(options, row, text) || refuse_row(options, row, "given twice");
	case OPTIONS_NUMBER:
		return take_number(options, row, text) ||
		       refuse_row(options, row, "not a plain decimal number above 0");
	case OPTIONS_SIZE:
		return take_number(options, row, text) ||
		       refuse_row(options, row,
				  "not a plain decimal size such as 65536, 64K or 1G");
	case OPTIONS_SIZES:
		return take_sizes(options, text) ||
		       refuse_row(options, row, "not a list of at most 16 sizes such as 64,16K");
	case OPTIONS_RANGE:
		return take_range(options, row, text) ||
		       refuse_row(options, row, "not a range such as 0:512, 64K:1M or 1G:");
	case OPTIONS_KEY:
		return take_key(options->keys, &options->key_count, row, text) ||
		       refuse_row(options, row, "more than 64 keys and identities");
	case OPTIONS_NEW_KEY:
		return take_key(options->new_keys, &options->new_key_count, row, text) ||
		       refuse_row(options, row, "more than 64 new keys");
	case OPTIONS_SLOT:
		return take_slot(options, row, text) ||
		       refuse_row(options, row, "not the number of a slot, 1 to 64");
	}
	return false;
}

/* Takes what getopt_long() found, which is an option. */
static bool take_found(struct options *options, int found, char *const *argv)
{
	/* An argument of its own stands after the word that names the option. */
	const char *typed = argv[optind - 1];

	if (found == '?' || found == ':')
		return refuse_typed(options, found, typed);
	if (optarg != NULL && optarg == typed)
		typed = argv[optind - 2];
	const struct options_row *row = row_of(found, options->command->bit);

	if (found >= FIRST_LONG && !is_full_name(typed, row->name))
		return refuse(options, typed, "unknown option");
	return take(options, row, optarg);
}

/*
 * What is left stands behind --.  It is a command only where that was asked for in so many words,
 * and no word before -- is part of it; otherwise these are more files.
 */
static bool take_rest(struct options *options, char **files, char **rest, size_t count)
{
	if (options->from_command) {
		options->producer = rest;
		if (options->file_count > 0)
			return refuse(options, "--from-command",
				      "takes no FILE; its command stands behind --");
		return count > 0 ||
		       refuse(options, "--from-command", "no command stands behind --");
	}
	memmove(files + options->file_count, rest, count * sizeof *rest);
	options->file_count += count;
	return true;
}

bool options_parse(struct options *options, const struct command *command, int argc, char **argv)
{
	struct option longs[ROWS + 1];
	char shorts[2 * ROWS + 3];
	char **files = argv + 1; /* words that were looked at before make room for them */
	int found;

	memset(options, 0, sizeof *options);
	options->command = command;
	options->passphrase = (struct options_source){.option = "--passphrase", .fd = -1};
	options->new_passphrase = (struct options_source){.option = "--new-passphrase", .fd = -1};
	options->files = files;
	describe_rows(longs, shorts, command->bit);
	opterr = 0;
	while ((found = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (found == OPERAND)
			files[options->file_count++] = optarg;
		else if (!take_found(options, found, argv))
			return false;
		if (options->help || options->version)
			return true;
	}
	return take_rest(options, files, argv + optind, (size_t)(argc - optind)) &&
	       options_check(options);
}

enum message_level options_level(const struct options *options)
{
	return options->quiet ? MESSAGE_QUIET : options->verbose ? MESSAGE_VERBOSE : MESSAGE_NORMAL;
}
