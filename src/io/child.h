/* SPDX-License-Identifier: ISC */
/*
 * child.h - a command whose output is an input: started, waited for, and never left behind.
 *
 * Knows processes; what a status means to the user is the caller's business.
 */
#ifndef GCMCRYPT_IO_CHILD_H
#define GCMCRYPT_IO_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/file.h"

struct child {
	pid_t pid;  /* 0: there is none, or none any more */
	int status; /* as waitpid() tells it, after FAULT_COMMAND with error 0 */
	int error;  /* errno: why it could not be started or waited for */
	const struct file_input *output;
};

/*
 * Starts argv[0], which is looked for in PATH, with its standard output as input, whose name
 * becomes argv[0].  It gets the environment, standard error, and standard input where with_stdin
 * says so, else an empty one; no other descriptor, no blocked signal, and no ignored one but those
 * that were ignored when this program was started.  FAULT_COMMAND: error says why not.
 */
enum fault child_start(struct child *child, struct file_input *input, char *const argv[],
		       bool with_stdin);

/*
 * Waits for its end, however long it runs on after its output has ended.  FAULT_NONE: it ended
 * with status 0.  FAULT_COMMAND: it did not.  FAULT_SIGNAL: this program is asked to end, or
 * another thread has stopped the reading of its output, and the child may still run.
 */
enum fault child_wait(struct child *child);

/*
 * Ends a child that still runs, after its input was closed: by SIGINT, SIGHUP or SIGQUIT, if that
 * was caught; else by SIGTERM, a second later if no signal was caught; by SIGKILL where it has not ended five seconds after that.  Without a
 * child, or after child_wait() has seen its end, nothing.
 */
void child_stop(struct child *child);

#endif
