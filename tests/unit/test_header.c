/* SPDX-License-Identifier: ISC */
/*
 * test_header.c - the reader and the writer against one known header and each other, the header
 * MAC, and every single-bit flip.
 */
#include "format_util.h"

#include "format/header.h"
#include "format/slot.h"

/* The known header: all three kinds, an unknown type, the reserved one, a spare. */
static uint8_t known[2048];
static size_t known_len;
static uint8_t known_key[HEADER_FILE_KEY_BYTES];

static void known_read(void)
{
	known_len = answer(known, sizeof known, "header");
	answer_exact(known_key, sizeof known_key, "file_key");
}

static void reject_mac(void **state)
{
	struct header header;

	(void)state;
	known_read();
	assert_int_equal(header_parse(&header, known, known_len), FAULT_NONE);
	assert_true(header_mac_right(&header, known_key));
	for (size_t bit = 0; bit < 8 * (size_t)HEADER_MAC_BYTES; bit++) {
		uint8_t *const at = known + known_len - HEADER_MAC_BYTES + bit / 8;

		*at ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(header_parse(&header, known, known_len), FAULT_NONE);
		assert_false(header_mac_right(&header, known_key));
		*at ^= (uint8_t)(1u << bit % 8);
	}
	for (size_t bit = 0; bit < 8 * sizeof known_key; bit++) {
		known_key[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_false(header_mac_right(&header, known_key));
		known_key[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void known_header_parses(void **state)
{
	static const uint8_t types[] = {1, 9, 2, 4, 3, 0};
	static const size_t lens[] = {88, 7, 96, 1184, 96, 100};
	struct header header;
	size_t at = 16;

	(void)state;
	known_read();
	assert_int_equal(header_parse(&header, known, known_len), FAULT_NONE);
	assert_ptr_equal(header.bytes, known);
	assert_int_equal(header.len, known_len);
	assert_int_equal(header.slot_count, COUNT_OF(types));
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		assert_int_equal(header.slots[i].type, types[i]);
		assert_int_equal(header.slots[i].len, lens[i]);
		assert_ptr_equal(header.slots[i].body, known + at + 4);
		at += 4 + lens[i];
	}
	assert_memory_equal(header.slots[1].body, "unknown", 7);
}

/* What the parser found, written again, is the same header to the last byte. */
static void writer_makes_known_bytes(void **state)
{
	static uint8_t bytes[HEADER_MAX_BYTES];
	struct header_writer writer;
	struct header header;

	(void)state;
	known_read();
	assert_int_equal(header_parse(&header, known, known_len), FAULT_NONE);
	memset(bytes, 0x5a, sizeof bytes);
	header_writer_begin(&writer, bytes, sizeof bytes);
	for (size_t i = 0; i < header.slot_count; i++) {
		const struct header_slot *const slot = &header.slots[i];
		uint8_t *const body = header_writer_slot(&writer, slot->type, slot->len);

		assert_non_null(body);
		assert_true(all_zero(body, slot->len));
		if (slot->type != SLOT_SPARE)
			memcpy(body, slot->body, slot->len);
	}
	assert_int_equal(header_writer_finish(&writer, known_key), known_len);
	assert_memory_equal(bytes, known, known_len);
	assert_int_equal(bytes[known_len], 0x5a);
}

/* Three slots by the writer, sealed under known_key; every bit of it matters. */
static size_t three_written(uint8_t *bytes, size_t room)
{
	struct header_writer writer;

	known_read();
	header_writer_begin(&writer, bytes, room);
	answer_exact(header_writer_slot(&writer, 1, 88), 88, "slot_01_body");
	answer_exact(header_writer_slot(&writer, 2, 96), 96, "slot_02_body");
	answer_exact(header_writer_slot(&writer, 3, 96), 96, "slot_03_body");
	return header_writer_finish(&writer, known_key);
}

static void reject_every_bit_flip(void **state)
{
	uint8_t bytes[512];
	const size_t len = three_written(bytes, sizeof bytes);
	struct header header;

	(void)state;
	assert_int_equal(len, 16 + 92 + 100 + 100 + 40);
	for (size_t bit = 0; bit < 8 * len; bit++) {
		const size_t at = bit / 8;
		const enum fault want = at < 8           ? FAULT_FOREIGN
					: at < 10        ? FAULT_NEWER
					: at >= len - 32 ? FAULT_NONE
							 : FAULT_HEADER_DAMAGED;
		enum fault fault;

		bytes[at] ^= (uint8_t)(1u << bit % 8);
		fault = header_parse(&header, bytes, len);
		if (at >= 12 && at < 16 && fault == FAULT_HEADER_CUT)
			fault = FAULT_HEADER_DAMAGED; /* a longer hlen */
		assert_int_equal(fault, want);
		if (fault == FAULT_NONE)
			assert_false(header_mac_right(&header, known_key));
		bytes[at] ^= (uint8_t)(1u << bit % 8);
	}
}

/* Whoever flips on purpose makes CHECK right again; then the structure or the MAC refuses. */
static void reject_every_bit_flip_with_check_remade(void **state)
{
	uint8_t bytes[512];
	const size_t len = three_written(bytes, sizeof bytes);
	struct header header;
	size_t by_mac = 0;

	(void)state;
	for (size_t bit = 0; bit < 8 * (len - 40); bit++) {
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		header_check_remake(bytes, len);
		if (header_parse(&header, bytes, len) == FAULT_NONE) {
			assert_false(header_mac_right(&header, known_key));
			by_mac++;
		}
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	/*
	 * The MAC's to refuse: all bits of bodies but the one that makes m zero, and the bits that
	 * turn a type into an unknown one (6 each) or 02 and 03 into one another.
	 */
	assert_int_equal(by_mac, 8 * (88 + 96 + 96) - 1 + 3 * 6 + 2);
}

static void unknown_types_are_passed_over(void **state)
{
	uint8_t bytes[512];
	struct header_writer writer;
	struct header header;

	(void)state;
	for (unsigned type = 5; type < 256; type++) {
		size_t len;

		header_writer_begin(&writer, bytes, sizeof bytes);
		memset(header_writer_slot(&writer, (uint8_t)type, type), 0xff, type);
		assert_non_null(header_writer_slot(&writer, SLOT_KEY_FILE, SLOT_KEY_FILE_BYTES));
		len = header_writer_finish(&writer, known_key);
		assert_int_equal(header_parse(&header, bytes, len), FAULT_NONE);
		assert_int_equal(header.slots[0].type, type);
		assert_int_equal(header.slots[0].len, type);
		assert_int_equal(header.slots[1].type, SLOT_KEY_FILE);
		assert_ptr_equal(header.slots[1].body, bytes + 16 + 4 + type + 4);
	}
}

static void writer_refuses_what_does_not_fit(void **state)
{
	static uint8_t bytes[HEADER_MAX_BYTES + 100];
	struct header_writer writer;

	(void)state;
	header_writer_begin(&writer, bytes, sizeof bytes);
	assert_null(header_writer_slot(&writer, 9, SIZE_MAX));
	assert_null(header_writer_slot(&writer, 9, HEADER_MAX_BYTES - 60 + 1));
	for (size_t i = 0; i < HEADER_SLOTS_MAX; i++)
		assert_non_null(header_writer_slot(&writer, 9, 0));
	assert_null(header_writer_slot(&writer, 9, 0));

	header_writer_begin(&writer, bytes, sizeof bytes);
	assert_non_null(header_writer_slot(&writer, 0, HEADER_MAX_BYTES - 60));
	assert_int_equal(header_writer_finish(&writer, bytes), HEADER_MAX_BYTES);
	assert_null(header_writer_slot(&writer, 9, 0));

	for (size_t room = 60; room < 200; room++) {
		header_writer_begin(&writer, bytes, room);
		assert_null(header_writer_slot(&writer, 9, room - 59));
		assert_non_null(header_writer_slot(&writer, 9, room - 60));
		assert_int_equal(header_writer_finish(&writer, bytes), room);
	}
	expect_assert_failure(header_writer_begin(&writer, bytes, 59));
	header_writer_begin(&writer, bytes, 60);
	expect_assert_failure(header_writer_finish(&writer, bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reject_mac),
		cmocka_unit_test(known_header_parses),
		cmocka_unit_test(writer_makes_known_bytes),
		cmocka_unit_test(reject_every_bit_flip),
		cmocka_unit_test(reject_every_bit_flip_with_check_remade),
		cmocka_unit_test(unknown_types_are_passed_over),
		cmocka_unit_test(writer_refuses_what_does_not_fit),
	};

	return FORMAT_TESTS_RUN(tests);
}
