/* SPDX-License-Identifier: ISC */
/*
 * openkeys.h - from a sealed file's header to its payload key, in format.md's order of work.
 */
#ifndef GCMCRYPT_CLI_OPENKEYS_H
#define GCMCRYPT_CLI_OPENKEYS_H

#include "cli/job.h"

/*
 * Reads and checks the header; nothing is asked for.  In bare mode there is none.  Faults of
 * reader_header().
 */
enum fault openkeys_read_header(struct job *job);

/*
 * Finds the file key with the keys of the run, then with the passphrase, within the caps; and
 * checks the header MAC.  In bare mode the key file's key is all.  FAULT_NOTHING_OPENS,
 * FAULT_HEADER_TAMPERED, FAULT_KDF_COST, FAULT_KDF_MEMORY, FAULT_SIGNAL, and the faults of
 * keysource_passphrase(), with job->told.
 */
enum fault openkeys_unlock(struct job *job);

/*
 * Whether each key of the run opens the header alone, whatever the others do.  FAULT_NOTHING_OPENS:
 * one does not; FAULT_HEADER_TAMPERED.
 */
enum fault openkeys_every_key(struct job *job);

/*
 * Whether the passphrase of the run does, within the caps; asks for it, or reads it, if need be.
 * The faults of openkeys_unlock().
 */
enum fault openkeys_passphrase(struct job *job);

/*
 * Reads salt and commitment, makes the payload key, and compares the commitment.
 * FAULT_COMMITMENT, in bare mode FAULT_NOTHING_OPENS; FAULT_INPUT_EMPTY, and the faults of
 * reader_payload_start().
 */
enum fault openkeys_payload(struct job *job);

#endif
