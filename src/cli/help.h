/* SPDX-License-Identifier: ISC */
/*
 * help.h - what --help and --version print, on standard output.
 */
#ifndef GCMCRYPT_CLI_HELP_H
#define GCMCRYPT_CLI_HELP_H

#include <stddef.h>

#include "cli/command.h"

/* Each returns the exit status. */
int help_version(void);
int help_all(const struct command *commands, size_t count);
int help_command(const struct command *command);

#endif
