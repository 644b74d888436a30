/* SPDX-License-Identifier: ISC */
/*
 * passphrase_source.c - files, descriptors, commands and variables that hold a passphrase.
 *
 * Knows how to get at the bytes; what a passphrase may be is passphrase.c's rule.
 */
#include "cli/passphrase_source.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/producer.h"
#include "io/child.h"

extern char **environ; /* POSIX has no header for it */

#define PIECE_BYTES 256
#define OUTPUT_MAX  65536

/* The value in an entry of the environment, if that is the variable's. */
static char *value_in(char *entry, const char *variable)
{
	size_t len = strlen(variable);

	return strncmp(entry, variable, len) == 0 && entry[len] == '=' ? entry + len + 1 : NULL;
}

/* A variable may stand in the environment more than once: the first one counts, none stays. */
static enum fault take_variable(struct passphrase *passphrase, const char *variable,
				const char *option)
{
	bool found = false;

	for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
		char *value = value_in(*entry, variable);
		size_t len = value == NULL ? 0 : strlen(value);

		if (value != NULL && !found) {
			passphrase->len = len < PASSPHRASE_ROOM ? len : PASSPHRASE_ROOM;
			memcpy(passphrase->bytes, value, passphrase->len);
			found = true;
		}
		if (value != NULL)
			sodium_memzero(value, len);
	}
	if (found && unsetenv(variable) == 0)
		return FAULT_NONE;
	/* Its name is not repeated: it may be the passphrase itself, given by mistake. */
	message_error(option, "no variable of that name is in the environment");
	return FAULT_BAD_PASSPHRASE;
}

static void name_option(struct passphrase_source *source)
{
	const struct options_source *from = source->from;
	const char *end = from->variable != NULL ? "env" : from->command != NULL ? "command" : "fd";

	(void)snprintf(source->option, sizeof source->option, "%s-%s", from->option, end);
}

enum fault passphrase_source_open(struct passphrase_source *source,
				  const struct options_source *from, struct file_input *input,
				  struct passphrase *passphrase)
{
	enum fault fault;

	*source = (struct passphrase_source){.from = from};
	name_option(source);
	if (from->variable != NULL)
		return take_variable(passphrase, from->variable, source->option);
	if (from->file != NULL)
		fault = file_input_open(input, from->file);
	else if (from->fd_text != NULL)
		fault = file_input_adopt(input, from->fd, source->option);
	else
		return FAULT_NONE;
	if (fault != FAULT_NONE) {
		if (fault != FAULT_SIGNAL)
			message_fault(input->name, fault, input->error);
		return fault;
	}
	source->input = input;
	source->unread = true;
	return FAULT_NONE;
}

/*
 * Reads on behind what there was room for: a command that writes too much may be failing, and ends
 * by itself.  True: it goes on and on.
 */
static bool writes_on(struct file_input *input)
{
	uint8_t piece[PIECE_BYTES];
	size_t got, read = 0;

	do {
		if (file_input_read(input, piece, sizeof piece, &got) != FAULT_NONE)
			got = 0;
		read += got;
	} while (got > 0 && read < OUTPUT_MAX);
	sodium_memzero(piece, sizeof piece);
	return got > 0;
}

/* What a command that runs writes, and how it ends; one that writes without end is stopped. */
static enum fault read_child(struct passphrase *passphrase, struct child *child,
			     struct file_input *input, const char *option)
{
	enum fault fault =
		file_input_read(input, passphrase->bytes, PASSPHRASE_ROOM, &passphrase->len);

	if (fault == FAULT_READ)
		message_fault(option, fault, input->error);
	if (fault == FAULT_NONE && !writes_on(input))
		fault = child_wait(child);
	file_input_close(input);
	child_stop(child);
	return fault;
}

/* It gets an empty standard input: what is there may be data. */
static enum fault run_command(struct passphrase *passphrase, const char *text, const char *option)
{
	char shell[] = "/bin/sh", c[] = "-c", end[] = "--";
	char *command = strdup(text);
	char *argv[] = {shell, c, end, command, NULL};
	struct file_input input;
	struct child child;
	enum fault fault;

	if (command == NULL) {
		message_fault(NULL, FAULT_MEMORY, 0);
		return FAULT_MEMORY;
	}
	fault = child_start(&child, &input, argv, false);
	free(command);
	if (fault == FAULT_NONE)
		fault = read_child(passphrase, &child, &input, option);
	if (fault == FAULT_COMMAND)
		producer_report_end(option, &child);
	return fault == FAULT_NONE ? passphrase_check(passphrase, option) : fault;
}

enum fault passphrase_source_read(struct passphrase_source *source, struct passphrase *passphrase)
{
	enum fault fault;

	if (source->from->variable != NULL)
		return passphrase_check(passphrase, source->option);
	if (source->from->command != NULL)
		return run_command(passphrase, source->from->command, source->option);
	fault = passphrase_read(passphrase, source->input);
	passphrase_source_close(source);
	return fault;
}

void passphrase_source_close(struct passphrase_source *source)
{
	if (source->unread)
		file_input_close(source->input);
	source->unread = false;
}
