/* SPDX-License-Identifier: ISC */
/*
 * child.c - starts a command on a pipe, passes signals on to it, and always waits for it.
 *
 * Never blocks in a wait: the signal that has to end it may be another thread's to handle.
 */
#include "config.h"

#include "io/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/file_descriptor.h"
#include "io/signals.h"

extern char **environ; /* POSIX has no header for it */

#define NAP_MOST_MS 50
#define MOMENT_MS   1000 /* for a child to notice that nobody reads its output */
#define PATIENCE_MS 5000 /* for a child to clean up after a signal */

/* What it has for descriptors; 0 or an errno. */
static int choose_descriptors(posix_spawn_file_actions_t *actions, int writer, bool with_stdin)
{
	int error = 0;

	if (!with_stdin)
		error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null",
							 O_RDONLY, 0);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(actions, writer, STDOUT_FILENO);
#ifdef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP
	/* All of ours are closed by exec; these are those that somebody handed over. */
	if (error == 0)
		error = posix_spawn_file_actions_addclosefrom_np(actions, FILE_FIRST_OWN_FD);
#else
	file_close_on_exec(FILE_FIRST_OWN_FD);
#endif
	return error;
}

/* What it has for signals; 0 or an errno.  Those with a handler get their default from exec. */
static int choose_signals(posix_spawnattr_t *attributes)
{
	sigset_t defaults, blocked;
	int error;

	signals_ignored_here(&defaults);
	sigemptyset(&blocked);
	error = posix_spawnattr_setflags(attributes,
					 POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	if (error == 0)
		error = posix_spawnattr_setsigdefault(attributes, &defaults);
	if (error == 0)
		error = posix_spawnattr_setsigmask(attributes, &blocked);
	return error;
}

static int spawn(pid_t *pid, char *const argv[], int writer, bool with_stdin)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error != 0)
		goto no_attributes;
	error = choose_descriptors(&actions, writer, with_stdin);
	if (error == 0)
		error = choose_signals(&attributes);
	if (error == 0)
		error = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
no_attributes:
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

enum fault child_start(struct child *child, struct file_input *input, char *const argv[],
		       bool with_stdin)
{
	int writer;
	enum fault fault = file_input_pipe(input, argv[0], &writer);

	*child = (struct child){.output = input};
	if (fault == FAULT_NONE) {
		child->error = spawn(&child->pid, argv, writer, with_stdin);
		file_input_pipe_given(&writer);
	} else {
		child->error = input->error;
	}
	if (child->error == 0)
		return FAULT_NONE;
	child->pid = 0;
	file_input_close(input);
	return FAULT_COMMAND;
}

/* Whether it has ended by now, or cannot be asked (error); its status is kept, and it is gone. */
static bool has_ended(struct child *child)
{
	pid_t found = waitpid(child->pid, &child->status, WNOHANG);

	if (found == 0 || (found < 0 && errno == EINTR))
		return false;
	child->error = found < 0 ? errno : 0;
	child->pid = 0;
	return true;
}

/* Sleeps for *ms milliseconds, or until a signal comes, and makes *ms longer for the next time. */
static void nap(unsigned *ms)
{
	const struct timespec time = {.tv_nsec = (long)*ms * 1000000};

	nanosleep(&time, NULL);
	*ms = *ms * 2 < NAP_MOST_MS ? *ms * 2 : NAP_MOST_MS;
}

enum fault child_wait(struct child *child)
{
	unsigned ms = 1;

	/* A child that has closed its output is most often gone at once. */
	while (!has_ended(child)) {
		if (file_input_stopped(child->output))
			return FAULT_SIGNAL;
		nap(&ms);
	}
	/* Both may have been told to end, as by a key typed at the terminal. */
	if (signals_caught() != 0)
		return FAULT_SIGNAL;
	return child->error == 0 && child->status == 0 ? FAULT_NONE : FAULT_COMMAND;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool ends_within(struct child *child, int64_t limit_ms)
{
	int64_t end = now_ms() + limit_ms;
	unsigned ms = 1;

	while (!has_ended(child)) {
		if (now_ms() >= end)
			return false;
		nap(&ms);
	}
	return true;
}

/* A child that is stopped takes no signal but SIGKILL before it goes on. */
static void tell_to_end(const struct child *child, int signo)
{
	kill(child->pid, signo);
	kill(child->pid, SIGCONT);
}

void child_stop(struct child *child)
{
	if (child->pid == 0)
		return;
	if (signals_caught() == 0 && ends_within(child, MOMENT_MS))
		return;
	int caught = signals_caught();

	tell_to_end(child,
		    caught == SIGINT || caught == SIGHUP || caught == SIGQUIT ? caught : SIGTERM);
	if (ends_within(child, PATIENCE_MS))
		return;
	kill(child->pid, SIGKILL);
	while (!has_ended(child))
		nap(&(unsigned){NAP_MOST_MS});
}
