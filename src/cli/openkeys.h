/* SPDX-License-Identifier: ISC */
/*
 * openkeys.h - from a sealed file's header to its payload key, in format.md's order of work.
 */
#ifndef GCMCRYPT_CLI_OPENKEYS_H
#define GCMCRYPT_CLI_OPENKEYS_H

#include "cli/job.h"

/* Reads and checks the header; nothing is asked for.  In bare mode there is none. */
enum fault openkeys_read_header(struct job *job);

/*
 * Finds the file key with the keys of the run, then with the passphrase, within the caps; and
 * checks the header MAC.  In bare mode the key file's key is all.
 */
enum fault openkeys_unlock(struct job *job);

/* Reads salt and commitment, makes the payload key, and compares the commitment. */
enum fault openkeys_payload(struct job *job);

#endif
