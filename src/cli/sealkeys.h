/* SPDX-License-Identifier: ISC */
/*
 * sealkeys.h - fresh keys for a file that is to be sealed, and the header that keeps them.
 */
#ifndef GCMCRYPT_CLI_SEALKEYS_H
#define GCMCRYPT_CLI_SEALKEYS_H

#include "cli/job.h"

/*
 * Draws all random values of the file and fills job->bytes with header, payload salt and
 * commitment, *len bytes in all; the payload key is in the run.  Asks for the passphrase where
 * one is in play.  Faults of entropy, passphrase and Argon2id.
 */
enum fault sealkeys_make(struct job *job, size_t *len);

/*
 * Appends a slot for the passphrase, where keys has one in play, and one for each of its keys that
 * has none, all of which open hidden->file_key; the seed is drawn.  FAULT_HEADER_FULL, and faults as above.
 */
enum fault sealkeys_slots(struct job *job, struct header_writer *writer, struct keysource *keys);

#endif
