/* SPDX-License-Identifier: ISC */
/*
 * keyfile.c - reads the files that keys stand in, line by line.
 *
 * Knows what each kind of file may hold; the form of a key is keytext.h's business.
 */
#include <errno.h>
#include <sodium.h>

#include "cli/keyfile.h"

static const struct {
	enum keytext_kind text;
	enum slot_type type;
	bool secret;
	bool one; /* exactly one key */
	const char *looks;
} kinds[] = {
	[OPTIONS_KEY_FILE] = {KEYTEXT_KEY_FILE, SLOT_KEY_FILE, true, true, "GCMC-FILE-KEY-1..."},
	[OPTIONS_RECIPIENTS_FILE] = {KEYTEXT_RECIPIENT, SLOT_X25519, false, false, "gcmc1..."},
	[OPTIONS_IDENTITY] = {KEYTEXT_IDENTITY, SLOT_X25519, true, false, "GCMC-SECRET-KEY-1..."},
};

static enum fault bad_line(const struct keysource *source, enum options_key_kind kind,
			   const char *name)
{
	size_t number = source->hidden->parser.line_number;

	message_error(name, "line %zu is no key of the form %s", number, kinds[kind].looks);
	return FAULT_BAD_KEY;
}

static enum fault take_line(struct keysource *source, enum options_key_kind kind, const char *name,
			    enum keytext_line line, size_t *found)
{
	if (line == KEYTEXT_LINE_NONE)
		return FAULT_NONE;
	if (line == KEYTEXT_LINE_BAD)
		return bad_line(source, kind, name);
	if (++*found > 1 && kinds[kind].one) {
		message_error(name, "holds more than one key");
		return FAULT_BAD_KEY;
	}
	return keysource_add(source, name, kinds[kind].type, source->hidden->key);
}

/* Takes the next piece of the file apart; *more turns false at its end. */
static enum fault read_piece(struct keysource *source, enum options_key_kind kind,
			     struct file_input *input, size_t *found, bool *more)
{
	struct keysource_hidden *hidden = source->hidden;
	struct keytext_parser *parser = &hidden->parser;
	enum keytext_line line;
	size_t got;
	enum fault fault = file_input_read(input, hidden->piece, sizeof hidden->piece, &got);

	for (size_t i = 0; i < got && fault == FAULT_NONE; i++) {
		line = keytext_parser_byte(parser, hidden->piece[i], hidden->key);
		fault = take_line(source, kind, input->name, line, found);
	}
	*more = got == sizeof hidden->piece;
	if (fault != FAULT_NONE || *more)
		return fault;
	line = keytext_parser_end(parser, hidden->key);
	return take_line(source, kind, input->name, line, found);
}

static enum fault read_all(struct keysource *source, enum options_key_kind kind,
			   struct file_input *input)
{
	enum fault fault = FAULT_NONE;
	bool more = true;
	size_t found = 0;

	keytext_parser_init(&source->hidden->parser, kinds[kind].text);
	while (fault == FAULT_NONE && more)
		fault = read_piece(source, kind, input, &found, &more);
	if (fault == FAULT_READ)
		message_fault(input->name, fault, input->error);
	if (fault == FAULT_NONE && found == 0) {
		message_error(input->name, "holds no key of the form %s", kinds[kind].looks);
		fault = FAULT_BAD_KEY;
	}
	keytext_parser_wipe(&source->hidden->parser);
	sodium_memzero(source->hidden->piece, sizeof source->hidden->piece);
	sodium_memzero(source->hidden->key, sizeof source->hidden->key);
	return fault;
}

enum fault keyfile_read(struct keysource *source, enum options_key_kind kind, const char *path)
{
	struct file_input *input = &source->files[source->file_count++];
	enum fault fault = file_input_open(input, path);

	if (fault == FAULT_SIGNAL)
		return fault;
	if (fault != FAULT_NONE) {
		message_fault(input->name, fault, input->error);
		if (kind == OPTIONS_KEY_FILE && input->error == ENOENT &&
		    source->options->command->bit == COMMAND_SEAL)
			message_hint("gcmcrypt keygen -o FILE makes a key file");
		return fault;
	}
	fault = read_all(source, kind, input);
	if (fault == FAULT_NONE && kinds[kind].secret && file_input_exposed(input))
		message_warning(options_level(source->options), input->name,
				"others can read this secret; chmod 600 keeps it");
	file_input_close(input);
	return fault;
}
