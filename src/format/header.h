/* SPDX-License-Identifier: ISC */
/*
 * header.h - PREAMBLE || SLOT_1 .. SLOT_n || CHECK || MAC (format.md, HEADER).
 *
 * Structure only: what is inside a slot's body, beyond its length, belongs to slot.h.
 */
#ifndef GCMCRYPT_FORMAT_HEADER_H
#define GCMCRYPT_FORMAT_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/fault.h"

#define HEADER_PREAMBLE_BYTES  16
#define HEADER_MIN_BYTES       60
#define HEADER_MAX_BYTES       65536
#define HEADER_SLOTS_MAX       64
#define HEADER_MAGIC_BYTES     8
#define HEADER_VERSION_AT      8
#define HEADER_VERSION         1
#define HEADER_IMMUT_BYTES     10 /* magic, version, flags: what a rekey never changes */
#define HEADER_FILE_KEY_BYTES  32
#define HEADER_SLOT_HEAD_BYTES 4 /* type, zero byte, body length */
#define HEADER_CHECK_BYTES     8
#define HEADER_MAC_BYTES       32

extern const uint8_t header_immut[HEADER_IMMUT_BYTES];

/* A slot where it stands in the header; body has len bytes. */
struct header_slot {
	uint8_t type;
	uint16_t len;
	const uint8_t *body;
};

/* A checked header; the slots point into bytes, which stay the caller's. */
struct header {
	const uint8_t *bytes;
	size_t len;
	size_t slot_count;
	struct header_slot slots[HEADER_SLOTS_MAX];
};

/*
 * Looks at the first have bytes of a file, of which 16 are enough and more are not looked at.
 * FAULT_NONE: *hlen is the whole header's length, within its bounds; else *hlen is 0.
 * FAULT_FOREIGN and FAULT_NEWER: the bytes of IMMUT that are there contradict ours.
 * FAULT_HEADER_CUT: they do not, but fewer than 16 came; an empty file is one of these.
 * FAULT_HEADER_DAMAGED: nslots or hlen is impossible.
 */
enum fault header_check_preamble(const uint8_t *preamble, size_t have, size_t *hlen);

/*
 * Checks CHECK and then the structure of all slots of a whole header of len == hlen bytes (fewer:
 * FAULT_HEADER_CUT; more: FAULT_HEADER_DAMAGED).  FAULT_NONE, FAULT_HEADER_DAMAGED, or what
 * header_check_preamble() says.  Anything but FAULT_NONE leaves *header with no slots.
 */
enum fault header_parse(struct header *header, const uint8_t *bytes, size_t len);

/* Whether the header MAC of a parsed header is right under file_key; constant time. */
bool header_mac_right(const struct header *header, const uint8_t file_key[HEADER_FILE_KEY_BYTES]);

/*
 * A header being made in the caller's bytes[room].  Slots stand in the file in the order they
 * were appended; that their types, lengths and bodies are ones that header_parse() takes, and
 * that a spare comes last, is up to the caller.
 */
struct header_writer {
	uint8_t *bytes;
	size_t room;
	size_t len;
	size_t slot_count;
};

/* room >= HEADER_MIN_BYTES; less stops the program. */
void header_writer_begin(struct header_writer *writer, uint8_t *bytes, size_t room);

/*
 * Appends a slot and returns where its body of len bytes (zero for now) is to be written; NULL
 * when it does not fit in room, HEADER_MAX_BYTES or HEADER_SLOTS_MAX.
 */
uint8_t *header_writer_slot(struct header_writer *writer, uint8_t type, size_t len);

/*
 * Fills in nslots, hlen, CHECK and MAC, once all bodies are written; returns the header's length.
 * A header without a slot stops the program.
 */
size_t header_writer_finish(struct header_writer *writer,
			    const uint8_t file_key[HEADER_FILE_KEY_BYTES]);

#endif
