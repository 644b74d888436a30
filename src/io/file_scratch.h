/* SPDX-License-Identifier: ISC */
/*
 * file_scratch.h - a file without a name that is written to, then read, in memory where the system
 * has such files.  For measurements: it is never brought to disk.
 */
#ifndef GCMCRYPT_IO_FILE_SCRATCH_H
#define GCMCRYPT_IO_FILE_SCRATCH_H

#include "io/file.h"

/* Two views of one file; they share its position, so that only one is in use at a time. */
struct file_scratch {
	struct file_input input;
	struct file_output output;
};

/* A new, empty one.  FAULT_CREATE: errno is in output.error. */
enum fault file_scratch_open(struct file_scratch *scratch);

/* Both are at the first byte: what was written can be read, or written over.  FAULT_READ. */
enum fault file_scratch_rewind(struct file_scratch *scratch);

/* Also after a failed open; on one that was only ever zero bytes it does nothing. */
void file_scratch_close(struct file_scratch *scratch);

#endif
