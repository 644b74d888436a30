/* SPDX-License-Identifier: ISC */
/*
 * stream.h - chunks in order from an input to an output, in bounded memory; the first error wins.
 *
 * Knows payload keys and files; nothing of headers, slots or names.  Wipes what held plaintext.
 */
#ifndef GCMCRYPT_IO_STREAM_H
#define GCMCRYPT_IO_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "format/payload.h"
#include "io/file.h"

struct stream {
	/* What the caller sets. */
	struct file_input *input;
	struct file_output *output; /* NULL: nothing is written (verify) */
	const struct payload_key *key;
	struct gcm_counter_cache *cache;
	uint64_t chunk; /* number of the first chunk, 0 but in tests */

	/*
	 * What the caller finds afterwards, also on a fault: chunk is the number of the chunk that
	 * failed, or of the one after the last.
	 */
	uint64_t plain_len; /* plaintext bytes sealed, or opened with a right tag */
	bool output_failed; /* the fault is the output's, not the input's: which errno, which name */
};

/*
 * Seals the input to its end.  FAULT_NONE, FAULT_READ, FAULT_WRITE, FAULT_BROKEN_PIPE,
 * FAULT_TOO_LONG, FAULT_MEMORY, FAULT_SIGNAL.
 */
enum fault stream_seal(struct stream *stream);

/*
 * Opens the input to its end; nothing of a chunk is written before its tag was right.  Beside
 * the above FAULT_CHUNK_DAMAGED (more input follows the bad chunk) and FAULT_ENDS_EARLY.
 */
enum fault stream_open(struct stream *stream);

#endif
