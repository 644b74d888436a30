/* SPDX-License-Identifier: ISC */
/*
 * entropy.h - gathers the seed of one file: the system's random source, hedged by clocks, pid,
 * boot id and the input's stat (format.md, Randomness).
 */
#ifndef GCMCRYPT_IO_ENTROPY_H
#define GCMCRYPT_IO_ENTROPY_H

#include "format/fault.h"
#include "format/seed.h"
#include "io/file.h"

/* Fills len bytes from the system; false: it has none. */
typedef bool entropy_source(void *bytes, size_t len);

/* The system's source: getentropy(), which on Linux is getrandom(); never a fallback. */
bool entropy_system(void *bytes, size_t len);

/*
 * A fresh seed; input may be NULL.  FAULT_NO_RANDOMNESS fails closed.  source is entropy_system
 * in the program, whatever a test needs in a test.
 */
enum fault entropy_seed(struct seed *seed, entropy_source *source, const struct file_input *input);

#endif
