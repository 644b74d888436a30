/* SPDX-License-Identifier: ISC */
/*
 * header.c - takes a header apart and puts one together.
 *
 * Owns the preamble, the order of slots, CHECK and MAC.  Must not open a slot, nor run anything
 * whose cost a stranger's bytes decide.
 */
#include "format/header.h"

#include <string.h>

#include <sodium.h>

#include "format/bytes.h"
#include "format/hkdf.h"
#include "format/slot.h"

enum {
	NSLOTS_AT = 10,
	HLEN_AT = 12,
	END_BYTES = HEADER_CHECK_BYTES + HEADER_MAC_BYTES, /* what follows the last slot */
};

const uint8_t header_immut[HEADER_IMMUT_BYTES] = {
	0x89,           'G', 'C', 'M', 'C', 0x0d, 0x0a, 0x1a, /* magic */
	HEADER_VERSION,                                       /* at HEADER_VERSION_AT */
	0x00,                                                 /* flags */
};

enum fault header_check_preamble(const uint8_t *preamble, size_t have, size_t *hlen)
{
	const size_t magic = have < HEADER_MAGIC_BYTES ? have : HEADER_MAGIC_BYTES;
	const size_t immut = have < HEADER_IMMUT_BYTES ? have : HEADER_IMMUT_BYTES;
	size_t nslots, total;

	*hlen = 0;
	if (have == 0)
		return FAULT_HEADER_CUT;
	if (memcmp(preamble, header_immut, magic) != 0)
		return FAULT_FOREIGN;
	if (memcmp(preamble, header_immut, immut) != 0)
		return FAULT_NEWER;
	if (have < HEADER_PREAMBLE_BYTES)
		return FAULT_HEADER_CUT;

	nslots = bytes_load16(preamble + NSLOTS_AT);
	total = bytes_load32(preamble + HLEN_AT);
	if (nslots < 1 || nslots > HEADER_SLOTS_MAX)
		return FAULT_HEADER_DAMAGED;
	if (total < HEADER_MIN_BYTES || total > HEADER_MAX_BYTES)
		return FAULT_HEADER_DAMAGED;
	if (total < HEADER_PREAMBLE_BYTES + HEADER_SLOT_HEAD_BYTES * nslots + END_BYTES)
		return FAULT_HEADER_DAMAGED;
	*hlen = total;
	return FAULT_NONE;
}

static void header_check(uint8_t check[HEADER_CHECK_BYTES], const uint8_t *bytes, size_t len)
{
	uint8_t digest[crypto_hash_sha512_BYTES];

	crypto_hash_sha512(digest, bytes, len - END_BYTES);
	memcpy(check, digest, HEADER_CHECK_BYTES);
}

static void header_mac(uint8_t mac[HEADER_MAC_BYTES], const uint8_t *bytes, size_t len,
		       const uint8_t file_key[HEADER_FILE_KEY_BYTES])
{
	static const char label[] = "header-mac"; /* its final NUL is the 00 of the info string */
	const struct hkdf_piece info[] = {{header_immut, HEADER_IMMUT_BYTES},
					  {label, sizeof label}};
	uint8_t key[HKDF_HASH_BYTES], digest[HKDF_HASH_BYTES];

	hkdf_expand(key, sizeof key, file_key, HEADER_FILE_KEY_BYTES, info, 2);
	hkdf_hmac(digest, key, sizeof key, bytes, len - HEADER_MAC_BYTES);
	memcpy(mac, digest, HEADER_MAC_BYTES);
	sodium_memzero(key, sizeof key);
	sodium_memzero(digest, sizeof digest);
}

/* Reads the slot at *at, no further than end, and moves *at behind it. */
static bool slot_read(struct header_slot *slot, const uint8_t **at, const uint8_t *end)
{
	const size_t left = (size_t)(end - *at);
	const uint8_t *const head = *at;

	if (left < HEADER_SLOT_HEAD_BYTES || head[1] != 0)
		return false;
	slot->type = head[0];
	slot->len = bytes_load16(head + 2);
	slot->body = head + HEADER_SLOT_HEAD_BYTES;
	if (slot->len > left - HEADER_SLOT_HEAD_BYTES)
		return false;
	*at = slot->body + slot->len;
	return slot_body_sound(slot);
}

static bool slots_read(struct header *header)
{
	const uint8_t *at = header->bytes + HEADER_PREAMBLE_BYTES;
	const uint8_t *const end = header->bytes + header->len - END_BYTES;
	const size_t nslots = bytes_load16(header->bytes + NSLOTS_AT);

	for (size_t i = 0; i < nslots; i++) {
		if (!slot_read(&header->slots[i], &at, end))
			return false;
		/* Only as the last slot, so there is at most one. */
		if (header->slots[i].type == SLOT_SPARE && i + 1 < nslots)
			return false;
	}
	header->slot_count = nslots;
	return at == end;
}

enum fault header_parse(struct header *header, const uint8_t *bytes, size_t len)
{
	uint8_t check[HEADER_CHECK_BYTES];
	size_t hlen;
	enum fault fault;

	memset(header, 0, sizeof *header);
	fault = header_check_preamble(bytes, len, &hlen);
	if (fault != FAULT_NONE)
		return fault;
	if (len < hlen)
		return FAULT_HEADER_CUT;
	if (len > hlen)
		return FAULT_HEADER_DAMAGED;

	header_check(check, bytes, len);
	if (memcmp(check, bytes + len - END_BYTES, sizeof check) != 0)
		return FAULT_HEADER_DAMAGED;

	header->bytes = bytes;
	header->len = len;
	if (!slots_read(header)) {
		memset(header, 0, sizeof *header);
		return FAULT_HEADER_DAMAGED;
	}
	return FAULT_NONE;
}

bool header_mac_right(const struct header *header, const uint8_t file_key[HEADER_FILE_KEY_BYTES])
{
	uint8_t mac[HEADER_MAC_BYTES];
	bool right;

	header_mac(mac, header->bytes, header->len, file_key);
	right = sodium_memcmp(mac, header->bytes + header->len - sizeof mac, sizeof mac) == 0;
	sodium_memzero(mac, sizeof mac);
	return right;
}

void header_writer_begin(struct header_writer *writer, uint8_t *bytes, size_t room)
{
	if (room < HEADER_MIN_BYTES)
		sodium_misuse();

	writer->bytes = bytes;
	writer->room = room < HEADER_MAX_BYTES ? room : HEADER_MAX_BYTES;
	writer->len = HEADER_PREAMBLE_BYTES;
	writer->slot_count = 0;
	memset(bytes, 0, HEADER_PREAMBLE_BYTES);
	memcpy(bytes, header_immut, HEADER_IMMUT_BYTES);
}

uint8_t *header_writer_slot(struct header_writer *writer, uint8_t type, size_t len)
{
	const size_t left = writer->room - writer->len - END_BYTES;
	uint8_t *const head = writer->bytes + writer->len;

	if (writer->slot_count == HEADER_SLOTS_MAX)
		return NULL;
	if (left < HEADER_SLOT_HEAD_BYTES || len > left - HEADER_SLOT_HEAD_BYTES)
		return NULL;

	memset(head, 0, HEADER_SLOT_HEAD_BYTES + len);
	head[0] = type;
	bytes_store16(head + 2, (uint16_t)len);
	writer->len += HEADER_SLOT_HEAD_BYTES + len;
	writer->slot_count++;
	return head + HEADER_SLOT_HEAD_BYTES;
}

size_t header_writer_finish(struct header_writer *writer,
			    const uint8_t file_key[HEADER_FILE_KEY_BYTES])
{
	uint8_t *const bytes = writer->bytes;
	const size_t len = writer->len + END_BYTES;

	if (writer->slot_count == 0)
		sodium_misuse();

	bytes_store16(bytes + NSLOTS_AT, (uint16_t)writer->slot_count);
	bytes_store32(bytes + HLEN_AT, (uint32_t)len);
	header_check(bytes + len - END_BYTES, bytes, len);
	header_mac(bytes + len - HEADER_MAC_BYTES, bytes, len, file_key);
	return len;
}
