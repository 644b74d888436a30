/* SPDX-License-Identifier: ISC */
/*
 * stream_crew.c - starts threads, watches over them, and waits until the last one has left.
 *
 * Never cancels a thread: it stops the ring, and interrupts the system calls that some may wait in.
 */
#include "io/stream_crew.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "io/signals.h"

#define THREAD_STACK_BYTES (256 * 1024)
#define NUDGE_INTERVAL     1000000 /* nanoseconds */

struct crew {
	struct stream_ring *ring;
	stream_crew_part *part;
	void *context;
	pthread_t watcher;
	unsigned started;
	atomic_uint numbered; /* members that have taken their number */
	atomic_uint left;
	pthread_t threads[STREAM_THREADS_MAX];
};

static void *take_part(void *argument)
{
	struct crew *crew = argument;

	signals_hear_nudges();
	crew->part(crew->context, atomic_fetch_add(&crew->numbered, 1));
	atomic_fetch_add(&crew->left, 1);
	signals_nudge(crew->watcher);
	return NULL;
}

static void start(struct crew *crew, unsigned count)
{
	pthread_attr_t attributes;

	if (pthread_attr_init(&attributes) != 0)
		return;
	/* A system whose threads need more refuses it, and gives them the usual one. */
	(void)pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
	while (crew->started < count &&
	       pthread_create(&crew->threads[crew->started], &attributes, take_part, crew) == 0)
		crew->started++;
	pthread_attr_destroy(&attributes);
}

/* Waits until all have left; from the moment that the ring is stopped it makes them leave. */
static void watch(struct crew *crew, const sigset_t *usual)
{
	const struct timespec nap = {.tv_nsec = NUDGE_INTERVAL};

	while (atomic_load(&crew->left) < crew->started) {
		if (signals_caught() != 0)
			stream_ring_stop(crew->ring);
		if (!atomic_load(&crew->ring->stopped)) {
			signals_wait(usual);
			continue;
		}
		/* Again and again: one may come just before the call that it is to interrupt. */
		for (unsigned i = 0; i < crew->started; i++)
			signals_nudge(crew->threads[i]);
		nanosleep(&nap, NULL);
	}
}

void stream_crew_run(unsigned count, struct stream_ring *ring, stream_crew_part *part,
		     void *context)
{
	struct crew crew = {
		.ring = ring, .part = part, .context = context, .watcher = pthread_self()};
	sigset_t usual;

	if (count > 1) {
		signals_hold(&usual);
		start(&crew, count);
		if (crew.started > 0)
			watch(&crew, &usual);
		for (unsigned i = 0; i < crew.started; i++)
			pthread_join(crew.threads[i], NULL);
		signals_release(&usual);
	}
	if (crew.started == 0)
		part(context, 0);
}

unsigned stream_crew_cores(void)
{
	long cores;
#ifdef __linux__
	cpu_set_t usable;

	if (sched_getaffinity(0, sizeof usable, &usable) == 0)
		return (unsigned)CPU_COUNT(&usable);
#endif
	cores = sysconf(_SC_NPROCESSORS_ONLN);
	return cores < 1 ? 1 : (unsigned)cores;
}
