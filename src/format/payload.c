/* SPDX-License-Identifier: ISC */
/*
 * payload.c - Cobblestone-256: keys of a payload, one chunk at a time, and where chunks stand.
 *
 * Knows chunks by their number and bytes; nothing of files, order of work or threads.
 */
#include "format/payload.h"

#include <string.h>

#include <sodium.h>

#include "format/bytes.h"
#include "format/hkdf.h"

enum {
	KEY_BYTES = 32,
};

void payload_input_key(uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES],
		       const uint8_t file_key[HEADER_FILE_KEY_BYTES])
{
	static const char label[] = "payload"; /* its final NUL is the 00 of the info string */
	const struct hkdf_piece info[] = {{header_immut, HEADER_IMMUT_BYTES},
					  {label, sizeof label}};

	hkdf_expand(input_key, PAYLOAD_INPUT_KEY_BYTES, file_key, HEADER_FILE_KEY_BYTES, info, 2);
}

void payload_derive(struct payload_key *key, uint8_t commitment[PAYLOAD_COMMITMENT_BYTES],
		    const struct gcm_kernel *kernel,
		    const uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES],
		    const uint8_t salt[PAYLOAD_SALT_BYTES], bool bare, const void *user_context,
		    size_t user_context_len)
{
	/* The final NUL is the 00 of the info string. */
	static const char label[] = "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM";
	const struct hkdf_piece info[] = {
		{label, sizeof label},
		{salt, PAYLOAD_SALT_BYTES},
		{header_immut, bare ? 0 : HEADER_IMMUT_BYTES},
		{user_context, user_context_len},
	};
	uint8_t okm[KEY_BYTES + GCM_NONCE_BYTES + PAYLOAD_COMMITMENT_BYTES];

	if (user_context_len > PAYLOAD_USER_CONTEXT_MAX)
		sodium_misuse();

	hkdf_expand(okm, sizeof okm, input_key, PAYLOAD_INPUT_KEY_BYTES, info, 4);
	if (!gcm_key_init(&key->gcm, kernel, okm, KEY_BYTES))
		sodium_misuse();
	memcpy(key->base_nonce, okm + KEY_BYTES, GCM_NONCE_BYTES);
	memcpy(commitment, okm + KEY_BYTES + GCM_NONCE_BYTES, PAYLOAD_COMMITMENT_BYTES);
	sodium_memzero(okm, sizeof okm);
}

void payload_key_wipe(struct payload_key *key)
{
	gcm_key_wipe(&key->gcm);
	sodium_memzero(key, sizeof *key);
}

/* nonce = base nonce xor number, as 96-bit big-endian integers. */
static void chunk_nonce(uint8_t nonce[GCM_NONCE_BYTES], const struct payload_key *key,
			uint64_t number)
{
	const size_t high = GCM_NONCE_BYTES - sizeof number; /* bytes that no number reaches */
	uint8_t low[sizeof number];

	if (number >= PAYLOAD_CHUNKS_MAX)
		sodium_misuse();

	bytes_store64(low, number);
	memcpy(nonce, key->base_nonce, GCM_NONCE_BYTES);
	for (size_t i = 0; i < sizeof low; i++)
		nonce[high + i] ^= low[i];
}

void payload_seal_chunk(const struct payload_key *key, struct gcm_counter_cache *cache,
			uint8_t *sealed, uint64_t number, const uint8_t *pt, size_t len)
{
	uint8_t nonce[GCM_NONCE_BYTES];

	if (len > PAYLOAD_CHUNK_BYTES)
		sodium_misuse();

	chunk_nonce(nonce, key, number);
	gcm_seal(&key->gcm, cache, sealed, sealed + len, nonce, NULL, 0, pt, len);
}

bool payload_open_chunk(const struct payload_key *key, struct gcm_counter_cache *cache, uint8_t *pt,
			uint64_t number, const uint8_t *sealed, size_t sealed_len)
{
	uint8_t nonce[GCM_NONCE_BYTES];
	size_t len;

	if (sealed_len < GCM_TAG_BYTES || sealed_len > PAYLOAD_SEALED_BYTES)
		sodium_misuse();

	len = sealed_len - GCM_TAG_BYTES;
	chunk_nonce(nonce, key, number);
	return gcm_open(&key->gcm, cache, pt, sealed + len, nonce, NULL, 0, sealed, len);
}

bool payload_sealed_size(uint64_t *payload_len, uint64_t plain_len)
{
	/* The last chunk is always a short one, so a whole multiple gets an empty chunk more. */
	const uint64_t last = plain_len / PAYLOAD_CHUNK_BYTES;

	if (last >= PAYLOAD_CHUNKS_MAX)
		return false;
	*payload_len = PAYLOAD_START_BYTES + plain_len + GCM_TAG_BYTES * (last + 1);
	return true;
}

enum fault payload_shape(struct payload_shape *shape, uint64_t payload_len)
{
	uint64_t sealed, last;
	size_t rest;

	memset(shape, 0, sizeof *shape);
	if (payload_len < PAYLOAD_START_BYTES)
		return FAULT_ENDS_EARLY;
	sealed = payload_len - PAYLOAD_START_BYTES;
	last = sealed / PAYLOAD_SEALED_BYTES;
	rest = (size_t)(sealed % PAYLOAD_SEALED_BYTES);
	if (last >= PAYLOAD_CHUNKS_MAX)
		return FAULT_TOO_LONG;
	if (rest < GCM_TAG_BYTES)
		return FAULT_ENDS_EARLY;

	shape->last = last;
	shape->last_sealed = rest;
	shape->plain_len = last * PAYLOAD_CHUNK_BYTES + (rest - GCM_TAG_BYTES);
	return FAULT_NONE;
}

uint64_t payload_chunk_offset(uint64_t number)
{
	return PAYLOAD_START_BYTES + number * PAYLOAD_SEALED_BYTES;
}

bool payload_range(struct payload_range *range, const struct payload_shape *shape, uint64_t offset,
		   uint64_t len)
{
	uint64_t left;

	memset(range, 0, sizeof *range);
	if (offset > shape->plain_len)
		return false;

	left = shape->plain_len - offset;
	range->offset = offset;
	range->len = len < left ? len : left;
	range->first = offset / PAYLOAD_CHUNK_BYTES;
	range->last = range->first;
	if (range->len > 0)
		range->last = (offset + range->len - 1) / PAYLOAD_CHUNK_BYTES;
	return true;
}
