/* SPDX-License-Identifier: ISC */
/*
 * stream_ring.h - which batch is next, and what is to be done with it.
 *
 * Batches are begun in order: read, by one thread at a time or by several, and worked on by the
 * thread that read them, whose processor has them at hand; then delivered in order, by one thread
 * at a time.  A batch belongs to the thread that was told to do something with it, until that
 * thread says that it is done.  One thread alone gets the same answers: begin, deliver, begin, ...
 */
#ifndef GCMCRYPT_IO_STREAM_RING_H
#define GCMCRYPT_IO_STREAM_RING_H

#include <pthread.h>
#include <stdatomic.h>

#include "io/stream_batch.h"

enum stream_job {
	STREAM_JOB_BEGIN, /* read it and work on it */
	STREAM_JOB_DELIVER,
	STREAM_JOB_WAIT, /* never comes out of stream_ring_next() */
	STREAM_JOB_LEAVE,
};

struct stream_slot; /* a batch and how far it has come */

struct stream_ring {
	pthread_mutex_t lock; /* for all below */
	pthread_cond_t changed;
	struct stream_slot *slots;
	uint8_t *memory; /* of their batches */
	unsigned count;
	uint64_t begun; /* batches so far */
	uint64_t delivered;
	bool read_together; /* by several threads at once */
	bool reading;       /* a thread is at it, unless read_together */
	bool delivering;
	bool ended;          /* nothing is left to be read */
	bool finished;       /* the last batch was delivered */
	atomic_bool stopped; /* nothing more is to be done; may be read without the lock */
};

/*
 * At most count batches; fewer where there is no memory for all of them.  False: not even for
 * one.  read_together: the input can be read in several places at once, and batches behind the
 * last one may be begun, which come to nothing.
 */
bool stream_ring_new(struct stream_ring *ring, unsigned count, bool read_together);

/* Wipes and frees; no thread may be left in it. */
void stream_ring_free(struct stream_ring *ring);

/*
 * What the calling thread, of that number, is to do next, and with which batch; waits until there
 * is something.  STREAM_JOB_LEAVE: all is delivered, or somebody said stop.
 */
enum stream_job stream_ring_next(struct stream_ring *ring, unsigned thread,
				 struct stream_batch **batch);

/*
 * The batch is read, and batch->last tells whether it was the last one; from now on another thread
 * may read.
 */
void stream_ring_has_read(struct stream_ring *ring, const struct stream_batch *batch);

/* That job with that batch is done. */
void stream_ring_done(struct stream_ring *ring, enum stream_job job, struct stream_batch *batch);

/* From now on every thread is told to leave. */
void stream_ring_stop(struct stream_ring *ring);

/*
 * Waits until nobody reads, and lets nobody read again: for a last look at an input that is not
 * read together.
 */
void stream_ring_claim_input(struct stream_ring *ring);

/* Whether the last batch was delivered, once all threads have left. */
bool stream_ring_drained(const struct stream_ring *ring);

#endif
