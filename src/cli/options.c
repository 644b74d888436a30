/* SPDX-License-Identifier: ISC */
/*
 * options.c - the walk over the command line; the table of options is in options_rows.c.
 *
 * Knows the form of each argument; the rules between options are in options_check.c, and what
 * an option does is the business of whoever reads struct options.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/number.h"
#include "cli/options.h"
#include "cli/words.h"
#include "format/header.h"

#define NAME_BYTES 32
#define OPERAND    1   /* what getopt_long() returns for what is no option */
#define FIRST_LONG 256 /* what getopt_long() returns for row 0; no letter reaches it */

static int argument_of(const struct options_row *row)
{
	if (row->argument == NULL)
		return no_argument;
	return row->argument[0] == '[' ? optional_argument : required_argument;
}

/* Fills in what getopt_long() wants to know of the rows that this command has. */
static void describe_rows(struct option longs[OPTIONS_ROWS_MAX + 1],
			  char shorts[2 * OPTIONS_ROWS_MAX + 3], unsigned bit)
{
	const struct options_row *row;
	size_t count = 0;
	size_t used = 0;

	shorts[used++] = '-'; /* operands come in their order, as OPERAND */
	shorts[used++] = ':'; /* a missing argument is told apart */
	for (size_t i = 0; (row = options_row(i)) != NULL; i++) {
		if ((row->commands & bit) == 0)
			continue;
		if (row->name != NULL)
			longs[count++] = (struct option){row->name, argument_of(row), NULL,
							 FIRST_LONG + (int)i};
		if (row->letter == 0)
			continue;
		shorts[used++] = row->letter;
		if (row->argument != NULL)
			shorts[used++] = ':';
	}
	memset(&longs[count], 0, sizeof longs[count]);
	shorts[used] = '\0';
}

/* The row that getopt_long() means by what it returned (or left in optopt); NULL: none. */
static const struct options_row *row_of(int found, unsigned bit)
{
	const struct options_row *row;

	if (found >= FIRST_LONG)
		return options_row((size_t)(found - FIRST_LONG));
	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		if (found != 0 && row->letter == found && (row->commands & bit) != 0)
			return row;
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
	const struct options_row *row;

	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		if (row->name != NULL && is_full_name(typed, row->name))
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

static bool take_words(struct options *options, const char *text)
{
	options->words = WORDS_USUAL;
	return text == NULL || (number_parse(&options->words, text, strlen(text), false) &&
				options->words > 0 && options->words <= WORDS_MAX);
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
	case OPTIONS_WORDS:
		return take_words(options, text) ||
		       refuse_row(options, row, "not a plain decimal number of words, 1 to 128");
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
	struct option longs[OPTIONS_ROWS_MAX + 1];
	char shorts[2 * OPTIONS_ROWS_MAX + 3];
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
