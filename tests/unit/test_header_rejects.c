/* SPDX-License-Identifier: ISC */
/*
 * test_header_rejects.c - each thing that a reader must reject in a header, alone, in headers made
 * by hand whose CHECK is otherwise right, beside the nearest thing that it must take.
 */
#include "format_util.h"

#include "format/header.h"
#include "format/slot.h"

/* A header made here by hand, so that it may be wrong in any way.  Its MAC is zero. */
struct image {
	uint8_t bytes[HEADER_MAX_BYTES + 4096];
	size_t len;
	size_t nslots;
};

static void image_begin(struct image *image)
{
	memset(image, 0, sizeof *image);
	hex_bytes(image->bytes, 10, "8947434d430d0a1a0100");
	image->len = 16;
}

/* A slot whose body is zero, but for an acceptable t and m in a passphrase slot. */
static uint8_t *image_slot(struct image *image, uint8_t type, size_t len)
{
	uint8_t *const at = image->bytes + image->len;

	at[0] = type;
	at[2] = (uint8_t)(len >> 8);
	at[3] = (uint8_t)len;
	if (type == SLOT_PASSPHRASE && len >= 8) {
		at[4 + 3] = 1;
		at[4 + 7] = 8;
	}
	image->len += 4 + len;
	image->nslots++;
	return at;
}

static void image_number(struct image *image, size_t at, size_t bytes, uint64_t value)
{
	for (size_t i = 0; i < bytes; i++)
		image->bytes[at + i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static void image_end(struct image *image)
{
	image->len += 40;
	image_number(image, 10, 2, image->nslots);
	image_number(image, 12, 4, image->len);
	header_check_remake(image->bytes, image->len);
}

static enum fault image_parse(const struct image *image)
{
	struct header header;
	const enum fault fault = header_parse(&header, image->bytes, image->len);

	if (fault != FAULT_NONE)
		assert_true(all_zero(&header, sizeof header));
	return fault;
}

static struct image image;

static void three_slots(void)
{
	image_begin(&image);
	image_slot(&image, SLOT_PASSPHRASE, SLOT_PASSPHRASE_BYTES);
	image_slot(&image, SLOT_KEY_FILE, SLOT_KEY_FILE_BYTES);
	image_slot(&image, SLOT_X25519, SLOT_X25519_BYTES);
	image_end(&image);
}

/* Parses after a change to the bytes, with CHECK made right again. */
static enum fault three_slots_with(size_t at, uint8_t value)
{
	three_slots();
	assert_int_equal(image_parse(&image), FAULT_NONE);
	image.bytes[at] = value;
	header_check_remake(image.bytes, image.len);
	return image_parse(&image);
}

static enum fault preamble_fault(size_t have)
{
	size_t hlen = 1;
	const enum fault fault = header_check_preamble(image.bytes, have, &hlen);

	assert_int_equal(hlen, fault == FAULT_NONE ? image.len : 0);
	return fault;
}

static void reject_magic(void **state)
{
	(void)state;
	for (size_t at = 0; at < 8; at++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			three_slots();
			image.bytes[at] ^= (uint8_t)(1u << bit);
			header_check_remake(image.bytes, image.len);
			assert_int_equal(image_parse(&image), FAULT_FOREIGN);
			for (size_t have = 0; have <= 16; have++)
				assert_int_equal(preamble_fault(have),
						 have <= at ? FAULT_HEADER_CUT : FAULT_FOREIGN);
		}
	}
}

static void reject_version(void **state)
{
	(void)state;
	for (unsigned version = 0; version < 256; version++) {
		const enum fault fault = three_slots_with(8, (uint8_t)version);

		assert_int_equal(fault, version == 1 ? FAULT_NONE : FAULT_NEWER);
		for (size_t have = 0; have < 16; have++)
			assert_int_equal(preamble_fault(have),
					 have < 9 || version == 1 ? FAULT_HEADER_CUT : FAULT_NEWER);
	}
}

static void reject_flags(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < 8; bit++) {
		assert_int_equal(three_slots_with(9, (uint8_t)(1u << bit)), FAULT_NEWER);
		assert_int_equal(preamble_fault(9), FAULT_HEADER_CUT);
		assert_int_equal(preamble_fault(10), FAULT_NEWER);
		assert_int_equal(preamble_fault(16), FAULT_NEWER);
	}
}

static void reject_every_cut(void **state)
{
	struct header header;

	(void)state;
	three_slots();
	assert_int_equal(preamble_fault(16), FAULT_NONE);
	for (size_t len = 0; len < image.len; len++)
		assert_int_equal(header_parse(&header, image.bytes, len), FAULT_HEADER_CUT);
	assert_int_equal(header_parse(&header, image.bytes, image.len + 1), FAULT_HEADER_DAMAGED);
}

/* nslots slots of an unknown type without a body. */
static enum fault empty_slots(size_t nslots)
{
	image_begin(&image);
	for (size_t i = 0; i < nslots; i++)
		image_slot(&image, 9, 0);
	image_end(&image);
	return image_parse(&image);
}

/* The preamble alone decides about hlen, whatever follows. */
static enum fault hlen_fault(size_t nslots, uint64_t value)
{
	size_t hlen = 1;
	enum fault fault;

	three_slots();
	image_number(&image, 10, 2, nslots);
	image_number(&image, 12, 4, value);
	fault = header_check_preamble(image.bytes, 16, &hlen);
	assert_int_equal(hlen, fault == FAULT_NONE ? value : 0);
	return fault;
}

static void reject_nslots(void **state)
{
	(void)state;
	assert_int_equal(empty_slots(0), FAULT_HEADER_DAMAGED);
	assert_int_equal(empty_slots(65), FAULT_HEADER_DAMAGED);
	assert_int_equal(empty_slots(256), FAULT_HEADER_DAMAGED);
	for (size_t nslots = 1; nslots <= HEADER_SLOTS_MAX; nslots++)
		assert_int_equal(empty_slots(nslots), FAULT_NONE);
	/* Refused by the preamble already, whatever hlen says. */
	assert_int_equal(hlen_fault(0, 60), FAULT_HEADER_DAMAGED);
	assert_int_equal(hlen_fault(65, 65536), FAULT_HEADER_DAMAGED);
	/* Room for 60 bytes, but none of them a slot. */
	image_begin(&image);
	image.len += 4;
	image_end(&image);
	assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
}

static void reject_nslots_that_do_not_add_up(void **state)
{
	(void)state;
	assert_int_equal(three_slots_with(11, 2), FAULT_HEADER_DAMAGED);
	assert_int_equal(three_slots_with(11, 4), FAULT_HEADER_DAMAGED);
}

static void reject_hlen_out_of_bounds(void **state)
{
	static const uint64_t wrong[] = {0,  1,     15,      16,         17,        55,        56,
					 59, 65537, 1 << 17, 0x7fffffff, 1u << 31u, 0xffffffff};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_int_equal(hlen_fault(1, wrong[i]), FAULT_HEADER_DAMAGED);
	assert_int_equal(hlen_fault(1, 60), FAULT_NONE);
	assert_int_equal(hlen_fault(1, 65536), FAULT_NONE);
	for (size_t nslots = 1; nslots <= HEADER_SLOTS_MAX; nslots++) {
		assert_int_equal(hlen_fault(nslots, 55 + 4 * nslots), FAULT_HEADER_DAMAGED);
		assert_int_equal(hlen_fault(nslots, 56 + 4 * nslots), FAULT_NONE);
	}
}

static void reject_hlen_that_does_not_add_up(void **state)
{
	(void)state;
	for (size_t more = 1; more <= 8; more++) {
		three_slots();
		image.len += more - 40; /* bytes between the last slot and CHECK */
		memset(image.bytes + image.len - more, 0, more);
		image_end(&image);
		assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
	}
	for (size_t less = 1; less <= 8; less++) {
		three_slots();
		image.len -= 40 + less;
		image_end(&image);
		assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
	}
}

static void reject_zero_byte(void **state)
{
	static const size_t slot_at[] = {16, 16 + 92, 16 + 92 + 100};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(slot_at); i++) {
		for (unsigned value = 1; value < 256; value++)
			assert_int_equal(three_slots_with(slot_at[i] + 1, (uint8_t)value),
					 FAULT_HEADER_DAMAGED);
	}
}

static enum fault one_slot(uint8_t type, size_t len)
{
	image_begin(&image);
	image_slot(&image, type, len);
	image_end(&image);
	return image_parse(&image);
}

static void reject_known_types_of_another_length(void **state)
{
	static const struct {
		uint8_t type;
		size_t len;
	} known[] = {{1, 88}, {2, 96}, {3, 96}, {4, 1184}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		for (size_t len = 0; len < 1300; len++)
			assert_int_equal(one_slot(known[i].type, len),
					 len == known[i].len ? FAULT_NONE : FAULT_HEADER_DAMAGED);
	}
}

static void reject_slot_that_overruns(void **state)
{
	(void)state;
	for (size_t over = 1; over < 80; over++) {
		one_slot(9, 30);
		image_number(&image, 18, 2, 30 + over);
		header_check_remake(image.bytes, image.len);
		assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
	}
	one_slot(9, 30);
	image_number(&image, 18, 2, 65535);
	header_check_remake(image.bytes, image.len);
	assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
}

static void accept_spare(void **state)
{
	static const size_t lens[] = {0, 1, 88, 96, 1184, 65476};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(lens); i++)
		assert_int_equal(one_slot(SLOT_SPARE, lens[i]), FAULT_NONE);
	assert_int_equal(image.len, HEADER_MAX_BYTES);
}

static void reject_spare_not_last(void **state)
{
	(void)state;
	image_begin(&image);
	image_slot(&image, SLOT_SPARE, 9);
	image_slot(&image, SLOT_KEY_FILE, SLOT_KEY_FILE_BYTES);
	image_end(&image);
	assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
}

static void reject_spare_not_zero(void **state)
{
	(void)state;
	for (size_t bit = 0; bit < 8 * (size_t)9; bit++) {
		one_slot(SLOT_SPARE, 9);
		image.bytes[20 + bit / 8] = (uint8_t)(1u << bit % 8);
		header_check_remake(image.bytes, image.len);
		assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
	}
}

static void reject_two_spares(void **state)
{
	(void)state;
	image_begin(&image);
	image_slot(&image, SLOT_KEY_FILE, SLOT_KEY_FILE_BYTES);
	image_slot(&image, SLOT_SPARE, 0);
	image_slot(&image, SLOT_SPARE, 0);
	image_end(&image);
	assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
}

static enum fault argon2_fault(uint64_t passes, uint64_t memory_kib)
{
	one_slot(SLOT_PASSPHRASE, SLOT_PASSPHRASE_BYTES);
	image_number(&image, 20, 4, passes);
	image_number(&image, 24, 4, memory_kib);
	header_check_remake(image.bytes, image.len);
	return image_parse(&image);
}

static void reject_passes_of_zero(void **state)
{
	(void)state;
	assert_int_equal(argon2_fault(0, 65536), FAULT_HEADER_DAMAGED);
	assert_int_equal(argon2_fault(1, 65536), FAULT_NONE);
	assert_int_equal(argon2_fault(0xffffffff, 0xffffffff), FAULT_NONE); /* caps are not here */
}

static void reject_memory_under_8(void **state)
{
	(void)state;
	for (uint64_t memory_kib = 0; memory_kib < 8; memory_kib++)
		assert_int_equal(argon2_fault(3, memory_kib), FAULT_HEADER_DAMAGED);
	assert_int_equal(argon2_fault(3, 8), FAULT_NONE);
	assert_int_equal(argon2_fault(256, 256), FAULT_NONE);
}

static void reject_check(void **state)
{
	(void)state;
	for (size_t bit = 0; bit < 64; bit++) {
		three_slots();
		image.bytes[image.len - 40 + bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(image_parse(&image), FAULT_HEADER_DAMAGED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reject_magic),
		cmocka_unit_test(reject_version),
		cmocka_unit_test(reject_flags),
		cmocka_unit_test(reject_every_cut),
		cmocka_unit_test(reject_nslots),
		cmocka_unit_test(reject_nslots_that_do_not_add_up),
		cmocka_unit_test(reject_hlen_out_of_bounds),
		cmocka_unit_test(reject_hlen_that_does_not_add_up),
		cmocka_unit_test(reject_zero_byte),
		cmocka_unit_test(reject_known_types_of_another_length),
		cmocka_unit_test(reject_slot_that_overruns),
		cmocka_unit_test(accept_spare),
		cmocka_unit_test(reject_spare_not_last),
		cmocka_unit_test(reject_spare_not_zero),
		cmocka_unit_test(reject_two_spares),
		cmocka_unit_test(reject_passes_of_zero),
		cmocka_unit_test(reject_memory_under_8),
		cmocka_unit_test(reject_check),
	};

	return FORMAT_TESTS_RUN(tests);
}
