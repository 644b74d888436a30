/* SPDX-License-Identifier: ISC */
/*
 * bench_stream.c - seals one file in memory into another and opens it again, for bench.
 *
 * Runs the engine that seal and open run; prints nothing.  The key is random and guards nothing,
 * so it is not in the arena.
 */
#include "cli/bench_stream.h"

#include <sodium.h>
#include <stdlib.h>

#include "io/file_scratch.h"
#include "io/stream.h"

#define ALIGNMENT 64
#define PIECE     65536

struct bench {
	unsigned threads;
	struct payload_key *keys;         /* one a kernel */
	struct gcm_counter_cache *caches; /* one a thread */
	struct file_scratch plain, sealed;
};

static enum fault run(struct bench *bench, size_t which, struct file_scratch *from,
		      struct file_scratch *to, enum fault (*work)(struct stream *),
		      struct bench_turns_time *sum)
{
	struct stream stream = {.input = &from->input,
				.output = &to->output,
				.key = &bench->keys[which],
				.caches = bench->caches,
				.threads = bench->threads,
				.threads_fixed = true};
	enum fault fault = file_scratch_rewind(from);

	if (fault == FAULT_NONE)
		fault = file_scratch_rewind(
			to); /* written over: getting new pages is not the stream's */
	for (unsigned i = 0; i < bench->threads; i++)
		gcm_counter_cache_init(&bench->caches[i]);
	if (fault != FAULT_NONE)
		return fault;
	struct bench_turns_time start = bench_turns_start();

	fault = work(&stream);
	bench_turns_stop(sum, start);
	return fault == FAULT_CHUNK_DAMAGED || fault == FAULT_ENDS_EARLY ? FAULT_KERNEL_WRONG
									 : fault;
}

static enum fault take_turn(void *context, size_t which, struct bench_turns_taken *taken)
{
	struct bench *bench = context;
	enum fault fault =
		run(bench, which, &bench->plain, &bench->sealed, stream_seal, &taken->seal);

	if (fault == FAULT_NONE)
		fault = run(bench, which, &bench->sealed, &bench->plain, stream_open, &taken->open);
	taken->bytes = BENCH_STREAM_BYTES;
	return fault;
}

static bool make_keys(struct bench *bench, const struct bench_turns_row *rows, size_t count)
{
	uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES], salt[PAYLOAD_SALT_BYTES];
	uint8_t commitment[PAYLOAD_COMMITMENT_BYTES];

	bench->keys = aligned_alloc(ALIGNMENT, count * sizeof *bench->keys);
	bench->caches = aligned_alloc(ALIGNMENT, bench->threads * sizeof *bench->caches);
	if (bench->keys == NULL || bench->caches == NULL)
		return false;
	randombytes_buf(input_key, sizeof input_key);
	/* The same key for all, and never the same chunk: each kernel has a salt of its own. */
	for (size_t i = 0; i < count; i++) {
		randombytes_buf(salt, sizeof salt);
		payload_derive(&bench->keys[i], commitment, rows[i].kernel, input_key, salt, true,
			       NULL, 0);
	}
	return true;
}

static enum fault fill(struct file_scratch *scratch)
{
	static const uint8_t seed[randombytes_SEEDBYTES] = {1}; /* any bytes will do */
	uint8_t piece[PIECE];
	enum fault fault = FAULT_NONE;

	randombytes_buf_deterministic(piece, sizeof piece, seed);
	for (uint64_t done = 0; done < BENCH_STREAM_BYTES && fault == FAULT_NONE; done += PIECE)
		fault = file_output_write(&scratch->output, piece, sizeof piece);
	return fault;
}

enum fault bench_stream(struct bench_turns_row *rows, size_t count, uint64_t nanoseconds)
{
	struct bench bench = {.threads = rows[0].threads};
	enum fault fault = file_scratch_open(&bench.plain);

	if (fault == FAULT_NONE)
		fault = file_scratch_open(&bench.sealed);
	if (fault == FAULT_NONE)
		fault = fill(&bench.plain);
	if (fault == FAULT_NONE && !make_keys(&bench, rows, count))
		fault = FAULT_MEMORY;
	if (fault == FAULT_NONE)
		fault = bench_turns(rows, count, nanoseconds, take_turn, &bench);
	free(bench.caches);
	free(bench.keys);
	file_scratch_close(&bench.sealed);
	file_scratch_close(&bench.plain);
	return fault;
}
