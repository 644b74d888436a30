/* SPDX-License-Identifier: ISC */
/*
 * test_stream_range.c - ranges of a stream: which bytes come out, also where numbers pass 32 bits.
 */
#include "stream_util.h"

#define THREADS_MAX 3
#define CHUNKS      70
#define PLAIN       ((CHUNKS - 1) * PAYLOAD_CHUNK_BYTES + 100)
#define ROOM        ((size_t)CHUNKS * PAYLOAD_SEALED_BYTES)

static struct {
	struct payload_key key;
	struct gcm_counter_cache caches[THREADS_MAX];
	uint8_t plain[ROOM];
	uint8_t sealed[ROOM];
	uint8_t found[ROOM];
} bench;

static int make_bench(void **state)
{
	(void)state;
	if (!make_payload_key(&bench.key, bench.caches, THREADS_MAX))
		return -1;
	randombytes_buf(bench.plain, sizeof bench.plain);
	return 0;
}

/*
 * Makes file "in" of nothing but a hole and, at their place, the last chunks of a payload whose
 * last one is shape->last.
 */
static void make_payload(const struct payload_shape *shape)
{
	uint64_t first = shape->last + 1 - CHUNKS;
	int fd = open("in", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	size_t len = 0;

	assert_true(fd >= 0);
	for (size_t i = 0; i < CHUNKS; i++) {
		size_t plain =
			i < CHUNKS - 1 ? PAYLOAD_CHUNK_BYTES : shape->last_sealed - GCM_TAG_BYTES;

		payload_seal_chunk(&bench.key, bench.caches, bench.sealed + len, first + i,
				   bench.plain + i * PAYLOAD_CHUNK_BYTES, plain);
		len += plain + GCM_TAG_BYTES;
	}
	assert_int_equal(pwrite(fd, bench.sealed, len, (off_t)payload_chunk_offset(first)), len);
	assert_int_equal(close(fd), 0);
}

static struct payload_shape shape_of(uint64_t last)
{
	uint64_t plain_len = last * PAYLOAD_CHUNK_BYTES + 100, payload_len;
	struct payload_shape shape;

	assert_true(payload_sealed_size(&payload_len, plain_len));
	assert_int_equal(payload_shape(&shape, payload_len), FAULT_NONE);
	assert_int_equal(shape.last, last);
	return shape;
}

/* Opens that part of "in" into "out": its bytes are in found. */
static enum fault take(const struct payload_shape *shape, uint64_t offset, uint64_t len,
		       unsigned threads, struct stream *stream)
{
	struct payload_range range;
	struct file_input input;
	struct file_output output;

	assert_true(payload_range(&range, shape, offset, len));
	assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	assert_int_equal(file_input_seek(&input, payload_chunk_offset(range.first)), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "out", true), FAULT_NONE);
	*stream = (struct stream){.input = &input,
				  .output = &output,
				  .key = &bench.key,
				  .caches = bench.caches,
				  .threads = threads,
				  .threads_fixed = true,
				  .range = &range};
	enum fault fault = stream_open(stream);

	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	file_input_close(&input);
	assert_int_equal(get_file("out", bench.found, ROOM), stream->plain_len);
	return fault;
}

/* The plaintext that the file really has starts there. */
static uint64_t base_of(const struct payload_shape *shape)
{
	return (shape->last + 1 - CHUNKS) * PAYLOAD_CHUNK_BYTES;
}

static void parts_of(uint64_t last)
{
	static const uint64_t offsets[] = {0,          1,           16383,     16384,
					   32 * 16384, PLAIN - 101, PLAIN - 1, PLAIN};
	static const uint64_t lengths[] = {0, 1, 16384, 16385, 32 * 16384, UINT64_MAX};
	struct payload_shape shape = shape_of(last);

	make_payload(&shape);
	for (size_t i = 0; i < COUNT_OF(offsets) * COUNT_OF(lengths); i++) {
		uint64_t offset = offsets[i / COUNT_OF(lengths)];
		uint64_t len = lengths[i % COUNT_OF(lengths)];
		uint64_t want = len < PLAIN - offset ? len : PLAIN - offset;
		struct stream stream;

		assert_int_equal(take(&shape, base_of(&shape) + offset, len,
				      1 + (unsigned)i % THREADS_MAX, &stream),
				 FAULT_NONE);
		assert_int_equal(stream.plain_len, want);
		assert_memory_equal(bench.found, bench.plain + offset, want);
	}
}

static void the_bytes_of_the_range(void **state)
{
	(void)state;
	parts_of(CHUNKS - 1);
}

static void beside_4_and_64_gib(void **state)
{
	(void)state;
	/* Where plaintext, file offset or chunk number pass a power of two. */
	parts_of((UINT64_C(4) << 30) / PAYLOAD_CHUNK_BYTES + 35);
	parts_of((UINT64_C(4) << 30) / PAYLOAD_SEALED_BYTES + 35);
	parts_of((UINT64_C(64) << 30) / PAYLOAD_CHUNK_BYTES + 35);
}

/* Chunk bad is damaged: what comes out ends there, or knows nothing of it. */
static void a_bad_chunk_in_the_range(void **state)
{
	struct payload_shape shape = shape_of(CHUNKS - 1);
	struct stream stream;
	const uint64_t bad = 40;

	(void)state;
	make_payload(&shape);
	bench.sealed[bad * PAYLOAD_SEALED_BYTES] ^= 1;
	uint8_t start[PAYLOAD_START_BYTES] = {0};
	FILE *file = fopen("in", "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(start, 1, sizeof start, file), sizeof start);
	assert_int_equal(fwrite(bench.sealed, 1, PLAIN + CHUNKS * GCM_TAG_BYTES, file),
			 PLAIN + CHUNKS * GCM_TAG_BYTES);
	assert_int_equal(fclose(file), 0);
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
		assert_int_equal(take(&shape, 10, UINT64_MAX, threads, &stream),
				 FAULT_CHUNK_DAMAGED);
		assert_int_equal(stream.chunk, bad);
		assert_int_equal(stream.plain_len, bad * PAYLOAD_CHUNK_BYTES - 10);
		assert_memory_equal(bench.found, bench.plain + 10, stream.plain_len);
		/* The last one of the range, and of what is read, but not of the file. */
		assert_int_equal(take(&shape, bad * PAYLOAD_CHUNK_BYTES, 1, threads, &stream),
				 FAULT_CHUNK_DAMAGED);
		assert_int_equal(take(&shape, 0, bad * PAYLOAD_CHUNK_BYTES, threads, &stream),
				 FAULT_NONE);
		assert_int_equal(
			take(&shape, (bad + 1) * PAYLOAD_CHUNK_BYTES, 99, threads, &stream),
			FAULT_NONE);
	}
}

static void cut_since_it_was_measured(void **state)
{
	struct payload_shape shape = shape_of(CHUNKS - 1);
	struct stream stream;

	(void)state;
	make_payload(&shape);
	assert_int_equal(truncate("in", (off_t)payload_chunk_offset(50)), 0);
	assert_int_equal(take(&shape, 0, UINT64_MAX, 2, &stream), FAULT_ENDS_EARLY);
	assert_int_equal(stream.chunk, 50);
	assert_int_equal(take(&shape, 60 * PAYLOAD_CHUNK_BYTES, 1, 2, &stream), FAULT_ENDS_EARLY);
	assert_int_equal(stream.plain_len, 0);
	assert_int_equal(take(&shape, 0, 50 * PAYLOAD_CHUNK_BYTES, 2, &stream), FAULT_NONE);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(the_bytes_of_the_range),
		IN_SCRATCH(beside_4_and_64_gib),
		IN_SCRATCH(a_bad_chunk_in_the_range),
		IN_SCRATCH(cut_since_it_was_measured),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_bench, NULL);
}
