/* SPDX-License-Identifier: ISC */
/*
 * main.c - picks a command and returns its exit status; the only file that ends the program.
 */
#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "cli/help.h"
#include "cli/options.h"
#include "cli/synonym.h"
#include "io/file.h"
#include "io/secrets.h"
#include "io/signals.h"

static const struct command commands[] = {
	{"seal", COMMAND_SEAL, cmd_seal, "seal FILE to FILE.gcm, or standard input to output"},
	{"open", COMMAND_OPEN, cmd_open, "open FILE.gcm to FILE, or standard input to output"},
	{"verify", COMMAND_VERIFY, cmd_verify, "check every byte of sealed FILEs, write nothing"},
	{"info", COMMAND_INFO, cmd_info, "what a sealed file says about itself; needs no key"},
	{"keygen", COMMAND_KEYGEN, cmd_keygen,
	 "make a key file, an X25519 identity, or a passphrase"},
	{"rekey", COMMAND_REKEY, cmd_rekey, "change who can open FILE, without sealing it again"},
	{"bench", COMMAND_BENCH, cmd_bench, "measure this machine"},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static int run_command(const struct command *command, int argc, char **argv)
{
	struct options options;

	if (!options_parse(&options, command, argc, argv))
		return message_status(FAULT_USAGE);
	if (options.version)
		return help_version();
	return options.help ? help_command(command) : command->run(&options);
}

static int run_word(int argc, char **argv)
{
	const char *word = argc < 2 ? "" : argv[1];

	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return help_all(commands, COMMANDS);
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
		return help_version();
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, word) == 0)
			return run_command(&commands[i], argc - 1, argv + 1);
	return synonym_refuse(word);
}

int main(int argc, char **argv)
{
	int status = 1;

	if (file_hold_standard() && signals_install() && sodium_init() >= 0) {
		secrets_harden_process();
		status = run_word(argc, argv);
	} else {
		message_error(NULL, "cannot start: %s", strerror(errno));
	}
	if (!file_close_stdout() && status == 0) {
		status = message_status(FAULT_WRITE);
		message_fault("standard output", FAULT_WRITE, errno);
	}
	/* A signal that came when all was done changes nothing. */
	if (status != 0)
		signals_raise_again();
	return status;
}
