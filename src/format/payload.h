/* SPDX-License-Identifier: ISC */
/*
 * payload.h - salt || commitment || chunks: C2SP chunked encryption, Cobblestone-256
 * (c2sp.org/chunked-encryption with AEAD_AES_256_GCM), one chunk at a time.
 */
#ifndef GCMCRYPT_FORMAT_PAYLOAD_H
#define GCMCRYPT_FORMAT_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/header.h"
#include "gcm/gcm.h"

#define PAYLOAD_CHUNK_BYTES      16384
#define PAYLOAD_SEALED_BYTES     (PAYLOAD_CHUNK_BYTES + GCM_TAG_BYTES) /* a full chunk and tag */
#define PAYLOAD_SALT_BYTES       24
#define PAYLOAD_COMMITMENT_BYTES 32
#define PAYLOAD_START_BYTES      (PAYLOAD_SALT_BYTES + PAYLOAD_COMMITMENT_BYTES)
#define PAYLOAD_INPUT_KEY_BYTES  32
#define PAYLOAD_USER_CONTEXT_MAX 1024
#define PAYLOAD_CHUNKS_MAX       (UINT64_C(1) << 38) /* chunk numbers are below this */

/* The key of one payload.  Key material: born in the secrets arena. */
struct payload_key {
	struct gcm_key gcm;
	uint8_t base_nonce[GCM_NONCE_BYTES];
};

/* input key = EXP(FILEKEY, IMMUT || "payload" || 00, 32). */
void payload_input_key(uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES],
		       const uint8_t file_key[HEADER_FILE_KEY_BYTES]);

/*
 * Key, base nonce and commitment from input key, salt and context.  context = IMMUT || USERCTX,
 * or USERCTX alone when bare; user_context_len <= PAYLOAD_USER_CONTEXT_MAX, more stops the
 * program.  A reader compares the commitment with sodium_memcmp() before it opens a chunk.
 */
void payload_derive(struct payload_key *key, uint8_t commitment[PAYLOAD_COMMITMENT_BYTES],
		    const struct gcm_kernel *kernel,
		    const uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES],
		    const uint8_t salt[PAYLOAD_SALT_BYTES], bool bare, const void *user_context,
		    size_t user_context_len);
void payload_key_wipe(struct payload_key *key);

/*
 * Seals len <= PAYLOAD_CHUNK_BYTES bytes of pt as chunk number into sealed[len + 16].  pt may be
 * where sealed starts, no other overlap.  number < PAYLOAD_CHUNKS_MAX.  A longer chunk or a higher
 * number stops the program: neither may ever reach a file.
 */
void payload_seal_chunk(const struct payload_key *key, struct gcm_counter_cache *cache,
			uint8_t *sealed, uint64_t number, const uint8_t *pt, size_t len);

/*
 * Opens sealed[sealed_len], 16 <= sealed_len <= PAYLOAD_SEALED_BYTES, into pt[sealed_len - 16].
 * False: pt is zero.  pt may be where sealed starts, no other overlap.  Another length, or
 * number >= PAYLOAD_CHUNKS_MAX, stops the program.
 */
bool payload_open_chunk(const struct payload_key *key, struct gcm_counter_cache *cache, uint8_t *pt,
			uint64_t number, const uint8_t *sealed, size_t sealed_len);

/*
 * Bytes of a whole payload of plain_len bytes.  False: over PAYLOAD_CHUNKS_MAX chunks.
 */
bool payload_sealed_size(uint64_t *payload_len, uint64_t plain_len);

/* What the length of a payload says about the plaintext, before anything is opened. */
struct payload_shape {
	uint64_t last;      /* k: number of the last chunk */
	size_t last_sealed; /* r: its sealed bytes, 16..16399 */
	uint64_t plain_len; /* L = 16384 k + r - 16 */
};

/* FAULT_NONE, FAULT_ENDS_EARLY (no complete payload has this length) or FAULT_TOO_LONG. */
enum fault payload_shape(struct payload_shape *shape, uint64_t payload_len);

/* Where chunk number starts, counted from the payload's first byte. */
uint64_t payload_chunk_offset(uint64_t number);

/* The chunks first..last that hold plaintext bytes offset..offset+len-1, and the part to keep. */
struct payload_range {
	uint64_t first, last;
	uint64_t offset, len; /* clamped to the plaintext */
};

/*
 * False: offset is past the end.  offset + len may be anything, also over 2^64.  An empty range
 * (len 0, or offset at the end) has len == 0, and first == last is the chunk where it stands.
 */
bool payload_range(struct payload_range *range, const struct payload_shape *shape, uint64_t offset,
		   uint64_t len);

#endif
