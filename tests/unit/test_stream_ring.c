/* SPDX-License-Identifier: ISC */
/*
 * test_stream_ring.c - the order of reading and delivering, whatever the threads do.
 *
 * The jobs are stand-ins that take a random time and keep a record; test_stream_threads.c has the
 * real ones.
 */
#include "io_util.h"

#include "io/stream_crew.h"

#include <time.h>

#define THREADS_MAX 4
#define ROUNDS      200 /* batches that go through */

struct record {
	struct stream_ring ring;
	atomic_int readers, workers, deliverers;
	atomic_int readers_most, workers_most;
	atomic_int parts;
	uint64_t delivered;
	uint64_t fails; /* the delivery that stops it all */
	unsigned lazy;  /* a job is slow once in so many times */
	atomic_bool wrong;
};

/* Everything that is checked in a thread is reported from the main one. */
static void expect(struct record *record, bool right)
{
	if (!right)
		atomic_store(&record->wrong, true);
}

static void dawdle(const struct record *record)
{
	const struct timespec nap = {.tv_nsec = 1000 + randombytes_uniform(300000)};

	if (randombytes_uniform(record->lazy) == 0)
		nanosleep(&nap, NULL);
}

/* Batches begun behind the last one, where threads read together, say too that they are the last. */
static void read_one(struct record *record, struct stream_batch *batch)
{
	int now = atomic_fetch_add(&record->readers, 1) + 1;

	if (now > atomic_load(&record->readers_most))
		atomic_store(&record->readers_most, now);
	stream_batch_begin(batch, batch->number);
	dawdle(record);
	batch->last = batch->number >= ROUNDS - 1;
	atomic_fetch_sub(&record->readers, 1);
}

static void work_on_one(struct record *record, struct stream_batch *batch)
{
	int now = atomic_fetch_add(&record->workers, 1) + 1;

	if (now > atomic_load(&record->workers_most))
		atomic_store(&record->workers_most, now);
	expect(record, batch->done == 0);
	dawdle(record);
	batch->done++;
	atomic_fetch_sub(&record->workers, 1);
}

static void deliver_one(struct record *record, const struct stream_batch *batch)
{
	expect(record, atomic_fetch_add(&record->deliverers, 1) == 0);
	expect(record, batch->first == record->delivered && batch->done == 1);
	dawdle(record);
	if (record->delivered++ == record->fails)
		stream_ring_stop(&record->ring);
	atomic_fetch_sub(&record->deliverers, 1);
}

static void take_part(void *context, unsigned number)
{
	struct record *record = context;
	struct stream_batch *batch;
	enum stream_job job;

	expect(record, (atomic_fetch_or(&record->parts, 1 << number) & 1 << number) == 0);
	while ((job = stream_ring_next(&record->ring, number, &batch)) != STREAM_JOB_LEAVE) {
		if (job == STREAM_JOB_BEGIN) {
			read_one(record, batch);
			stream_ring_has_read(&record->ring, batch);
			work_on_one(record, batch);
		} else {
			deliver_one(record, batch);
		}
		stream_ring_done(&record->ring, job, batch);
	}
}

static void go_through(struct record *record, unsigned threads, unsigned batches, bool together)
{
	assert_true(stream_ring_new(&record->ring, batches, together));
	stream_crew_run(threads, &record->ring, take_part, record);
	assert_false(record->wrong);
	assert_true(together || record->readers_most == 1);
	assert_int_equal(record->parts, (1 << threads) - 1);
}

static void all_in_order(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		for (unsigned batches = 1; batches <= 2 * THREADS_MAX; batches++) {
			struct record record = {.fails = ROUNDS, .lazy = 1 + batches % 3};

			go_through(&record, threads, batches, batches % 2 == 0);
			assert_true(stream_ring_drained(&record.ring));
			assert_int_equal(record.delivered, ROUNDS);
			stream_ring_free(&record.ring);
		}
	}
}

static void nothing_after_a_stop(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		for (uint64_t fails = 0; fails < 20; fails++) {
			struct record record = {.fails = fails, .lazy = 2};

			go_through(&record, threads, 2 * threads, fails % 2 == 0);
			assert_false(stream_ring_drained(&record.ring));
			assert_int_equal(record.delivered, fails + 1);
			stream_ring_free(&record.ring);
		}
	}
}

static void work_is_shared(void **state)
{
	(void)state;
	for (int together = 0; together < 2; together++) {
		struct record record = {.fails = ROUNDS, .lazy = 1};

		go_through(&record, THREADS_MAX, 2 * THREADS_MAX, together);
		assert_true(record.workers_most > 1);
		assert_true(!together || record.readers_most > 1);
		stream_ring_free(&record.ring);
	}
}

static void one_thread_needs_one_batch(void **state)
{
	static const enum stream_job round[] = {STREAM_JOB_BEGIN, STREAM_JOB_DELIVER};
	struct stream_ring ring;
	struct stream_batch *batch;

	(void)state;
	assert_true(stream_ring_new(&ring, 1, false));
	for (int i = 0; i < 6; i++) {
		assert_int_equal(stream_ring_next(&ring, 0, &batch), round[i % 2]);
		assert_false(stream_ring_drained(&ring));
		if (i % 2 == 0) {
			assert_int_equal(batch->number, i / 2);
			stream_batch_begin(batch, 0);
			batch->last = i >= 4;
			stream_ring_has_read(&ring, batch);
		}
		stream_ring_done(&ring, round[i % 2], batch);
	}
	assert_int_equal(stream_ring_next(&ring, 0, &batch), STREAM_JOB_LEAVE);
	assert_true(stream_ring_drained(&ring));
	stream_ring_free(&ring);
}

/* Begins a batch as that thread; it is read and worked on at once. */
static struct stream_batch *begin_as(struct stream_ring *ring, unsigned thread, uint64_t number)
{
	struct stream_batch *batch;

	assert_int_equal(stream_ring_next(ring, thread, &batch), STREAM_JOB_BEGIN);
	assert_int_equal(batch->number, number);
	stream_ring_has_read(ring, batch);
	return batch;
}

static void deliver_as(struct stream_ring *ring, unsigned thread, const struct stream_batch *want)
{
	struct stream_batch *batch;

	assert_int_equal(stream_ring_next(ring, thread, &batch), STREAM_JOB_DELIVER);
	assert_ptr_equal(batch, want);
	stream_ring_done(ring, STREAM_JOB_DELIVER, batch);
}

static void a_thread_gets_the_memory_that_it_had(void **state)
{
	struct stream_ring ring;
	struct stream_batch *had[3], *batch;

	(void)state;
	assert_true(stream_ring_new(&ring, 3, true));
	for (unsigned thread = 0; thread < 3; thread++)
		had[thread] = begin_as(&ring, thread, thread);
	for (unsigned thread = 0; thread < 3; thread++)
		stream_ring_done(&ring, STREAM_JOB_BEGIN, had[thread]);
	for (unsigned thread = 0; thread < 3; thread++)
		deliver_as(&ring, 2, had[thread]);
	for (unsigned thread = 3; thread-- > 1;)
		assert_ptr_equal(begin_as(&ring, thread, 5 - thread), had[thread]);
	/* It does not wait for its own where there is another's. */
	stream_ring_done(&ring, STREAM_JOB_BEGIN, had[2]);
	deliver_as(&ring, 0, had[2]);
	assert_ptr_equal(begin_as(&ring, 1, 5), had[2]);
	batch = begin_as(&ring, 1, 6);
	assert_ptr_equal(batch, had[0]);
	stream_ring_free(&ring);
}

static void there_is_a_processor(void **state)
{
	(void)state;
	assert_in_range(stream_crew_cores(), 1, 1 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_in_order),
		cmocka_unit_test(nothing_after_a_stop),
		cmocka_unit_test(work_is_shared),
		cmocka_unit_test(one_thread_needs_one_batch),
		cmocka_unit_test(a_thread_gets_the_memory_that_it_had),
		cmocka_unit_test(there_is_a_processor),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
