/* SPDX-License-Identifier: ISC */
/*
 * test_signals.c - the flag, the wake pipe, what stays ignored, and that no wake-up is lost.
 */
#include "io_util.h"

#include "io/signals.h"

#include <poll.h>
#include <sys/resource.h>

static const int ending[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT,   SIGXCPU,
			     SIGALRM, SIGUSR2, SIGIO,  SIGVTALRM, SIGPROF};

static bool awake(void)
{
	struct pollfd wake = {.fd = signals_wake_fd(), .events = POLLIN};

	return poll(&wake, 1, 0) == 1;
}

static int catch_and_raise_again(void *argument)
{
	int signo = *(const int *)argument;

	/* cmocka and run_child() may have left something of their own. */
	signal(signo, SIG_DFL);
	CHECK(signals_wake_fd() == -1);
	CHECK(signals_install());
	CHECK(signals_caught() == 0 && !awake());
	signals_raise_again(); /* nothing was caught: nothing happens */
	raise(signo);
	CHECK(signals_caught() == signo && awake());
	raise(signo == SIGINT ? SIGTERM : SIGINT); /* the first one counts */
	CHECK(signals_caught() == signo);
	signals_raise_again();
	return 1;
}

static void each_signal_ends_by_itself(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(ending); i++) {
		int signo = ending[i];
		int status = run_child(catch_and_raise_again, &signo);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signo);
	}
}

static int ignored_at_start(void *argument)
{
	(void)argument;
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	CHECK(signals_install());
	raise(SIGINT);
	raise(SIGHUP);
	CHECK(signals_caught() == 0);
	raise(SIGTERM);
	CHECK(signals_caught() == SIGTERM);
	return 0;
}

static void ignored_signals_stay_ignored(void **state)
{
	(void)state;
	assert_child(ignored_at_start, NULL);
}

static int write_to_nobody(void *argument)
{
	int pipes[2];

	(void)argument;
	CHECK(signals_install());
	CHECK(pipe(pipes) == 0 && close(pipes[0]) == 0);
	CHECK(write(pipes[1], "x", 1) == -1 && errno == EPIPE);
	raise(SIGXFSZ);
	raise(SIGUSR1);
	CHECK(signals_caught() == 0);
	return 0;
}

static void errors_tell_instead_of_signals(void **state)
{
	(void)state;
	assert_child(write_to_nobody, NULL);
}

/* The signal comes just before the call that waits: the worst moment. */
static int wait_too_late(void)
{
	int pipes[2];
	char byte;

	CHECK(pipe(pipes) == 0);
	raise(SIGTERM);
	for (int i = 0; i < 2; i++)
		CHECK(read(pipes[0], &byte, 1) == -1 && errno == EINTR);
	return 0;
}

static int wait_with_alarm_at_default(void *argument)
{
	(void)argument;
	CHECK(signals_install());
	return wait_too_late();
}

static void no_wake_up_is_lost(void **state)
{
	(void)state;
	assert_child(wait_with_alarm_at_default, NULL);
}

/* An ignored SIGALRM ends nothing by itself, and still interrupts what began to wait too late. */
static int wait_with_alarm_ignored(void *argument)
{
	(void)argument;
	signal(SIGALRM, SIG_IGN);
	CHECK(signals_install());
	raise(SIGALRM);
	CHECK(signals_caught() == 0 && !awake());
	return wait_too_late();
}

static void an_ignored_alarm_still_wakes(void **state)
{
	(void)state;
	assert_child(wait_with_alarm_ignored, NULL);
}

static int children_start_clean(void *argument)
{
	(void)argument;
	CHECK(signals_install());
	CHECK(fcntl(signals_wake_fd(), F_GETFD) == FD_CLOEXEC);
	return 0;
}

/* What sends SIGUSR1 to this process, some at a time when it waits, and then gives it three bytes. */
static pid_t start_asking(int to)
{
	pid_t parent = getpid();
	pid_t child = fork();

	if (child != 0)
		return child;
	for (int i = 0; i < 3; i++) {
		usleep(50000);
		kill(parent, SIGUSR1);
		usleep(50000);
		if (write(to, "x", 1) != 1)
			_exit(1);
	}
	_exit(0);
}

/* Being asked ends nothing, sets no flag, and cuts no call short. */
static int answer(void *argument)
{
	int pipes[2], status;
	char byte;

	(void)argument;
	CHECK(signals_install());
	CHECK(!signals_wait_usr1(0));
	raise(SIGUSR1);
	raise(SIGUSR1);
	CHECK(signals_wait_usr1(-1) && !signals_wait_usr1(10));
	signals_wake_usr1();
	CHECK(signals_wait_usr1(-1) && !signals_wait_usr1(0));
	CHECK(pipe(pipes) == 0);
	CHECK(start_asking(pipes[1]) > 0);
	for (int i = 0; i < 3; i++)
		CHECK(read(pipes[0], &byte, 1) == 1);
	CHECK(wait(&status) > 0 && status == 0);
	CHECK(signals_wait_usr1(0) && signals_caught() == 0 && !awake());
	/* More than any pipe can hold. */
	for (int i = 0; i < 200000; i++)
		signals_wake_usr1();
	CHECK(signals_wait_usr1(0) && !signals_wait_usr1(0));
	return 0;
}

static void usr1_only_asks(void **state)
{
	(void)state;
	assert_child(answer, NULL);
}

static int usr1_ignored(void *argument)
{
	(void)argument;
	signal(SIGUSR1, SIG_IGN);
	CHECK(signals_install());
	raise(SIGUSR1);
	CHECK(!signals_wait_usr1(0));
	return 0;
}

static void an_ignored_usr1_stays_ignored(void **state)
{
	(void)state;
	assert_child(usr1_ignored, NULL);
}

/* Low descriptors are those that a shell hands over; a table without high ones does too. */
static int wake_pipe_stays_away(void *argument)
{
	struct rlimit few;

	(void)argument;
	CHECK(signals_install());
	CHECK(signals_wake_fd() >= 64 && signals_own_fd(signals_wake_fd()));
	for (int fd = -1; fd < 64; fd++)
		CHECK(!signals_own_fd(fd));
	CHECK(getrlimit(RLIMIT_NOFILE, &few) == 0);
	few.rlim_cur = 32;
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	CHECK(signals_install());
	CHECK(signals_wake_fd() < 32 && signals_own_fd(signals_wake_fd()));
	CHECK(fcntl(signals_wake_fd(), F_GETFD) == FD_CLOEXEC);
	return 0;
}

static void wake_pipe_takes_no_low_descriptor(void **state)
{
	(void)state;
	assert_child(wake_pipe_stays_away, NULL);
}

static void wake_pipe_is_not_inherited(void **state)
{
	(void)state;
	assert_child(children_start_clean, NULL);
}

static volatile sig_atomic_t foreign; /* what a library's handler has heard */

static void foreign_handler(int signo)
{
	foreign = signo;
}

/* Waits in a read that nothing answers, after its handler has heard what was to end it. */
static int library_that_waits(int signo)
{
	struct sigaction before, own = {.sa_handler = foreign_handler};
	int pipes[2];
	char byte;

	CHECK(pipe(pipes) == 0);
	CHECK(sigaction(signo, &own, &before) == 0);
	foreign = 0;
	CHECK(kill(getpid(), signo) == 0);
	while (foreign == 0)
		usleep(1000);
	CHECK(read(pipes[0], &byte, 1) == -1 && errno == EINTR);
	CHECK(sigaction(signo, &before, NULL) == 0);
	CHECK(kill(getpid(), signo) == 0);
	close(pipes[0]);
	close(pipes[1]);
	return 0;
}

static int watched(void *argument)
{
	int signo = *(const int *)argument;
	struct signals_watch watch;
	sigset_t before, after;

	signal(signo, SIG_DFL);
	CHECK(signals_install());
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	signals_watch_begin(&watch); /* nothing comes */
	signals_watch_end(&watch);
	CHECK(signals_caught() == 0);
	signals_watch_begin(&watch);
	CHECK(library_that_waits(signo) == 0);
	signals_watch_end(&watch);
	CHECK(signals_caught() == signo);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int other = 1; other <= SIGRTMAX; other++)
		CHECK(sigismember(&before, other) == sigismember(&after, other));
	return 0;
}

static void a_watched_call_loses_no_signal(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(ending); i++) {
		int signo = ending[i];

		assert_child(watched, &signo);
	}
}

/* What whoever started us keeps blocked is nobody's to hear. */
static int watched_while_blocked(void *argument)
{
	struct signals_watch watch;
	sigset_t term;

	(void)argument;
	signal(SIGTERM, SIG_DFL);
	CHECK(signals_install());
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &term, NULL);
	signals_watch_begin(&watch);
	CHECK(kill(getpid(), SIGTERM) == 0);
	usleep(20000);
	signals_watch_end(&watch);
	CHECK(signals_caught() == 0);
	pthread_sigmask(SIG_UNBLOCK, &term, NULL);
	CHECK(signals_caught() == SIGTERM);
	return 0;
}

static void a_blocked_signal_stays_blocked(void **state)
{
	(void)state;
	assert_child(watched_while_blocked, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_signal_ends_by_itself),
		cmocka_unit_test(ignored_signals_stay_ignored),
		cmocka_unit_test(errors_tell_instead_of_signals),
		cmocka_unit_test(no_wake_up_is_lost),
		cmocka_unit_test(an_ignored_alarm_still_wakes),
		cmocka_unit_test(usr1_only_asks),
		cmocka_unit_test(an_ignored_usr1_stays_ignored),
		cmocka_unit_test(wake_pipe_is_not_inherited),
		cmocka_unit_test(wake_pipe_takes_no_low_descriptor),
		cmocka_unit_test(a_watched_call_loses_no_signal),
		cmocka_unit_test(a_blocked_signal_stays_blocked),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
