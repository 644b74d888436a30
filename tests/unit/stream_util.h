/* SPDX-License-Identifier: ISC */
/*
 * stream_util.h - what the unit tests of streams share: a payload key for the kernel under test
 * with caches, and a stream from one file to another.
 */
#ifndef GCMCRYPT_TESTS_STREAM_UTIL_H
#define GCMCRYPT_TESTS_STREAM_UTIL_H

#include "io_util.h"

#include "cpu/cpu.h"
#include "io/stream.h"

/* Always the same key, and count empty caches.  False: the kernel does not run here. */
static inline bool make_payload_key(struct payload_key *key, struct gcm_counter_cache *caches,
				    size_t count)
{
	static const uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES] = {1};
	static const uint8_t salt[PAYLOAD_SALT_BYTES] = {2};
	uint8_t commitment[PAYLOAD_COMMITMENT_BYTES];
	const struct gcm_kernel *kernel =
		gcm_kernel_select(cpu_probe(), getenv("GCMCRYPT_TEST_KERNEL"));

	if (kernel == NULL || sodium_init() < 0)
		return false;
	payload_derive(key, commitment, kernel, input_key, salt, false, NULL, 0);
	for (size_t i = 0; i < count; i++)
		gcm_counter_cache_init(&caches[i]);
	return true;
}

/* Gives the stream bytes as file "in" to read, and file "out" to write. */
static inline void open_stream(struct stream *stream, struct file_input *input,
			       struct file_output *output, const uint8_t *bytes, size_t len)
{
	put_file("in", bytes, len);
	assert_int_equal(file_input_open(input, "in"), FAULT_NONE);
	assert_int_equal(file_output_open(output, "out", true), FAULT_NONE);
	stream->input = input;
	stream->output = output;
}

#endif
