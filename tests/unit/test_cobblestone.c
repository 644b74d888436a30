/* SPDX-License-Identifier: ISC */
/*
 * test_cobblestone.c - the payload layer against Wycheproof's 35 Cobblestone-256 messages
 * (wycheproof_cobblestone_256.json), on every kernel that this machine has.  A pure message is
 * what bare mode reads.
 */
#include "format_util.h"
#include "format_kernels.h"
#include "format_vectors.h"

#include <jansson.h>
#include <zlib.h>

#include "format/payload.h"

#define MESSAGE_MAX (5u << 20u)

/* One case, with its ciphertext unpacked. */
struct message {
	json_t *json;
	uint8_t *bytes;
	size_t len;
};

static const char *field(const struct message *message, const char *name)
{
	const json_t *const value = json_object_get(message->json, name);

	return value == NULL ? NULL : json_string_value(value);
}

static bool has_flag(const struct message *message, const char *name)
{
	json_t *const flags = json_object_get(message->json, "flags");

	for (size_t i = 0; i < json_array_size(flags); i++) {
		if (strcmp(json_string_value(json_array_get(flags, i)), name) == 0)
			return true;
	}
	return false;
}

/* ct is the hex of a zlib stream. */
static void message_unpack(struct message *message)
{
	const char *const hex = field(message, "ct");
	const size_t room = strlen(hex) / 2;
	uint8_t *const packed = malloc(room + 1);
	uLongf len = MESSAGE_MAX;

	message->bytes = malloc(MESSAGE_MAX);
	assert_non_null(packed);
	assert_non_null(message->bytes);
	assert_int_equal(hex_bytes(packed, room, hex), room);
	assert_int_equal(uncompress(message->bytes, &len, packed, room), Z_OK);
	message->len = len;
	free(packed);
}

/* False: refused before any chunk.  Else the key is the one that the case tells. */
static bool message_begin(struct payload_key *key, const struct message *message,
			  const struct gcm_kernel *kernel)
{
	uint8_t input_key[64], context[64], commitment[PAYLOAD_COMMITMENT_BYTES];
	const size_t key_len = hex_bytes(input_key, sizeof input_key, field(message, "key"));
	const size_t context_len = hex_bytes(context, sizeof context, field(message, "ctx"));

	/* Another length of key has no way into payload_derive(). */
	assert_int_equal(key_len != PAYLOAD_INPUT_KEY_BYTES, has_flag(message, "InvalidKeySize"));
	if (key_len != PAYLOAD_INPUT_KEY_BYTES || message->len < PAYLOAD_START_BYTES)
		return false;
	payload_derive(key, commitment, kernel, input_key, message->bytes, true, context,
		       context_len);
	return sodium_memcmp(commitment, message->bytes + PAYLOAD_SALT_BYTES, sizeof commitment) ==
	       0;
}

/* The derived key is that of the case: base nonce, and a chunk sealed with either is the same. */
static void key_is_right(const struct payload_key *key, const struct message *message,
			 const struct gcm_kernel *kernel)
{
	uint8_t raw[32], nonce[GCM_NONCE_BYTES], one[GCM_TAG_BYTES], two[GCM_TAG_BYTES];
	struct gcm_key gcm;

	assert_int_equal(hex_bytes(raw, sizeof raw, field(message, "aeadKey")), sizeof raw);
	assert_int_equal(hex_bytes(nonce, sizeof nonce, field(message, "baseNonce")), sizeof nonce);
	assert_memory_equal(key->base_nonce, nonce, sizeof nonce);
	assert_true(gcm_key_init(&gcm, kernel, raw, sizeof raw));
	gcm_seal(&gcm, NULL, NULL, one, nonce, NULL, 0, NULL, 0);
	payload_seal_chunk(key, NULL, two, 0, NULL, 0);
	assert_memory_equal(one, two, sizeof one);
}

/* Opens chunk after chunk, as on a pipe.  True: the last one was a right one; *len came out. */
static bool read_forward(uint8_t *plain, size_t *len, const struct payload_key *key,
			 const struct message *message)
{
	const uint8_t *at = message->bytes + PAYLOAD_START_BYTES;
	size_t left = message->len - PAYLOAD_START_BYTES;

	*len = 0;
	for (uint64_t number = 0;; number++) {
		const size_t take = left < PAYLOAD_SEALED_BYTES ? left : PAYLOAD_SEALED_BYTES;

		if (take < GCM_TAG_BYTES ||
		    !payload_open_chunk(key, NULL, plain + *len, number, at, take))
			return false;
		*len += take - GCM_TAG_BYTES;
		if (take < PAYLOAD_SEALED_BYTES)
			return true;
		at += take;
		left -= take;
	}
}

/* Opens the last chunk alone, as for a range. */
static bool last_opens(const struct payload_key *key, const struct message *message)
{
	uint8_t plain[PAYLOAD_CHUNK_BYTES];
	struct payload_shape shape;

	if (payload_shape(&shape, message->len) != FAULT_NONE)
		return false;
	return payload_open_chunk(key, NULL, plain, shape.last,
				  message->bytes + payload_chunk_offset(shape.last),
				  shape.last_sealed);
}

/* What came out, good or cut short, is the longest valid beginning. */
static void plain_is_right(const uint8_t *plain, size_t len, const struct message *message)
{
	const json_t *const length = json_object_get(message->json, "msgLength");
	uint8_t want[crypto_hash_sha512_BYTES], got[crypto_hash_sha512_BYTES];

	assert_int_equal(len, length == NULL ? 0 : json_integer_value(length));
	if (length == NULL)
		return;
	assert_int_equal(hex_bytes(want, sizeof want, field(message, "msgSha512")), sizeof want);
	crypto_hash_sha512(got, plain, len);
	assert_memory_equal(got, want, sizeof want);
}

static void check_message(const struct message *message, const struct gcm_kernel *kernel)
{
	const bool valid = strcmp(field(message, "result"), "valid") == 0;
	static uint8_t plain[MESSAGE_MAX];
	struct payload_key key;
	size_t len;

	if (!message_begin(&key, message, kernel)) {
		assert_true(has_flag(message, "HeaderFailure"));
		assert_false(valid);
		return;
	}
	assert_false(has_flag(message, "HeaderFailure"));
	key_is_right(&key, message, kernel);
	assert_int_equal(read_forward(plain, &len, &key, message), valid);
	plain_is_right(plain, len, message);
	assert_int_equal(last_opens(&key, message), valid || has_flag(message, "ValidFinalChunk"));
}

/* Sealing the plaintext of a valid message makes that message. */
static void check_sealing(const struct message *message, const struct gcm_kernel *kernel)
{
	static uint8_t plain[MESSAGE_MAX], sealed[PAYLOAD_SEALED_BYTES];
	struct payload_key key;
	uint64_t size;
	size_t len;

	assert_true(message_begin(&key, message, kernel));
	assert_true(read_forward(plain, &len, &key, message));
	assert_true(payload_sealed_size(&size, len));
	assert_int_equal(size, message->len);
	for (uint64_t number = 0; number <= len / PAYLOAD_CHUNK_BYTES; number++) {
		const size_t at = (size_t)number * PAYLOAD_CHUNK_BYTES;
		const size_t take = len - at < PAYLOAD_CHUNK_BYTES ? len - at : PAYLOAD_CHUNK_BYTES;

		payload_seal_chunk(&key, NULL, sealed, number, plain + at, take);
		assert_memory_equal(sealed, message->bytes + payload_chunk_offset(number),
				    take + GCM_TAG_BYTES);
	}
}

/* One case on one kernel; true: it is a valid one. */
static bool check_case(json_t *json, const struct gcm_kernel *kernel)
{
	struct message message = {.json = json};
	bool valid;

	message_unpack(&message);
	check_message(&message, kernel);
	valid = strcmp(field(&message, "result"), "valid") == 0;
	if (valid)
		check_sealing(&message, kernel);
	free(message.bytes);
	return valid;
}

static void check_file(const struct gcm_kernel *kernel, const void *context)
{
	const json_t *const groups = json_object_get(context, "testGroups");
	size_t count = 0, valid = 0;

	for (size_t g = 0; g < json_array_size(groups); g++) {
		json_t *const tests = json_object_get(json_array_get(groups, g), "tests");

		for (size_t t = 0; t < json_array_size(tests); t++, count++)
			valid += check_case(json_array_get(tests, t), kernel);
	}
	assert_int_equal(count, 35);
	assert_int_equal(valid, 10);
}

static void wycheproof_cobblestone_256(void **state)
{
	char *const text = vectors_read("wycheproof_cobblestone_256.json");
	json_t *root;

	(void)state;
	if (text == NULL)
		skip();
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	each_kernel(check_file, root);
	json_decref(root);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wycheproof_cobblestone_256),
	};

	return FORMAT_TESTS_RUN(tests);
}
