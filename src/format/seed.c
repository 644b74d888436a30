/* SPDX-License-Identifier: ISC */
/*
 * seed.c - one hedged seed for each file, and the values drawn from it (format.md, Randomness).
 *
 * Asks the system for nothing: the same arguments give the same values, always.
 */
#include "format/seed.h"

#include <string.h>

#include <sodium.h>

#include "format/bytes.h"

void seed_init(struct seed *seed, const uint8_t system[SEED_SYSTEM_BYTES], const void *around,
	       size_t around_len)
{
	seed->counter = 0;
	crypto_generichash(seed->bytes, sizeof seed->bytes, around, around_len, system,
			   SEED_SYSTEM_BYTES);
}

void seed_draw(struct seed *seed, uint8_t *value, size_t len, const char *label)
{
	crypto_generichash_state state;
	uint8_t digest[SEED_VALUE_MAX];
	uint8_t counter[sizeof seed->counter];

	if (len > sizeof digest)
		sodium_misuse();

	bytes_store64(counter, seed->counter++);
	crypto_generichash_init(&state, seed->bytes, sizeof seed->bytes, sizeof digest);
	crypto_generichash_update(&state, (const uint8_t *)label, strlen(label));
	crypto_generichash_update(&state, counter, sizeof counter);
	crypto_generichash_final(&state, digest, sizeof digest);
	memcpy(value, digest, len);
	sodium_memzero(&state, sizeof state);
	sodium_memzero(digest, sizeof digest);
}

void seed_wipe(struct seed *seed)
{
	sodium_memzero(seed, sizeof *seed);
}
