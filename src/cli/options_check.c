/* SPDX-License-Identifier: ISC */
/*
 * options_check.c - the rules between options: what may not stand together, and which numbers
 * make no sense.
 *
 * Looks at the command line alone; opens nothing.
 */
#include <limits.h>
#include <string.h>

#include "cli/kdfcost.h"
#include "cli/number.h"
#include "cli/options.h"
#include "format/payload.h"
#include "io/stream.h"

#define BENCH_SIZE_MAX (UINT64_C(16) << 20)
#define SECONDS_MAX    3600

/* Beside the shortest slot that can open a file. */
#define SPARE_MAX \
	(HEADER_MAX_BYTES - HEADER_MIN_BYTES - HEADER_SLOT_HEAD_BYTES - SLOT_PASSPHRASE_BYTES)

static bool refuse(const char *why)
{
	message_error(NULL, "%s", why);
	return false;
}

static bool is_dash(const char *name)
{
	return strcmp(name, "-") == 0;
}

static bool takes_data(const struct options *options)
{
	return (options->command->bit & (COMMAND_KEYGEN | COMMAND_BENCH)) == 0;
}

static bool source_is_stdin(const struct options_source *source)
{
	return source->fd == 0 || (source->file != NULL && is_dash(source->file));
}

static unsigned files_from_stdin(const struct options_key *keys, size_t count)
{
	unsigned uses = 0;

	for (size_t i = 0; i < count; i++)
		uses += keys[i].kind != OPTIONS_RECIPIENT && is_dash(keys[i].text);
	return uses;
}

/* How often descriptor 0 is asked for by passphrases, by keys and by what these have to open. */
static unsigned keys_from_stdin(const struct options *options)
{
	return source_is_stdin(&options->passphrase) + source_is_stdin(&options->new_passphrase) +
	       files_from_stdin(options->keys, options->key_count) +
	       files_from_stdin(options->new_keys, options->new_key_count) +
	       (options->keyref != NULL && is_dash(options->keyref));
}

static unsigned data_from_stdin(const struct options *options)
{
	unsigned uses = takes_data(options) && options->file_count == 0 && !options->from_command;

	for (size_t i = 0; i < options->file_count; i++)
		uses += is_dash(options->files[i]);
	return uses;
}

static bool check_files(const struct options *options)
{
	if (!takes_data(options) && options->file_count > 0) {
		message_error(NULL, "%s takes no FILE", options->command->name);
		if (options->words > 0)
			message_hint("how many words goes behind a =: --words=N");
		return false;
	}
	if (options->output != NULL && options->file_count > 1)
		return refuse("-o names one output, but there are several inputs");
	if (options->output != NULL && options->output[0] == '\0')
		return refuse("the name of the output is empty");
	if (data_from_stdin(options) + keys_from_stdin(options) > 1) {
		message_fault("standard input", FAULT_USED_TWICE, 0);
		return false;
	}
	return true;
}

/* --rm: what has no name cannot be removed, and what goes through a pipe may get lost. */
static bool check_rm(const struct options *options)
{
	if (!options->rm)
		return true;
	if (options->from_command || data_from_stdin(options) > 0)
		return refuse("--rm needs an input that is a named FILE");
	if (options->output != NULL && is_dash(options->output))
		return refuse("--rm needs an output that is a file, not standard output");
	if (options->range.given)
		return refuse("--rm and --range: what is not in the range would be lost");
	if (options->salvage)
		return refuse("--rm and --salvage: one of them, not both");
	return true;
}

/* A damaged file is wanted, in full; with --json standard output is for the list alone. */
static bool check_salvage(const struct options *options)
{
	bool opening = options->command->bit == COMMAND_OPEN;
	bool piped =
		options->output == NULL ? data_from_stdin(options) > 0 : is_dash(options->output);

	if (options->salvage && options->verify_first)
		return refuse("--salvage and --verify-first: one of them, not both");
	if (options->salvage && options->range.given)
		return refuse("--salvage and --range: one of them, not both");
	if (opening && options->json && !options->salvage)
		return refuse("--json: open has it with --salvage only");
	if (opening && options->json && piped)
		return refuse("--json needs an output that is a file, not standard output");
	return true;
}

static bool check_one_source(const struct options_source *source)
{
	const struct {
		const char *given, *end;
	} ways[] = {
		{source->file, "file"},
		{source->fd_text, "fd"},
		{source->command, "command"},
		{source->variable, "env"},
	};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		if (ways[i].given != NULL && first != NULL) {
			message_error(NULL, "%s-%s and %s-%s: one source, not two", source->option,
				      first, source->option, ways[i].end);
			return false;
		}
		if (ways[i].given != NULL)
			first = ways[i].end;
	}
	return true;
}

static bool check_source(struct options_source *source)
{
	const char *name = source->variable;
	uint64_t fd = 0;

	if (!check_one_source(source))
		return false;
	/* Not repeated in the message: somebody may have typed the passphrase itself. */
	if (name != NULL && (name[0] == '\0' || strchr(name, '=') != NULL)) {
		message_error(NULL, "%s-env: not the name of a variable", source->option);
		return false;
	}
	if (source->fd_text == NULL)
		return true;
	if (!number_parse(&fd, source->fd_text, strlen(source->fd_text), false) || fd > INT_MAX) {
		message_error(NULL, "%s-fd: not a descriptor number", source->option);
		return false;
	}
	source->fd = (int)fd;
	return true;
}

static bool check_bare(const struct options *options)
{
	bool one_key = options->key_count == 1 && options->keys[0].kind == OPTIONS_KEY_FILE;

	if (options->bare && options->spare > 0)
		return refuse("--bare makes no header, so there is nothing to --spare");
	if (options->bare && (!one_key || options_want_passphrase(options)))
		return refuse("--bare needs exactly one --key-file and no other key");
	return true;
}

static bool check_keyref(const struct options *options)
{
	if (options->keyref != NULL && options->bare)
		return refuse("--keyref looks at a header, and --bare has none");
	for (size_t i = 0; options->keyref != NULL && i < options->key_count; i++) {
		if (options->keys[i].kind == OPTIONS_KEY_FILE)
			continue;
		message_error(NULL, "--keyref: a recipient cannot be checked without its identity");
		message_hint("where that is, gcmcrypt verify --quick -i IDENTITY FILE tells");
		return false;
	}
	return true;
}

static bool check_keygen(const struct options *options)
{
	if (options->command->bit != COMMAND_KEYGEN)
		return true;
	if (options->recipient != (options->key_count > 0))
		return refuse("--recipient and -i FILE go together");
	if (options->recipient && options->identity)
		return refuse("--recipient makes no new --identity");
	if (options->words > 0 && (options->identity || options->recipient))
		return refuse("--words makes a passphrase: no --identity, no --recipient");
	return true;
}

static bool check_numbers(const struct options *options)
{
	if (options->context != NULL && strlen(options->context) > PAYLOAD_USER_CONTEXT_MAX)
		return refuse("--context: longer than 1024 bytes");
	if (options->spare > SPARE_MAX)
		return refuse("--spare: more than a header has room for, 65384 bytes");
	if (options->threads > STREAM_THREADS_MAX)
		return refuse("--threads: more than 256");
	if (options->seconds > SECONDS_MAX)
		return refuse("--seconds: more than an hour");
	for (size_t i = 0; i < options->size_count; i++)
		if (options->sizes[i] > BENCH_SIZE_MAX)
			return refuse("--size: more than 16M");
	return true;
}

bool options_read_stdin(const struct options *options)
{
	return keys_from_stdin(options) > 0;
}

static bool check_progress(const struct options *options)
{
	if (options->progress && options->no_progress)
		return refuse("--progress and --no-progress: one of them, not both");
	return true;
}

bool options_source_given(const struct options_source *source)
{
	return source->file != NULL || source->fd_text != NULL || source->command != NULL ||
	       source->variable != NULL;
}

static bool check_bench(const struct options *options)
{
	if (options->json && options->csv)
		return refuse("--json and --csv: one of them, not both");
	return true;
}

bool options_want_passphrase(const struct options *options)
{
	bool needed = options->command->bit != COMMAND_INFO;

	return options_source_given(&options->passphrase) || options->ask ||
	       (needed && options->key_count == 0);
}

bool options_want_key(const struct options *options)
{
	return options->key_count > 0 || options_want_passphrase(options);
}

bool options_check(struct options *options)
{
	return check_source(&options->passphrase) && check_source(&options->new_passphrase) &&
	       options_check_rekey(options) && check_files(options) && check_rm(options) &&
	       check_salvage(options) && check_bare(options) && check_keyref(options) &&
	       check_keygen(options) && check_progress(options) && check_bench(options) &&
	       check_numbers(options) && kdfcost_check(options);
}
