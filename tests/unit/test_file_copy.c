/* SPDX-License-Identifier: ISC */
/*
 * test_file_copy.c - the same bytes arrive, whichever of the ways the system has.
 *
 * Stands in for two calls of the system, so that a file system that shares blocks, and one that
 * copies nothing by itself, are there on every machine.
 */
#include "io_util.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "io/file.h"

#define LEN 300001

static bool can_clone; /* FICLONE shares blocks, as far as anybody can see */
static unsigned clones;
static int range_error;   /* copy_file_range() fails so, or 0 */
static size_t range_most; /* or copies no more than that at once */
static unsigned ranges;

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	int from;

	if (request != FICLONE || !can_clone) {
		errno = EOPNOTSUPP;
		return -1;
	}
	va_start(arguments, request);
	from = va_arg(arguments, int);
	va_end(arguments);
	for (loff_t in = 0, out = 0; in < LEN;)
		if (syscall(SYS_copy_file_range, from, &in, fd, &out, LEN, 0) <= 0)
			return -1;
	clones++;
	return 0;
}

ssize_t copy_file_range(int in, off_t *in_at, int out, off_t *out_at, size_t len, unsigned flags)
{
	ranges++;
	if (range_error != 0) {
		errno = range_error;
		return -1;
	}
	if (range_most != 0 && len > range_most)
		len = range_most;
	return syscall(SYS_copy_file_range, in, in_at, out, out_at, len, flags);
}

static uint8_t bytes[LEN], found[LEN + 8];

static int with_input(void **state)
{
	can_clone = false;
	range_error = 0;
	range_most = 0;
	clones = ranges = 0;
	for (size_t i = 0; i < LEN; i++)
		bytes[i] = (uint8_t)(i * i >> 7 ^ i);
	if (enter_scratch(state) != 0)
		return -1;
	put_file("in", bytes, LEN);
	return 0;
}

/* The whole of "out" is head, then the input from byte skip on. */
static void assert_copied(const char *head, size_t skip)
{
	size_t len = strlen(head);

	assert_int_equal(get_file("out", found, sizeof found), len + LEN - skip);
	assert_memory_equal(found, head, len);
	assert_memory_equal(found + len, bytes + skip, LEN - skip);
}

/* Copies all behind skip, with a head of another length in its place. */
static void copy(struct file_input *input, const char *path, const char *head, size_t skip)
{
	struct file_output output;

	assert_int_equal(file_output_open(&output, path, true), FAULT_NONE);
	assert_int_equal(file_output_write(&output, (const uint8_t *)head, strlen(head)),
			 FAULT_NONE);
	assert_int_equal(file_input_seek(input, skip), FAULT_NONE);
	assert_int_equal(file_output_copy(&output, input), FAULT_NONE);
	assert_int_equal(output.written, strlen(head) + LEN - skip);
	assert_int_equal(input->taken, LEN);
	assert_int_equal(file_output_commit(&output, input), FAULT_NONE);
}

static void by_the_system(void **state)
{
	struct file_input input;

	(void)state;
	assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	copy(&input, "out", "head", 10);
	assert_copied("head", 10);
	assert_true(ranges >= 2);
	range_most = 1000;
	copy(&input, "out", "", 0);
	assert_copied("", 0);
	assert_true(ranges >= LEN / 1000);
	file_input_close(&input);
}

static void through_memory(void **state)
{
	static const int errors[] = {ENOSYS, EXDEV, EINVAL, EOPNOTSUPP, EBADF, EIO, EINTR};
	struct file_input input;

	(void)state;
	assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		range_error = errors[i];
		ranges = 0;
		copy(&input, "out", "another head", 200000);
		assert_copied("another head", 200000);
		assert_int_equal(ranges, 1);
	}
	file_input_close(&input);
}

static void shared_blocks(void **state)
{
	struct file_input input;
	struct file_output output;

	(void)state;
	can_clone = true;
	assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "out", false), FAULT_NONE);
	assert_true(file_output_clone(&output, &input));
	assert_int_equal(file_output_write(&output, (const uint8_t *)"new", 3), FAULT_NONE);
	assert_int_equal(file_output_commit(&output, &input), FAULT_NONE);
	memcpy(bytes, "new", 3);
	assert_copied("", 0);
	assert_int_equal(clones, 1);
	file_input_close(&input);
}

/* Not where something was written, not from a pipe, not from the middle, not to a pipe. */
static void nothing_to_share(void **state)
{
	struct file_input input;
	struct file_output output;

	(void)state;
	assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "out", false), FAULT_NONE);
	assert_false(file_output_clone(&output, &input));
	can_clone = true;
	input.start = 1;
	assert_false(file_output_clone(&output, &input));
	input.start = 0;
	input.regular = false;
	assert_false(file_output_clone(&output, &input));
	input.regular = true;
	output.in_place = true;
	assert_false(file_output_clone(&output, &input));
	output.in_place = false;
	assert_int_equal(file_output_write(&output, (const uint8_t *)"new", 3), FAULT_NONE);
	assert_false(file_output_clone(&output, &input));
	assert_int_equal(clones, 0);
	file_output_discard(&output);
	file_input_close(&input);
	assert_int_equal(count_names(), 1);
}

static void from_a_pipe(void **state)
{
	struct file_input input;
	struct file_output output;
	int writer;
	bool at_end;

	(void)state;
	assert_int_equal(file_input_pipe(&input, "pipe", &writer), FAULT_NONE);
	assert_int_equal(write(writer, "abc", 3), 3);
	file_input_pipe_given(&writer);
	assert_int_equal(file_input_at_end(&input, &at_end), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "out", false), FAULT_NONE);
	assert_int_equal(file_output_copy(&output, &input), FAULT_NONE);
	assert_int_equal(file_output_commit(&output, &input), FAULT_NONE);
	assert_text("out", "abc");
	file_input_close(&input);
}

/* What the system did not write it says when asked again. */
static void to_a_full_device(void **state)
{
	struct file_input input;
	struct file_output output;

	(void)state;
	if (access("/dev/full", W_OK) != 0)
		skip();
	assert_int_equal(file_input_open(&input, "in"), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "/dev/full", false), FAULT_NONE);
	assert_int_equal(file_output_copy(&output, &input), FAULT_WRITE);
	assert_int_equal(output.error, ENOSPC);
	file_output_discard(&output);
	file_input_close(&input);
}

#define WITH_INPUT(test) cmocka_unit_test_setup_teardown(test, with_input, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_INPUT(by_the_system), WITH_INPUT(through_memory),
		WITH_INPUT(shared_blocks), WITH_INPUT(nothing_to_share),
		WITH_INPUT(from_a_pipe),   WITH_INPUT(to_a_full_device),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
