/* SPDX-License-Identifier: ISC */
/*
 * command.h - what a command is, and the commands there are.  main.c holds the table.
 */
#ifndef GCMCRYPT_CLI_COMMAND_H
#define GCMCRYPT_CLI_COMMAND_H

/* One bit a command, for the table of options. */
enum command_bit {
	COMMAND_SEAL = 1u << 0,
	COMMAND_OPEN = 1u << 1,
	COMMAND_VERIFY = 1u << 2,
	COMMAND_INFO = 1u << 3,
	COMMAND_KEYGEN = 1u << 4,
	COMMAND_REKEY = 1u << 5,
	COMMAND_BENCH = 1u << 6,
	COMMAND_ALL = (1u << 7) - 1,
};

struct options;

struct command {
	const char *name;
	enum command_bit bit;
	int (*run)(const struct options *options); /* returns the exit status */
	const char *summary;                       /* its line of gcmcrypt --help */
};

int cmd_seal(const struct options *options);
int cmd_open(const struct options *options);
int cmd_verify(const struct options *options);
int cmd_info(const struct options *options);
int cmd_keygen(const struct options *options);
int cmd_rekey(const struct options *options);
int cmd_bench(const struct options *options);

#endif
