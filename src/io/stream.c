/* SPDX-License-Identifier: ISC */
/*
 * stream.c - the story of a stream: read a batch of chunks, work on them, deliver what came out.
 *
 * Delivering happens in order, the rest in any that the input allows; the ring (stream_ring.h) says
 * who does what next, in as many threads as pay (stream_crew.h).  No chunk is delivered before its
 * tag was made or found right, and nothing is delivered after the first fault.  To salvage a stream
 * is to open it with another idea of a fault: zeros stand for a chunk that does not open.
 */
#include "io/stream.h"

#include <sodium.h>

#include "io/stream_crew.h"

#define WIPED_STACK_BYTES 32768 /* deeper than any kernel leaves key material on the stack */

/* What sealing and opening differ in. */
struct direction {
	size_t full_chunk; /* bytes of one on the way in */
	stream_batch_work *work;
};

static const struct direction sealing = {PAYLOAD_CHUNK_BYTES, stream_batch_seal};
static const struct direction opening = {PAYLOAD_SEALED_BYTES, stream_batch_open};
static const struct direction salvaging = {PAYLOAD_SEALED_BYTES, stream_batch_salvage};

/* One stream while it runs. */
struct flow {
	struct stream *stream;
	const struct direction *direction;
	struct stream_ring ring;
	uint64_t first;   /* number of the first chunk */
	uint64_t from;    /* where it stands in the input */
	enum fault fault; /* the first one: whoever delivers has it */
};

/* How many chunks the range has from number first on. */
static uint64_t chunks_from(const struct stream *stream, uint64_t first)
{
	if (stream->range == NULL)
		return UINT64_MAX;
	return first > stream->range->last ? 0 : stream->range->last + 1 - first;
}

/* Reads what belongs to a batch, in its turn or, where threads read together, from its place. */
static size_t read_input(struct flow *flow, struct stream_batch *batch, size_t want)
{
	struct file_input *input = flow->stream->input;
	const uint64_t batch_bytes = STREAM_BATCH_CHUNKS * flow->direction->full_chunk;
	size_t got;

	if (flow->ring.read_together) {
		uint64_t from = flow->from + batch->number * batch_bytes;

		batch->unread =
			file_input_read_at(input, from, batch->in, want, &got, &batch->error);
		batch->end_at = from + got;
	} else {
		batch->unread = file_input_read(input, batch->in, want, &got);
		batch->error = input->error;
		batch->end_at = input->taken;
	}
	return got;
}

/* Fills a batch, or takes what is left of the input or range. */
static void read_batch(struct flow *flow, struct stream_batch *batch)
{
	struct stream *stream = flow->stream;
	uint64_t first = flow->first + batch->number * STREAM_BATCH_CHUNKS;
	uint64_t left = chunks_from(stream, first);
	size_t count = (size_t)stream_least(left, STREAM_BATCH_CHUNKS);
	size_t want = count * flow->direction->full_chunk;
	size_t got;

	stream_batch_begin(batch, first);
	got = read_input(flow, batch, want);
	stream_batch_filled(batch, got);
	batch->last = got < want || count == left;
	if (got == want)
		return;
	if (batch->unread == FAULT_NONE && stream->at_end != NULL)
		batch->unread = stream->at_end(stream->at_end_context);
	batch->ends = batch->unread == FAULT_NONE;
}

/* Whether the input ends behind a batch. */
static enum fault ends_behind(struct flow *flow, const struct stream_batch *batch, bool *at_end)
{
	struct file_input *input = flow->stream->input;
	uint8_t byte;
	size_t got = 0;

	*at_end = false;
	if (flow->ring.read_together) {
		enum fault fault =
			file_input_read_at(input, batch->end_at, &byte, 1, &got, &input->error);

		*at_end = got == 0;
		return fault;
	}
	stream_ring_claim_input(&flow->ring);
	return input->taken > batch->end_at ? FAULT_NONE : file_input_at_end(input, at_end);
}

/* The last chunk of a full batch is bad: is it the last of the file? */
static enum fault damaged_or_cut(struct flow *flow, const struct stream_batch *batch)
{
	bool at_end;
	enum fault fault = ends_behind(flow, batch, &at_end);

	if (fault != FAULT_NONE)
		return fault;
	return at_end ? FAULT_ENDS_EARLY : FAULT_CHUNK_DAMAGED;
}

/* What was wrong with the batch behind what was right, if anything. */
static enum fault fault_behind(struct flow *flow, const struct stream_batch *batch)
{
	bool is_open_end = batch->fault == FAULT_ENDS_EARLY && !batch->ends;

	if (batch->fault == FAULT_NONE || (is_open_end && batch->unread != FAULT_NONE)) {
		/* Nobody reads on behind an error; behind anything else another thread may. */
		if (batch->unread == FAULT_READ)
			flow->stream->input->error = batch->error;
		return batch->unread;
	}
	return is_open_end ? damaged_or_cut(flow, batch) : batch->fault;
}

/* The bytes of a batch that are to be delivered: what the range leaves of it. */
static size_t part_to_keep(const struct stream *stream, const struct stream_batch *batch,
			   size_t *from)
{
	const struct payload_range *range = stream->range;

	*from = 0;
	if (range == NULL)
		return batch->out_len;
	uint64_t begins = batch->first * PAYLOAD_CHUNK_BYTES;
	uint64_t end = range->offset + range->len - begins; /* the batch begins before the end */

	if (range->offset > begins)
		*from = (size_t)stream_least(range->offset - begins, batch->out_len);
	return (size_t)stream_least(end, batch->out_len) - *from;
}

/* Which chunks of a batch are zeros, and with the last one where the input ends; false: no memory. */
static bool note_damage(const struct stream *stream, const struct stream_batch *batch)
{
	if (stream->damage == NULL)
		return true;
	if (batch->ends)
		stream_damage_end(stream->damage, stream->chunk - 1,
				  batch->in_len % PAYLOAD_SEALED_BYTES);
	return stream_damage_add(stream->damage, batch->first, batch->bad);
}

/* Passes on what is good in a batch, then says what was wrong with the rest. */
static enum fault deliver_batch(struct flow *flow, const struct stream_batch *batch)
{
	struct stream *stream = flow->stream;
	size_t from;
	size_t len = part_to_keep(stream, batch, &from);

	stream->chunk = batch->first + batch->done;
	if (!note_damage(stream, batch))
		return FAULT_MEMORY;
	stream->plain_len += stream->range == NULL ? batch->plain_len : len;
	if (stream->output != NULL) {
		enum fault fault = file_output_write(stream->output, batch->out + from, len);

		stream->output_failed = fault != FAULT_NONE;
		if (stream->output_failed)
			return fault;
	}
	if (stream->delivered != NULL)
		stream->delivered(stream->delivered_context, stream->plain_len);
	return fault_behind(flow, batch);
}

/* What each thread does, until nothing is left to do or something went wrong. */
static void take_part(void *context, unsigned number)
{
	struct flow *flow = context;
	const struct stream *stream = flow->stream;
	struct stream_batch *batch;
	enum stream_job job;

	while ((job = stream_ring_next(&flow->ring, number, &batch)) != STREAM_JOB_LEAVE) {
		if (job == STREAM_JOB_BEGIN) {
			read_batch(flow, batch);
			stream_ring_has_read(&flow->ring, batch);
			flow->direction->work(batch, stream->key, &stream->caches[number]);
		} else {
			flow->fault = deliver_batch(flow, batch);
			if (flow->fault != FAULT_NONE)
				stream_ring_stop(&flow->ring);
		}
		stream_ring_done(&flow->ring, job, batch);
	}
	sodium_stackzero(WIPED_STACK_BYTES);
}

unsigned stream_threads(const struct gcm_kernel *kernel)
{
	unsigned cores = stream_crew_cores();
	unsigned most = gcm_kernel_needs(kernel) == 0 ? STREAM_THREADS_MAX : 2;

	return cores < most ? cores : most;
}

/* Threads for the input and output at hand, which may be worth fewer than there could be. */
static unsigned choose_threads(const struct stream *stream)
{
	const struct file_input *input = stream->input;
	bool is_slow = gcm_kernel_needs(stream->key->gcm.kernel) == 0;
	bool is_files = input->regular && (stream->output == NULL || stream->output->regular);

	if (!stream->threads_fixed && !is_slow && !is_files)
		return 1; /* what one thread does waits for the pipe all the same */
	if (!input->regular)
		return stream->threads;
	uint64_t chunks = input->length / PAYLOAD_CHUNK_BYTES + 1;

	if (stream->range != NULL)
		chunks = chunks_from(stream, stream->range->first);
	return (unsigned)stream_least(stream->threads, chunks / STREAM_BATCH_CHUNKS + 1);
}

static enum fault run(struct stream *stream, const struct direction *direction)
{
	struct flow flow = {.stream = stream, .direction = direction};
	unsigned threads = choose_threads(stream);
	/* Who shares the descriptor may count on its position; at_end is called once, at the end. */
	bool read_together = threads > 1 && stream->input->regular && !stream->input->is_stdin &&
			     stream->at_end == NULL;

	if (stream->range != NULL)
		stream->chunk = stream->range->first;
	flow.first = stream->chunk;
	flow.from = stream->input->taken;
	stream->plain_len = 0;
	stream->output_failed = false;
	/* With two batches a thread nobody waits for the one that delivers. */
	if (!stream_ring_new(&flow.ring, threads == 1 ? 1 : 2 * threads, read_together))
		return FAULT_MEMORY;
	stream->input->stopped = &flow.ring.stopped;
	file_input_expect_all(stream->input);
	if (stream->output != NULL)
		file_output_expect_much(stream->output);
	stream_crew_run(threads, &flow.ring, take_part, &flow);
	if (flow.fault == FAULT_NONE && !stream_ring_drained(&flow.ring))
		flow.fault = FAULT_SIGNAL;
	stream->input->stopped = NULL;
	stream_ring_free(&flow.ring);
	return flow.fault;
}

enum fault stream_seal(struct stream *stream)
{
	return run(stream, &sealing);
}

enum fault stream_open(struct stream *stream)
{
	return run(stream, stream->damage == NULL ? &opening : &salvaging);
}
