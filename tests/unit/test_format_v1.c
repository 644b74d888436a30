/* SPDX-License-Identifier: ISC */
/*
 * test_format_v1.c - all of src/format together, against the headers and files of gcmcrypt_v1.txt,
 * which an independent implementation made.
 */
#include "format_util.h"
#include "format_kernels.h"
#include "format_vectors.h"

#include "format/payload.h"
#include "format/slot.h"

#define FILE_MAX 65536

/* S of a passphrase slot, as libsodium's Argon2id makes it. */
static void secret_passphrase(struct slot_secret *secret, const char *text,
			      const struct slot_argon2 *params)
{
	char passphrase[64];

	value_text(passphrase, sizeof passphrase, text, "passphrase_text");
	secret->len = 32;
	assert_int_equal(crypto_pwhash(secret->bytes, secret->len, passphrase, strlen(passphrase),
				       params->salt, params->passes,
				       (size_t)params->memory_kib * 1024,
				       crypto_pwhash_ALG_ARGON2ID13),
			 0);
}

/* Appends a slot of each type whose bit is set in which, as a writer does. */
static size_t write_header(uint8_t *bytes, size_t room, const char *text, unsigned which)
{
	uint8_t file_key[HEADER_FILE_KEY_BYTES], key[32], other[32], *body;
	struct header_writer writer;
	struct slot_secret secret;
	struct slot_argon2 params;

	value_exact(file_key, sizeof file_key, text, "file_key");
	header_writer_begin(&writer, bytes, room);
	if (which & 1u << SLOT_PASSPHRASE) {
		params.passes = value_number(text, "argon2_t");
		params.memory_kib = value_number(text, "argon2_m_kib");
		value_exact(params.salt, sizeof params.salt, text, "passphrase_salt");
		body = header_writer_slot(&writer, SLOT_PASSPHRASE, SLOT_PASSPHRASE_BYTES);
		slot_argon2_encode(body, &params);
		secret_passphrase(&secret, text, &params);
		slot_wrap(body, SLOT_PASSPHRASE, &secret, file_key);
	}
	if (which & 1u << SLOT_KEY_FILE) {
		value_exact(key, sizeof key, text, "key_file_key");
		body = header_writer_slot(&writer, SLOT_KEY_FILE, SLOT_KEY_FILE_BYTES);
		value_exact(body, 32, text, "key_file_salt");
		slot_secret_key_file(&secret, body, key);
		slot_wrap(body, SLOT_KEY_FILE, &secret, file_key);
	}
	if (which & 1u << SLOT_X25519) {
		value_exact(key, sizeof key, text, "x25519_ephemeral_secret");
		value_exact(other, sizeof other, text, "x25519_recipient");
		body = header_writer_slot(&writer, SLOT_X25519, SLOT_X25519_BYTES);
		assert_true(slot_secret_x25519_seal(&secret, body, key, other));
		slot_wrap(body, SLOT_X25519, &secret, file_key);
	}
	return header_writer_finish(&writer, file_key);
}

static void writer_makes_these_headers(void **state)
{
	static const struct {
		const char *name;
		unsigned which;
	} headers[] = {
		{"header", 1u << 1 | 1u << 2 | 1u << 3},
		{"header_passphrase_only", 1u << 1},
		{"header_key_file_only", 1u << 2},
		{"header_x25519_only", 1u << 3},
	};
	char *const text = vectors_read("gcmcrypt_v1.txt");
	uint8_t want[1024], got[1024];

	(void)state;
	if (text == NULL)
		skip();
	for (size_t i = 0; i < COUNT_OF(headers); i++) {
		const size_t len = value(want, sizeof want, text, headers[i].name);

		assert_int_equal(write_header(got, sizeof got, text, headers[i].which), len);
		assert_memory_equal(got, want, len);
	}
	free(text);
}

/* S for a slot, from the one secret of its type that the vectors give. */
static void secret_for(struct slot_secret *secret, const char *text, const struct header_slot *slot)
{
	struct slot_argon2 params;
	uint8_t key[32];

	switch (slot->type) {
	case SLOT_PASSPHRASE:
		slot_argon2_decode(&params, slot->body);
		secret_passphrase(secret, text, &params);
		break;
	case SLOT_KEY_FILE:
		value_exact(key, sizeof key, text, "key_file_key");
		slot_secret_key_file(secret, slot->body, key);
		break;
	default:
		value_exact(key, sizeof key, text, "x25519_secret");
		assert_true(slot_secret_x25519_open(secret, slot->body, key));
	}
}

static void reader_opens_with_each_secret(void **state)
{
	char *const text = vectors_read("gcmcrypt_v1.txt");
	uint8_t bytes[1024], want[32], got[32], recipient[32];
	struct slot_secret secret;
	struct header header;
	size_t len;

	(void)state;
	if (text == NULL)
		skip();
	len = value(bytes, sizeof bytes, text, "header");
	value_exact(want, sizeof want, text, "file_key");
	assert_int_equal(header_parse(&header, bytes, len), FAULT_NONE);
	assert_int_equal(header.slot_count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(header.slots[i].type, i + 1);
		secret_for(&secret, text, &header.slots[i]);
		assert_true(slot_unwrap(got, &header.slots[i], &secret));
		assert_memory_equal(got, want, sizeof want);
		assert_true(header_mac_right(&header, got));
		secret.bytes[secret.len - 1] ^= 1;
		assert_false(slot_unwrap(got, &header.slots[i], &secret));
	}
	value_exact(bytes, 32, text, "x25519_secret");
	value_exact(recipient, sizeof recipient, text, "x25519_recipient");
	crypto_scalarmult_curve25519_base(got, bytes);
	assert_memory_equal(got, recipient, sizeof got);
	free(text);
}

/* The payload of plain; returns its length. */
static size_t write_payload(uint8_t *out, const struct gcm_kernel *kernel, const char *text,
			    const uint8_t *input_key, bool bare, const uint8_t *context,
			    size_t context_len, const uint8_t *plain, size_t len)
{
	struct payload_key key;
	size_t at = PAYLOAD_START_BYTES;
	uint64_t size;

	value_exact(out, PAYLOAD_SALT_BYTES, text, "payload_salt");
	payload_derive(&key, out + PAYLOAD_SALT_BYTES, kernel, input_key, out, bare, context,
		       context_len);
	for (uint64_t number = 0; number <= len / PAYLOAD_CHUNK_BYTES; number++) {
		const size_t from = (size_t)number * PAYLOAD_CHUNK_BYTES;
		const size_t take =
			len - from < PAYLOAD_CHUNK_BYTES ? len - from : PAYLOAD_CHUNK_BYTES;

		assert_int_equal(payload_chunk_offset(number), at);
		payload_seal_chunk(&key, NULL, out + at, number, plain + from, take);
		at += take + GCM_TAG_BYTES;
	}
	assert_true(payload_sealed_size(&size, len));
	assert_int_equal(size, at);
	return at;
}

/* File number i of the vectors, as its rule says. */
static size_t plaintext(uint8_t *plain, unsigned i)
{
	static const size_t lens[] = {0, 6, 16384, 40000};

	memset(plain, 0, lens[i]);
	if (i == 1)
		memcpy(plain, "hello\n", 6);
	for (size_t at = 0; i == 3 && at < lens[i]; at++)
		plain[at] = (uint8_t)at;
	return lens[i];
}

static void check_file(const struct gcm_kernel *kernel, const char *text, unsigned i)
{
	static uint8_t file[FILE_MAX], plain[FILE_MAX];
	uint8_t file_key[32], key[32], context[8], want[32], got[32];
	const size_t plain_len = plaintext(plain, i);
	size_t len = write_header(file, FILE_MAX, text, 1u << 1 | 1u << 2 | 1u << 3), context_len;
	char name[32];

	value_exact(file_key, sizeof file_key, text, "file_key");
	payload_input_key(key, file_key);
	snprintf(name, sizeof name, "file%u_context", i);
	context_len = value(context, sizeof context, text, name);
	len += write_payload(file + len, kernel, text, key, false, context, context_len, plain,
			     plain_len);

	snprintf(name, sizeof name, "file%u_size", i);
	assert_int_equal(len, value_number(text, name));
	snprintf(name, sizeof name, "file%u_sha256", i);
	value_exact(want, sizeof want, text, name);
	crypto_hash_sha256(got, file, len);
	assert_memory_equal(got, want, sizeof want);
}

static void check_payloads(const struct gcm_kernel *kernel, const char *text)
{
	uint8_t file_key[32], key[32], want[128], got[128];
	size_t len = value(want, sizeof want, text, "payload_of_empty");

	value_exact(file_key, sizeof file_key, text, "file_key");
	payload_input_key(key, file_key);
	assert_int_equal(write_payload(got, kernel, text, key, false, NULL, 0, want, 0), len);
	assert_memory_equal(got, want, len);

	len = value(want, sizeof want, text, "bare_of_hello");
	value_exact(key, sizeof key, text, "key_file_key");
	assert_int_equal(
		write_payload(got, kernel, text, key, true, NULL, 0, (const uint8_t *)"hello\n", 6),
		len);
	assert_memory_equal(got, want, len);
}

static void check_files(const struct gcm_kernel *kernel, const void *text)
{
	for (unsigned i = 0; i < 4; i++)
		check_file(kernel, text, i);
	check_payloads(kernel, text);
}

static void writer_makes_these_files(void **state)
{
	char *const text = vectors_read("gcmcrypt_v1.txt");

	(void)state;
	if (text == NULL)
		skip();
	each_kernel(check_files, text);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writer_makes_these_headers),
		cmocka_unit_test(reader_opens_with_each_secret),
		cmocka_unit_test(writer_makes_these_files),
	};

	return FORMAT_TESTS_RUN(tests);
}
