/* SPDX-License-Identifier: ISC */
/*
 * stream_ring.h - which batch is next, and what is to be done with it.
 *
 * Batches are read in order, by one thread at a time; worked on by any number of threads; and
 * delivered in order, by one thread at a time.  A batch belongs to the thread that was told to do
 * something with it, until that thread says that it is done.  One thread alone gets the same
 * answers: read, work, deliver, read, ...
 */
#ifndef GCMCRYPT_IO_STREAM_RING_H
#define GCMCRYPT_IO_STREAM_RING_H

#include <pthread.h>
#include <stdatomic.h>

#include "io/stream_batch.h"

enum stream_job {
	STREAM_JOB_READ,
	STREAM_JOB_WORK,
	STREAM_JOB_DELIVER,
	STREAM_JOB_WAIT, /* never comes out of stream_ring_next() */
	STREAM_JOB_LEAVE,
};

struct stream_slot; /* a batch and how far it has come */

struct stream_ring {
	pthread_mutex_t lock; /* for all below */
	pthread_cond_t changed;
	struct stream_slot *slots;
	unsigned count;
	uint64_t read; /* batches so far */
	uint64_t delivered;
	bool reading; /* a thread is at it */
	bool delivering;
	bool ended;          /* nothing is left to be read */
	atomic_bool stopped; /* nothing more is to be done; may be read without the lock */
};

/*
 * At most count batches; fewer where there is no memory for all of them.  False: not even for
 * one.
 */
bool stream_ring_new(struct stream_ring *ring, unsigned count);

/* Wipes and frees; no thread may be left in it. */
void stream_ring_free(struct stream_ring *ring);

/*
 * What the calling thread is to do next, and with which batch; waits until there is something.
 * STREAM_JOB_LEAVE: all is delivered, or somebody said stop.
 */
enum stream_job stream_ring_next(struct stream_ring *ring, struct stream_batch **batch);

/* That job with that batch is done.  After a reading, batch->last tells whether it was the last. */
void stream_ring_done(struct stream_ring *ring, enum stream_job job, struct stream_batch *batch);

/* From now on every thread is told to leave. */
void stream_ring_stop(struct stream_ring *ring);

/* Waits until nobody reads, and lets nobody read again: for a last look at the input. */
void stream_ring_claim_input(struct stream_ring *ring);

/* Whether everything was read, worked on and delivered. */
bool stream_ring_drained(struct stream_ring *ring);

#endif
