/* SPDX-License-Identifier: ISC */
/*
 * passphrase_source.h - a passphrase that an option names: a file, a descriptor, a command or a
 * variable.
 *
 * Opened at the start, so that a wrong name shows at once and no child inherits a variable; read
 * when a passphrase is needed, so that a command runs only then.
 */
#ifndef GCMCRYPT_CLI_PASSPHRASE_SOURCE_H
#define GCMCRYPT_CLI_PASSPHRASE_SOURCE_H

#include "cli/options.h"
#include "cli/passphrase.h"
#include "io/file.h"

#define PASSPHRASE_SOURCE_OPTION_BYTES 32

struct passphrase_source {
	const struct options_source *from;
	struct file_input *input; /* of a file or descriptor, else NULL */
	bool unread;              /* and it is still open */
	char option
		[PASSPHRASE_SOURCE_OPTION_BYTES]; /* what messages call it that has no other name */
};

/*
 * Opens into *input, which source keeps, what from names, if that is a file or descriptor.  A
 * variable is taken into passphrase, unchecked, and overwritten and removed in the environment.
 * FAULT_OPEN, FAULT_IS_DIRECTORY, FAULT_SIGNAL, FAULT_BAD_PASSPHRASE (there is no such variable); a
 * message was written, but for FAULT_SIGNAL.  passphrase_source_close() follows, after a fault too.
 */
enum fault passphrase_source_open(struct passphrase_source *source,
				  const struct options_source *from, struct file_input *input,
				  struct passphrase *passphrase);

/*
 * The passphrase, which is to be the one given to passphrase_source_open(); once.  FAULT_READ,
 * FAULT_SIGNAL, FAULT_BAD_PASSPHRASE, FAULT_COMMAND, FAULT_MEMORY; a message was written, but for
 * FAULT_SIGNAL.
 */
enum fault passphrase_source_read(struct passphrase_source *source, struct passphrase *passphrase);

/* Closes what was opened and not read; input still tells which file it was. */
void passphrase_source_close(struct passphrase_source *source);

#endif
