/* SPDX-License-Identifier: ISC */
/*
 * stream_damage.h - which chunks of a stream did not open, where that does not end it.
 *
 * Takes 16 to 32 bytes of memory for each run of bad chunks, so at worst 1/1024 of the input, where
 * every other chunk is bad.
 */
#ifndef GCMCRYPT_IO_STREAM_DAMAGE_H
#define GCMCRYPT_IO_STREAM_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/fault.h"

/* Neighbours, all of them bad. */
struct stream_damage_range {
	uint64_t first; /* number of the first chunk */
	uint64_t count;
};

/* All zero is one that nothing was added to. */
struct stream_damage {
	struct stream_damage_range *ranges; /* in order, with good chunks between them */
	size_t count;
	size_t room;
	uint64_t chunks; /* that are bad, in all */

	/* Once the input has ended. */
	uint64_t last;      /* number of the last chunk */
	size_t last_sealed; /* bytes of it that are there: 0 to 16399; under 16 it has no plaintext */
};

/*
 * Adds chunk first + i for each bit i that is set in bad.  All of them come behind those that were
 * added before.  False: no memory.
 */
bool stream_damage_add(struct stream_damage *damage, uint64_t first, uint32_t bad);

/* The input has ended; its last chunk is that one. */
void stream_damage_end(struct stream_damage *damage, uint64_t last, size_t last_sealed);

/* Whether the last chunk is bad, so that nothing proves how long the plaintext was. */
bool stream_damage_at_end(const struct stream_damage *damage);

/*
 * What would have ended the stream: FAULT_NONE, FAULT_CHUNK_DAMAGED, or FAULT_ENDS_EARLY where
 * nothing comes after the first chunk that is bad.
 */
enum fault stream_damage_fault(const struct stream_damage *damage);

void stream_damage_free(struct stream_damage *damage);

#endif
