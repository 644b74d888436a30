/* SPDX-License-Identifier: ISC */
/*
 * test_child.c - a command on a pipe: its output, its status, what it inherits, and its end.
 */
#include "io_util.h"

#include "io/child.h"
#include "io/signals.h"

#include <sys/resource.h>
#include <time.h>

#define SHELL(script)                                                  \
	(char *const[])                                                \
	{                                                              \
		(char[]){"sh"}, (char[]){"-c"}, (char[]){script}, NULL \
	}

/* Runs a script to its end; text[room] becomes what it wrote. */
static enum fault run_script(struct child *child, char *const argv[], char *text, size_t room)
{
	struct file_input input;
	size_t len;
	enum fault fault = child_start(child, &input, argv, true);

	if (fault != FAULT_NONE)
		return fault;
	assert_string_equal(input.name, argv[0]);
	assert_false(input.regular);
	assert_int_equal(file_input_read(&input, (uint8_t *)text, room - 1, &len), FAULT_NONE);
	text[len] = '\0';
	fault = child_wait(child);
	file_input_close(&input);
	return fault;
}

/* No child is left, neither running nor waiting to be asked for its status. */
static void assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void success(void **state)
{
	struct child child;
	char text[64];

	(void)state;
	assert_int_equal(run_script(&child, SHELL("echo out; exit 0"), text, sizeof text),
			 FAULT_NONE);
	assert_string_equal(text, "out\n");
	assert_int_equal(child.pid, 0);
	assert_no_child();
	child_stop(&child); /* nothing to stop */
}

static void each_other_status_is_a_failure(void **state)
{
	struct child child;
	char text[64];

	(void)state;
	assert_int_equal(run_script(&child, SHELL("echo out; exit 3"), text, sizeof text),
			 FAULT_COMMAND);
	assert_string_equal(text, "out\n");
	assert_int_equal(child.error, 0);
	assert_true(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 3);
	assert_int_equal(run_script(&child, SHELL("kill -9 $$"), text, sizeof text), FAULT_COMMAND);
	assert_true(WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGKILL);
	assert_no_child();
}

static void what_cannot_be_run(void **state)
{
	char *const argv[] = {(char[]){"./no-such-command"}, NULL};
	size_t before = count_names();
	struct file_input input;
	struct child child;
	int next;

	(void)state;
	assert_int_equal(child_start(&child, &input, argv, true), FAULT_COMMAND);
	assert_int_equal(child.error, ENOENT);
	assert_int_equal(child.pid, 0);
	assert_int_equal(input.fd, -1);
	assert_int_equal(count_names(), before);
	assert_no_child();
	/* Both ends of the pipe are closed again. */
	next = dup(STDIN_FILENO);
	close(next);
	assert_int_equal(child_start(&child, &input, argv, true), FAULT_COMMAND);
	assert_int_equal(dup(STDIN_FILENO), next);
	close(next);
}

static int start_without_descriptors(void *argument)
{
	const struct rlimit three = {.rlim_cur = 3, .rlim_max = 3};
	struct file_input input;
	struct child child;

	(void)argument;
	CHECK(setrlimit(RLIMIT_NOFILE, &three) == 0);
	CHECK(child_start(&child, &input, SHELL("exit 0"), true) == FAULT_COMMAND);
	CHECK(child.error == EMFILE && child.pid == 0 && input.fd == -1);
	return 0;
}

static void no_descriptor_for_the_pipe(void **state)
{
	(void)state;
	assert_child(start_without_descriptors, NULL);
}

/* By the shell's own words: which of descriptors 3 to 9 are there. */
#define DESCRIPTORS "for fd in 3 4 5 6 7 8 9; do (: >&$fd) 2>/dev/null && echo $fd; done; :"

static void descriptors_that_were_handed_over_are_closed(void **state)
{
	struct child child;
	char text[64];
	int fds[3];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(fds); i++)
		fds[i] = dup(STDERR_FILENO); /* as a shell leaves them: exec keeps them */
	assert_in_range(fds[0], 3, 9);
	assert_int_equal(run_script(&child, SHELL(DESCRIPTORS), text, sizeof text), FAULT_NONE);
	assert_string_equal(text, "");
	for (size_t i = 0; i < COUNT_OF(fds); i++)
		close(fds[i]);
}

static void standard_input_is_shared_or_empty(void **state)
{
	struct file_input input;
	struct child child;
	char text[64];
	int saved = dup(STDIN_FILENO);
	int fd;
	size_t len;

	(void)state;
	put_text("in", "secret\n");
	fd = open("in", O_RDONLY);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	assert_int_equal(child_start(&child, &input, SHELL("cat"), false), FAULT_NONE);
	assert_int_equal(file_input_read(&input, (uint8_t *)text, sizeof text, &len), FAULT_NONE);
	assert_int_equal(len, 0);
	assert_int_equal(child_wait(&child), FAULT_NONE);
	file_input_close(&input);
	assert_int_equal(run_script(&child, SHELL("cat"), text, sizeof text), FAULT_NONE);
	assert_string_equal(text, "secret\n");
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(fd);
}

/* In a process of its own, since signals are for good. */
static int signals_of_the_child(void *argument)
{
	struct child child;
	char text[256];
	sigset_t all;

	(void)argument;
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_IGN); /* its status would be lost */
	CHECK(signals_install());
	sigfillset(&all);
	sigdelset(&all, SIGALRM);
	sigprocmask(SIG_BLOCK, &all, NULL);
	CHECK(run_script(&child,
			 SHELL("sed -n 's/^Sig\\(Blk\\|Ign\\):.*\\(.......\\)$/\\2/p' "
			       "/proc/self/status"),
			 text, sizeof text) == FAULT_NONE);
	/* SIGHUP is number 1; SIGPIPE, SIGXFSZ and SIGUSR1 are ignored by this program alone. */
	CHECK(strcmp(text, "0000000\n0000001\n") == 0);
	return 0;
}

static void no_signal_is_blocked_or_ignored(void **state)
{
	(void)state;
	assert_child(signals_of_the_child, NULL);
}

static int64_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void stopped_though_it_would_sleep(void **state)
{
	struct file_input input;
	struct child child;
	int64_t begun = seconds();

	(void)state;
	assert_int_equal(child_start(&child, &input, SHELL("exec sleep 100"), true), FAULT_NONE);
	file_input_close(&input);
	child_stop(&child);
	assert_int_equal(child.pid, 0);
	assert_true(WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGTERM);
	assert_true(seconds() - begun < 5);
	assert_no_child();
}

static void a_closed_pipe_is_enough(void **state)
{
	struct file_input input;
	struct child child;

	(void)state;
	assert_int_equal(child_start(&child, &input, SHELL("while echo; do :; done"), true),
			 FAULT_NONE);
	file_input_close(&input);
	child_stop(&child);
	assert_true(WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGPIPE);
	assert_no_child();
}

/* Told to end by a signal, the program passes that on, and does not wait for the child's own end. */
static int told_to_end(void *argument)
{
	struct file_input input;
	struct child child;
	int signo = *(const int *)argument;

	signal(signo, SIG_DFL);
	CHECK(signals_install());
	CHECK(child_start(&child, &input, SHELL("exec sleep 100"), true) == FAULT_NONE);
	raise(signo);
	CHECK(child_wait(&child) == FAULT_SIGNAL);
	CHECK(child.pid != 0);
	file_input_close(&input);
	child_stop(&child);
	CHECK(child.pid == 0 && WIFSIGNALED(child.status));
	CHECK(WTERMSIG(child.status) == (signo == SIGUSR2 ? SIGTERM : signo));
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	return 0;
}

static void signals_are_passed_on(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(signals); i++) {
		int signo = signals[i];

		assert_child(told_to_end, &signo);
	}
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(success),
		IN_SCRATCH(each_other_status_is_a_failure),
		IN_SCRATCH(what_cannot_be_run),
		IN_SCRATCH(no_descriptor_for_the_pipe),
		IN_SCRATCH(descriptors_that_were_handed_over_are_closed),
		IN_SCRATCH(standard_input_is_shared_or_empty),
		IN_SCRATCH(no_signal_is_blocked_or_ignored),
		IN_SCRATCH(stopped_though_it_would_sleep),
		IN_SCRATCH(a_closed_pipe_is_enough),
		IN_SCRATCH(signals_are_passed_on),
	};

	/* Whatever who started this ignores. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
