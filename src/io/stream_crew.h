/* SPDX-License-Identifier: ISC */
/*
 * stream_crew.h - threads that share the jobs of a ring, and how they are called back.
 */
#ifndef GCMCRYPT_IO_STREAM_CREW_H
#define GCMCRYPT_IO_STREAM_CREW_H

#include "io/stream.h"
#include "io/stream_ring.h"

/* What each member does until the ring tells it to leave; number: 0, 1, ... */
typedef void stream_crew_part(void *context, unsigned number);

/*
 * Runs part in that many threads, at most STREAM_THREADS_MAX, and returns when all have left.  One:
 * in the calling thread, as also where the system gives no thread; fewer where it gives fewer.  With
 * several the calling thread waits, and takes the signals: one that is caught stops the ring, and
 * whoever waits for bytes or room by then is interrupted.
 */
void stream_crew_run(unsigned count, struct stream_ring *ring, stream_crew_part *part,
		     void *context);

/* Processors that this process may run on, at least 1. */
unsigned stream_crew_cores(void);

#endif
