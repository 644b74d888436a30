/* SPDX-License-Identifier: ISC */
/*
 * test_file.c - what inputs and the standard descriptors promise: whole reads, waits that end, no
 * surprise about which file is which.
 */
#include "io_util.h"

#include "io/file.h"
#include "io/signals.h"

static void read_exactly(void **state)
{
	struct file_input input;
	uint8_t bytes[16];
	size_t got;

	(void)state;
	put_text("f", "0123456789");
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_true(input.regular);
	assert_false(input.is_stdin);
	assert_int_equal(input.at_open.st_size, 10);
	file_input_expect_all(&input);
	assert_int_equal(file_input_read(&input, bytes, 4, &got), FAULT_NONE);
	assert_int_equal(got, 4);
	assert_memory_equal(bytes, "0123", 4);
	assert_int_equal(file_input_read(&input, bytes, 16, &got), FAULT_NONE);
	assert_int_equal(got, 6);
	assert_memory_equal(bytes, "456789", 6);
	assert_int_equal(file_input_read(&input, bytes, 16, &got), FAULT_NONE);
	assert_int_equal(got, 0);
	assert_int_equal(input.taken, 10);
	file_input_close(&input);
	assert_int_equal(input.fd, -1);
	file_input_close(&input);
}

/* A pipe whose writer sends 1000 bytes in pieces, with pauses. */
static int slow_pipe(int flags)
{
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(fcntl(pipes[0], F_SETFL, flags), 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		uint8_t bytes[100];

		for (int i = 0; i < 10; i++) {
			memset(bytes, 'a' + i, sizeof bytes);
			usleep(3000);
			if (write(pipes[1], bytes, sizeof bytes) != sizeof bytes)
				_exit(1);
		}
		_exit(0);
	}
	close(pipes[1]);
	return pipes[0];
}

static void short_reads_are_filled_up(void **state)
{
	static const int flags[] = {0, O_NONBLOCK};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(flags); i++) {
		struct file_input input;
		uint8_t bytes[1024];
		size_t got;
		int status;
		int fd = slow_pipe(flags[i]);

		assert_int_equal(file_input_adopt(&input, fd, "pipe"), FAULT_NONE);
		assert_false(input.regular);
		assert_int_equal(file_input_read(&input, bytes, 950, &got), FAULT_NONE);
		assert_int_equal(got, 950);
		for (size_t at = 0; at < got; at++)
			assert_int_equal(bytes[at], 'a' + at / 100);
		assert_int_equal(file_input_read(&input, bytes, 950, &got), FAULT_NONE);
		assert_int_equal(got, 50);
		assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, flags[i]);
		file_input_close(&input);
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
}

struct waiting {
	bool nonblocking;
	bool before;  /* the signal comes before the call */
	bool writing; /* into a pipe that nobody empties */
	bool opening; /* a FIFO without a writer */
};

static void signal_soon(bool before)
{
	pid_t parent = getpid();

	if (before) {
		raise(SIGTERM);
	} else if (fork() == 0) {
		usleep(50000);
		kill(parent, SIGTERM);
		_exit(0);
	}
}

static int wait_for_signal(void *argument)
{
	const struct waiting *how = argument;
	static uint8_t bytes[4 << 20];
	struct file_input input;
	struct file_output output = {.folder_fd = -1};
	size_t got;
	int pipes[2];

	CHECK(signals_install() && pipe(pipes) == 0);
	int fd = pipes[how->writing ? 1 : 0];

	CHECK(fcntl(fd, F_SETFL, how->nonblocking ? O_NONBLOCK : 0) == 0);
	CHECK(file_input_adopt(&input, fd, "pipe") == FAULT_NONE);
	output.fd = fd;
	signal_soon(how->before);
	if (how->opening)
		CHECK(file_input_open(&input, "fifo") == FAULT_SIGNAL);
	else if (how->writing)
		CHECK(file_output_write(&output, bytes, sizeof bytes) == FAULT_SIGNAL);
	else
		CHECK(file_input_read(&input, bytes, 10, &got) == FAULT_SIGNAL && got == 0);
	CHECK(signals_caught() == SIGTERM);
	return 0;
}

static void every_wait_ends_by_a_signal(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	for (unsigned bits = 0; bits < 8; bits++) {
		struct waiting how = {
			.nonblocking = bits & 1, .before = bits & 2, .writing = bits & 4};

		assert_child(wait_for_signal, &how);
	}
	struct waiting how = {.opening = true};

	assert_child(wait_for_signal, &how);
}

static void what_cannot_be_opened(void **state)
{
	struct file_input input;

	(void)state;
	assert_int_equal(file_input_open(&input, "nothing"), FAULT_OPEN);
	assert_int_equal(input.error, ENOENT);
	assert_int_equal(file_input_open(&input, "."), FAULT_IS_DIRECTORY);
	assert_int_equal(input.error, EISDIR);
	assert_int_equal(input.fd, -1);
	assert_int_equal(file_input_adopt(&input, 999, "descriptor 999"), FAULT_OPEN);
	assert_int_equal(input.error, EBADF);
	file_input_close(&input);
}

static void errors_while_reading(void **state)
{
	struct file_input input;
	uint8_t byte;
	size_t got;

	(void)state;
	put_text("f", "x");
	assert_int_equal(file_input_adopt(&input, open("f", O_WRONLY), "f"), FAULT_NONE);
	assert_int_equal(file_input_read(&input, &byte, 1, &got), FAULT_READ);
	assert_int_equal(input.error, EBADF);
	file_input_close(&input);
}

static void a_change_is_noticed(void **state)
{
	struct file_input input;
	struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000, .tv_nsec = 5}};

	(void)state;
	put_text("f", "one");
	assert_int_equal(utimensat(AT_FDCWD, "f", times, 0), 0);
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_false(file_input_changed(&input));
	assert_int_equal(chmod("f", 0640), 0);
	assert_false(file_input_changed(&input));
	times[1].tv_nsec++;
	assert_int_equal(utimensat(AT_FDCWD, "f", times, 0), 0);
	assert_true(file_input_changed(&input));
	file_input_close(&input);

	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	put_text("f", "three");
	assert_int_equal(utimensat(AT_FDCWD, "f", times, 0), 0);
	assert_true(file_input_changed(&input));
	file_input_close(&input);
}

static void exposed_secrets(void **state)
{
	static const struct {
		mode_t mode;
		bool exposed;
	} cases[] = {{0600, false}, {0400, false}, {0640, true}, {0604, true}, {0622, false}};
	struct file_input input;

	(void)state;
	put_text("f", "key");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_int_equal(chmod("f", cases[i].mode), 0);
		assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
		assert_int_equal(file_input_exposed(&input), cases[i].exposed);
		file_input_close(&input);
	}
}

static void which_files_are_the_same(void **state)
{
	struct file_input input;

	(void)state;
	put_text("f", "x");
	put_text("other", "x");
	assert_int_equal(symlink("f", "soft"), 0);
	assert_int_equal(link("f", "hard"), 0);
	assert_int_equal(file_input_open(&input, "f"), FAULT_NONE);
	assert_true(file_same(&input, "f"));
	assert_true(file_same(&input, "./f"));
	assert_true(file_same(&input, "soft"));
	assert_true(file_same(&input, "hard"));
	assert_false(file_same(&input, "other"));
	assert_false(file_same(&input, "nothing"));
	assert_false(file_same(&input, "-"));
	file_input_close(&input);
}

static int same_by_descriptor(void *argument)
{
	struct file_input input;

	(void)argument;
	CHECK(dup2(open("f", O_RDONLY), 0) == 0 && dup2(open("f", O_WRONLY), 1) == 1);
	CHECK(file_input_open(&input, "-") == FAULT_NONE && input.is_stdin);
	CHECK(strcmp(input.name, "standard input") == 0);
	CHECK(file_same(&input, "-") && file_same(&input, "f"));
	CHECK(dup2(open("other", O_WRONLY), 1) == 1);
	CHECK(!file_same(&input, "-"));
	file_input_close(&input);
	CHECK(fcntl(0, F_GETFD) != -1);
	return 0;
}

static void descriptors_may_be_the_same_file(void **state)
{
	(void)state;
	put_text("f", "x");
	put_text("other", "x");
	assert_child(same_by_descriptor, NULL);
}

static void devices_are_never_the_same(void **state)
{
	struct file_input input;

	(void)state;
	assert_int_equal(file_input_open(&input, "/dev/null"), FAULT_NONE);
	assert_false(file_same(&input, "/dev/null"));
	file_input_close(&input);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(file_input_adopt(&input, open("fifo", O_RDONLY | O_NONBLOCK), "fifo"),
			 FAULT_NONE);
	assert_false(file_same(&input, "fifo"));
	file_input_close(&input);
}

static void small_files(void **state)
{
	char text[8];
	size_t len;

	(void)state;
	put_text("f", "0123456789");
	assert_true(file_read_small("f", text, sizeof text, &len));
	assert_int_equal(len, 7);
	assert_string_equal(text, "0123456");
	put_text("f", "");
	assert_true(file_read_small("f", text, sizeof text, &len));
	assert_string_equal(text, "");
	assert_false(file_read_small("nothing", text, sizeof text, &len));
	assert_false(file_read_small(".", text, sizeof text, &len));
}

static int closed_at_start(void *argument)
{
	char byte = 'x';

	(void)argument;
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	if (!file_hold_standard() || open("f", O_RDONLY) < 3)
		return 2;
	for (int fd = 0; fd < 3; fd++) {
		ssize_t moved = fd == 0 ? read(fd, &byte, 1) : write(fd, &byte, 1);

		if (moved != -1 || errno != EBADF)
			return 3 + fd;
	}
	return 0;
}

static int open_at_start(void *argument)
{
	struct stat before[3], after;

	(void)argument;
	for (int fd = 0; fd < 3; fd++)
		CHECK(fstat(fd, &before[fd]) == 0);
	CHECK(file_hold_standard());
	for (int fd = 0; fd < 3; fd++)
		CHECK(fstat(fd, &after) == 0 && after.st_ino == before[fd].st_ino);
	return 0;
}

static void closed_standard_descriptors_are_held(void **state)
{
	(void)state;
	put_text("f", "x");
	assert_child(closed_at_start, NULL);
	assert_child(open_at_start, NULL);
}

static int close_output(void *argument)
{
	(void)argument;
	CHECK(dup2(open("out", O_WRONLY | O_CREAT, 0600), 1) == 1);
	CHECK(file_close_stdout() && fcntl(1, F_GETFD) == -1);
	CHECK(!file_close_stdout() && errno == EBADF);
	return 0;
}

static void standard_output_is_closed_once(void **state)
{
	(void)state;
	assert_child(close_output, NULL);
}

static int marks_from_there_on(void *argument)
{
	(void)argument;
	CHECK(dup2(STDIN_FILENO, 5) == 5 && dup2(STDIN_FILENO, 6) == 6 &&
	      dup2(STDIN_FILENO, 200) == 200);
	file_close_on_exec(6);
	CHECK(fcntl(5, F_GETFD) == 0);
	CHECK(fcntl(6, F_GETFD) == FD_CLOEXEC && fcntl(200, F_GETFD) == FD_CLOEXEC);
	return 0;
}

static void what_was_handed_over_is_closed_by_exec(void **state)
{
	(void)state;
	assert_child(marks_from_there_on, NULL);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(read_exactly),
		IN_SCRATCH(short_reads_are_filled_up),
		IN_SCRATCH(every_wait_ends_by_a_signal),
		IN_SCRATCH(what_cannot_be_opened),
		IN_SCRATCH(errors_while_reading),
		IN_SCRATCH(a_change_is_noticed),
		IN_SCRATCH(exposed_secrets),
		IN_SCRATCH(which_files_are_the_same),
		IN_SCRATCH(descriptors_may_be_the_same_file),
		IN_SCRATCH(devices_are_never_the_same),
		IN_SCRATCH(small_files),
		IN_SCRATCH(closed_standard_descriptors_are_held),
		IN_SCRATCH(standard_output_is_closed_once),
		cmocka_unit_test(what_was_handed_over_is_closed_by_exec),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
