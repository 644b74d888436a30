/* SPDX-License-Identifier: ISC */
/*
 * slot.c - wraps the file key under a secret, and unwraps it (format.md, SLOT).
 *
 * The wrap is made of HMAC alone: the tag is a function of the file key, and the pad one of the
 * tag, so one derivation may serve many files, and no slot opens under two secrets.  It uses no
 * AES-GCM, which commits to no key.  Argon2id is not run here; only its caps are kept.
 */
#include "format/slot.h"

#include <string.h>

#include <sodium.h>

#include "format/bytes.h"
#include "format/hkdf.h"

enum {
	CT_BYTES = HEADER_FILE_KEY_BYTES,
	TAG_BYTES = SLOT_WRAP_BYTES - CT_BYTES,
};

/* okm of format.md: okm[0:64] makes the tag, okm[64:128] the pad. */
struct wrap_keys {
	uint8_t tag[HKDF_HASH_BYTES];
	uint8_t pad[HKDF_HASH_BYTES];
};

const struct slot_kdf_caps slot_kdf_default_caps = {
	.memory_kib = UINT64_C(1) << 20,
	.passes = 16,
	.cost_kib = UINT64_C(16) << 20,
};

size_t slot_params_bytes(uint8_t type)
{
	switch (type) {
	case SLOT_PASSPHRASE:
		return SLOT_PASSPHRASE_BYTES - SLOT_WRAP_BYTES;
	case SLOT_KEY_FILE:
		return SLOT_KEY_FILE_BYTES - SLOT_WRAP_BYTES;
	case SLOT_X25519:
		return SLOT_X25519_BYTES - SLOT_WRAP_BYTES;
	case SLOT_XWING:
		return SLOT_XWING_BYTES - SLOT_WRAP_BYTES;
	default:
		return 0;
	}
}

size_t slot_body_bytes(uint8_t type)
{
	const size_t params = slot_params_bytes(type);

	return params == 0 ? 0 : params + SLOT_WRAP_BYTES;
}

bool slot_body_sound(const struct header_slot *slot)
{
	const size_t fixed = slot_body_bytes(slot->type);
	struct slot_argon2 argon2;

	if (fixed != 0 && slot->len != fixed)
		return false;
	if (slot->type == SLOT_SPARE)
		return sodium_is_zero(slot->body, slot->len) == 1;
	if (slot->type != SLOT_PASSPHRASE)
		return true;
	slot_argon2_decode(&argon2, slot->body);
	return argon2.passes >= SLOT_ARGON2_PASSES_MIN &&
	       argon2.memory_kib >= SLOT_ARGON2_MEMORY_KIB_MIN;
}

void slot_argon2_decode(struct slot_argon2 *params, const uint8_t body[SLOT_PASSPHRASE_BYTES])
{
	params->passes = bytes_load32(body);
	params->memory_kib = bytes_load32(body + 4);
	memcpy(params->salt, body + 8, sizeof params->salt);
}

bool slot_argon2_same(const struct slot_argon2 *a, const struct slot_argon2 *b)
{
	return a->passes == b->passes && a->memory_kib == b->memory_kib &&
	       memcmp(a->salt, b->salt, sizeof a->salt) == 0;
}

void slot_argon2_encode(uint8_t body[SLOT_PASSPHRASE_BYTES], const struct slot_argon2 *params)
{
	bytes_store32(body, params->passes);
	bytes_store32(body + 4, params->memory_kib);
	memcpy(body + 8, params->salt, sizeof params->salt);
}

void slot_secret_key_file(struct slot_secret *secret, const uint8_t salt[32],
			  const uint8_t key[SLOT_KEY_BYTES])
{
	hkdf_hmac(secret->bytes, salt, 32, key, SLOT_KEY_BYTES);
	secret->len = HKDF_HASH_BYTES;
}

/* S = HMAC(epk || recipient, X25519(scalar, point)); false for a shared value of zero. */
static bool secret_x25519(struct slot_secret *secret, const uint8_t epk[SLOT_KEY_BYTES],
			  const uint8_t recipient[SLOT_KEY_BYTES],
			  const uint8_t scalar[SLOT_KEY_BYTES], const uint8_t point[SLOT_KEY_BYTES])
{
	uint8_t names[2 * SLOT_KEY_BYTES];
	uint8_t shared[SLOT_KEY_BYTES];

	slot_secret_wipe(secret);
	/* libsodium refuses low-order points, which are those with a shared value of zero. */
	if (crypto_scalarmult_curve25519(shared, scalar, point) != 0) {
		sodium_memzero(shared, sizeof shared);
		return false;
	}
	memcpy(names, epk, SLOT_KEY_BYTES);
	memcpy(names + SLOT_KEY_BYTES, recipient, SLOT_KEY_BYTES);
	hkdf_hmac(secret->bytes, names, sizeof names, shared, sizeof shared);
	secret->len = HKDF_HASH_BYTES;
	sodium_memzero(shared, sizeof shared);
	return true;
}

bool slot_secret_x25519_seal(struct slot_secret *secret, uint8_t epk[SLOT_KEY_BYTES],
			     const uint8_t esk[SLOT_KEY_BYTES],
			     const uint8_t recipient[SLOT_KEY_BYTES])
{
	crypto_scalarmult_curve25519_base(epk, esk);
	return secret_x25519(secret, epk, recipient, esk, recipient);
}

bool slot_secret_x25519_open(struct slot_secret *secret, const uint8_t epk[SLOT_KEY_BYTES],
			     const uint8_t identity[SLOT_KEY_BYTES])
{
	uint8_t recipient[SLOT_KEY_BYTES];

	crypto_scalarmult_curve25519_base(recipient, identity);
	return secret_x25519(secret, epk, recipient, identity, epk);
}

static void wrap_keys_derive(struct wrap_keys *keys, uint8_t type, const uint8_t *params,
			     size_t params_len, const struct slot_secret *secret)
{
	static const char label[] = "slot-wrap"; /* its final NUL is the 00 of the info string */
	const struct hkdf_piece info[] = {
		{header_immut, HEADER_IMMUT_BYTES},
		{label, sizeof label},
		{&type, 1},
		{params, params_len},
	};
	uint8_t okm[2 * HKDF_HASH_BYTES];

	hkdf_expand(okm, sizeof okm, secret->bytes, secret->len, info, 4);
	memcpy(keys->tag, okm, sizeof keys->tag);
	memcpy(keys->pad, okm + sizeof keys->tag, sizeof keys->pad);
	sodium_memzero(okm, sizeof okm);
}

static void wrap_tag(uint8_t tag[TAG_BYTES], const struct wrap_keys *keys,
		     const uint8_t file_key[HEADER_FILE_KEY_BYTES])
{
	uint8_t digest[HKDF_HASH_BYTES];

	hkdf_hmac(digest, keys->tag, sizeof keys->tag, file_key, HEADER_FILE_KEY_BYTES);
	memcpy(tag, digest, TAG_BYTES);
	sodium_memzero(digest, sizeof digest);
}

/* out = in xor the pad that belongs to tag: file key to ct, and back. */
static void wrap_pad(uint8_t out[CT_BYTES], const struct wrap_keys *keys,
		     const uint8_t tag[TAG_BYTES], const uint8_t in[CT_BYTES])
{
	uint8_t pad[HKDF_HASH_BYTES];

	hkdf_hmac(pad, keys->pad, sizeof keys->pad, tag, TAG_BYTES);
	for (size_t i = 0; i < CT_BYTES; i++)
		out[i] = in[i] ^ pad[i];
	sodium_memzero(pad, sizeof pad);
}

void slot_wrap(uint8_t *body, uint8_t type, const struct slot_secret *secret,
	       const uint8_t file_key[HEADER_FILE_KEY_BYTES])
{
	const size_t params_len = slot_params_bytes(type);
	uint8_t *const ct = body + params_len;
	uint8_t *const tag = ct + CT_BYTES;
	struct wrap_keys keys;

	/* The reserved type has a length but no meaning yet. */
	if (params_len == 0 || type == SLOT_XWING)
		sodium_misuse();

	wrap_keys_derive(&keys, type, body, params_len, secret);
	wrap_tag(tag, &keys, file_key);
	wrap_pad(ct, &keys, tag, file_key);
	sodium_memzero(&keys, sizeof keys);
}

bool slot_unwrap(uint8_t file_key[HEADER_FILE_KEY_BYTES], const struct header_slot *slot,
		 const struct slot_secret *secret)
{
	const size_t params_len = slot_params_bytes(slot->type);
	const uint8_t *const ct = slot->body + params_len;
	const uint8_t *const tag = ct + CT_BYTES;
	struct wrap_keys keys;
	uint8_t again[TAG_BYTES];
	bool right;

	sodium_memzero(file_key, HEADER_FILE_KEY_BYTES);
	if (params_len == 0 || slot->len != params_len + SLOT_WRAP_BYTES)
		return false;

	wrap_keys_derive(&keys, slot->type, slot->body, params_len, secret);
	wrap_pad(file_key, &keys, tag, ct);
	wrap_tag(again, &keys, file_key);
	right = sodium_memcmp(again, tag, TAG_BYTES) == 0;
	if (!right)
		sodium_memzero(file_key, HEADER_FILE_KEY_BYTES);
	sodium_memzero(&keys, sizeof keys);
	sodium_memzero(again, sizeof again);
	return right;
}

void slot_secret_wipe(struct slot_secret *secret)
{
	sodium_memzero(secret, sizeof *secret);
}

bool slot_kdf_charge(struct slot_kdf_budget *budget, const struct slot_argon2 *params)
{
	const struct slot_kdf_caps *const caps = &budget->caps;
	const uint64_t cost_kib = (uint64_t)params->passes * params->memory_kib;

	if (params->memory_kib > caps->memory_kib || params->passes > caps->passes)
		return false;
	/* Spent is never over the cap, so the difference says what is left. */
	if (cost_kib > caps->cost_kib - budget->spent_kib)
		return false;
	if (budget->derivations >= SLOT_PASSPHRASES_MAX)
		return false;
	budget->spent_kib += cost_kib;
	budget->derivations++;
	return true;
}
