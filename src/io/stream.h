/* SPDX-License-Identifier: ISC */
/*
 * stream.h - chunks in order from an input to an output, in bounded memory; the first error wins.
 *
 * Knows payload keys and files; nothing of headers, slots or names.  Wipes what held plaintext.
 * Memory: 1 MiB with one thread, 2 MiB a thread with several, and some pages more.
 */
#ifndef GCMCRYPT_IO_STREAM_H
#define GCMCRYPT_IO_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "format/payload.h"
#include "io/file.h"
#include "io/stream_damage.h"

#define STREAM_THREADS_MAX 256

struct stream {
	/* What the caller sets. */
	struct file_input *input;
	struct file_output *output; /* NULL: nothing is written (verify) */
	const struct payload_key *key;
	struct gcm_counter_cache *caches; /* one a thread, each initialised */
	unsigned threads;                 /* at most; 1..STREAM_THREADS_MAX */
	bool threads_fixed;               /* so many even where fewer are as fast */
	uint64_t chunk;                   /* number of the first chunk, 0 but in tests */

	/*
	 * stream_open() alone.  NULL, or: the input stands at chunk range->first; nothing is read
	 * that comes after chunk range->last, and only the bytes of the range are delivered.
	 */
	const struct payload_range *range;

	/*
	 * stream_open() alone, without a range.  NULL, or where chunks that do not open are noted:
	 * zeros stand for each in the output, and it is no fault.  The caller frees it.
	 */
	struct stream_damage *damage;

	/*
	 * Unless NULL: called once the input has ended, before its last chunk is worked on.  After
	 * a fault, which it returns, that chunk is never delivered: what came before is cut short.
	 * The thread that reads calls it.
	 */
	enum fault (*at_end)(void *context);
	void *at_end_context;

	/*
	 * NULL, or told after each batch how much plain_len has become; one call at a time, from
	 * the thread that delivers.
	 */
	void (*delivered)(void *context, uint64_t plain_len);
	void *delivered_context;

	/*
	 * What the caller finds afterwards, also on a fault: chunk is the number of the chunk that
	 * failed, or of the one after the last.
	 */
	uint64_t plain_len; /* plaintext bytes sealed, or opened with a right tag, and of the range;
			      with damage, the zeros too */
	bool output_failed; /* the fault is the output's, not the input's: which errno, which name */
};

/*
 * Seals the input to its end.  FAULT_NONE, FAULT_READ, FAULT_WRITE, FAULT_BROKEN_PIPE,
 * FAULT_TOO_LONG, FAULT_MEMORY, FAULT_SIGNAL.  Whatever comes before the first fault, in the
 * order of the input, was delivered, and nothing that comes after it.
 */
enum fault stream_seal(struct stream *stream);

/*
 * Opens the input to its end; nothing of a chunk is written before its tag was right.  Beside
 * the above FAULT_CHUNK_DAMAGED (more input follows the bad chunk) and FAULT_ENDS_EARLY.
 */
enum fault stream_open(struct stream *stream);

/*
 * How many threads may pay on this machine with that kernel: for struct stream, which takes no
 * more of them than its input and output are worth.
 */
unsigned stream_threads(const struct gcm_kernel *kernel);

#endif
