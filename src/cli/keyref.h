/* SPDX-License-Identifier: ISC */
/*
 * keyref.h - seal --keyref: before anything is sealed, what it is to be sealed with has to open a
 * file that is there.
 */
#ifndef GCMCRYPT_CLI_KEYREF_H
#define GCMCRYPT_CLI_KEYREF_H

#include "cli/job.h"

/*
 * The passphrase, which is asked for as open does, and every key given each have to open the file
 * that --keyref names.  Looked at once a run, for the job that comes first; all later ones get the
 * same answer.  Without the option nothing.  FAULT_NOTHING_OPENS, and the faults of opening a header;
 * a message was written.
 */
enum fault keyref_check(struct job *job);

#endif
