/* SPDX-License-Identifier: ISC */
/*
 * test_reader.c - the header is read in steps, and no further than each check allows.
 */
#include "io_util.h"

#include "format/slot.h"
#include "io/reader.h"

static const uint8_t file_key[HEADER_FILE_KEY_BYTES] = {1, 2, 3};

/* A header with one key-file slot (its wrap all zero) and a spare slot of 100 bytes. */
static size_t make_header(uint8_t *bytes)
{
	struct header_writer writer;

	header_writer_begin(&writer, bytes, HEADER_MAX_BYTES);
	assert_non_null(header_writer_slot(&writer, SLOT_KEY_FILE, SLOT_KEY_FILE_BYTES));
	assert_non_null(header_writer_slot(&writer, SLOT_SPARE, 100));
	return header_writer_finish(&writer, file_key);
}

/* What reading len bytes as a sealed file comes to, and how many were taken. */
static enum fault read_header(const uint8_t *bytes, size_t len, uint64_t *taken)
{
	static uint8_t room[HEADER_MAX_BYTES];
	struct file_input input;
	struct header header;

	put_file("f", bytes, len);
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	enum fault fault = reader_header(&input, &header, room);

	*taken = input.taken;
	file_input_close(&input);
	return fault;
}

static void header_and_payload_start(void **state)
{
	static uint8_t bytes[HEADER_MAX_BYTES + PAYLOAD_START_BYTES + 1], room[HEADER_MAX_BYTES];
	uint8_t start[PAYLOAD_START_BYTES];
	size_t len = make_header(bytes);
	struct file_input input;
	struct header header;

	(void)state;
	randombytes_buf(bytes + len, PAYLOAD_START_BYTES + 1);
	put_file("f", bytes, len + PAYLOAD_START_BYTES + 1);
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_int_equal(reader_header(&input, &header, room), FAULT_NONE);
	assert_int_equal(input.taken, len);
	assert_int_equal(header.len, len);
	assert_int_equal(header.slot_count, 2);
	assert_int_equal(header.slots[0].type, SLOT_KEY_FILE);
	assert_true(header.bytes == room);
	assert_true(header_mac_right(&header, file_key));
	assert_int_equal(reader_payload_start(&input, start), FAULT_NONE);
	assert_memory_equal(start, bytes + len, PAYLOAD_START_BYTES);
	assert_int_equal(input.taken, len + PAYLOAD_START_BYTES);
	file_input_close(&input);
}

static void every_cut(void **state)
{
	static uint8_t bytes[HEADER_MAX_BYTES];
	size_t len = make_header(bytes);
	uint64_t taken;

	(void)state;
	assert_int_equal(read_header(bytes, 0, &taken), FAULT_INPUT_EMPTY);
	for (size_t cut = 1; cut < len; cut++) {
		assert_int_equal(read_header(bytes, cut, &taken), FAULT_HEADER_CUT);
		assert_int_equal(taken, cut);
	}
	assert_int_equal(read_header(bytes, len, &taken), FAULT_NONE);
}

static void every_cut_of_the_payload_start(void **state)
{
	const uint8_t bytes[PAYLOAD_START_BYTES] = {0};
	uint8_t start[PAYLOAD_START_BYTES];
	struct file_input input;

	(void)state;
	for (size_t cut = 0; cut <= PAYLOAD_START_BYTES; cut++) {
		put_file("f", bytes, cut);
		assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
		assert_int_equal(reader_payload_start(&input, start),
				 cut < PAYLOAD_START_BYTES ? FAULT_HEADER_CUT : FAULT_NONE);
		file_input_close(&input);
	}
}

/* What is refused by its first 16 bytes costs no more than these. */
static void nothing_is_read_in_vain(void **state)
{
	static const struct {
		size_t at;
		uint8_t flip;
		enum fault fault;
	} cases[] = {
		{0, 0x80, FAULT_FOREIGN},
		{8, 2, FAULT_NEWER},
		{9, 1, FAULT_NEWER},
		{10, 0x80, FAULT_HEADER_DAMAGED},
		{12, 0x80, FAULT_HEADER_DAMAGED},
		{13, 0x80, FAULT_HEADER_DAMAGED},
	};
	static uint8_t bytes[HEADER_MAX_BYTES];
	size_t len = make_header(bytes);
	uint64_t taken;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		bytes[cases[i].at] ^= cases[i].flip;
		assert_int_equal(read_header(bytes, len, &taken), cases[i].fault);
		assert_int_equal(taken, HEADER_PREAMBLE_BYTES);
		bytes[cases[i].at] ^= cases[i].flip;
	}
	bytes[len - 41] ^= 1;
	assert_int_equal(read_header(bytes, len, &taken), FAULT_HEADER_DAMAGED);
	assert_int_equal(taken, len);
}

static void a_fault_of_the_input(void **state)
{
	static uint8_t room[HEADER_MAX_BYTES];
	uint8_t start[PAYLOAD_START_BYTES];
	struct file_input input;
	struct header header;

	(void)state;
	put_text("f", "x");
	assert_int_equal(file_input_adopt(&input, open("f", O_WRONLY), "f"), FAULT_NONE);
	assert_int_equal(reader_header(&input, &header, room), FAULT_READ);
	assert_int_equal(reader_payload_start(&input, start), FAULT_READ);
	assert_int_equal(input.error, EBADF);
	file_input_close(&input);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(header_and_payload_start),       IN_SCRATCH(every_cut),
		IN_SCRATCH(every_cut_of_the_payload_start), IN_SCRATCH(nothing_is_read_in_vain),
		IN_SCRATCH(a_fault_of_the_input),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
