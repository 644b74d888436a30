/* SPDX-License-Identifier: ISC */
/*
 * salvage.h - open --salvage: what is said of chunks that did not open.
 */
#ifndef GCMCRYPT_CLI_SALVAGE_H
#define GCMCRYPT_CLI_SALVAGE_H

#include "cli/jsonout.h"

/*
 * After the output was committed: lists the bad ranges, and says what the output is worth.  The
 * fault that open would have ended with, so that it is the exit status; FAULT_NONE without a word
 * where no chunk was bad.
 */
enum fault salvage_tell(struct job *job);

/* Adds the file, which came to fault, to the object of --json. */
void salvage_add_json(struct jsonout *out, const char *path, const struct job *job,
		      enum fault fault);

#endif
