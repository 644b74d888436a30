/* SPDX-License-Identifier: ISC */
/*
 * test_file_write.c - writing: FIFOs, devices and standard output in place, limits, slow and
 * vanished readers, signals, rights.
 */
#include "io_util.h"

#include "io/file.h"
#include "io/signals.h"

#include <grp.h>
#include <sys/resource.h>

#define NOBODY 65534

static const uint8_t text[] = "sealed";

static void write_text(struct file_output *output)
{
	assert_int_equal(file_output_write(output, text, 6), FAULT_NONE);
	assert_int_equal(output->written, 6);
}

static void open_and_write(struct file_output *output, const char *path, bool force)
{
	assert_int_equal(file_output_open(output, path, force), FAULT_NONE);
	write_text(output);
}

static int read_fifo(void *argument)
{
	char found[16];
	int fd = open("fifo", O_RDONLY);

	(void)argument;
	return fd >= 0 && read(fd, found, sizeof found) == 6 && memcmp(found, text, 6) == 0 ? 0 : 1;
}

static void a_fifo_is_written_in_place(void **state)
{
	struct file_output output;
	struct stat there;
	int status;

	(void)state;
	for (int force = 0; force < 2; force++) {
		assert_int_equal(mkfifo("fifo", 0622), 0);
		assert_int_equal(chmod("fifo", 0622), 0);
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0)
			_exit(read_fifo(NULL));
		open_and_write(&output, "fifo", force);
		assert_false(output.regular);
		assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		assert_int_equal(lstat("fifo", &there), 0);
		assert_true(S_ISFIFO(there.st_mode));
		assert_int_equal(there.st_mode & 07777, 0622);
		assert_int_equal(count_names(), 1);
		assert_int_equal(unlink("fifo"), 0);
	}
}

static int reader_of_fifo_leaves(void *argument)
{
	struct file_output output;
	int reader = open("fifo", O_RDONLY | O_NONBLOCK);

	(void)argument;
	CHECK(signals_install() && reader >= 0);
	CHECK(file_output_open(&output, "fifo", false) == FAULT_NONE);
	close(reader);
	CHECK(file_output_write(&output, text, 6) == FAULT_WRITE && output.error == EPIPE);
	file_output_discard(&output);
	CHECK(access("fifo", F_OK) == 0);
	return 0;
}

static int reader_of_stdout_leaves(void *argument)
{
	struct file_output output;
	int pipes[2];

	(void)argument;
	CHECK(signals_install() && pipe(pipes) == 0 && dup2(pipes[1], 1) == 1);
	close(pipes[0]);
	CHECK(file_output_open(&output, "-", false) == FAULT_NONE && output.is_stdout);
	CHECK(file_output_write(&output, text, 6) == FAULT_BROKEN_PIPE && output.error == EPIPE);
	file_output_discard(&output);
	CHECK(fcntl(1, F_GETFD) != -1);
	return 0;
}

static void readers_that_leave(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_child(reader_of_fifo_leaves, NULL);
	assert_child(reader_of_stdout_leaves, NULL);
}

static void devices_are_written_in_place(void **state)
{
	struct file_output output;

	(void)state;
	open_and_write(&output, "/dev/null", false);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_int_equal(file_output_open(&output, "/dev/full", true), FAULT_NONE);
	assert_int_equal(file_output_write(&output, text, 6), FAULT_WRITE);
	assert_int_equal(output.error, ENOSPC);
	assert_int_equal(output.written, 0);
	file_output_discard(&output);
	assert_int_equal(access("/dev/full", F_OK), 0);
}

static int write_stdout_file(void *argument)
{
	struct file_output output;

	(void)argument;
	CHECK(dup2(open("f", O_WRONLY | O_CREAT, 0640), 1) == 1);
	CHECK(file_output_open(&output, "-", false) == FAULT_NONE && output.regular);
	CHECK(strcmp(output.name, "standard output") == 0);
	CHECK(file_output_write(&output, text, 6) == FAULT_NONE);
	CHECK(file_output_commit(&output, NULL) == FAULT_NONE);
	CHECK(fcntl(1, F_GETFD) != -1);
	return 0;
}

static void standard_output_keeps_its_file(void **state)
{
	(void)state;
	put_text("f", "");
	assert_int_equal(chmod("f", 0640), 0);
	assert_child(write_stdout_file, NULL);
	assert_text("f", "sealed");
	assert_int_equal(mode_of("f"), 0640);
}

static int reach_the_limit(void *argument)
{
	const struct rlimit limit = {8192, 8192};
	static uint8_t bytes[10000];
	struct file_output output;

	(void)argument;
	CHECK(signals_install() && setrlimit(RLIMIT_FSIZE, &limit) == 0);
	CHECK(file_output_open(&output, "f", false) == FAULT_NONE);
	CHECK(file_output_write(&output, bytes, sizeof bytes) == FAULT_WRITE);
	CHECK(output.error == EFBIG && output.written == 8192);
	file_output_discard(&output);
	return 0;
}

static void a_file_too_large(void **state)
{
	(void)state;
	assert_child(reach_the_limit, NULL);
	assert_int_equal(count_names(), 0);
}

static int caught_before_commit(void *argument)
{
	struct file_output output;

	CHECK(signals_install());
	CHECK(file_output_open(&output, "f", *(bool *)argument) == FAULT_NONE);
	CHECK(file_output_write(&output, text, 6) == FAULT_NONE);
	raise(SIGTERM);
	CHECK(file_output_commit(&output, NULL) == FAULT_SIGNAL);
	return 0;
}

static void a_signal_before_the_name(void **state)
{
	bool force = false;

	(void)state;
	assert_child(caught_before_commit, &force);
	assert_int_equal(count_names(), 0);
	put_text("f", "old");
	force = true;
	assert_child(caught_before_commit, &force);
	assert_int_equal(count_names(), 1);
	assert_text("f", "old");
}

/* A reader that is slow, and a descriptor whose flags are not ours. */
static void a_full_pipe_is_waited_for(void **state)
{
	static uint8_t bytes[1 << 20];
	struct file_output output = {.folder_fd = -1};
	int pipes[2], status;

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	randombytes_buf(bytes, sizeof bytes);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		static uint8_t found[sizeof bytes];
		size_t len = 0;
		ssize_t some;

		close(pipes[1]);
		while ((some = read(pipes[0], found + len, 50000)) > 0) {
			len += (size_t)some;
			usleep(1000);
		}
		_exit(len == sizeof bytes && memcmp(found, bytes, len) == 0 ? 0 : 1);
	}
	assert_int_equal(fcntl(pipes[1], F_SETFL, O_NONBLOCK), 0);
	output.fd = pipes[1];
	assert_int_equal(file_output_write(&output, bytes, sizeof bytes), FAULT_NONE);
	assert_true((fcntl(pipes[1], F_GETFL) & O_NONBLOCK) != 0);
	close(pipes[0]);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static int write_as_nobody(void *argument)
{
	struct file_output output;

	(void)argument;
	CHECK(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	for (int force = 0; force < 2; force++) {
		const char *path = force ? "drop/forced" : "drop/f";

		CHECK(file_output_open(&output, path, force) == FAULT_NONE);
		CHECK(file_output_write(&output, text, 6) == FAULT_NONE);
		CHECK(file_output_commit(&output, NULL) == FAULT_NONE);
	}
	CHECK(file_output_open(&output, "closed/f", false) == FAULT_CREATE);
	CHECK(output.error == EACCES);
	return 0;
}

/* A folder that may be written to and not be listed; one that may be neither. */
static void folders_that_are_half_closed(void **state)
{
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(*state, 0711), 0);
	assert_int_equal(mkdir("drop", 0700), 0);
	assert_int_equal(chmod("drop", 0733), 0);
	assert_int_equal(mkdir("closed", 0711), 0);
	assert_child(write_as_nobody, NULL);
	assert_text("drop/f", "sealed");
	assert_text("drop/forced", "sealed");
	assert_int_equal(chdir("drop"), 0);
	assert_int_equal(count_names(), 2);
	remove_names();
	assert_int_equal(chdir(".."), 0);
}

/* What can be refused by the name alone is refused in the same words, and nothing is created. */
static void check_only_looks(void **state)
{
	static const struct {
		const char *path;
		enum fault fault, forced;
		int error;
	} cases[] = {
		{"new", FAULT_NONE, FAULT_NONE, 0},
		{"-", FAULT_NONE, FAULT_NONE, 0},
		{"fifo", FAULT_NONE, FAULT_NONE, 0},
		{"file", FAULT_EXISTS, FAULT_NONE, EEXIST},
		{"soft", FAULT_OUTPUT_SYMLINK, FAULT_NONE, EEXIST},
		{".", FAULT_IS_DIRECTORY, FAULT_IS_DIRECTORY, EISDIR},
		{"nothing/f", FAULT_CREATE, FAULT_CREATE, ENOENT},
		{"", FAULT_CREATE, FAULT_CREATE, ENOENT},
	};
	struct file_output output;

	(void)state;
	put_text("file", "old");
	assert_int_equal(symlink("nowhere", "soft"), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
		size_t n = i / 2;
		enum fault want = i % 2 != 0 ? cases[n].forced : cases[n].fault;

		assert_int_equal(file_output_check(&output, cases[n].path, i % 2 != 0), want);
		assert_int_equal(output.error, want == FAULT_NONE ? 0 : cases[n].error);
		assert_string_equal(output.name, cases[n].path);
		assert_true(output.fd == -1 && output.folder_fd == -1 && output.temporary == NULL);
	}
	assert_int_equal(count_names(), 3);
	assert_text("file", "old");
}

static int exposed_as(void *argument)
{
	struct file_output output;
	mode_t mode = *(mode_t *)argument;

	CHECK(dup2(open("out", O_WRONLY | O_CREAT, 0600), 1) == 1 && fchmod(1, mode) == 0);
	CHECK(file_output_open(&output, "-", false) == FAULT_NONE);
	return file_output_exposed(&output);
}

static void who_may_read_the_output(void **state)
{
	static const mode_t open_modes[] = {0644, 0640, 0604}, closed[] = {0600, 0622, 0711};
	struct file_output output;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(closed); i++) {
		mode_t mode = closed[i];

		assert_child(exposed_as, &mode);
		mode = open_modes[i];
		assert_int_equal(WEXITSTATUS(run_child(exposed_as, &mode)), 1);
	}
	assert_int_equal(file_output_open(&output, "f", false), FAULT_NONE);
	assert_false(file_output_exposed(&output));
	file_output_discard(&output);
}

static void room_is_kept_and_given_back(void **state)
{
	const uint64_t room = 3 << 20;
	const blkcnt_t blocks = 3 << 11; /* of 512 bytes */
	const struct timespec long_ago[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
	struct file_input like;

	(void)state;
	assert_int_equal(close(open("like", O_WRONLY | O_CREAT, 0600)), 0);
	assert_int_equal(utimensat(AT_FDCWD, "like", long_ago, 0), 0);
	assert_int_equal(file_input_open(&like, "like"), FAULT_NONE);
	for (int force = 0; force < 2; force++) {
		struct file_output output;
		struct stat now;

		assert_int_equal(file_output_open(&output, "out", force), FAULT_NONE);
		assert_int_equal(file_output_reserve(&output, room), FAULT_NONE);
		if (output.reserved == 0) {
			file_output_discard(&output);
			skip(); /* not on this file system */
		}
		assert_int_equal(fstat(output.fd, &now), 0);
		assert_int_equal(now.st_size, 0);
		assert_true(now.st_blocks >= blocks);
		write_text(&output);
		assert_int_equal(file_output_commit(&output, &like), FAULT_NONE);
		assert_int_equal(stat("out", &now), 0);
		assert_true(now.st_blocks < blocks / 2);
		assert_int_equal(now.st_mtime, long_ago[1].tv_sec);
		assert_text("out", "sealed");
	}
	file_input_close(&like);
}

static void more_than_any_disk_has(void **state)
{
	struct file_output output;

	(void)state;
	assert_int_equal(file_output_open(&output, "out", false), FAULT_NONE);
	enum fault fault = file_output_reserve(&output, UINT64_C(1) << 62);

	if (fault != FAULT_NONE)
		assert_true(output.error == ENOSPC || output.error == EFBIG);
	assert_int_equal(output.reserved, 0);
	assert_int_equal(file_output_reserve(&output, UINT64_MAX), FAULT_NONE);
	file_output_discard(&output);
	assert_int_equal(count_names(), 0);

	/* What is not a new file is left alone. */
	assert_int_equal(file_output_open(&output, "/dev/null", false), FAULT_NONE);
	assert_int_equal(file_output_reserve(&output, UINT64_C(1) << 62), FAULT_NONE);
	file_output_discard(&output);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(a_fifo_is_written_in_place),
		IN_SCRATCH(readers_that_leave),
		IN_SCRATCH(devices_are_written_in_place),
		IN_SCRATCH(standard_output_keeps_its_file),
		IN_SCRATCH(a_file_too_large),
		IN_SCRATCH(a_signal_before_the_name),
		IN_SCRATCH(a_full_pipe_is_waited_for),
		IN_SCRATCH(check_only_looks),
		IN_SCRATCH(who_may_read_the_output),
		IN_SCRATCH(room_is_kept_and_given_back),
		IN_SCRATCH(more_than_any_disk_has),
		IN_SCRATCH(folders_that_are_half_closed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
