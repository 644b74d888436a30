/* SPDX-License-Identifier: ISC */
/*
 * test_file_output.c - a named output appears complete or not at all, and nothing else is touched.
 */
#include "io_util.h"

#include "io/file.h"

#ifdef __linux__
#include <sched.h>
#include <sys/mount.h>
#endif

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

/* Whether there is exactly one temporary with a name, and which. */
static bool find_temporary(char name[256])
{
	DIR *folder = opendir(".");
	size_t found = 0;

	if (folder == NULL)
		return false;
	for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
		if (strstr(entry->d_name, ".gcmcrypt-") == NULL)
			continue;
		snprintf(name, 256, "%s", entry->d_name);
		found++;
	}
	closedir(folder);
	return found == 1;
}

static void appears_at_commit(void **state)
{
	struct file_output output;
	mode_t umask_before = umask(0);

	(void)state;
	open_and_write(&output, "f", false);
	assert_true(output.regular);
	assert_int_equal(access("f", F_OK), -1);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	umask(umask_before);
	assert_text("f", "sealed");
	assert_int_equal(mode_of("f"), 0600);
	assert_int_equal(count_names(), 1);
	file_output_discard(&output); /* after a commit: nothing */
	assert_text("f", "sealed");
}

static void discard_leaves_nothing(void **state)
{
	struct file_output output;

	(void)state;
	open_and_write(&output, "f", false);
	file_output_discard(&output);
	assert_int_equal(count_names(), 0);
	put_text("f", "old");
	open_and_write(&output, "f", true);
	file_output_discard(&output);
	file_output_discard(&output);
	assert_int_equal(count_names(), 1);
	assert_text("f", "old");
}

static void never_opened(void **state)
{
	struct file_output output = {0};

	(void)state;
	file_output_discard(&output);
	assert_int_not_equal(fcntl(0, F_GETFD), -1);
}

static void takes_mode_and_times(void **state)
{
	static const mode_t modes[] = {0600, 0644, 0400, 0755, 0666, 04755};
	struct timespec times[2] = {{.tv_sec = 1, .tv_nsec = 2}, {.tv_sec = 3, .tv_nsec = 4}};
	mode_t umask_before = umask(077);
	struct file_output output;
	struct file_input like;
	struct stat made;

	(void)state;
	put_text("like", "x");
	for (size_t i = 0; i < COUNT_OF(modes); i++) {
		assert_int_equal(chmod("like", modes[i]), 0);
		assert_int_equal(utimensat(AT_FDCWD, "like", times, 0), 0);
		assert_int_equal(file_input_open(&like, "like"), FAULT_NONE);
		open_and_write(&output, "f", i % 2 == 1);
		assert_int_equal(file_output_commit(&output, &like), FAULT_NONE);
		file_input_close(&like);
		assert_int_equal(mode_of("f"), modes[i] & 0777);
		assert_int_equal(stat("f", &made), 0);
		assert_memory_equal(&made.st_atim, &times[0], sizeof times[0]);
		assert_memory_equal(&made.st_mtim, &times[1], sizeof times[1]);
		assert_int_equal(unlink("f"), 0);
	}
	umask(umask_before);
}

static void another_group_gets_no_more_than_others(void **state)
{
	static const struct {
		mode_t like, made;
	} cases[] = {{0640, 0600}, {0660, 0600}, {0664, 0644}, {0644, 0644}, {0755, 0755}};
	struct file_output output;
	struct file_input like;

	(void)state;
	put_text("like", "x");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_int_equal(chmod("like", cases[i].like), 0);
		assert_int_equal(file_input_open(&like, "like"), FAULT_NONE);
		like.at_open.st_gid++;
		open_and_write(&output, "f", true);
		assert_int_equal(file_output_commit(&output, &like), FAULT_NONE);
		file_input_close(&like);
		assert_int_equal(mode_of("f"), cases[i].made);
	}
}

/* Where root replaces somebody's file it stays theirs, if that was asked for. */
static void the_owner_only_when_asked(void **state)
{
	struct file_input input;
	struct file_output output;
	struct stat made;

	(void)state;
	if (geteuid() != 0)
		skip();
	put_text("like", "x");
	assert_int_equal(chown("like", 1234, 5678), 0);
	assert_int_equal(chmod("like", 0640), 0);
	assert_int_equal(file_input_open(&input, "like"), FAULT_NONE);
	for (int asked = 0; asked < 2; asked++) {
		open_and_write(&output, "f", true);
		output.replaces_input = asked;
		assert_int_equal(file_output_commit(&output, &input), FAULT_NONE);
		assert_int_equal(stat("f", &made), 0);
		assert_int_equal(made.st_uid, asked ? 1234 : 0);
		assert_int_equal(made.st_gid, asked ? 5678 : getegid());
		assert_int_equal(mode_of("f"), asked ? 0640 : 0600);
	}
	file_input_close(&input);
}

static void a_pipe_gives_no_mode(void **state)
{
	struct file_output output;
	struct file_input like;
	int pipes[2];

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	close(pipes[1]);
	assert_int_equal(file_input_adopt(&like, pipes[0], "pipe"), FAULT_NONE);
	open_and_write(&output, "f", false);
	assert_int_equal(file_output_commit(&output, &like), FAULT_NONE);
	file_input_close(&like);
	assert_int_equal(mode_of("f"), 0600);
}

static void what_exists_is_kept_without_force(void **state)
{
	struct file_output output;

	(void)state;
	put_text("f", "old");
	assert_int_equal(file_output_open(&output, "f", false), FAULT_EXISTS);
	assert_int_equal(output.error, EEXIST);
	assert_int_equal(count_names(), 1);
	assert_text("f", "old");
}

static void what_comes_meanwhile_is_kept(void **state)
{
	struct file_output output;

	(void)state;
	open_and_write(&output, "f", false);
	put_text("f", "came first");
	assert_int_equal(file_output_commit(&output, NULL), FAULT_EXISTS);
	assert_int_equal(output.error, EEXIST);
	assert_text("f", "came first");
	assert_int_equal(count_names(), 1);
}

static void force_replaces_at_commit(void **state)
{
	struct file_output output;
	char name[256];

	(void)state;
	put_text("f", "old");
	assert_int_equal(chmod("f", 0444), 0);
	open_and_write(&output, "f", true);
	assert_text("f", "old");
	assert_true(find_temporary(name));
	assert_memory_equal(name, ".f.gcmcrypt-", 12);
	assert_int_equal(strlen(name), 18);
	assert_int_equal(mode_of(name), 0600);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_text("f", "sealed");
	assert_int_equal(count_names(), 1);
}

static void a_fifo_that_comes_meanwhile_is_kept(void **state)
{
	struct file_output output;
	struct stat there;

	(void)state;
	open_and_write(&output, "f", true);
	assert_int_equal(mkfifo("f", 0600), 0);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_EXISTS);
	assert_int_equal(lstat("f", &there), 0);
	assert_true(S_ISFIFO(there.st_mode));
	assert_int_equal(count_names(), 1);
}

static void links_are_never_followed(void **state)
{
	struct file_output output;
	struct stat there;

	(void)state;
	put_text("target", "precious");
	assert_int_equal(symlink("target", "f"), 0);
	assert_int_equal(symlink("nothing", "dangling"), 0);
	assert_int_equal(file_output_open(&output, "f", false), FAULT_OUTPUT_SYMLINK);
	assert_int_equal(file_output_open(&output, "dangling", false), FAULT_OUTPUT_SYMLINK);
	assert_int_equal(count_names(), 3);
	open_and_write(&output, "f", true);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_text("target", "precious");
	assert_int_equal(lstat("f", &there), 0);
	assert_true(S_ISREG(there.st_mode));
	assert_text("f", "sealed");
	assert_int_equal(count_names(), 3);
}

static void places_where_nothing_can_be(void **state)
{
	static const struct {
		const char *path;
		enum fault fault;
		int error;
	} cases[] = {
		{".", FAULT_IS_DIRECTORY, EISDIR},   {"./", FAULT_IS_DIRECTORY, EISDIR},
		{"/", FAULT_IS_DIRECTORY, EISDIR},   {"", FAULT_CREATE, ENOENT},
		{"nothing/f", FAULT_CREATE, ENOENT}, {"nothing/", FAULT_CREATE, ENOENT},
		{"file/f", FAULT_CREATE, ENOTDIR},   {"/proc/f", FAULT_CREATE, ENOENT},
	};
	struct file_output output;

	(void)state;
	put_text("file", "x");
	for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
		size_t n = i / 2;

		assert_int_equal(file_output_open(&output, cases[n].path, i % 2), cases[n].fault);
		assert_int_equal(output.error, cases[n].error);
		assert_int_equal(output.fd, -1);
	}
	assert_int_equal(count_names(), 1);
}

static void folders_of_all_spellings(void **state)
{
	struct file_output output;
	char path[4200];

	assert_int_equal(mkdir("sub", 0700), 0);
	snprintf(path, sizeof path, "%s/sub/f", (const char *)*state);
	open_and_write(&output, path, false);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_text("sub/f", "sealed");
	open_and_write(&output, "./sub//f", true);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_int_equal(chdir("sub"), 0);
	assert_int_equal(count_names(), 1);
	assert_int_equal(unlink("f"), 0);
	assert_int_equal(chdir(".."), 0);
}

static void the_longest_names(void **state)
{
	struct file_output output;
	char name[257], temporary[256];

	(void)state;
	/* Two bytes for each character, at odd places: one would be cut in the middle. */
	for (size_t i = 0; i < 255; i++)
		name[i] = i == 0 ? 'x' : i % 2 == 1 ? '\xc3' : '\xa4';
	name[255] = '\0';
	open_and_write(&output, name, true);
	assert_true(find_temporary(temporary));
	size_t kept = strlen(temporary) - 17;

	assert_memory_equal(temporary + 1, name, kept);
	assert_true(kept == 237 || kept == 238);
	assert_true((name[kept] & 0xC0) != 0x80);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_text(name, "sealed");
	memset(name, 'y', 256);
	name[256] = '\0';
	assert_int_equal(file_output_open(&output, name, true), FAULT_CREATE);
	assert_int_equal(output.error, ENAMETOOLONG);
	assert_int_equal(count_names(), 1);
}

/* Somebody else's file in the temporary's place: not ours to remove. */
static void only_our_own_is_unlinked(void **state)
{
	struct file_output output;
	char name[256];

	(void)state;
	open_and_write(&output, "f", true);
	assert_true(find_temporary(name));
	put_text("theirs", "theirs");
	assert_int_equal(rename("theirs", name), 0);
	file_output_discard(&output);
	assert_text(name, "theirs");
	assert_int_equal(count_names(), 1);
}

#ifdef __linux__
/* Without /proc a nameless file could never get its name. */
static int write_without_proc(void *argument)
{
	struct file_output output;
	char name[256];

	(void)argument;
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "/proc", "tmpfs", 0, NULL) != 0)
		return 77;
	CHECK(file_output_open(&output, "f", false) == FAULT_NONE);
	CHECK(file_output_write(&output, text, 6) == FAULT_NONE);
	CHECK(find_temporary(name) && mode_of(name) == 0600);
	CHECK(file_output_commit(&output, NULL) == FAULT_NONE);
	CHECK(count_names() == 1);

	CHECK(file_output_open(&output, "g", false) == FAULT_NONE);
	CHECK(file_output_write(&output, text, 6) == FAULT_NONE);
	put_text("g", "came first");
	CHECK(file_output_commit(&output, NULL) == FAULT_EXISTS);
	CHECK(count_names() == 2);
	CHECK(file_output_open(&output, "h", false) == FAULT_NONE);
	CHECK(file_output_write(&output, text, 6) == FAULT_NONE);
	file_output_discard(&output);
	CHECK(count_names() == 2);
	return 0;
}

static void systems_without_proc(void **state)
{
	int status = run_child(write_without_proc, NULL);

	(void)state;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip(); /* not the right to mount */
	assert_int_equal(status, 0);
	assert_text("f", "sealed");
	assert_text("g", "came first");
}
#endif

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(appears_at_commit),
		IN_SCRATCH(discard_leaves_nothing),
		IN_SCRATCH(never_opened),
		IN_SCRATCH(takes_mode_and_times),
		IN_SCRATCH(another_group_gets_no_more_than_others),
		IN_SCRATCH(the_owner_only_when_asked),
		IN_SCRATCH(a_pipe_gives_no_mode),
		IN_SCRATCH(what_exists_is_kept_without_force),
		IN_SCRATCH(what_comes_meanwhile_is_kept),
		IN_SCRATCH(force_replaces_at_commit),
		IN_SCRATCH(a_fifo_that_comes_meanwhile_is_kept),
		IN_SCRATCH(links_are_never_followed),
		IN_SCRATCH(places_where_nothing_can_be),
		IN_SCRATCH(folders_of_all_spellings),
		IN_SCRATCH(the_longest_names),
		IN_SCRATCH(only_our_own_is_unlinked),
#ifdef __linux__
		IN_SCRATCH(systems_without_proc),
#endif
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
