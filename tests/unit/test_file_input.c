/* SPDX-License-Identifier: ISC */
/*
 * test_file_input.c - what an input knows without taking a byte away: that its end is there, that
 * another input would take bytes from it, and whether its name is still its own to be removed.
 */
#include "io_util.h"

#include "io/file.h"
#include "io/signals.h"

/* Looking twice is no different from looking once, and nothing is lost. */
static void look_and_read(struct file_input *input, const char *text)
{
	size_t len = strlen(text);
	uint8_t bytes[64];
	size_t got = 99;
	bool at_end = true;

	assert_int_equal(file_input_at_end(input, &at_end), FAULT_NONE);
	assert_false(at_end);
	assert_int_equal(input->taken, 0);
	assert_int_equal(file_input_read(input, bytes, 0, &got), FAULT_NONE);
	assert_int_equal(got, 0);
	assert_int_equal(file_input_read(input, bytes, 1, &got), FAULT_NONE);
	assert_int_equal(got, 1);
	assert_int_equal(file_input_at_end(input, &at_end), FAULT_NONE);
	assert_false(at_end);
	assert_int_equal(file_input_read(input, bytes + 1, sizeof bytes - 1, &got), FAULT_NONE);
	assert_int_equal(got, len - 1);
	assert_memory_equal(bytes, text, len);
	assert_int_equal(input->taken, len);
	assert_int_equal(file_input_at_end(input, &at_end), FAULT_NONE);
	assert_true(at_end);
	assert_int_equal(input->taken, len);
}

static void at_end_keeps_the_byte(void **state)
{
	struct file_input input;
	int pipes[2];

	(void)state;
	put_text("f", "some text");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	look_and_read(&input, "some text");
	file_input_close(&input);

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(write(pipes[1], "some text", 9), 9);
	close(pipes[1]);
	assert_int_equal(file_input_adopt(&input, pipes[0], "pipe"), FAULT_NONE);
	look_and_read(&input, "some text");
	file_input_close(&input);
}

static void at_end_of_nothing(void **state)
{
	struct file_input input;
	uint8_t byte;
	size_t got = 99;
	bool at_end = false;

	(void)state;
	put_text("f", "");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_int_equal(file_input_at_end(&input, &at_end), FAULT_NONE);
	assert_true(at_end);
	assert_int_equal(file_input_read(&input, &byte, 1, &got), FAULT_NONE);
	assert_int_equal(got, 0);
	assert_int_equal(input.taken, 0);
	file_input_close(&input);
}

static int signal_while_looking(void *argument)
{
	struct file_input input;
	int pipes[2];
	bool at_end;

	(void)argument;
	CHECK(signals_install() && pipe(pipes) == 0);
	CHECK(file_input_adopt(&input, pipes[0], "pipe") == FAULT_NONE);
	raise(SIGTERM);
	CHECK(file_input_at_end(&input, &at_end) == FAULT_SIGNAL);
	CHECK(input.taken == 0 && !input.has_ahead);
	return 0;
}

static void at_end_tells_why_not(void **state)
{
	struct file_input input;
	bool at_end;

	(void)state;
	assert_child(signal_while_looking, NULL);
	/* Open for writing only: nothing can be read. */
	assert_int_equal(
		file_input_adopt(&input, open("f", O_WRONLY | O_CREAT, 0600), "write-only"),
		FAULT_NONE);
	assert_int_equal(file_input_at_end(&input, &at_end), FAULT_READ);
	assert_int_equal(input.error, EBADF);
	assert_int_equal(input.taken, 0);
	file_input_close(&input);
}

/* Opens two inputs and says whether one takes bytes from the other, whoever is asked. */
static bool shared(const char *one_path, const char *other_path)
{
	struct file_input one, other;

	assert_int_equal(file_input_open(&one, one_path), FAULT_NONE);
	assert_int_equal(file_input_open(&other, other_path), FAULT_NONE);
	bool shares = file_input_shares(&one, &other);

	assert_int_equal(file_input_shares(&other, &one), shares);
	file_input_close(&one);
	file_input_close(&other);
	return shares;
}

static int shared_with_descriptor_0(void *argument)
{
	const char *path = argument;

	CHECK(dup2(open(path, O_RDWR), 0) == 0);
	CHECK(shared("-", path) && shared("-", "-") && !shared("-", "other"));
	return 0;
}

static void who_takes_bytes_from_whom(void **state)
{
	char file[] = "f", fifo[] = "fifo";

	(void)state;
	put_text(file, "x");
	put_text("other", "x");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	int keep = open(fifo, O_RDWR); /* so that no open waits */

	assert_true(keep >= 0);
	assert_false(shared(file, file));
	assert_false(shared(file, "other"));
	assert_false(shared(file, fifo));
	assert_true(shared(fifo, fifo));
	assert_true(shared("/dev/zero", "/dev/zero"));
	assert_child(shared_with_descriptor_0, file);
	assert_child(shared_with_descriptor_0, fifo);
	close(keep);
}

static int adopt_our_own(void *argument)
{
	struct file_input input;

	(void)argument;
	CHECK(signals_install());
	CHECK(file_input_adopt(&input, signals_wake_fd(), "wake") == FAULT_OPEN);
	CHECK(input.error == EBADF && input.fd == -1);
	CHECK(fcntl(signals_wake_fd(), F_GETFD) != -1);
	return 0;
}

static void what_nobody_handed_over(void **state)
{
	struct file_input input;

	(void)state;
	assert_child(adopt_our_own, NULL);
	assert_int_equal(file_input_adopt(&input, 1000000, "none"), FAULT_OPEN);
	assert_int_equal(input.error, EBADF);
}

static void only_a_file_has_its_name(void **state)
{
	struct file_input input;

	(void)state;
	put_text("f", "x");
	assert_int_equal(symlink("f", "link"), 0);
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_true(file_input_has_name(&input));
	assert_int_equal(rename("f", "g"), 0);
	assert_false(file_input_has_name(&input));
	put_text("f", "another");
	assert_false(file_input_has_name(&input));
	assert_int_equal(rename("g", "f"), 0);
	assert_true(file_input_has_name(&input));
	file_input_close(&input);

	assert_int_equal(file_input_open(&input, "link"), FAULT_NONE);
	assert_false(file_input_has_name(&input));
	assert_int_equal(file_input_remove(&input), FAULT_INPUT_CHANGED);
	file_input_close(&input);
	assert_int_equal(file_input_open(&input, "/dev/null"), FAULT_NONE);
	assert_false(file_input_has_name(&input));
	file_input_close(&input);
	assert_int_equal(count_names(), 2);
}

static void removed_only_as_it_was(void **state)
{
	struct file_input input;

	(void)state;
	put_text("f", "x");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	put_text("f", "longer");
	assert_int_equal(file_input_remove(&input), FAULT_INPUT_CHANGED);
	assert_text("f", "longer");
	file_input_close(&input);

	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_int_equal(file_input_remove(&input), FAULT_NONE);
	assert_int_equal(count_names(), 0);
	assert_int_equal(file_input_remove(&input), FAULT_INPUT_CHANGED);
	file_input_close(&input);
}

static void seek_counts_from_the_start(void **state)
{
	struct file_input input;
	uint8_t bytes[8];
	size_t got;
	bool at_end;
	int pipes[2];
	int fd;

	(void)state;
	put_text("f", "before0123456789");
	fd = open("f", O_RDONLY);
	assert_int_equal(read(fd, bytes, 6), 6);
	assert_int_equal(file_input_adopt(&input, fd, "f"), FAULT_NONE);
	assert_int_equal(input.start, 6);
	assert_int_equal(input.length, 10);
	/* A byte that was looked at is forgotten. */
	assert_int_equal(file_input_at_end(&input, &at_end), FAULT_NONE);
	assert_int_equal(file_input_seek(&input, 7), FAULT_NONE);
	assert_int_equal(input.taken, 7);
	assert_int_equal(file_input_read(&input, bytes, sizeof bytes, &got), FAULT_NONE);
	assert_int_equal(got, 3);
	assert_memory_equal(bytes, "789", 3);
	assert_int_equal(input.taken, 10);
	assert_int_equal(file_input_seek(&input, 0), FAULT_NONE);
	assert_int_equal(file_input_read(&input, bytes, 2, &got), FAULT_NONE);
	assert_memory_equal(bytes, "01", 2);
	file_input_close(&input);

	assert_int_equal(pipe(pipes), 0);
	close(pipes[1]);
	assert_int_equal(file_input_adopt(&input, pipes[0], "pipe"), FAULT_NONE);
	assert_int_equal(file_input_seek(&input, 0), FAULT_READ);
	assert_int_equal(input.error, ESPIPE);
	file_input_close(&input);
}

/* Another thread has the flag set: no byte is taken, nor waited for. */
static void stopped_by_another(void **state)
{
	struct file_input input;
	atomic_bool stopped = true;
	uint8_t bytes[8];
	size_t got;

	(void)state;
	put_text("f", "text");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	input.stopped = &stopped;
	assert_int_equal(file_input_read(&input, bytes, 4, &got), FAULT_SIGNAL);
	assert_int_equal(got, 0);
	atomic_store(&stopped, false);
	assert_int_equal(file_input_read(&input, bytes, 4, &got), FAULT_NONE);
	assert_int_equal(got, 4);
	file_input_close(&input);
}

static void both_ends_of_a_pipe_are_closed_by_exec(void **state)
{
	struct file_input input;
	int writer;

	(void)state;
	assert_int_equal(file_input_pipe(&input, "pipe", &writer), FAULT_NONE);
	assert_int_equal(fcntl(input.fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(writer, F_GETFD), FD_CLOEXEC);
	file_input_pipe_given(&writer);
	file_input_close(&input);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(at_end_keeps_the_byte),
		IN_SCRATCH(at_end_of_nothing),
		IN_SCRATCH(at_end_tells_why_not),
		IN_SCRATCH(who_takes_bytes_from_whom),
		IN_SCRATCH(what_nobody_handed_over),
		IN_SCRATCH(only_a_file_has_its_name),
		IN_SCRATCH(removed_only_as_it_was),
		IN_SCRATCH(seek_counts_from_the_start),
		IN_SCRATCH(stopped_by_another),
		IN_SCRATCH(both_ends_of_a_pipe_are_closed_by_exec),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
