/* SPDX-License-Identifier: ISC */
/*
 * digest.h - seal --digest and --digest-file: the SHA-256 of what was written, as sha256sum -c
 * reads it.
 *
 * Its functions write their own messages and set job->told; the caller passes the fault on.  Where
 * neither option was given they do nothing.
 */
#ifndef GCMCRYPT_CLI_DIGEST_H
#define GCMCRYPT_CLI_DIGEST_H

#include <sodium.h>

#include "cli/job.h"

/* Of one run. */
struct digest {
	const struct options *options;
	struct file_output output; /* of --digest-file, open from the first file that needs it on */
	bool opened;
	enum fault opening;             /* why it is not: said once */
	size_t lines;                   /* written to it */
	crypto_hash_sha256_state state; /* of the file in hand */
};

/*
 * Refuses a --digest-file that is any of the inputs, exists without -f, or cannot be.
 * FAULT_SAME_FILE, FAULT_EXISTS, FAULT_CREATE and the others of file_output_check().
 */
enum fault digest_begin(struct digest *digest, const struct options *options);

/* Refuses a --digest-file that holds a key, which is known by now.  FAULT_KEY_OUTPUT. */
enum fault digest_check(const struct digest *digest, struct job *job);

/*
 * Begins with a file: all that is written to job->output from now on counts.  Refuses a
 * --digest-file that is the output too: it is not made then, and the files that follow fail.
 * FAULT_SAME_FILE, and the faults of file_output_open().
 */
enum fault digest_start(struct digest *digest, struct job *job);

/* The line of a file whose output is complete.  FAULT_WRITE, FAULT_BROKEN_PIPE, FAULT_SIGNAL. */
enum fault digest_tell(struct digest *digest, struct job *job);

/*
 * Gives --digest-file its name, if any line was written and no signal came; else nothing is left of
 * it.  The faults of file_output_commit().
 */
enum fault digest_end(struct digest *digest);

#endif
