/* SPDX-License-Identifier: ISC */
/*
 * test_payload.c - keys and chunks of a payload, on every kernel that this machine has, against
 * python3-cryptography.  Wycheproof's cases stand in test_cobblestone.c.
 */
#include "format_util.h"
#include "format_kernels.h"

#include "format/payload.h"

static void some_key(struct payload_key *key, const struct gcm_kernel *kernel)
{
	uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES], salt[PAYLOAD_SALT_BYTES], commitment[32];

	some_bytes(input_key, sizeof input_key, 1);
	some_bytes(salt, sizeof salt, 2);
	payload_derive(key, commitment, kernel, input_key, salt, true, NULL, 0);
}

static const uint64_t numbers[] = {
	0,
	1,
	255,
	256,
	65535,
	65536,
	0xffffff,
	0xffffffff,
	0x100000000,
	(UINT64_C(1) << 37) + 1,
	(UINT64_C(1) << 38) - 1,
};

static void input_key_is_known(void **state)
{
	uint8_t file_key[HEADER_FILE_KEY_BYTES], want[PAYLOAD_INPUT_KEY_BYTES], got[sizeof want];

	(void)state;
	answer_exact(file_key, sizeof file_key, "file_key");
	answer_exact(want, sizeof want, "payload_input_key");
	payload_input_key(got, file_key);
	assert_memory_equal(got, want, sizeof want);
}

/* Commitment, base nonce and a chunk of each number, under the answers that start with name. */
static void check_known(const struct gcm_kernel *kernel, const char *name, const char *input_key,
			bool bare, size_t context_len)
{
	uint8_t in[32], salt[PAYLOAD_SALT_BYTES], context[18], commitment[32], text[37];
	uint8_t want[sizeof text + GCM_TAG_BYTES], got[sizeof want];
	struct payload_key key;
	char label[64];

	answer_exact(in, sizeof in, input_key);
	answer_exact(salt, sizeof salt, "payload_salt");
	answer_exact(context, sizeof context, "payload_user_context");
	answer_exact(text, sizeof text, "payload_text");
	payload_derive(&key, commitment, kernel, in, salt, bare, context, context_len);

	snprintf(label, sizeof label, "payload_%s_commitment", name);
	answer_exact(want, sizeof commitment, label);
	assert_memory_equal(commitment, want, sizeof commitment);
	snprintf(label, sizeof label, "payload_%s_base_nonce", name);
	answer_exact(want, GCM_NONCE_BYTES, label);
	assert_memory_equal(key.base_nonce, want, GCM_NONCE_BYTES);
	for (unsigned i = 0; i < COUNT_OF(numbers); i++) {
		snprintf(label, sizeof label, "payload_%s_chunk_%u", name, i);
		answer_exact(want, sizeof want, label);
		payload_seal_chunk(&key, NULL, got, numbers[i], text, sizeof text);
		assert_memory_equal(got, want, sizeof want);
		assert_true(payload_open_chunk(&key, NULL, got, numbers[i], want, sizeof want));
		assert_memory_equal(got, text, sizeof text);
	}
	payload_key_wipe(&key);
	assert_true(all_zero(&key, sizeof key));
}

static void check_all_known(const struct gcm_kernel *kernel, const void *context)
{
	(void)context;
	check_known(kernel, "full", "payload_input_key", false, 18);
	check_known(kernel, "bare", "file_key", true, 18);
	check_known(kernel, "bare_empty", "file_key", true, 0);
}

static void payloads_are_known(void **state)
{
	(void)state;
	each_kernel(check_all_known, NULL);
}

/* Input key, salt, bare and every byte of context decide the commitment. */
static void commitment_binds(void **state)
{
	const struct gcm_kernel *const kernel = gcm_kernel_at(gcm_kernel_count() - 1);
	uint8_t in[32] = {0}, salt[PAYLOAD_SALT_BYTES] = {0}, context[PAYLOAD_USER_CONTEXT_MAX + 1];
	uint8_t base[32], other[32];
	struct payload_key key;

	(void)state;
	memset(context, 'c', sizeof context);
	payload_derive(&key, base, kernel, in, salt, false, context, 40);
	for (size_t bit = 0; bit < 8 * (sizeof in + sizeof salt + 40); bit++) {
		const size_t at = bit / 8;
		uint8_t *const where = at < 32   ? in + at
				       : at < 56 ? salt + (at - 32)
						 : context + (at - 56);

		*where ^= (uint8_t)(1u << bit % 8);
		payload_derive(&key, other, kernel, in, salt, false, context, 40);
		assert_memory_not_equal(base, other, sizeof base);
		*where ^= (uint8_t)(1u << bit % 8);
	}
	for (size_t len = 0; len <= PAYLOAD_USER_CONTEXT_MAX; len++) {
		payload_derive(&key, other, kernel, in, salt, false, context, len);
		assert_int_equal(memcmp(base, other, sizeof base) == 0, len == 40);
	}
	payload_derive(&key, other, kernel, in, salt, true, context, 40);
	assert_memory_not_equal(base, other, sizeof base);
	expect_assert_failure(payload_derive(&key, other, kernel, in, salt, true, context, 1025));
}

/* Bare with IMMUT as its context is the payload of a file: context is joined, not framed. */
static void bare_differs_by_immut_alone(void **state)
{
	const struct gcm_kernel *const kernel = gcm_kernel_at(gcm_kernel_count() - 1);
	uint8_t in[32] = {1}, salt[PAYLOAD_SALT_BYTES] = {2}, joined[HEADER_IMMUT_BYTES + 3];
	uint8_t one[32], two[32];
	struct payload_key key;

	(void)state;
	memcpy(joined, header_immut, HEADER_IMMUT_BYTES);
	memcpy(joined + HEADER_IMMUT_BYTES, "ctx", 3);
	payload_derive(&key, one, kernel, in, salt, false, "ctx", 3);
	payload_derive(&key, two, kernel, in, salt, true, joined, sizeof joined);
	assert_memory_equal(one, two, sizeof one);
}

/* nonce = base nonce xor number as a 96-bit big-endian integer, shown by gcm_seal() itself. */
static void check_nonce(const struct gcm_kernel *kernel, const void *context)
{
	uint8_t nonce[GCM_NONCE_BYTES], want[5 + GCM_TAG_BYTES], got[sizeof want];
	struct payload_key key;

	(void)context;
	some_key(&key, kernel);
	for (unsigned i = 0; i < 500; i++) {
		uint64_t number = numbers[i % COUNT_OF(numbers)];

		if (i >= COUNT_OF(numbers)) {
			randombytes_buf(&number, sizeof number);
			number >>= 26 + i % 38;
		}
		memcpy(nonce, key.base_nonce, sizeof nonce);
		for (size_t byte = 0; byte < 8; byte++)
			nonce[11 - byte] ^= (uint8_t)(number >> 8 * byte);
		gcm_seal(&key.gcm, NULL, want, want + 5, nonce, NULL, 0, (const uint8_t *)"chunk",
			 5);
		payload_seal_chunk(&key, NULL, got, number, (const uint8_t *)"chunk", 5);
		assert_memory_equal(got, want, sizeof want);
	}
}

static void nonce_is_base_xor_number(void **state)
{
	(void)state;
	each_kernel(check_nonce, NULL);
}

static const size_t chunk_lens[] = {0, 1, 15, 16, 17, 255, 4096, 16368, 16383, 16384};

static void check_round_trip(const struct gcm_kernel *kernel, const void *context)
{
	static uint8_t text[PAYLOAD_CHUNK_BYTES], buffer[PAYLOAD_SEALED_BYTES + 1];
	static uint8_t sealed[PAYLOAD_SEALED_BYTES];
	struct gcm_counter_cache cache;
	struct payload_key key;

	(void)context;
	some_key(&key, kernel);
	some_bytes(text, sizeof text, 3);
	gcm_counter_cache_init(&cache);
	for (size_t i = 0; i < COUNT_OF(chunk_lens); i++) {
		const size_t len = chunk_lens[i], sealed_len = len + GCM_TAG_BYTES;

		payload_seal_chunk(&key, NULL, sealed, i, text, len);
		memset(buffer, 0x5a, sizeof buffer);
		memcpy(buffer, text, len);
		payload_seal_chunk(&key, &cache, buffer, i, buffer, len); /* in place */
		assert_memory_equal(buffer, sealed, sealed_len);
		assert_int_equal(buffer[sealed_len], 0x5a);

		assert_true(payload_open_chunk(&key, NULL, buffer, i, sealed, sealed_len));
		assert_memory_equal(buffer, text, len);
		memcpy(buffer, sealed, sealed_len);
		assert_true(payload_open_chunk(&key, &cache, buffer, i, buffer, sealed_len));
		assert_memory_equal(buffer, text, len);
	}
	gcm_counter_cache_wipe(&cache);
}

static void chunks_round_trip(void **state)
{
	(void)state;
	each_kernel(check_round_trip, NULL);
}

static void check_refused(const struct payload_key *key, uint64_t number, const uint8_t *sealed,
			  size_t sealed_len)
{
	static uint8_t pt[PAYLOAD_CHUNK_BYTES];

	memset(pt, 0x5a, sizeof pt);
	assert_false(payload_open_chunk(key, NULL, pt, number, sealed, sealed_len));
	assert_true(all_zero(pt, sealed_len - GCM_TAG_BYTES));
}

/* Another number, every flipped bit, every cut: nothing comes out. */
static void check_rejects(const struct gcm_kernel *kernel, const void *context)
{
	uint8_t sealed[64 + GCM_TAG_BYTES], text[64];
	struct payload_key key;

	(void)context;
	some_key(&key, kernel);
	some_bytes(text, sizeof text, 4);
	payload_seal_chunk(&key, NULL, sealed, 5, text, sizeof text);
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		check_refused(&key, numbers[i], sealed, sizeof sealed);
	for (size_t bit = 0; bit < 8 * sizeof sealed; bit++) {
		sealed[bit / 8] ^= (uint8_t)(1u << bit % 8);
		check_refused(&key, 5, sealed, sizeof sealed);
		sealed[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	for (size_t len = GCM_TAG_BYTES; len < sizeof sealed; len++)
		check_refused(&key, 5, sealed, len);
	key.base_nonce[0] ^= 1;
	check_refused(&key, 5, sealed, sizeof sealed);
}

static void chunks_are_refused(void **state)
{
	(void)state;
	each_kernel(check_rejects, NULL);
}

static void limits_of_a_chunk_stop(void **state)
{
	static uint8_t buffer[PAYLOAD_SEALED_BYTES + 1];
	struct payload_key key;

	(void)state;
	some_key(&key, gcm_kernel_at(gcm_kernel_count() - 1));
	expect_assert_failure(
		payload_seal_chunk(&key, NULL, buffer, 0, buffer, PAYLOAD_CHUNK_BYTES + 1));
	expect_assert_failure(
		payload_seal_chunk(&key, NULL, buffer, PAYLOAD_CHUNKS_MAX, buffer, 1));
	expect_assert_failure(payload_open_chunk(&key, NULL, buffer, 0, buffer, 15));
	expect_assert_failure(payload_open_chunk(&key, NULL, buffer, 0, buffer, sizeof buffer));
	expect_assert_failure(
		payload_open_chunk(&key, NULL, buffer, PAYLOAD_CHUNKS_MAX, buffer, 16));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(input_key_is_known),
		cmocka_unit_test(payloads_are_known),
		cmocka_unit_test(commitment_binds),
		cmocka_unit_test(bare_differs_by_immut_alone),
		cmocka_unit_test(nonce_is_base_xor_number),
		cmocka_unit_test(chunks_round_trip),
		cmocka_unit_test(chunks_are_refused),
		cmocka_unit_test(limits_of_a_chunk_stop),
	};

	return FORMAT_TESTS_RUN(tests);
}
