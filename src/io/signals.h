/* SPDX-License-Identifier: ISC */
/*
 * signals.h - a signal sets a flag and wakes whoever waits; everything leaves by the same door.
 *
 * Owns the one mutable file-scope variable of the program (and the pipes that wake those who wait).
 */
#ifndef GCMCRYPT_IO_SIGNALS_H
#define GCMCRYPT_IO_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/*
 * What others may send to end a program sets the flag (SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM
 * and the like; not SIGKILL, nor what a fault of the program itself raises), unless it was ignored
 * at start (nohup): then it stays so.  SIGPIPE and SIGXFSZ are ignored (EPIPE, EFBIG tell);
 * SIGCHLD is not, so that a child's status can be had.  System calls are not restarted, and while
 * the flag is set whatever blocks is interrupted every second, so no signal is lost between a look
 * at the flag and the call that waits.  SIGUSR1 (and SIGINFO, where there is one) interrupts
 * nothing but signals_wait_usr1(), and is ignored if it was at start.  False, errno: no pipe.
 */
bool signals_install(void);

/*
 * Between the two calls, the signals that set the flag end the process at once: for work that takes
 * long, asks for no flag, and would leave nothing behind.  False: one was caught before, and
 * nothing has changed.
 */
bool signals_end_at_once(void);
void signals_set_flag_again(void);

/* The first signal that was caught, 0 for none. */
int signals_caught(void);

/* The signals that this program ignores for itself: what it starts shall have their default. */
void signals_ignored_here(sigset_t *set);

/* Readable as soon as a signal was caught: to be waited for beside a descriptor.  -1: none yet. */
int signals_wake_fd(void);

/*
 * Waits until SIGUSR1 comes, or so many milliseconds have gone by (-1: for ever).  True: it came,
 * at some time since the last call.  For one thread at a time.
 */
bool signals_wait_usr1(int milliseconds);

/* Ends that wait as SIGUSR1 would. */
void signals_wake_usr1(void);

/* Whether fd is an end of a pipe that wakes: none that the user can mean. */
bool signals_own_fd(int fd);

/*
 * For a thread that starts others and waits for them.  signals_hold() blocks all signals, so that
 * threads made from then on hear none, and keeps in *usual what was blocked before;
 * signals_wait() sleeps until one comes that *usual lets through, or a nudge, and misses none that
 * came since signals_hold(); signals_release() brings back what was.
 */
void signals_hold(sigset_t *usual);
void signals_wait(const sigset_t *usual);
void signals_release(const sigset_t *usual);

/*
 * A nudge (SIGURG) does nothing but interrupt the system call that a thread may be waiting in, or
 * its signals_wait().  A thread made under signals_hold() hears them after signals_hear_nudges().
 * The thread must not have been joined.
 */
void signals_hear_nudges(void);
void signals_nudge(pthread_t thread);

/*
 * For a call of a library that brings its own handlers and waits without a look at what they did:
 * between the two calls a signal that ends the program interrupts this thread's system calls again
 * and again, whoever handles it, so none falls between a handler and a wait.  After
 * signals_watch_end() the flag is set if one was sent on to us.  Without a thread to be had for it,
 * nothing changes.
 */
struct signals_watch {
	pthread_t watched, watcher;
	bool watching;
	atomic_bool done;
	sigset_t usual; /* what the watched thread blocked before */
};
void signals_watch_begin(struct signals_watch *watch);
void signals_watch_end(struct signals_watch *watch);

/* Ends the process by the signal that was caught, with its default action; 0 caught: returns. */
void signals_raise_again(void);

#endif
