/* SPDX-License-Identifier: ISC */
/*
 * seed.h - every random value of one file from one seed of 64 bytes (format.md, Randomness).
 *
 * Pure: io/entropy.h gathers what goes in.
 */
#ifndef GCMCRYPT_FORMAT_SEED_H
#define GCMCRYPT_FORMAT_SEED_H

#include <stddef.h>
#include <stdint.h>

#define SEED_BYTES        64
#define SEED_VALUE_MAX    64
#define SEED_SYSTEM_BYTES 64 /* from the system's random source */

/* Key material: born in the arena. */
struct seed {
	uint8_t bytes[SEED_BYTES];
	uint64_t counter; /* values drawn so far */
};

/* BLAKE2b-512 keyed with the system's bytes over the circumstances of this file. */
void seed_init(struct seed *seed, const uint8_t system[SEED_SYSTEM_BYTES], const void *around,
	       size_t around_len);

/*
 * Draws len bytes: the first len of BLAKE2b-512 keyed with the seed over label || counter, the
 * counter 8 bytes big-endian from 0, one up for every draw.  The label names the value; the
 * counter alone keeps draws apart.  len over SEED_VALUE_MAX stops the program.
 */
void seed_draw(struct seed *seed, uint8_t *value, size_t len, const char *label);

void seed_wipe(struct seed *seed);

#endif
