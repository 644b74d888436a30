/* SPDX-License-Identifier: ISC */
/*
 * test_stream_salvage.c - streams that go on behind bad chunks: the good ones in their places, zeros
 * for the others, which are listed; the same from files and pipes, in one thread and several.
 */
#include "stream_util.h"

#define THREADS_MAX 3
#define BATCH       32
#define CHUNKS      (2 * BATCH + 3)
#define LAST        (CHUNKS - 1)
#define LAST_PLAIN  100
#define PLAIN       ((size_t)LAST * PAYLOAD_CHUNK_BYTES + LAST_PLAIN)
#define SEALED      (PLAIN + (size_t)CHUNKS * GCM_TAG_BYTES)

static struct {
	struct payload_key key;
	struct gcm_counter_cache caches[THREADS_MAX];
	uint8_t plain[PLAIN];
	uint8_t sealed[SEALED];
	uint8_t bad[SEALED];
	uint8_t want[PLAIN];
	uint8_t found[PLAIN + 1];
} bench;

static int make_bench(void **state)
{
	(void)state;
	if (!make_payload_key(&bench.key, bench.caches, THREADS_MAX))
		return -1;
	randombytes_buf(bench.plain, PLAIN);
	for (size_t i = 0; i < CHUNKS; i++)
		payload_seal_chunk(&bench.key, bench.caches,
				   bench.sealed + i * PAYLOAD_SEALED_BYTES, i,
				   bench.plain + i * PAYLOAD_CHUNK_BYTES,
				   i < LAST ? PAYLOAD_CHUNK_BYTES : LAST_PLAIN);
	return 0;
}

/* What is done to a sealed file: its length, and ranges of chunks that are spoilt. */
struct harm {
	size_t len;
	bool zeroed; /* as by a disk that lost pages; else one bit each */
	size_t count;
	struct {
		size_t first, last;
	} spoilt[4];
};

static void spoil(const struct harm *harm)
{
	memcpy(bench.bad, bench.sealed, SEALED);
	for (size_t i = 0; i < harm->count; i++) {
		for (size_t c = harm->spoilt[i].first; c <= harm->spoilt[i].last; c++) {
			uint8_t *at = bench.bad + c * PAYLOAD_SEALED_BYTES;

			at[50] = bench.sealed[c * PAYLOAD_SEALED_BYTES + 50] ^ 4;
			if (harm->zeroed)
				memset(at, 0, c < LAST ? PAYLOAD_SEALED_BYTES : 60);
		}
	}
}

/* The number of the last chunk of a file of that length, and how much of it is there. */
static uint64_t last_of(const struct harm *harm, size_t *sealed)
{
	*sealed = harm->len % PAYLOAD_SEALED_BYTES;
	return harm->len / PAYLOAD_SEALED_BYTES;
}

static bool is_bad(const struct harm *harm, size_t chunk)
{
	size_t there;

	/* A chunk that was cut is bad. */
	if (chunk == last_of(harm, &there) && harm->len < SEALED)
		return true;
	for (size_t i = 0; i < harm->count; i++)
		if (chunk >= harm->spoilt[i].first && chunk <= harm->spoilt[i].last)
			return true;
	return false;
}

/* Puts what should come out into want, and returns how long it is. */
static size_t make_want(const struct harm *harm)
{
	size_t there;
	uint64_t last = last_of(harm, &there);
	size_t len = last * PAYLOAD_CHUNK_BYTES;

	if (there > GCM_TAG_BYTES)
		len += there - GCM_TAG_BYTES;
	memcpy(bench.want, bench.plain, len);
	for (size_t c = 0; c <= last; c++) {
		size_t from = c * PAYLOAD_CHUNK_BYTES;
		size_t left = len - from;

		if (is_bad(harm, c))
			memset(bench.want + from, 0,
			       left < PAYLOAD_CHUNK_BYTES ? left : PAYLOAD_CHUNK_BYTES);
	}
	return len;
}

/* All runs of bad chunks, as one after the other they are. */
static void check_ranges(const struct harm *harm, const struct stream_damage *damage)
{
	size_t there, range = 0, all = 0;
	uint64_t last = last_of(harm, &there);

	for (size_t c = 0; c <= last; c++) {
		size_t first = c;

		while (c <= last && is_bad(harm, c))
			c++;
		if (c == first)
			continue;
		assert_true(range < damage->count);
		assert_int_equal(damage->ranges[range].first, first);
		assert_int_equal(damage->ranges[range++].count, c - first);
		all += c - first;
	}
	assert_int_equal(damage->count, range);
	assert_int_equal(damage->chunks, all);
	assert_int_equal(damage->last, last);
	assert_int_equal(damage->last_sealed, there);
	assert_int_equal(stream_damage_at_end(damage), is_bad(harm, last));
}

/* A pipe into which a child writes the file. */
static void open_pipe(struct file_input *input, const struct harm *harm)
{
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		close(pipes[0]);
		_exit(write(pipes[1], bench.bad, harm->len) != (ssize_t)harm->len);
	}
	close(pipes[1]);
	assert_int_equal(file_input_adopt(input, pipes[0], "pipe"), FAULT_NONE);
}

/* Opens file "in", or a pipe with what it holds, into file "out". */
static enum fault run(const struct harm *harm, unsigned threads, bool piped, struct stream *stream)
{
	/* As standard output: nobody waits for a disk. */
	struct file_output output = {.fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600),
				     .folder_fd = -1,
				     .regular = true};
	struct file_input input;
	int status = 0;

	if (piped)
		open_pipe(&input, harm);
	else
		assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	stream->input = &input;
	stream->output = &output;
	stream->key = &bench.key;
	stream->caches = bench.caches;
	stream->threads = threads;
	stream->threads_fixed = true;
	enum fault fault = stream_open(stream);

	file_output_discard(&output);
	file_input_close(&input);
	if (piped)
		assert_true(wait(&status) > 0 && status == 0);
	return fault;
}

static void salvage(const struct harm *harm)
{
	struct stream plainly = {.chunk = 0};

	spoil(harm);
	put_file("in", bench.bad, harm->len);
	size_t want_len = make_want(harm);
	/* What it comes to is what it would have come to. */
	enum fault fault = run(harm, 1, false, &plainly);

	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		struct stream_damage damage = {.count = 0};
		struct stream stream = {.damage = &damage};

		assert_int_equal(run(harm, threads, threads == 2, &stream), FAULT_NONE);
		assert_int_equal(stream.plain_len, want_len);
		assert_int_equal(get_file("out", bench.found, sizeof bench.found), want_len);
		assert_memory_equal(bench.found, bench.want, want_len);
		check_ranges(harm, &damage);
		assert_int_equal(stream.chunk, damage.last + 1);
		assert_int_equal(stream_damage_fault(&damage), fault);
		if (fault != FAULT_NONE)
			assert_int_equal(damage.ranges[0].first, plainly.chunk);
		stream_damage_free(&damage);
		assert_null(damage.ranges);
	}
}

static void chunks_that_are_bad(void **state)
{
	static const struct harm harms[] = {
		{.len = SEALED},
		{SEALED, false, 1, {{0, 0}}},
		{SEALED, true, 1, {{LAST, LAST}}},
		{SEALED, false, 2, {{0, 0}, {LAST, LAST}}},
		{SEALED, true, 2, {{3, 5}, {7, 7}}},
		{SEALED, false, 1, {{BATCH - 1, BATCH - 1}}},
		{SEALED, true, 2, {{BATCH - 2, BATCH}, {2 * BATCH - 1, 2 * BATCH - 1}}},
		{SEALED, true, 2, {{1, BATCH - 1}, {BATCH, 2 * BATCH}}},
		{SEALED, false, 4, {{0, 0}, {2, 2}, {2 * BATCH, LAST - 1}, {LAST, LAST}}},
		{SEALED, true, 1, {{0, LAST}}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(harms); i++)
		salvage(&harms[i]);
}

static void tails_that_are_missing(void **state)
{
	static const size_t chunks[] = {0, 1, BATCH, LAST};
	static const size_t more[] = {0, 15, 16, 17, 16399};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(chunks); i++) {
		for (size_t j = 0; j < COUNT_OF(more); j++) {
			struct harm harm = {.len = chunks[i] * PAYLOAD_SEALED_BYTES + more[j]};

			if (harm.len >= SEALED)
				continue;
			salvage(&harm);
		}
	}
}

/* The chunk before the cut is bad too: the last one there is, or followed by some bytes. */
static void tails_behind_bad_chunks(void **state)
{
	static const size_t chunks[] = {1, BATCH, BATCH + 1};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(chunks); i++) {
		for (size_t more = 0; more < 33; more += 11) {
			struct harm harm = {.len = chunks[i] * PAYLOAD_SEALED_BYTES + more,
					    .count = 1,
					    .spoilt = {{chunks[i] - 1, chunks[i] - 1}}};

			salvage(&harm);
			harm.count = 2; /* and an earlier one, which decides */
			harm.spoilt[1].first = harm.spoilt[1].last = chunks[i] / 2;
			salvage(&harm);
		}
	}
}

/* Where no chunk can be, a file goes on for no reader. */
static void the_last_number_ends_it(void **state)
{
	const struct harm harm = {.len = 2 * PAYLOAD_SEALED_BYTES};
	struct stream_damage damage = {.count = 0};
	struct stream stream = {.chunk = PAYLOAD_CHUNKS_MAX - 1, .damage = &damage};

	(void)state;
	spoil(&harm);
	put_file("in", bench.bad, harm.len);
	assert_int_equal(run(&harm, 1, false, &stream), FAULT_TOO_LONG);
	assert_int_equal(stream.chunk, PAYLOAD_CHUNKS_MAX);
	assert_int_equal(damage.count, 1);
	assert_int_equal(damage.ranges[0].first, PAYLOAD_CHUNKS_MAX - 1);
	stream_damage_free(&damage);
}

/* An error of the system is no damage, and ends it. */
static void an_error_ends_it(void **state)
{
	struct stream_damage damage = {.count = 0};
	struct file_input input;
	struct stream stream = {.input = &input,
				.key = &bench.key,
				.caches = bench.caches,
				.threads = 1,
				.damage = &damage};

	(void)state;
	put_file("in", bench.sealed, SEALED);
	assert_int_equal(file_input_adopt(&input, open("in", O_WRONLY), "in"), FAULT_NONE);
	assert_int_equal(stream_open(&stream), FAULT_READ);
	assert_int_equal(input.error, EBADF);
	assert_int_equal(damage.count, 0);
	file_input_close(&input);
}

static void a_long_list(void **state)
{
	struct stream_damage damage = {.count = 0};

	(void)state;
	for (uint64_t i = 0; i < 10000; i++) {
		/* 0-1, 4-6, 31-33, 36-38, 63-65, ... */
		assert_true(stream_damage_add(&damage, 32 * i, 0x80000073));
		assert_int_equal(damage.count, 2 * i + 3);
	}
	assert_int_equal(damage.chunks, 6 * 10000);
	for (size_t i = 1; i + 1 < damage.count; i++) {
		assert_int_equal(damage.ranges[i].first, i % 2 != 0 ? 16 * i - 12 : 16 * i - 1);
		assert_int_equal(damage.ranges[i].count, 3);
	}
	stream_damage_free(&damage);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(chunks_that_are_bad),     IN_SCRATCH(tails_that_are_missing),
		IN_SCRATCH(tails_behind_bad_chunks), IN_SCRATCH(the_last_number_ends_it),
		IN_SCRATCH(an_error_ends_it),        IN_SCRATCH(a_long_list),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_bench, NULL);
}
