/* SPDX-License-Identifier: ISC */
/*
 * synonym.c - the table of synonyms; they are only suggested, never obeyed.
 */
#include <stddef.h>
#include <string.h>

#include "cli/message.h"
#include "cli/synonym.h"

static const struct {
	const char *word;
	const char *command;
} synonyms[] = {
	{"encrypt", "seal"}, {"enc", "seal"},        {"-e", "seal"},       {"-c", "seal"},
	{"decrypt", "open"}, {"dec", "open"},        {"-d", "open"},       {"-x", "open"},
	{"test", "verify"},  {"check", "verify"},    {"-t", "verify"},     {"list", "info"},
	{"inspect", "info"}, {"-l", "info"},         {"genkey", "keygen"}, {"passwd", "rekey"},
	{"speed", "bench"},  {"benchmark", "bench"}, {"help", "--help"},   {"version", "--version"},
};

static const char *meaning_of(const char *word)
{
	for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
		if (strcmp(synonyms[i].word, word) == 0)
			return synonyms[i].command;
	return NULL;
}

int synonym_refuse(const char *word)
{
	const char *meant = meaning_of(word);

	if (meant != NULL) {
		message_error(NULL, "unknown command '%s'; did you mean '%s'?", word, meant);
	} else {
		message_error(NULL, *word == '\0' ? "no command given" : "unknown command '%s'",
			      word);
		message_hint(*word == '-' ? "options come after the command: gcmcrypt verify -v"
					  : "see gcmcrypt --help");
	}
	return message_status(FAULT_USAGE);
}
