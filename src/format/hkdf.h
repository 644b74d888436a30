/* SPDX-License-Identifier: ISC */
/*
 * hkdf.h - HMAC-SHA-512 (RFC 2104) and EXP(k, info, n), which is HKDF-Expand over it
 * (RFC 5869, 2.3).
 */
#ifndef GCMCRYPT_FORMAT_HKDF_H
#define GCMCRYPT_FORMAT_HKDF_H

#include <stddef.h>
#include <stdint.h>

#define HKDF_HASH_BYTES 64
#define HKDF_OKM_MAX    (255 * HKDF_HASH_BYTES)

/* A piece of the info string; the pieces are joined in order. */
struct hkdf_piece {
	const void *at; /* may be NULL where len is 0 */
	size_t len;
};

/* HMAC-SHA-512 of msg; key may have any length. */
void hkdf_hmac(uint8_t digest[HKDF_HASH_BYTES], const uint8_t *key, size_t key_len, const void *msg,
	       size_t msg_len);

/*
 * Fills okm with okm_len bytes; prk may have any length.  okm must overlap neither prk nor info.
 * okm_len over HKDF_OKM_MAX stops the program.
 */
void hkdf_expand(uint8_t *okm, size_t okm_len, const uint8_t *prk, size_t prk_len,
		 const struct hkdf_piece *info, size_t pieces);

#endif
