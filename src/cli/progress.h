/* SPDX-License-Identifier: ISC */
/*
 * progress.h - shows how far a stream is: a line that is rewritten each second, and an answer to
 * SIGUSR1.
 *
 * Between progress_begin() and progress_end() nobody else may print a message.
 */
#ifndef GCMCRYPT_CLI_PROGRESS_H
#define GCMCRYPT_CLI_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cli/progress_text.h"

struct progress {
	const char *name;
	uint64_t total;
	enum message_level level;
	bool on_terminal; /* standard error is one */
	bool by_itself;   /* lines come unasked */
	uint64_t started; /* milliseconds of a clock that never jumps, as due */
	_Atomic uint64_t done;
	atomic_bool ending;
	atomic_bool left; /* the thread has nothing more to say */
	pthread_t owner;  /* who waits for that */
	bool running;     /* there is a thread, and what follows belongs to it */
	pthread_t thread;
	uint64_t due;   /* when the next line comes */
	size_t columns; /* of the line that is to be seen now, 0 for none */
	bool shown;     /* a line has been to be seen */
};

/*
 * Begins to watch: name is for the line and must live on, total the number of plaintext bytes, 0
 * where it is not known.  usual: a line is welcome on a terminal, where the options say nothing
 * else.  With -q nothing is ever shown.
 */
void progress_begin(struct progress *progress, const struct options *options, const char *name,
		    uint64_t total, bool usual);

/* For struct stream: the context is a struct progress. */
void progress_delivered(void *context, uint64_t plain_len);

/*
 * Erases the line and ends the watch.  Where there is none it does nothing.  For the thread that
 * began it, the only one by then.
 */
void progress_end(struct progress *progress);

/* The level for the summary of what was watched: who saw a line gets it without -v too. */
enum message_level progress_level(const struct progress *progress);

/* "2.0 GiB in 0:03, 682.7 MiB/s", or "512 bytes" where it took less than a second. */
const char *progress_summary(char text[PROGRESS_TEXT_FIGURES_BYTES],
			     const struct progress *progress);

#endif
