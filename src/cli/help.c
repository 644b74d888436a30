/* SPDX-License-Identifier: ISC */
/*
 * help.c - texts of --help and --version; the options come from the table in options_rows.c.
 */
#include "config.h"

#include <stdio.h>

#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"

#define LEFT_BYTES 48

static const struct {
	enum command_bit bit;
	const char *operands;
	const char *text;
} abouts[] = {
	{COMMAND_SEAL, " [FILE]...",
	 "Seal each FILE to FILE.gcm, or standard input to standard output. Without a key, a\n"
	 "passphrase is asked for. Every key and passphrase given opens the file by itself.\n"
	 "   or: gcmcrypt seal --from-command [OPTION]... -- COMMAND [ARGUMENT]...\n"
	 "Run COMMAND and seal what it writes; if it fails, fail too and keep nothing."},
	{COMMAND_OPEN, " [FILE.gcm]...",
	 "Open each FILE.gcm to FILE, or standard input to standard output. A named output "
	 "appears\n"
	 "only when the whole file was right; to a pipe, each chunk goes once it was checked."},
	{COMMAND_VERIFY, " [FILE]...",
	 "Check all of each sealed FILE, as open does, and write nothing but one line about each."},
	{COMMAND_INFO, " [FILE]...",
	 "Print what a sealed FILE says about itself. No key is needed, so nothing of it is "
	 "proved.\n"
	 "With a key or passphrase, say also which slot that opens."},
	{COMMAND_KEYGEN, "",
	 "Make a key file, or with --identity an X25519 identity, or with --words a passphrase; "
	 "print\n"
	 "it on standard output, or write it to a file that only you can read. Whoever loses it\n"
	 "loses the data."},
	{COMMAND_REKEY, " FILE...",
	 "Change who can open a sealed FILE. The new key takes the place of the one that opens "
	 "it,\n"
	 "unless --add or --remove says otherwise; the payload stays as it is. What was copied\n"
	 "before still opens with the old key: only sealing again revokes it."},
	{COMMAND_BENCH, "",
	 "Measure how fast this machine seals and opens messages, with each AES-GCM kernel that "
	 "it\n"
	 "can run. Each is checked against the portable one first."},
};

int help_version(void)
{
	struct print print;

	print_begin(&print);
	print_text(&print,
		   "gcmcrypt %s\n"
		   "Files of format 1: AES-256-GCM (Cobblestone-256), Argon2id, X25519.\n"
		   "ISC licence; there is no warranty.\n",
		   PACKAGE_VERSION);
	return message_status(print_end(&print));
}

int help_all(const struct command *commands, size_t count)
{
	struct print print;

	print_begin(&print);
	print_text(
		&print,
		"Usage: gcmcrypt COMMAND [OPTION]... [FILE]...\n"
		"Seal files and pipes so that only a passphrase or key opens them, and any change "
		"shows.\n"
		"\n");
	for (size_t i = 0; i < count; i++)
		print_text(&print, "  %-8s %s\n", commands[i].name, commands[i].summary);
	print_text(
		&print,
		"\n"
		"  -h, --help     print this text; gcmcrypt COMMAND --help has the options\n"
		"  -V, --version  print the version\n"
		"\n"
		"With no FILE, or -, standard input goes to standard output. Originals are kept,\n"
		"unless --rm is given.\n"
		"\n"
		"Exit status: 0 done; 1 cannot open, read, write or finish; 2 usage, or refused;\n"
		"3 nothing given opens the file; 4 damaged; 5 ends early; 6 not a gcmcrypt file, "
		"or\n"
		"of a newer version; 7 Argon2 needs more than is allowed or there; 8 the command "
		"of\n"
		"--from-command or --passphrase-command failed; 128+n signal n.\n");
	return message_status(print_end(&print));
}

static void print_row(struct print *print, const struct options_row *row)
{
	char left[LEFT_BYTES];
	const char *space = row->argument == NULL || row->argument[0] == '[' ? "" : " ";
	const char *argument = row->argument == NULL ? "" : row->argument;

	if (row->name == NULL)
		(void)snprintf(left, sizeof left, "-%c%s%s", row->letter, space, argument);
	else if (row->letter == 0)
		(void)snprintf(left, sizeof left, "    --%s%s%s", row->name, space, argument);
	else
		(void)snprintf(left, sizeof left, "-%c, --%s%s%s", row->letter, row->name, space,
			       argument);
	print_text(print, "  %-32s %s\n", left, row->help);
}

int help_command(const struct command *command)
{
	const struct options_row *row;
	struct print print;

	print_begin(&print);
	for (size_t i = 0; i < sizeof abouts / sizeof abouts[0]; i++)
		if (abouts[i].bit == command->bit)
			print_text(&print, "Usage: gcmcrypt %s [OPTION]...%s\n%s\n\n",
				   command->name, abouts[i].operands, abouts[i].text);
	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		if ((row->commands & command->bit) != 0)
			print_row(&print, row);
	return message_status(print_end(&print));
}
