/* SPDX-License-Identifier: ISC */
/*
 * test_file_confine.c - what each rule lets through, and that the rest is refused.
 *
 * Every case is a process of its own, since none of it can be undone.
 */
#include "io_util.h"

#ifdef __linux__
#include "io/file.h"
#include "io/file_confine.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define ASK_VERSION 444, NULL, 0, 1u

/* What the kernel says, asked without the code under test. */
static int version_here(void)
{
	return (int)syscall(ASK_VERSION);
}

static int begin(void **state)
{
	int failed = enter_scratch(state);

	if (failed != 0)
		return failed;
	put_text("mine", "mine");
	put_text("other", "other");
	return mkdir("folder", 0700) == 0 && mkdir("there", 0700) == 0 ? 0 : -1;
}

static int end(void **state)
{
	static const char *const names[] = {"folder/in", "folder/made", "there/in", "there/out"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		remove(names[i]);
	return leave_scratch(state);
}

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd < 0 && errno != EACCES)
		printf("# %s: errno %d\n", path, errno);
	return fd >= 0 && close(fd) == 0;
}

static bool refused(bool done)
{
	return !done && errno == EACCES;
}

/* One rule, and it is the law. */
static bool confine(const char *path, enum file_confine_use use)
{
	struct file_confine confine;

	file_confine_begin(&confine, false);
	if (path != NULL)
		file_confine_allow(&confine, path, use);
	return file_confine_enforce(&confine);
}

static int nothing_is_allowed(void *argument)
{
	int before = open("other", O_RDWR | O_CLOEXEC);

	(void)argument;
	CHECK(before >= 0);
	CHECK(confine(NULL, FILE_CONFINE_READ));
	CHECK(refused(opens("mine", O_RDONLY)));
	CHECK(refused(opens("mine", O_WRONLY)));
	CHECK(refused(opens(".", O_RDONLY | O_DIRECTORY)));
	CHECK(refused(opens("new", O_WRONLY | O_CREAT)));
	CHECK(refused(opens("folder", O_WRONLY | O_TMPFILE)));
	CHECK(refused(unlink("mine") == 0));
	CHECK(refused(rmdir("folder") == 0));
	CHECK(refused(mkdir("new", 0700) == 0));
	CHECK(refused(mkfifo("new", 0600) == 0));
	CHECK(refused(symlink("mine", "new") == 0));
	CHECK(refused(link("mine", "new") == 0));
	CHECK(refused(rename("mine", "new") == 0));
	CHECK(version_here() < 3 || refused(truncate("mine", 0) == 0));
	CHECK(execl("/bin/true", "true", (char *)NULL) == -1 && errno == EACCES);
	/* What is open stays as it was. */
	CHECK(write(before, "x", 1) == 1 && ftruncate(before, 1) == 0 && fsync(before) == 0);
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : 1;
}

static int one_file_is_read(void *argument)
{
	(void)argument;
	CHECK(confine("mine", FILE_CONFINE_READ));
	CHECK(opens("mine", O_RDONLY));
	CHECK(refused(opens("mine", O_WRONLY)));
	CHECK(refused(opens("other", O_RDONLY)));
	CHECK(unlink("mine") != 0);
	return 0;
}

static int a_folder_is_read_so_that_it_is_refused(void *argument)
{
	struct file_input input;

	(void)argument;
	put_text("folder/in", "in");
	CHECK(confine("folder", FILE_CONFINE_READ));
	CHECK(file_input_open(&input, "folder") == FAULT_IS_DIRECTORY);
	CHECK(refused(opens("folder/in", O_RDONLY)));
	return 0;
}

static int all_below_is_read(void *argument)
{
	(void)argument;
	put_text("folder/in", "in");
	CHECK(confine("folder", FILE_CONFINE_READ_BELOW));
	CHECK(opens("folder/in", O_RDONLY));
	CHECK(refused(opens("folder/in", O_WRONLY)));
	CHECK(refused(opens("mine", O_RDONLY)));
	return 0;
}

static int one_file_is_written_over(void *argument)
{
	struct file_input input;

	(void)argument;
	CHECK(confine("mine", FILE_CONFINE_REWRITE));
	CHECK(file_input_open(&input, "mine") == FAULT_NONE);
	CHECK(file_input_make_writable(&input) == FAULT_NONE);
	CHECK(file_input_rewrite(&input, (const uint8_t *)"M", 1) == FAULT_NONE);
	file_input_close(&input);
	CHECK(refused(opens("other", O_WRONLY)));
	return 0;
}

/* With all that a file of known size goes through: more is reserved than is written. */
static enum fault make_output(const char *path, bool force)
{
	struct file_output output;
	enum fault fault = file_output_open(&output, path, force);

	if (fault == FAULT_NONE)
		fault = file_output_reserve(&output, 2 << 20);
	if (fault == FAULT_NONE)
		fault = file_output_write(&output, (const uint8_t *)"out", 3);
	return fault == FAULT_NONE ? file_output_commit(&output, NULL) : fault;
}

static int outputs_are_made(void *argument)
{
	struct file_output output;

	(void)argument;
	CHECK(confine("there/out", FILE_CONFINE_CREATE));
	CHECK(make_output("there/out", false) == FAULT_NONE);
	CHECK(make_output("there/out", true) == FAULT_NONE);
	CHECK(make_output("there/out", false) == FAULT_EXISTS);
	CHECK(file_output_open(&output, "there/out", true) == FAULT_NONE);
	file_output_discard(&output);
	CHECK(make_output("folder/made", false) == FAULT_CREATE);
	CHECK(refused(opens("there/out", O_RDONLY)));
	return 0;
}

/* argument: the use that allows it. */
static int an_output_in_place_is_opened(void *argument)
{
	const enum file_confine_use *use = argument;
	struct file_output output;

	CHECK(mkfifo("there/out", 0600) == 0);
	int reader = open("there/out", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	CHECK(reader >= 0);
	CHECK(confine("there/out", *use));
	CHECK(file_output_open(&output, "there/out", false) == FAULT_NONE);
	CHECK(output.in_place);
	CHECK(file_output_commit(&output, NULL) == FAULT_NONE);
	CHECK(*use == FILE_CONFINE_CREATE || make_output("there/made", false) == FAULT_CREATE);
	return 0;
}

static int open_outputs_are_finished(void *argument)
{
	struct file_output nameless, named, dropped;

	(void)argument;
	put_text("there/in", "old");
	CHECK(file_output_open(&nameless, "there/out", false) == FAULT_NONE);
	CHECK(file_output_open(&named, "there/in", true) == FAULT_NONE);
	CHECK(file_output_open(&dropped, "there/in", true) == FAULT_NONE);
	CHECK(file_output_reserve(&nameless, 2 << 20) == FAULT_NONE);
	CHECK(confine("there/out", FILE_CONFINE_NAME));
	CHECK(file_output_write(&nameless, (const uint8_t *)"out", 3) == FAULT_NONE);
	CHECK(file_output_commit(&nameless, NULL) == FAULT_NONE);
	CHECK(file_output_commit(&named, NULL) == FAULT_NONE);
	file_output_discard(&dropped);
	CHECK(refused(opens("there/out", O_WRONLY)));
	return 0;
}

static int a_name_is_removed(void *argument)
{
	(void)argument;
	put_text("there/in", "in");
	CHECK(confine("there/in", FILE_CONFINE_REMOVE));
	CHECK(unlink("there/in") == 0);
	CHECK(refused(unlink("mine") == 0));
	CHECK(refused(opens("there/in", O_WRONLY | O_CREAT)));
	return 0;
}

static int what_is_not_there_gets_no_rule(void *argument)
{
	struct file_confine list;
	int ends[2];
	char path[64];

	(void)argument;
	CHECK(pipe(ends) == 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
	file_confine_begin(&list, false);
	file_confine_allow(&list, "missing", FILE_CONFINE_READ);
	file_confine_allow(&list, "missing/out", FILE_CONFINE_CREATE);
	file_confine_allow(&list, "", FILE_CONFINE_CREATE);
	file_confine_allow(&list, path, FILE_CONFINE_READ);
	file_confine_allow(&list, "mine", FILE_CONFINE_READ);
	CHECK(file_confine_enforce(&list));
	CHECK(opens("mine", O_RDONLY));
	CHECK(opens(path, O_RDONLY));
	return 0;
}

static int tcp_is_refused(void *argument)
{
	struct sockaddr_in here = {.sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct sockaddr *address = (const struct sockaddr *)&here;
	int one = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);

	(void)argument;
	CHECK(one >= 0 && other >= 0);
	CHECK(confine(NULL, FILE_CONFINE_READ));
	CHECK(refused(bind(one, address, sizeof here) == 0));
	here.sin_port = htons(9);
	CHECK(refused(connect(other, address, sizeof here) == 0));
	return 0;
}

/* argument: whether there is a child to be signalled. */
static int others_get_signals_as_it_says(void *argument)
{
	const bool *has_child = argument;
	struct file_confine list;

	file_confine_begin(&list, *has_child);
	CHECK(file_confine_enforce(&list));
	CHECK(kill(getpid(), 0) == 0);
	bool sent = kill(getppid(), 0) == 0;

	CHECK(sent == *has_child && (sent || errno == EPERM));
	return 0;
}

/* No descriptor for the rule: nothing is enforced, and nothing is left open. */
static int without_means_nothing_changes(void *argument)
{
	struct file_confine list;
	int free_before = dup(STDOUT_FILENO);

	(void)argument;
	CHECK(free_before >= 0 && close(free_before) == 0);
	file_confine_begin(&list, false);
	const struct rlimit none_left = {.rlim_cur = (rlim_t)free_before + 1,
					 .rlim_max = (rlim_t)free_before + 1};

	CHECK(setrlimit(RLIMIT_NOFILE, &none_left) == 0);
	file_confine_allow(&list, "mine", FILE_CONFINE_READ);
	CHECK(!file_confine_enforce(&list));
	CHECK(list.error == EMFILE);
	CHECK(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
	CHECK(opens("other", O_RDWR));
	return 0;
}

#define NEEDS(version)                          \
	do {                                    \
		if (version_here() < (version)) \
			skip();                 \
	} while (0)

#define CASE(name, version)                   \
	static void test_##name(void **state) \
	{                                     \
		(void)state;                  \
		NEEDS(version);               \
		assert_child(name, NULL);     \
	}

CASE(nothing_is_allowed, 1)
CASE(one_file_is_read, 1)
CASE(a_folder_is_read_so_that_it_is_refused, 1)
CASE(all_below_is_read, 1)
CASE(one_file_is_written_over, 1)
CASE(outputs_are_made, 1)
CASE(open_outputs_are_finished, 1)
CASE(a_name_is_removed, 1)
CASE(what_is_not_there_gets_no_rule, 1)
CASE(tcp_is_refused, 4)
CASE(without_means_nothing_changes, 1)

static void test_an_output_in_place_is_opened(void **state)
{
	enum file_confine_use use = FILE_CONFINE_CREATE;

	(void)state;
	NEEDS(1);
	assert_child(an_output_in_place_is_opened, &use);
	assert_int_equal(unlink("there/out"), 0);
	use = FILE_CONFINE_WRITE;
	assert_child(an_output_in_place_is_opened, &use);
}

static void test_others_get_signals_as_it_says(void **state)
{
	bool has_child = false;

	(void)state;
	NEEDS(6);
	assert_child(others_get_signals_as_it_says, &has_child);
	has_child = true;
	assert_child(others_get_signals_as_it_says, &has_child);
}

static void it_says_what_there_is(void **state)
{
	struct file_confine list;
	int version = version_here();

	(void)state;
	file_confine_begin(&list, false);
	assert_int_equal(list.version, version < 1 ? 0 : version);
	assert_int_equal(list.error == 0, version > 0);
	assert_int_equal(file_confine_tcp(&list), version >= 4);
	if (list.rules >= 0)
		assert_int_equal(close(list.rules), 0);
}

#define ENTRY(name) cmocka_unit_test_setup_teardown(test_##name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_what_there_is),
		ENTRY(nothing_is_allowed),
		ENTRY(one_file_is_read),
		ENTRY(a_folder_is_read_so_that_it_is_refused),
		ENTRY(all_below_is_read),
		ENTRY(one_file_is_written_over),
		ENTRY(outputs_are_made),
		ENTRY(an_output_in_place_is_opened),
		ENTRY(open_outputs_are_finished),
		ENTRY(a_name_is_removed),
		ENTRY(what_is_not_there_gets_no_rule),
		ENTRY(tcp_is_refused),
		ENTRY(others_get_signals_as_it_says),
		ENTRY(without_means_nothing_changes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	puts("1..0 # SKIP Landlock is Linux's");
	return 0;
}
#endif
