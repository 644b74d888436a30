/* SPDX-License-Identifier: ISC */
/*
 * stream_util.h - what the unit tests of streams share: a payload key for the kernel under test.
 */
#ifndef GCMCRYPT_TESTS_STREAM_UTIL_H
#define GCMCRYPT_TESTS_STREAM_UTIL_H

#include "io_util.h"

#include "cpu/cpu.h"
#include "io/stream.h"

/* Always the same key.  False: the kernel does not run here. */
static inline bool make_payload_key(struct payload_key *key)
{
	static const uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES] = {1};
	static const uint8_t salt[PAYLOAD_SALT_BYTES] = {2};
	uint8_t commitment[PAYLOAD_COMMITMENT_BYTES];
	const struct gcm_kernel *kernel =
		gcm_kernel_select(cpu_probe(), getenv("GCMCRYPT_TEST_KERNEL"));

	if (kernel == NULL || sodium_init() < 0)
		return false;
	payload_derive(key, commitment, kernel, input_key, salt, false, NULL, 0);
	return true;
}

#endif
