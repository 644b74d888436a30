/* SPDX-License-Identifier: ISC */
/*
 * test_file_rewrite.c - the first bytes of a file are written over, and nothing else changes.
 */
#include "io_util.h"

#include "io/file.h"

static void the_first_bytes_alone(void **state)
{
	struct file_input input;
	struct stat before, after;

	(void)state;
	put_text("f", "old bytes, and more");
	assert_int_equal(chmod("f", 0640), 0);
	const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 2000, .tv_nsec = 5}};

	assert_int_equal(utimensat(AT_FDCWD, "f", times, 0), 0);
	assert_int_equal(stat("f", &before), 0);
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_int_equal(file_input_make_writable(&input), FAULT_NONE);
	assert_int_equal(file_input_rewrite(&input, (const uint8_t *)"new", 3), FAULT_NONE);
	file_input_close(&input);
	assert_text("f", "new bytes, and more");
	assert_int_equal(stat("f", &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(after.st_mode, before.st_mode);
	assert_int_equal(after.st_mtim.tv_sec, 2000);
	assert_int_equal(after.st_mtim.tv_nsec, 5);
	assert_int_equal(count_names(), 1);
}

static void it_stands_at_its_first_byte(void **state)
{
	struct file_input input;
	uint8_t found[8];
	size_t got;
	bool at_end;

	(void)state;
	put_text("f", "old");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_int_equal(file_input_read(&input, found, 1, &got), FAULT_NONE);
	assert_int_equal(file_input_at_end(&input, &at_end), FAULT_NONE);
	assert_false(at_end);
	assert_int_equal(file_input_make_writable(&input), FAULT_NONE);
	assert_int_equal(file_input_read(&input, found, sizeof found, &got), FAULT_NONE);
	assert_int_equal(got, 3);
	assert_memory_equal(found, "old", 3);
	assert_int_equal(input.taken, 3);
	file_input_close(&input);
}

static void another_file_of_that_name(void **state)
{
	struct file_input input;

	(void)state;
	put_text("f", "first");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_int_equal(rename("f", "g"), 0);
	assert_int_equal(file_input_make_writable(&input), FAULT_OPEN);
	assert_int_equal(input.error, ENOENT);
	put_text("f", "other");
	assert_int_equal(file_input_make_writable(&input), FAULT_INPUT_CHANGED);
	assert_int_equal(remove("f"), 0);
	assert_int_equal(symlink("g", "f"), 0);
	assert_int_equal(file_input_make_writable(&input), FAULT_OPEN);
	assert_int_equal(input.error, ELOOP);
	file_input_close(&input);
	assert_text("g", "first");
}

static void what_was_not_made_writable(void **state)
{
	struct file_input input;

	(void)state;
	put_text("f", "old");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_int_equal(file_input_rewrite(&input, (const uint8_t *)"new", 3), FAULT_WRITE);
	assert_int_equal(input.error, EBADF);
	file_input_close(&input);
	assert_text("f", "old");
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(the_first_bytes_alone),
		IN_SCRATCH(it_stands_at_its_first_byte),
		IN_SCRATCH(another_file_of_that_name),
		IN_SCRATCH(what_was_not_made_writable),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
