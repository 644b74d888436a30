/* SPDX-License-Identifier: ISC */
/*
 * job.h - one file on its way through a command: its input, its header, its output.
 */
#ifndef GCMCRYPT_CLI_JOB_H
#define GCMCRYPT_CLI_JOB_H

#include "cli/kdfcost.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "io/child.h"
#include "io/file.h"
#include "io/stream.h"

struct job {
	struct run *run;
	const struct options *options;
	struct file_input input;
	struct file_output output;
	const char *output_path; /* "-": standard output */
	char *made_path;         /* where output_path was made from the input's name: to be freed */

	/* The header, empty in bare mode, and behind it where the payload starts. */
	uint8_t bytes[HEADER_MAX_BYTES + PAYLOAD_START_BYTES];
	size_t header_len;
	struct header header;
	size_t slot; /* the one that opened, counted from 1; 0: none */
	struct payload_shape
		shape; /* open --range, verify --quick: of the payload, proved by its last chunk */
	struct payload_range range;
	struct stream stream;
	struct stream_damage damage; /* --salvage: the chunks that were bad */
	struct child child;          /* the command whose output the input is */
	struct progress progress;

	/* For the message, should something fail. */
	bool at_output; /* the output was in hand, not the input */
	bool atomic;    /* the output is a temporary: on a fault nothing is kept */
	bool told;      /* a message was written by whoever failed, or all was said */
	bool passphrase_tried;
	struct kdfcost_need need; /* of the passphrase slots */
	uint32_t kdf_memory_kib;  /* of the derivation that got no memory */
};

/* NULL: no memory, and a message was written. */
struct job *job_begin(struct run *run);

/*
 * Opens the input, unless a command will make it; refuses a terminal where sealed data is wanted,
 * and what a key or the passphrase comes from too.
 */
enum fault job_open_input(struct job *job, const char *path);

/*
 * Names the output and refuses a terminal, the input itself, files that hold keys, and what exists
 * without -f: before anybody types a passphrase in vain.
 */
enum fault job_name_output(struct job *job);

/* Creates the output; nothing exists before. */
enum fault job_open_output(struct job *job);

/* Keeps room for all that sealing the input makes, where its size is known, or FAULT_WRITE. */
enum fault job_reserve_output(struct job *job);

/*
 * Prepares job->stream, whose keys the run holds, confines the run, and begins to watch the stream.
 * range: NULL for all.
 */
struct stream *job_stream(struct job *job, const struct payload_range *range);

/*
 * --rm: removes the input after the output was committed, if it is still what was read and the
 * output is on disk.  FAULT_INPUT_CHANGED, FAULT_REMOVE, FAULT_NOT_SYNCED, FAULT_SIGNAL (a signal
 * that came too late for the output is in time for this).
 */
enum fault job_remove_input(struct job *job);

/* Says what failed, undoes everything that is not done, frees the job, and returns the fault. */
enum fault job_end(struct job *job, enum fault fault);

#endif
