/* SPDX-License-Identifier: ISC */
/*
 * test_stream.c - chunks in order: every length, every cut, and which chunk is to blame.
 *
 * What is right is said by payload.h, chunk by chunk, and compared byte by byte.
 */
#include "stream_util.h"

#define BATCH     32 /* chunks that go round at once */
#define CHUNKS    (2 * BATCH + 3)
#define PLAIN_MAX ((size_t)CHUNKS * PAYLOAD_CHUNK_BYTES)
#define ROOM      ((size_t)(CHUNKS + 1) * PAYLOAD_SEALED_BYTES)

struct bench {
	struct payload_key key;
	struct gcm_counter_cache cache;
	uint8_t plain[PLAIN_MAX];
	uint8_t sealed[ROOM];
	uint8_t found[ROOM];
};

static int make_bench(void **state)
{
	struct bench *bench = aligned_alloc(64, (sizeof *bench + 63) / 64 * 64);

	if (bench == NULL || !make_payload_key(&bench->key, &bench->cache, 1))
		return -1;
	randombytes_buf(bench->plain, PLAIN_MAX);
	*state = bench;
	return 0;
}

static int free_bench(void **state)
{
	free(*state);
	return 0;
}

/* The group has its own state, so the scratch folder is kept here. */
static char *scratch;

static int enter(void **state)
{
	void *path;

	(void)state;
	if (enter_scratch(&path) != 0)
		return -1;
	scratch = path;
	return 0;
}

static int leave(void **state)
{
	void *path = scratch;

	(void)state;
	return leave_scratch(&path);
}

/* Seals the first len bytes of plain, chunk by chunk, into sealed; returns how long that is. */
static size_t seal_by_hand(struct bench *bench, uint64_t first, size_t len)
{
	size_t out = 0;

	for (size_t at = 0; at <= len; at += PAYLOAD_CHUNK_BYTES) {
		size_t some = len - at < PAYLOAD_CHUNK_BYTES ? len - at : PAYLOAD_CHUNK_BYTES;

		payload_seal_chunk(&bench->key, &bench->cache, bench->sealed + out, first++,
				   bench->plain + at, some);
		out += some + GCM_TAG_BYTES;
	}
	return out;
}

/* Runs a stream over bytes as file "in" into file "out"; found and *found_len are what came. */
static enum fault run(struct bench *bench, enum fault (*direction)(struct stream *),
		      struct stream *stream, const uint8_t *bytes, size_t len, size_t *found_len)
{
	struct file_input input;
	struct file_output output;

	open_stream(stream, &input, &output, bytes, len);
	stream->key = &bench->key;
	stream->caches = &bench->cache;
	stream->threads = 1;
	enum fault fault = direction(stream);

	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	file_input_close(&input);
	*found_len = get_file("out", bench->found, ROOM);
	return fault;
}

static void seal_and_open(struct bench *bench, uint64_t first, size_t len)
{
	size_t sealed_len = seal_by_hand(bench, first, len);
	struct stream stream = {.chunk = first};
	size_t found_len;

	assert_int_equal(run(bench, stream_seal, &stream, bench->plain, len, &found_len),
			 FAULT_NONE);
	assert_int_equal(found_len, sealed_len);
	assert_memory_equal(bench->found, bench->sealed, sealed_len);
	assert_int_equal(stream.plain_len, len);
	assert_int_equal(stream.chunk, first + len / PAYLOAD_CHUNK_BYTES + 1);

	stream = (struct stream){.chunk = first};
	assert_int_equal(run(bench, stream_open, &stream, bench->sealed, sealed_len, &found_len),
			 FAULT_NONE);
	assert_int_equal(found_len, len);
	assert_memory_equal(bench->found, bench->plain, len);
	assert_int_equal(stream.plain_len, len);
	assert_int_equal(stream.chunk, first + len / PAYLOAD_CHUNK_BYTES + 1);
	assert_false(stream.output_failed);
}

static void lengths_around_chunks_and_batches(void **state)
{
	static const size_t chunks[] = {0, 1, 2, BATCH - 1, BATCH, BATCH + 1, 2 * BATCH};

	for (size_t i = 0; i < COUNT_OF(chunks); i++) {
		size_t len = chunks[i] * PAYLOAD_CHUNK_BYTES;

		if (len > 0)
			seal_and_open(*state, 0, len - 1);
		seal_and_open(*state, 0, len);
		seal_and_open(*state, 0, len + 1);
	}
	seal_and_open(*state, 0, 5000);
}

static void numbers_beyond_32_bits(void **state)
{
	seal_and_open(*state, UINT32_MAX, 2 * PAYLOAD_CHUNK_BYTES + 7);
	seal_and_open(*state, PAYLOAD_CHUNKS_MAX - 3, 2 * PAYLOAD_CHUNK_BYTES + 7);
}

static void one_chunk_too_many(void **state)
{
	struct bench *bench = *state;
	const uint64_t last = PAYLOAD_CHUNKS_MAX - 1;
	struct stream stream = {.chunk = last};
	size_t found_len;

	assert_int_equal(
		run(bench, stream_seal, &stream, bench->plain, PAYLOAD_CHUNK_BYTES, &found_len),
		FAULT_TOO_LONG);
	assert_int_equal(stream.chunk, PAYLOAD_CHUNKS_MAX);
	assert_false(stream.output_failed);
	/* The full chunk that may not be the last one is right, and so was written. */
	assert_int_equal(found_len, PAYLOAD_SEALED_BYTES);
	memcpy(bench->sealed, bench->found, found_len);
	stream = (struct stream){.chunk = last};
	assert_int_equal(run(bench, stream_open, &stream, bench->sealed, PAYLOAD_SEALED_BYTES + 16,
			     &found_len),
			 FAULT_TOO_LONG);
	assert_int_equal(stream.chunk, PAYLOAD_CHUNKS_MAX);
	assert_int_equal(found_len, PAYLOAD_CHUNK_BYTES);
}

/* Opening what is in sealed fails with fault at chunk, after exactly what is right before it. */
static void fails_at(struct bench *bench, size_t len, enum fault fault, uint64_t chunk)
{
	struct stream stream = {.chunk = 0};
	size_t found_len;

	assert_int_equal(run(bench, stream_open, &stream, bench->sealed, len, &found_len), fault);
	assert_int_equal(stream.chunk, chunk);
	assert_int_equal(stream.plain_len, chunk * PAYLOAD_CHUNK_BYTES);
	assert_false(stream.output_failed);
	assert_int_equal(found_len, chunk * PAYLOAD_CHUNK_BYTES);
	assert_memory_equal(bench->found, bench->plain, found_len);
}

static void cuts_near_every_boundary(void **state)
{
	static const int around[] = {-17, -16, -1, 0, 1, 15, 16, 17};
	struct bench *bench = *state;
	size_t len = seal_by_hand(bench, 0, PLAIN_MAX - 100);

	for (size_t chunk = 0; chunk < CHUNKS; chunk++) {
		if (chunk > 2 && chunk < BATCH - 1) /* all batches are made alike */
			continue;
		for (size_t i = 0; i < COUNT_OF(around); i++) {
			size_t end = chunk * PAYLOAD_SEALED_BYTES;

			if (chunk == 0 && around[i] < 0)
				continue;
			end += (size_t)around[i];
			fails_at(bench, end, FAULT_ENDS_EARLY, around[i] < 0 ? chunk - 1 : chunk);
		}
	}
	fails_at(bench, len - 1, FAULT_ENDS_EARLY, CHUNKS - 1);
}

static void the_bad_chunk_is_named(void **state)
{
	static const size_t bad[] = {0,         1,         BATCH - 2,     BATCH - 1,
				     BATCH,     BATCH + 1, 2 * BATCH - 1, CHUNKS - 2,
				     CHUNKS - 1};
	static const size_t places[] = {0, 8000, PAYLOAD_CHUNK_BYTES - 101,
					PAYLOAD_CHUNK_BYTES - 85};
	struct bench *bench = *state;
	size_t len = seal_by_hand(bench, 0, PLAIN_MAX - 100);

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		for (size_t j = 0; j < COUNT_OF(places); j++) {
			uint8_t *at = bench->sealed + bad[i] * PAYLOAD_SEALED_BYTES + places[j];

			*at ^= 0x20;
			fails_at(bench, len,
				 bad[i] < CHUNKS - 1 ? FAULT_CHUNK_DAMAGED : FAULT_ENDS_EARLY,
				 bad[i]);
			/* Nothing after it: cut short, or damaged at its end. */
			fails_at(bench,
				 bad[i] < CHUNKS - 1 ? (bad[i] + 1) * PAYLOAD_SEALED_BYTES : len,
				 FAULT_ENDS_EARLY, bad[i]);
			*at ^= 0x20;
		}
	}
}

static void the_first_bad_chunk_counts(void **state)
{
	struct bench *bench = *state;
	size_t len = seal_by_hand(bench, 0, PLAIN_MAX - 100);

	bench->sealed[5 * PAYLOAD_SEALED_BYTES] ^= 1;
	bench->sealed[7 * PAYLOAD_SEALED_BYTES] ^= 1;
	bench->sealed[(BATCH + 7) * PAYLOAD_SEALED_BYTES] ^= 1;
	fails_at(bench, len, FAULT_CHUNK_DAMAGED, 5);
}

static void swapped_doubled_dropped_appended(void **state)
{
	struct bench *bench = *state;
	uint8_t *at = bench->sealed;
	const size_t one = PAYLOAD_SEALED_BYTES;
	size_t len = seal_by_hand(bench, 0, 3 * PAYLOAD_CHUNK_BYTES + 5);

	memmove(at + one, at + 2 * one, one);
	fails_at(bench, len, FAULT_CHUNK_DAMAGED, 1); /* the third one twice */
	len = seal_by_hand(bench, 0, 3 * PAYLOAD_CHUNK_BYTES + 5);
	memmove(at + one, at + 2 * one, len - 2 * one);
	fails_at(bench, len - one, FAULT_CHUNK_DAMAGED, 1); /* the second one is missing */
	len = seal_by_hand(bench, 0, 3 * PAYLOAD_CHUNK_BYTES + 5);
	fails_at(bench, len + 1, FAULT_ENDS_EARLY, 3);
	len = seal_by_hand(bench, 0, PAYLOAD_CHUNK_BYTES - 1);
	memset(at + len, 0, 2 * one);
	fails_at(bench, len + 1, FAULT_ENDS_EARLY, 0);
	fails_at(bench, len + 2, FAULT_CHUNK_DAMAGED, 0);
	fails_at(bench, len + one, FAULT_CHUNK_DAMAGED, 0);
}

/* Feeds bytes into a pipe in pieces of odd sizes; the descriptor to read from. */
static int feed(const uint8_t *bytes, size_t len)
{
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		for (size_t at = 0, piece = 1; at < len; piece = piece * 7 % 20011 + 1) {
			ssize_t some =
				write(pipes[1], bytes + at, len - at < piece ? len - at : piece);

			if (some < 0)
				_exit(1);
			at += (size_t)some;
		}
		_exit(0);
	}
	close(pipes[1]);
	return pipes[0];
}

static void pipes_give_what_files_give(void **state)
{
	struct bench *bench = *state;
	size_t len = PLAIN_MAX - PAYLOAD_CHUNK_BYTES;
	size_t sealed_len = seal_by_hand(bench, 0, len);
	struct file_input input;
	struct file_output output;
	struct stream stream = {.input = &input,
				.output = &output,
				.key = &bench->key,
				.caches = &bench->cache,
				.threads = 1};

	for (int opening = 0; opening < 2; opening++) {
		const uint8_t *from = opening ? bench->sealed : bench->plain;
		const uint8_t *to = opening ? bench->plain : bench->sealed;
		int fd = feed(from, opening ? sealed_len : len), status;

		assert_int_equal(file_input_adopt(&input, fd, "pipe"), FAULT_NONE);
		assert_int_equal(file_output_open(&output, "out", true), FAULT_NONE);
		stream.chunk = 0;
		assert_int_equal(opening ? stream_open(&stream) : stream_seal(&stream), FAULT_NONE);
		assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
		file_input_close(&input);
		assert_int_equal(get_file("out", bench->found, ROOM), opening ? len : sealed_len);
		assert_memory_equal(bench->found, to, opening ? len : sealed_len);
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
}

static void verifying_writes_nothing(void **state)
{
	struct bench *bench = *state;
	size_t len = seal_by_hand(bench, 0, PLAIN_MAX - 100);
	struct file_input input;
	struct stream stream = {
		.input = &input, .key = &bench->key, .caches = &bench->cache, .threads = 1};

	for (int bad = 0; bad < 2; bad++) {
		bench->sealed[40 * PAYLOAD_SEALED_BYTES] ^= (uint8_t)bad;
		put_file("in", bench->sealed, len);
		assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
		stream.chunk = 0;
		assert_int_equal(stream_open(&stream), bad ? FAULT_CHUNK_DAMAGED : FAULT_NONE);
		assert_int_equal(stream.chunk, bad ? 40 : CHUNKS);
		file_input_close(&input);
		assert_int_equal(count_names(), 1);
	}
}

static void whose_fault_it_was(void **state)
{
	struct bench *bench = *state;
	struct file_input input;
	struct file_output output;
	struct stream stream = {.input = &input,
				.output = &output,
				.key = &bench->key,
				.caches = &bench->cache,
				.threads = 1};

	put_file("in", bench->plain, 100000);
	assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "/dev/full", false), FAULT_NONE);
	assert_int_equal(stream_seal(&stream), FAULT_WRITE);
	assert_true(stream.output_failed);
	assert_int_equal(output.error, ENOSPC);
	file_output_discard(&output);
	file_input_close(&input);

	assert_int_equal(file_input_adopt(&input, open("in", O_WRONLY), "in"), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "/dev/null", false), FAULT_NONE);
	assert_int_equal(stream_seal(&stream), FAULT_READ);
	assert_false(stream.output_failed);
	assert_int_equal(input.error, EBADF);
	file_output_discard(&output);
	file_input_close(&input);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(lengths_around_chunks_and_batches),
		IN_SCRATCH(numbers_beyond_32_bits),
		IN_SCRATCH(one_chunk_too_many),
		IN_SCRATCH(cuts_near_every_boundary),
		IN_SCRATCH(the_bad_chunk_is_named),
		IN_SCRATCH(the_first_bad_chunk_counts),
		IN_SCRATCH(swapped_doubled_dropped_appended),
		IN_SCRATCH(pipes_give_what_files_give),
		IN_SCRATCH(verifying_writes_nothing),
		IN_SCRATCH(whose_fault_it_was),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_bench, free_bench);
}
