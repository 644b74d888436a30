/* SPDX-License-Identifier: ISC */
/*
 * bench_turns.c - the clockwork of bench: whose turn it is, and what the turns came to.
 *
 * Knows nothing of what is measured, and prints nothing.
 */
#include "cli/bench_turns.h"

#include <stdlib.h>

#include "cpu/ticks.h"
#include "io/signals.h"

#define TURNS_MIN 5
#define TURNS_MAX 999

/* Of one direction of one kernel, a byte. */
struct times {
	double ns[TURNS_MAX], ticks[TURNS_MAX];
};

struct lane {
	struct times seal, open;
};

struct bench_turns_time bench_turns_start(void)
{
	return (struct bench_turns_time){.ns = cpu_nanoseconds(), .ticks = cpu_ticks()};
}

void bench_turns_stop(struct bench_turns_time *sum, struct bench_turns_time start)
{
	sum->ticks += cpu_ticks() - start.ticks;
	sum->ns += cpu_nanoseconds() - start.ns;
}

static void note(struct times *times, size_t number, const struct bench_turns_time *time,
		 uint64_t bytes)
{
	times->ns[number] = (double)time->ns / (double)bytes;
	times->ticks[number] = (double)time->ticks / (double)bytes;
}

/* One turn of every kernel, noted under that number. */
static enum fault take_round(struct lane *lanes, size_t count, size_t number, bench_turn *turn,
			     void *context)
{
	for (size_t i = 0; i < count; i++) {
		struct bench_turns_taken taken = {.bytes = 0};
		enum fault fault = turn(context, i, &taken);

		if (fault == FAULT_NONE && signals_caught() != 0)
			fault = FAULT_SIGNAL;
		if (fault != FAULT_NONE)
			return fault;
		note(&lanes[i].seal, number, &taken.seal, taken.bytes);
		note(&lanes[i].open, number, &taken.open, taken.bytes);
	}
	return FAULT_NONE;
}

static int compare(const void *a, const void *b)
{
	const double *one = a;
	const double *other = b;

	return (*one > *other) - (*one < *other);
}

/* Sorts both; a turn that was disturbed is at the end, and counts as one turn and no more. */
static void sum_up(struct bench_turns_speed *speed, struct times *times, size_t turns)
{
	double *ns = times->ns;

	qsort(ns, turns, sizeof ns[0], compare);
	qsort(times->ticks, turns, sizeof times->ticks[0], compare);
	speed->gigabytes = 1 / ns[turns / 2];
	speed->ticks = times->ticks[turns / 2];
	speed->spread = (ns[turns - 1 - turns / 4] - ns[turns / 4]) / ns[turns / 2];
}

enum fault bench_turns(struct bench_turns_row *rows, size_t count, uint64_t nanoseconds,
		       bench_turn *turn, void *context)
{
	struct lane *lanes = calloc(count, sizeof *lanes);
	uint64_t start = cpu_nanoseconds();
	size_t turns = 0;
	enum fault fault;

	if (lanes == NULL)
		return FAULT_MEMORY;
	/* The first round warms up caches and clocks: the second one takes its place. */
	fault = take_round(lanes, count, 0, turn, context);
	while (fault == FAULT_NONE && turns < TURNS_MAX &&
	       (turns < TURNS_MIN || cpu_nanoseconds() - start < nanoseconds))
		fault = take_round(lanes, count, turns++, turn, context);
	for (size_t i = 0; i < count && fault == FAULT_NONE; i++) {
		sum_up(&rows[i].seal, &lanes[i].seal, turns);
		sum_up(&rows[i].open, &lanes[i].open, turns);
	}
	free(lanes);
	return fault;
}
