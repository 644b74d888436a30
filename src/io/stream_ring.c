/* SPDX-License-Identifier: ISC */
/*
 * stream_ring.c - hands out jobs under one lock.
 *
 * What can be delivered goes first, so that room comes free; then the next piece of the input.
 * Never does a job itself, and never blocks but for want of one.
 */
#include "io/stream_ring.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGE       ((size_t)4096)
#define LARGE_PAGE ((size_t)2 << 20)

enum progress { EMPTY, BEGUN, READY };

struct stream_slot {
	struct stream_batch batch; /* first: a pointer to it is one to the slot */
	enum progress progress;
	unsigned worker; /* the thread that worked on it last; 0 before any did */
};

/*
 * One block for all batches.  Several, which only a long input has, lie in large pages where there
 * are some: on a virtual machine the first touch of a page took up to 12 microseconds, and with two
 * threads that was 15 ms before anything was sealed.  One, which is all that little memory has room
 * for, asks for no more than it needs.
 */
static uint8_t *get_memory(unsigned count)
{
	size_t bytes = count * stream_batch_bytes();
	size_t page = count > 1 ? LARGE_PAGE : PAGE;
	uint8_t *memory = aligned_alloc(page, (bytes + page - 1) / page * page);

#ifdef MADV_HUGEPAGE
	if (memory != NULL && count > 1)
		madvise(memory, bytes, MADV_HUGEPAGE);
#endif
	return memory;
}

bool stream_ring_new(struct stream_ring *ring, unsigned count, bool read_together)
{
	*ring = (struct stream_ring){
		.slots = calloc(count, sizeof *ring->slots),
		.read_together = read_together,
	};
	if (ring->slots == NULL)
		return false;
	while (count > 0 && (ring->memory = get_memory(count)) == NULL)
		count /= 2;
	if (count == 0) {
		free(ring->slots);
		return false;
	}
	while (ring->count < count) {
		stream_batch_place(&ring->slots[ring->count].batch,
				   ring->memory + ring->count * stream_batch_bytes());
		ring->count++;
	}
	pthread_mutex_init(&ring->lock, NULL); /* neither fails with default attributes */
	pthread_cond_init(&ring->changed, NULL);
	return true;
}

void stream_ring_free(struct stream_ring *ring)
{
	for (unsigned i = 0; i < ring->count; i++)
		stream_batch_wipe(&ring->slots[i].batch);
	free(ring->memory);
	free(ring->slots);
	pthread_cond_destroy(&ring->changed);
	pthread_mutex_destroy(&ring->lock);
}

/* The batch that is to be delivered next, once it is ready; or NULL. */
static struct stream_slot *find_ready(const struct stream_ring *ring)
{
	if (ring->delivered == ring->begun)
		return NULL;
	for (struct stream_slot *slot = ring->slots; slot < ring->slots + ring->count; slot++)
		if (slot->progress == READY && slot->batch.number == ring->delivered)
			return slot;
	return NULL;
}

/*
 * An empty batch; or NULL.  Rather one that this thread has worked on before: memory that goes from
 * one processor's cache to the other's made verifying with two threads 11 % slower.
 */
static struct stream_slot *find_empty(const struct stream_ring *ring, unsigned thread)
{
	struct stream_slot *found = NULL;

	for (struct stream_slot *slot = ring->slots; slot < ring->slots + ring->count; slot++) {
		if (slot->progress != EMPTY)
			continue;
		if (slot->worker == thread)
			return slot;
		found = slot;
	}
	return found;
}

/* Looks for something to do, under the lock, and marks it as taken. */
static enum stream_job look(struct stream_ring *ring, unsigned thread, struct stream_slot **slot)
{
	if (atomic_load(&ring->stopped) || ring->finished)
		return STREAM_JOB_LEAVE;
	if (!ring->delivering && (*slot = find_ready(ring)) != NULL) {
		ring->delivering = true;
		return STREAM_JOB_DELIVER;
	}
	if ((ring->reading && !ring->read_together) || ring->ended ||
	    (*slot = find_empty(ring, thread)) == NULL)
		return STREAM_JOB_WAIT;
	ring->reading = true;
	(*slot)->progress = BEGUN;
	(*slot)->worker = thread;
	(*slot)->batch.number = ring->begun++;
	return STREAM_JOB_BEGIN;
}

enum stream_job stream_ring_next(struct stream_ring *ring, unsigned thread,
				 struct stream_batch **batch)
{
	struct stream_slot *slot = NULL;
	enum stream_job job;

	pthread_mutex_lock(&ring->lock);
	while ((job = look(ring, thread, &slot)) == STREAM_JOB_WAIT)
		pthread_cond_wait(&ring->changed, &ring->lock);
	pthread_mutex_unlock(&ring->lock);
	*batch = slot == NULL ? NULL : &slot->batch;
	return job;
}

void stream_ring_has_read(struct stream_ring *ring, const struct stream_batch *batch)
{
	pthread_mutex_lock(&ring->lock);
	ring->reading = false;
	ring->ended |= batch->last;
	pthread_cond_broadcast(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

void stream_ring_done(struct stream_ring *ring, enum stream_job job, struct stream_batch *batch)
{
	struct stream_slot *slot = (struct stream_slot *)batch;

	pthread_mutex_lock(&ring->lock);
	if (job == STREAM_JOB_BEGIN) {
		slot->progress = READY;
	} else {
		slot->progress = EMPTY;
		ring->delivering = false;
		ring->delivered++;
		ring->finished = batch->last;
	}
	pthread_cond_broadcast(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

void stream_ring_stop(struct stream_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	atomic_store(&ring->stopped, true);
	pthread_cond_broadcast(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

void stream_ring_claim_input(struct stream_ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	while (ring->reading)
		pthread_cond_wait(&ring->changed, &ring->lock);
	ring->reading = true;
	pthread_mutex_unlock(&ring->lock);
}

bool stream_ring_drained(const struct stream_ring *ring)
{
	return ring->finished;
}
