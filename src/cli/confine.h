/* SPDX-License-Identifier: ISC */
/*
 * confine.h - what a run that has its keys, and the first file open, may still do.
 */
#ifndef GCMCRYPT_CLI_CONFINE_H
#define GCMCRYPT_CLI_CONFINE_H

#include "cli/job.h"

/*
 * Confines the run, once: to the files that it has open, those that it still has to open or make by
 * their names, and no commands.  Comes before threads, and before any chunk is looked at; waits
 * for a later file while a command may have to be run for a passphrase.  -v tells what holds.
 * Where the system cannot do that, or refuses, the work goes on without.
 */
void confine_job(struct job *job);

#endif
