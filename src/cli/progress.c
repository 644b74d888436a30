/* SPDX-License-Identifier: ISC */
/*
 * progress.c - a thread that looks at the count now and then, and whenever SIGUSR1 comes.
 *
 * Owns the line on the terminal.  A thread of its own, since those that read, seal and write may
 * each be waiting for somebody: it answers then too, and nothing of theirs is ever interrupted.
 */
#include <signal.h>
#include <time.h>

#include "cli/progress.h"
#include "io/file.h"
#include "io/signals.h"

#define SECOND        1000 /* milliseconds, as all times here */
#define FIRST_LINE    SECOND
#define TERMINAL_LINE SECOND
#define LOG_LINE      (10 * SECOND) /* lines that stay are to be few */
#define NUDGE_NAP     1000000       /* nanoseconds */

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec / (1000000000 / SECOND);
}

static struct progress_text text_now(const struct progress *progress)
{
	return (struct progress_text){
		.name = progress->name,
		.done = atomic_load(&progress->done),
		.total = progress->total,
		.milliseconds = now() - progress->started,
	};
}

/* Whoever takes the terminal while this program is in the background has drawn over the line. */
static void erase(struct progress *progress)
{
	if (progress->columns > 0 && file_stderr_in_foreground())
		message_rewrite("", progress->columns);
	progress->columns = 0;
}

/* A line that stays. */
static void print(struct progress *progress)
{
	char figures[PROGRESS_TEXT_FIGURES_BYTES];
	struct progress_text text = text_now(progress);

	erase(progress);
	message_notice(progress->level, progress->name, "%s",
		       progress_text_figures(figures, &text));
}

static void draw(struct progress *progress)
{
	char line[PROGRESS_TEXT_LINE_BYTES];
	struct progress_text text = text_now(progress);
	size_t before = progress->columns;
	size_t width = file_stderr_columns() - 1; /* some terminals begin a new line at the last */

	if (!file_stderr_in_foreground())
		return;
	progress->columns = progress_text_line(line, &text, width);
	progress->shown = true;
	message_rewrite(line, before < width ? before : width);
}

/* How long to wait: until the next line is due, or for SIGUSR1 alone (-1). */
static int time_to_wait(const struct progress *progress)
{
	uint64_t time = now();

	if (!progress->by_itself)
		return -1;
	return progress->due > time ? (int)(progress->due - time) : 0;
}

static void show(struct progress *progress)
{
	for (;;) {
		bool asked = signals_wait_usr1(time_to_wait(progress));

		if (atomic_load(&progress->ending))
			return;
		if (asked)
			print(progress);
		if (!progress->by_itself || now() < progress->due)
			continue;
		if (progress->on_terminal)
			draw(progress);
		else if (!asked)
			print(progress);
		progress->due = now() + (progress->on_terminal ? TERMINAL_LINE : LOG_LINE);
	}
}

static void *watch(void *context)
{
	struct progress *progress = context;

	signals_hear_nudges();
	show(progress);
	atomic_store(&progress->left, true);
	signals_nudge(progress->owner);
	return NULL;
}

/* No signal but a nudge is for this thread: those that wait have to be interrupted. */
static void start_thread(struct progress *progress)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	progress->owner = pthread_self();
	progress->running = pthread_create(&progress->thread, NULL, watch, progress) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_begin(struct progress *progress, const struct options *options, const char *name,
		    uint64_t total, bool usual)
{
	*progress = (struct progress){
		.name = name,
		.total = total,
		.level = options_level(options),
		.on_terminal = file_stderr_is_terminal(),
		.started = now(),
	};
	progress->by_itself =
		options->progress || (usual && progress->on_terminal && !options->no_progress);
	progress->due = progress->started + FIRST_LINE;
	/* Without a thread the work goes on all the same, unwatched. */
	if (progress->level != MESSAGE_QUIET)
		start_thread(progress);
}

void progress_delivered(void *context, uint64_t plain_len)
{
	struct progress *progress = context;

	atomic_store(&progress->done, plain_len);
}

/*
 * The thread may be in the middle of a line that standard error does not take: its reader may be
 * slow, but whoever sends a signal does not wait for it.
 */
static void await_thread(struct progress *progress)
{
	const struct timespec nap = {.tv_nsec = NUDGE_NAP};
	sigset_t usual;

	signals_hold(&usual);
	atomic_store(&progress->ending, true);
	signals_wake_usr1();
	while (!atomic_load(&progress->left)) {
		if (signals_caught() == 0) {
			signals_wait(&usual);
			continue;
		}
		signals_nudge(progress->thread);
		nanosleep(&nap, NULL);
	}
	pthread_join(progress->thread, NULL);
	signals_release(&usual);
}

void progress_end(struct progress *progress)
{
	if (!progress->running)
		return;
	await_thread(progress);
	signals_wait_usr1(0); /* what woke it is not for the next one */
	progress->running = false;
	erase(progress);
}

enum message_level progress_level(const struct progress *progress)
{
	return progress->shown ? MESSAGE_VERBOSE : progress->level;
}

const char *progress_summary(char text[PROGRESS_TEXT_FIGURES_BYTES],
			     const struct progress *progress)
{
	struct progress_text all = text_now(progress);

	all.total = 0;
	if (all.milliseconds < SECOND)
		return message_size(text, all.done);
	return progress_text_figures(text, &all);
}
