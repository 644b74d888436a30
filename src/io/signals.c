/* SPDX-License-Identifier: ISC */
/*
 * signals.c - the flag, the pipe that wakes a waiter, and the handler that touches both.
 *
 * Nothing is cleaned up in a handler: whoever works looks at the flag and leaves by its usual way.
 */
#include "io/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

/* A lock-free atomic: the handler may write it, and any thread may read it. */
static atomic_int caught;
static int wake_pipe[2] = {-1, -1};
static int usr1_pipe[2] = {-1, -1};

static const int named[] = {
	SIGALRM,   SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR2, SIGIO, SIGVTALRM, SIGPROF,
#ifdef SIGPWR
	SIGPWR,
#endif
#ifdef SIGSTKFLT
	SIGSTKFLT,
#endif
};
#define NAMED_COUNT (sizeof(named) / sizeof(named[0]))

static const int ignored[] = {SIGPIPE, SIGXFSZ};
#define IGNORED_COUNT (sizeof(ignored) / sizeof(ignored[0]))

/* What asks how far it is: ^T at the terminals of some systems is SIGINFO. */
static const int usr1[] = {
	SIGUSR1,
#ifdef SIGINFO
	SIGINFO,
#endif
};
#define USR1_COUNT (sizeof(usr1) / sizeof(usr1[0]))

/* Out of the way of descriptors that a shell hands over; a smaller table has no such place. */
#define WAKE_FD_LEAST 64

#define NUDGE_NANOSECONDS 10000000 /* from one interruption of a watched thread to the next */

/* What ends the process but for a fault of its own: those with a name, and the real-time ones. */
static size_t ending_count(void)
{
#ifdef SIGRTMAX
	return NAMED_COUNT + (size_t)(SIGRTMAX - SIGRTMIN + 1);
#else
	return NAMED_COUNT;
#endif
}

static int ending(size_t i)
{
#ifdef SIGRTMAX
	if (i >= NAMED_COUNT)
		return SIGRTMIN + (int)(i - NAMED_COUNT);
#endif
	return named[i];
}

static void on_signal(int signo)
{
	int saved = errno;
	int none = 0;

	if (atomic_compare_exchange_strong(&caught, &none, signo)) {
		ssize_t woken = write(wake_pipe[1], "", 1);
		(void)woken; /* an empty pipe has room for one byte */
	}
	/* A call that began to wait just after its caller saw no signal is interrupted later. */
	alarm(1);
	errno = saved;
}

/* SIGALRM that was ignored at start ends nothing, but has to interrupt what blocks. */
static void on_tick(int signo)
{
	(void)signo;
	if (atomic_load(&caught) != 0)
		alarm(1);
}

static void on_usr1(int signo)
{
	int saved = errno;

	(void)signo;
	signals_wake_usr1();
	errno = saved;
}

static bool has_action(int signo, void (*handler)(int))
{
	struct sigaction now;

	return sigaction(signo, NULL, &now) == 0 && now.sa_handler == handler;
}

static void set_action(int signo, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler};

	sigfillset(&action.sa_mask);
	/* Nobody who is asked how far it is should fail for it. */
	if (handler == on_usr1)
		action.sa_flags = SA_RESTART;
	sigaction(signo, &action, NULL);
}

static void move_up(int *fd)
{
	int higher = fcntl(*fd, F_DUPFD_CLOEXEC, WAKE_FD_LEAST);

	if (higher < 0)
		return;
	close(*fd);
	*fd = higher;
}

static bool open_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	for (size_t i = 0; i < 2; i++) {
		move_up(&ends[i]);
		if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0 ||
		    fcntl(ends[i], F_SETFL, O_NONBLOCK) != 0)
			return false;
	}
	return true;
}

bool signals_install(void)
{
	if (!open_pipe(wake_pipe) || !open_pipe(usr1_pipe))
		return false;
	for (size_t i = 0; i < ending_count(); i++) {
		if (!has_action(ending(i), SIG_IGN))
			set_action(ending(i), on_signal);
		else if (ending(i) == SIGALRM)
			set_action(SIGALRM, on_tick);
	}
	for (size_t i = 0; i < IGNORED_COUNT; i++)
		set_action(ignored[i], SIG_IGN);
	set_action(SIGCHLD, SIG_DFL);
	for (size_t i = 0; i < USR1_COUNT; i++)
		if (!has_action(usr1[i], SIG_IGN))
			set_action(usr1[i], on_usr1);
	return true;
}

void signals_ignored_here(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < IGNORED_COUNT; i++)
		sigaddset(set, ignored[i]);
}

static void exchange(void (*from)(int), void (*to)(int))
{
	for (size_t i = 0; i < ending_count(); i++)
		if (has_action(ending(i), from))
			set_action(ending(i), to);
}

bool signals_end_at_once(void)
{
	exchange(on_signal, SIG_DFL);
	/* Looked at afterwards, so that none slips in between. */
	if (signals_caught() == 0)
		return true;
	signals_set_flag_again();
	return false;
}

void signals_set_flag_again(void)
{
	/* Nothing to give back where nobody installed a handler: a test of one part. */
	if (signals_wake_fd() >= 0)
		exchange(SIG_DFL, on_signal);
}

int signals_caught(void)
{
	return atomic_load(&caught);
}

int signals_wake_fd(void)
{
	return wake_pipe[0];
}

bool signals_wait_usr1(int milliseconds)
{
	struct pollfd one = {.fd = usr1_pipe[0], .events = POLLIN};
	char bytes[64];
	bool came = false;
	ssize_t some;

	(void)poll(&one, 1, milliseconds);
	do {
		some = read(usr1_pipe[0], bytes, sizeof bytes);
		came |= some > 0;
	} while (some > 0 || (some < 0 && errno == EINTR));
	return came;
}

void signals_wake_usr1(void)
{
	ssize_t woken;

	do {
		woken = write(usr1_pipe[1], "", 1);
	} while (woken < 0 && errno == EINTR); /* a full pipe wakes as well */
}

bool signals_own_fd(int fd)
{
	return fd >= 0 && (fd == wake_pipe[0] || fd == wake_pipe[1] || fd == usr1_pipe[0] ||
			   fd == usr1_pipe[1]);
}

static void on_nudge(int signo)
{
	(void)signo; /* that a call was interrupted is all */
}

void signals_hold(sigset_t *usual)
{
	sigset_t all;

	set_action(SIGURG, on_nudge);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, usual);
}

void signals_wait(const sigset_t *usual)
{
	sigset_t blocked = *usual;

	/* A parent may have left it blocked, and then no thread that ends would be noticed. */
	sigdelset(&blocked, SIGURG);
	sigsuspend(&blocked);
}

void signals_release(const sigset_t *usual)
{
	pthread_sigmask(SIG_SETMASK, usual, NULL);
}

void signals_hear_nudges(void)
{
	sigset_t nudge;

	sigemptyset(&nudge);
	sigaddset(&nudge, SIGURG);
	pthread_sigmask(SIG_UNBLOCK, &nudge, NULL);
}

void signals_nudge(pthread_t thread)
{
	pthread_kill(thread, SIGURG);
}

/* The ending signals, and a nudge, are what this thread alone hears: it runs their handlers. */
static void *watch_thread(void *context)
{
	const struct timespec nap = {.tv_nsec = NUDGE_NANOSECONDS};
	struct signals_watch *watch = context;
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t i = 0; i < ending_count(); i++)
		if (sigismember(&watch->usual, ending(i)) == 0)
			sigdelset(&blocked, ending(i));
	sigdelset(&blocked, SIGURG);
	sigsuspend(&blocked);
	while (!atomic_load(&watch->done)) {
		signals_nudge(watch->watched);
		nanosleep(&nap, NULL);
	}
	return NULL;
}

void signals_watch_begin(struct signals_watch *watch)
{
	sigset_t elsewhere;

	watch->watched = pthread_self();
	atomic_init(&watch->done, false);
	signals_hold(&watch->usual); /* so that the watcher misses none before it waits */
	watch->watching = pthread_create(&watch->watcher, NULL, watch_thread, watch) == 0;
	elsewhere = watch->usual;
	for (size_t i = 0; watch->watching && i < ending_count(); i++)
		sigaddset(&elsewhere, ending(i));
	pthread_sigmask(SIG_SETMASK, &elsewhere, NULL);
	signals_hear_nudges();
}

void signals_watch_end(struct signals_watch *watch)
{
	atomic_store(&watch->done, true);
	if (watch->watching) {
		signals_nudge(watch->watcher);
		pthread_join(watch->watcher, NULL);
	}
	/* What was sent on meanwhile arrives here. */
	signals_release(&watch->usual);
}

void signals_raise_again(void)
{
	int signo = signals_caught();
	sigset_t only;

	if (signo == 0)
		return;
	alarm(0);
	set_action(signo, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, signo);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(signo);
}
