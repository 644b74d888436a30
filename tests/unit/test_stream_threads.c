/* SPDX-License-Identifier: ISC */
/*
 * test_stream_threads.c - streams in one to four threads: the same bytes, the same first fault.
 *
 * read, write and pthread_create are the test's own here: they dawdle, fail where they are told
 * to, and do what they should otherwise.
 */
#include "stream_util.h"

#include "io/signals.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

#define THREADS_MAX 4
#define BATCH       32
#define CHUNKS      (9 * BATCH + 1)
#define PLAIN       ((size_t)(CHUNKS - 1) * PAYLOAD_CHUNK_BYTES + 100)
#define SEALED      (PLAIN + (size_t)CHUNKS * GCM_TAG_BYTES)

static struct {
	struct payload_key key;
	struct gcm_counter_cache caches[THREADS_MAX];
	uint8_t plain[PLAIN];
	uint8_t sealed[SEALED];
	uint8_t found[SEALED + 1];
} bench;

static atomic_bool dawdling;
static size_t readable = SIZE_MAX; /* bytes until reading fails */
static int makeable = THREADS_MAX; /* threads until none is to be had */

static void dawdle(void)
{
	const struct timespec nap = {.tv_nsec = 1000 + randombytes_uniform(200000)};

	if (atomic_load(&dawdling) && randombytes_uniform(3) == 0)
		nanosleep(&nap, NULL);
}

ssize_t read(int fd, void *to, size_t len)
{
	ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");

	if (!atomic_load(&dawdling))
		return next(fd, to, len);
	dawdle();
	if (readable == 0) {
		errno = EIO;
		return -1;
	}
	ssize_t got = next(fd, to, len < readable ? len : readable);

	readable -= got > 0 ? (size_t)got : 0;
	return got;
}

ssize_t pread(int fd, void *to, size_t len, off_t from)
{
	ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");

	if (!atomic_load(&dawdling))
		return next(fd, to, len, from);
	dawdle();
	if ((size_t)from >= readable) {
		errno = EIO;
		return -1;
	}
	size_t left = readable - (size_t)from;

	return next(fd, to, len < left ? len : left, from);
}

ssize_t write(int fd, const void *from, size_t len)
{
	ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");

	dawdle();
	return next(fd, from, len);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
		   void *argument)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		dlsym(RTLD_NEXT, "pthread_create");

	return makeable-- > 0 ? next(thread, attributes, start, argument) : EAGAIN;
}

static void seal_by_hand(void)
{
	size_t out = 0;

	for (size_t at = 0; at < PLAIN; at += PAYLOAD_CHUNK_BYTES) {
		size_t len = PLAIN - at < PAYLOAD_CHUNK_BYTES ? PLAIN - at : PAYLOAD_CHUNK_BYTES;

		payload_seal_chunk(&bench.key, bench.caches, bench.sealed + out,
				   at / PAYLOAD_CHUNK_BYTES, bench.plain + at, len);
		out += len + GCM_TAG_BYTES;
	}
}

static int make_bench(void **state)
{
	(void)state;
	if (!make_payload_key(&bench.key, bench.caches, THREADS_MAX))
		return -1;
	randombytes_buf(bench.plain, PLAIN);
	seal_by_hand();
	return 0;
}

static struct stream stream_of(struct file_input *input, struct file_output *output,
			       unsigned threads)
{
	return (struct stream){.input = input,
			       .output = output,
			       .key = &bench.key,
			       .caches = bench.caches,
			       .threads = threads,
			       .threads_fixed = true};
}

/* Runs a stream, whose hooks are set, over bytes as file "in" into file "out". */
static enum fault run(struct stream *stream, enum fault (*direction)(struct stream *),
		      const uint8_t *bytes, size_t len, size_t *found_len)
{
	struct file_input input;
	struct file_output output;

	open_stream(stream, &input, &output, bytes, len);
	atomic_store(&dawdling, true);
	enum fault fault = direction(stream);

	if (fault == FAULT_READ)
		assert_int_equal(input.error, EIO);
	atomic_store(&dawdling, false);
	readable = SIZE_MAX;
	makeable = THREADS_MAX;
	assert_false(stream->output_failed);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	file_input_close(&input);
	*found_len = get_file("out", bench.found, sizeof bench.found);
	return fault;
}

static enum fault opened(unsigned threads, size_t len, uint64_t *chunk)
{
	struct stream stream = stream_of(NULL, NULL, threads);
	size_t found_len;
	enum fault fault = run(&stream, stream_open, bench.sealed, len, &found_len);

	*chunk = stream.chunk;
	assert_int_equal(found_len, stream.plain_len);
	if (fault != FAULT_NONE)
		assert_int_equal(found_len, stream.chunk * PAYLOAD_CHUNK_BYTES);
	assert_memory_equal(bench.found, bench.plain, found_len);
	return fault;
}

static void the_same_bytes(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		for (int less = 0; less <= 4; less += 2) {
			struct stream stream = stream_of(NULL, NULL, threads);
			uint64_t chunk;
			size_t found_len;

			/* Fewer threads than asked for, down to none, do it as well. */
			makeable = THREADS_MAX - less;
			assert_int_equal(run(&stream, stream_seal, bench.plain, PLAIN, &found_len),
					 FAULT_NONE);
			assert_int_equal(found_len, SEALED);
			assert_memory_equal(bench.found, bench.sealed, SEALED);
			makeable = THREADS_MAX - less;
			assert_int_equal(opened(threads, SEALED, &chunk), FAULT_NONE);
			assert_int_equal(chunk, CHUNKS);
		}
	}
}

static void the_lowest_fault_wins(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		for (size_t bad = threads; bad < CHUNKS - 1; bad += 41) {
			uint8_t *at = bench.sealed + bad * PAYLOAD_SEALED_BYTES;
			uint8_t *later = bench.sealed + SEALED - 1;
			uint64_t chunk;

			*at ^= 1;
			*later ^= 1;
			assert_int_equal(opened(threads, SEALED, &chunk), FAULT_CHUNK_DAMAGED);
			assert_int_equal(chunk, bad);
			*at ^= 1;
			*later ^= 1;
		}
	}
}

static void damaged_or_cut_between_batches(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		for (size_t bad = BATCH - 1; bad < CHUNKS; bad += 4 * BATCH) {
			size_t end = (bad + 1) * PAYLOAD_SEALED_BYTES;
			uint64_t chunk;

			bench.sealed[end - 1] ^= 1;
			assert_int_equal(opened(threads, SEALED, &chunk), FAULT_CHUNK_DAMAGED);
			assert_int_equal(chunk, bad);
			assert_int_equal(opened(threads, end + 1, &chunk), FAULT_CHUNK_DAMAGED);
			assert_int_equal(chunk, bad);
			assert_int_equal(opened(threads, end, &chunk), FAULT_ENDS_EARLY);
			assert_int_equal(chunk, bad);
			bench.sealed[end - 1] ^= 1;
			assert_int_equal(opened(threads, end, &chunk), FAULT_ENDS_EARLY);
			assert_int_equal(chunk, bad + 1);
		}
	}
}

static enum fault agree(void *context)
{
	(void)context;
	return FAULT_NONE;
}

static void what_was_read_before_an_error_comes_out(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		for (size_t good = threads; good < CHUNKS; good += 45) {
			struct stream stream = stream_of(NULL, NULL, threads);
			size_t found_len;
			uint64_t chunk;

			readable = good * PAYLOAD_SEALED_BYTES + good;
			assert_int_equal(opened(threads, SEALED, &chunk), FAULT_READ);
			assert_int_equal(chunk, good);
			readable = good * PAYLOAD_CHUNK_BYTES + good;
			/* Threads read together, or one at a time. */
			stream.at_end = good % 2 == 0 ? NULL : agree;
			assert_int_equal(run(&stream, stream_seal, bench.plain, PLAIN, &found_len),
					 FAULT_READ);
			assert_int_equal(found_len, good * PAYLOAD_SEALED_BYTES);
			assert_memory_equal(bench.found, bench.sealed, found_len);
		}
	}
}

static enum fault refuse(void *context)
{
	++*(int *)context;
	return FAULT_OPEN;
}

static void the_end_may_be_refused(void **state)
{
	static const size_t lengths[] = {0, 100, 3 * PAYLOAD_CHUNK_BYTES,
					 BATCH * PAYLOAD_CHUNK_BYTES, PLAIN};

	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		for (size_t i = 0; i < COUNT_OF(lengths); i++) {
			struct stream stream = stream_of(NULL, NULL, threads);
			int asked = 0;
			size_t found_len, full = lengths[i] / PAYLOAD_CHUNK_BYTES;

			stream.at_end = refuse;
			stream.at_end_context = &asked;
			assert_int_equal(
				run(&stream, stream_seal, bench.plain, lengths[i], &found_len),
				FAULT_OPEN);
			assert_int_equal(asked, 1);
			assert_int_equal(found_len, full * PAYLOAD_SEALED_BYTES);
			assert_memory_equal(bench.found, bench.sealed, found_len);
		}
	}
}

/* The plain_len that was told last; told in steps that are never 0 but for the last one. */
static void note(void *context, uint64_t plain_len)
{
	uint64_t *last = context;

	if (plain_len < *last || plain_len > *last + BATCH * PAYLOAD_CHUNK_BYTES)
		*last = UINT64_MAX;
	else
		*last = plain_len;
}

static void each_delivery_is_told(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		struct stream stream = stream_of(NULL, NULL, threads);
		uint64_t last = 0;
		size_t found_len;

		stream.delivered = note;
		stream.delivered_context = &last;
		assert_int_equal(run(&stream, stream_open, bench.sealed, SEALED, &found_len),
				 FAULT_NONE);
		assert_int_equal(last, PLAIN);
	}
}

/* A pipe that holds len bytes of sealed and stays open. */
static int standing_pipe(size_t len)
{
	int pipes[2];

	if (pipe(pipes) != 0 || fcntl(pipes[1], F_SETPIPE_SZ, 1 << 20) < 0 ||
	    write(pipes[1], bench.sealed, len) != (ssize_t)len)
		return -1;
	return pipes[0];
}

/* A bad chunk comes to light while another thread waits for bytes that never come. */
static int a_fault_ends_a_wait(void *argument)
{
	unsigned threads = *(unsigned *)argument;
	struct file_input input;
	struct file_output output;
	struct stream stream = stream_of(&input, &output, threads);

	bench.sealed[3 * PAYLOAD_SEALED_BYTES] ^= 1;
	CHECK(file_input_adopt(&input, standing_pipe(BATCH * PAYLOAD_SEALED_BYTES + 5), "pipe") ==
	      FAULT_NONE);
	CHECK(file_output_open(&output, "out", true) == FAULT_NONE);
	CHECK(stream_open(&stream) == FAULT_CHUNK_DAMAGED && stream.chunk == 3);
	CHECK(input.stopped == NULL);
	file_output_discard(&output);
	return 0;
}

static void send_term(void *context, uint64_t plain_len)
{
	(void)context, (void)plain_len;
	kill(getpid(), SIGTERM);
}

/* Nothing more comes but a signal. */
static int a_signal_ends_a_wait(void *argument)
{
	unsigned threads = *(unsigned *)argument;
	struct file_input input;
	struct stream stream = stream_of(&input, NULL, threads);

	stream.delivered = send_term;
	CHECK(signals_install());
	CHECK(file_input_adopt(&input, standing_pipe(BATCH * PAYLOAD_SEALED_BYTES + 5), "pipe") ==
	      FAULT_NONE);
	CHECK(stream_open(&stream) == FAULT_SIGNAL && stream.chunk == BATCH);
	CHECK(signals_caught() == SIGTERM);
	return 0;
}

/* Nobody takes what comes out, and then a signal. */
static int a_signal_ends_a_full_pipe(void *argument)
{
	const struct itimerval soon = {.it_value.tv_usec = 50000};
	unsigned threads = *(unsigned *)argument;
	struct file_input input;
	struct file_output output;
	struct stream stream = stream_of(&input, &output, threads);
	int pipes[2];

	CHECK(signals_install());
	put_file("in", bench.plain, PLAIN);
	CHECK(pipe(pipes) == 0 && dup2(pipes[1], STDOUT_FILENO) == STDOUT_FILENO);
	CHECK(file_input_open(&input, "in") == FAULT_NONE);
	CHECK(file_output_open(&output, "-", false) == FAULT_NONE);
	CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
	return stream_seal(&stream) != FAULT_SIGNAL || signals_caught() != SIGALRM;
}

static void waits_end(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		assert_child(a_fault_ends_a_wait, &threads);
		assert_child(a_signal_ends_a_wait, &threads);
		assert_child(a_signal_ends_a_full_pipe, &threads);
	}
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(the_same_bytes),
		IN_SCRATCH(the_lowest_fault_wins),
		IN_SCRATCH(damaged_or_cut_between_batches),
		IN_SCRATCH(what_was_read_before_an_error_comes_out),
		IN_SCRATCH(the_end_may_be_refused),
		IN_SCRATCH(each_delivery_is_told),
		IN_SCRATCH(waits_end),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_bench, NULL);
}
