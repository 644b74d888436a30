/* SPDX-License-Identifier: ISC */
/*
 * hkdf.c - HKDF-Expand in the words of RFC 5869, 2.3, over libsodium's HMAC-SHA-512.
 *
 * Knows nothing of what the derived bytes are for.
 */
#include "format/hkdf.h"

#include <string.h>

#include <sodium.h>

void hkdf_hmac(uint8_t digest[HKDF_HASH_BYTES], const uint8_t *key, size_t key_len, const void *msg,
	       size_t msg_len)
{
	crypto_auth_hmacsha512_state state;

	crypto_auth_hmacsha512_init(&state, key, key_len);
	crypto_auth_hmacsha512_update(&state, msg, msg_len);
	crypto_auth_hmacsha512_final(&state, digest);
	sodium_memzero(&state, sizeof state);
}

void hkdf_expand(uint8_t *okm, size_t okm_len, const uint8_t *prk, size_t prk_len,
		 const struct hkdf_piece *info, size_t pieces)
{
	crypto_auth_hmacsha512_state keyed, state;
	uint8_t block[HKDF_HASH_BYTES]; /* T(i) */
	uint8_t i = 0;

	if (okm_len > HKDF_OKM_MAX)
		sodium_misuse();

	crypto_auth_hmacsha512_init(&keyed, prk, prk_len);
	while (okm_len > 0) {
		const size_t take = okm_len < sizeof block ? okm_len : sizeof block;

		/* T(i) = HMAC(PRK, T(i - 1) || info || i), and T(0) is empty. */
		state = keyed;
		if (i > 0)
			crypto_auth_hmacsha512_update(&state, block, sizeof block);
		for (size_t p = 0; p < pieces; p++)
			crypto_auth_hmacsha512_update(&state, info[p].at, info[p].len);
		i++;
		crypto_auth_hmacsha512_update(&state, &i, 1);
		crypto_auth_hmacsha512_final(&state, block);

		memcpy(okm, block, take);
		okm += take;
		okm_len -= take;
	}
	sodium_memzero(&keyed, sizeof keyed);
	sodium_memzero(&state, sizeof state);
	sodium_memzero(block, sizeof block);
}
