/* SPDX-License-Identifier: ISC */
/*
 * slot.h - how a file key is wrapped in one slot: params || ct(32) || tag(32) (format.md, SLOT).
 *
 * Argon2id itself is not here, since it allocates: io/kdf.h runs it.
 */
#ifndef GCMCRYPT_FORMAT_SLOT_H
#define GCMCRYPT_FORMAT_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/header.h"

enum slot_type {
	SLOT_SPARE = 0x00,
	SLOT_PASSPHRASE = 0x01,
	SLOT_KEY_FILE = 0x02,
	SLOT_X25519 = 0x03,
	SLOT_XWING = 0x04, /* reserved: skipped by readers, never written */
};

#define SLOT_WRAP_BYTES            64 /* ct || tag */
#define SLOT_SECRET_MAX            64
#define SLOT_ARGON2_SALT           16
#define SLOT_PASSPHRASE_BYTES      88
#define SLOT_KEY_FILE_BYTES        96
#define SLOT_X25519_BYTES          96
#define SLOT_XWING_BYTES           1184
#define SLOT_ARGON2_PASSES_MIN     1
#define SLOT_ARGON2_MEMORY_KIB_MIN 8
#define SLOT_KEY_BYTES             32 /* a key file's key, an X25519 key of either kind */

/* What opens or makes a slot: S of format.md, 32 or 64 bytes.  Key material: born in the arena. */
struct slot_secret {
	uint8_t bytes[SLOT_SECRET_MAX];
	size_t len;
};

/* Params of a passphrase slot (type 01). */
struct slot_argon2 {
	uint32_t passes;     /* t */
	uint32_t memory_kib; /* m */
	uint8_t salt[SLOT_ARGON2_SALT];
};

/* The body length that a type must have; 0 where any length will do (spare, unknown types). */
size_t slot_body_bytes(uint8_t type);

/* Length of params: the body without ct and tag.  0 where slot_body_bytes() is 0. */
size_t slot_params_bytes(uint8_t type);

/*
 * Whether a slot's body may stand in a header: the length its type must have, a spare of zero
 * bytes only, a passphrase slot with t >= 1 and m >= 8.  Any body of an unknown type may.
 */
bool slot_body_sound(const struct header_slot *slot);

void slot_argon2_decode(struct slot_argon2 *params, const uint8_t body[SLOT_PASSPHRASE_BYTES]);
void slot_argon2_encode(uint8_t body[SLOT_PASSPHRASE_BYTES], const struct slot_argon2 *params);

/* Whether both are one derivation: the same passes, memory and salt. */
bool slot_argon2_same(const struct slot_argon2 *a, const struct slot_argon2 *b);

/* S of a key-file slot; salt is its 32 bytes of params. */
void slot_secret_key_file(struct slot_secret *secret, const uint8_t salt[32],
			  const uint8_t key[SLOT_KEY_BYTES]);

/*
 * S of an X25519 slot for the maker, who has the ephemeral secret, and for the reader, who has
 * the identity.  epk is the slot's params: the maker's call writes it, the reader's reads it.
 * False: the shared value is all zero, and so is *secret.
 */
bool slot_secret_x25519_seal(struct slot_secret *secret, uint8_t epk[SLOT_KEY_BYTES],
			     const uint8_t esk[SLOT_KEY_BYTES],
			     const uint8_t recipient[SLOT_KEY_BYTES]);
bool slot_secret_x25519_open(struct slot_secret *secret, const uint8_t epk[SLOT_KEY_BYTES],
			     const uint8_t identity[SLOT_KEY_BYTES]);

/*
 * Wraps file_key into the ct and tag of body, whose params are already there.  body has
 * slot_body_bytes(type) bytes; a type that has no params, or is reserved, stops the program.
 */
void slot_wrap(uint8_t *body, uint8_t type, const struct slot_secret *secret,
	       const uint8_t file_key[HEADER_FILE_KEY_BYTES]);

/*
 * True: file_key is what the slot held.  False: it holds nothing for this secret (another secret,
 * a spare, an unknown type), and file_key is zero.
 */
bool slot_unwrap(uint8_t file_key[HEADER_FILE_KEY_BYTES], const struct header_slot *slot,
		 const struct slot_secret *secret);

void slot_secret_wipe(struct slot_secret *secret);

/*
 * The caps on Argon2id that format.md gives, inclusive.  One budget serves one file and one
 * passphrase; a distinct (t, m, salt) is charged once, by the caller.
 */
#define SLOT_PASSPHRASES_MAX 8
struct slot_kdf_caps {
	uint64_t memory_kib; /* m of one slot */
	uint64_t passes;     /* t of one slot */
	uint64_t cost_kib;   /* sum of t * m, in KiB-passes */
};
extern const struct slot_kdf_caps slot_kdf_default_caps; /* 1 GiB, 16, 16 GiB-passes */

struct slot_kdf_budget {
	struct slot_kdf_caps caps;
	uint64_t spent_kib; /* sum of t * m so far */
	unsigned derivations;
};

/* Whether a slot may be tried now; true charges it.  False costs nothing. */
bool slot_kdf_charge(struct slot_kdf_budget *budget, const struct slot_argon2 *params);

#endif
