/* SPDX-License-Identifier: ISC */
/*
 * keyfile.h - reads one key file, identity file or recipients file.
 */
#ifndef GCMCRYPT_CLI_KEYFILE_H
#define GCMCRYPT_CLI_KEYFILE_H

#include "cli/keysource.h"

/*
 * Adds the keys of a file to source and leaves the closed input among its files.  FAULT_OPEN,
 * FAULT_READ, FAULT_IS_DIRECTORY, FAULT_BAD_KEY, FAULT_SIGNAL; a message was written, but for
 * FAULT_SIGNAL.
 */
enum fault keyfile_read(struct keysource *source, enum options_key_kind kind, const char *path);

#endif
