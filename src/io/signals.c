/* SPDX-License-Identifier: ISC */
/*
 * signals.c - the flag, the pipe that wakes a waiter, and the handler that touches both.
 *
 * Nothing is cleaned up in a handler: whoever works looks at the flag and leaves by its usual way.
 */
#include "io/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/* A lock-free atomic: the handler may write it, and any thread may read it. */
static atomic_int caught;
static int wake_pipe[2] = {-1, -1};

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM};
#define ENDING_COUNT (sizeof(ending) / sizeof(ending[0]))

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

static bool ignored_at_start(int signo)
{
	struct sigaction now;

	return sigaction(signo, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void set_action(int signo, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler};

	sigfillset(&action.sa_mask);
	sigaction(signo, &action, NULL);
}

static bool open_wake_pipe(void)
{
	if (pipe(wake_pipe) != 0)
		return false;
	for (size_t i = 0; i < 2; i++) {
		if (fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC) != 0 ||
		    fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK) != 0)
			return false;
	}
	return true;
}

bool signals_install(void)
{
	if (!open_wake_pipe())
		return false;
	for (size_t i = 0; i < ENDING_COUNT; i++) {
		if (!ignored_at_start(ending[i]))
			set_action(ending[i], on_signal);
	}
	set_action(SIGPIPE, SIG_IGN);
	set_action(SIGXFSZ, SIG_IGN);
	return true;
}

int signals_caught(void)
{
	return atomic_load(&caught);
}

int signals_wake_fd(void)
{
	return wake_pipe[0];
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
