/* SPDX-License-Identifier: ISC */
/*
 * gate.c - core cycles, the yardstick, and which samples count.
 *
 * Knows nothing of rows and reports.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "cpu/ticks.h"
#include "gate.h"

/* Long enough for a clock to matter little, short enough to fit between two disturbances. */
#define SAMPLE_NS 600000.0
#define SLICES    8

/* The clock of the core may move so much during one sample. */
#define CLOCK_TOLERANCE 0.02

#define MILLISECOND 1000000L

/* Yardsticks run after a rest; the third is as fast as any. */
#define WARM_UP 16

/*
 * Core cycles a tick: additions that wait for each other take one cycle each on every processor
 * (of registers: some processors make additions of constants disappear).  The empty assembly
 * keeps the compiler from adding them up itself.
 */
#define ADD          \
	sum += step; \
	__asm__ volatile("" : "+r"(sum))
#define ADD_8 \
	ADD;  \
	ADD;  \
	ADD;  \
	ADD;  \
	ADD;  \
	ADD;  \
	ADD;  \
	ADD
#define ADDITIONS 16384

/* Whatever comes between makes a run of additions longer, so the shortest of several is right. */
static double core_cycles_per_tick(void)
{
	uint64_t least = UINT64_MAX, sum = 1, step = 3;

	__asm__ volatile("" : "+r"(step));
	for (int turn = 0; turn < 3; turn++) {
		const uint64_t start = cpu_ticks();
		uint64_t ticks;

		for (int i = 0; i < ADDITIONS / 32; i++) {
			ADD_8;
			ADD_8;
			ADD_8;
			ADD_8;
		}
		ticks = cpu_ticks() - start;
		least = ticks < least ? ticks : least;
	}
	return ADDITIONS / (double)(least + 1);
}

/* Ticks of the turn's next count messages. */
static uint64_t run(struct bench_turn *turn, size_t count)
{
	const struct bench_competitor *competitor = turn->competitor;
	const uint64_t start = cpu_ticks();
	uint64_t ticks;
	bool right = true;

	if (turn->opening)
		right = competitor->open(competitor->state, &turn->load, count);
	else
		competitor->seal(competitor->state, &turn->load, count);
	ticks = cpu_ticks() - start;
	turn->load.first += count;
	if (!right)
		bench_die("%s refused a right tag", competitor->name);
	return ticks;
}

/* The first seal warms up what the sample before it displaced; the second is timed. */
static double yard(struct bench_gate *gate)
{
	uint64_t ticks;

	(void)run(&gate->yardstick, 1);
	ticks = run(&gate->yardstick, 1);
	return (double)ticks * core_cycles_per_tick();
}

/* A processor that slept is slow at first: caches, predictors and clock come back with work. */
static void rest(struct bench_gate *gate, long nanoseconds)
{
	const struct timespec time = {0, nanoseconds};

	(void)nanosleep(&time, NULL);
	(void)run(&gate->yardstick, WARM_UP);
}

static int compare(const void *a, const void *b)
{
	const double *one = a;
	const double *other = b;

	return (*one > *other) - (*one < *other);
}

/* The fifth percentile: the minimum may be a clock's mistake. */
void bench_gate_settle(struct bench_gate *gate)
{
	double readings[200];
	const size_t count = sizeof readings / sizeof readings[0];

	for (size_t i = 0; i < count; i++) {
		if (i % 10 == 0)
			rest(gate, 5 * MILLISECOND);
		readings[i] = yard(gate);
	}
	qsort(readings, count, sizeof readings[0], compare);
	if (readings[count / 20] < gate->quiet)
		gate->quiet = readings[count / 20];
}

void bench_gate_begin(struct bench_gate *gate, const struct bench_competitor *yardstick,
		      const struct bench_load *load)
{
	const uint64_t ns = cpu_nanoseconds();
	const uint64_t ticks = cpu_ticks();

	*gate = (struct bench_gate){
		.yardstick = {.competitor = yardstick, .load = *load},
		.quiet = 1e30,
	};
	for (int i = 0; i < 8; i++)
		bench_gate_settle(gate);
	gate->ticks_per_ns = (double)(cpu_ticks() - ticks) / (double)(cpu_nanoseconds() - ns);
}

void bench_gate_fit(const struct bench_gate *gate, struct bench_turn *turn)
{
	const double wanted = SAMPLE_NS * gate->ticks_per_ns;
	uint64_t least = 0;
	size_t count = 1, messages;

	/* The shortest of five: an interruption must not make samples too short. */
	for (;; count *= 2) {
		least = UINT64_MAX;
		for (int i = 0; i < 5; i++) {
			const uint64_t ticks = run(turn, count);

			least = ticks < least ? ticks : least;
		}
		if ((double)least > wanted / 8)
			break;
	}
	messages = (size_t)((double)count * wanted / (double)least);
	if (messages == 0)
		messages = 1;
	turn->slices = messages < SLICES ? messages : SLICES;
	turn->slice = messages / turn->slices;
}

/*
 * Ticks of one sample, or 0 if it did not go evenly: what disturbs for a while, in the middle,
 * shows in some slices alone.  (An interrupt for the clock is too short to matter.)
 */
static double run_evenly(struct bench_turn *turn)
{
	uint64_t least = UINT64_MAX, sum = 0;

	for (size_t i = 0; i < turn->slices; i++) {
		const uint64_t ticks = run(turn, turn->slice);

		sum += ticks;
		least = ticks < least ? ticks : least;
	}
	if ((double)sum > (double)least * (double)turn->slices * BENCH_GATE_TOLERANCE)
		return 0;
	return (double)sum;
}

/* How often the system took the processor away from this process. */
static long taken_away(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static bool steady(double clock_before, double clock_after)
{
	return clock_after <= clock_before * (1 + CLOCK_TOLERANCE) &&
	       clock_before <= clock_after * (1 + CLOCK_TOLERANCE);
}

bool bench_gate_sample(struct bench_gate *gate, struct bench_turn *turn,
		       struct bench_sample *sample)
{
	const double limit = gate->quiet * BENCH_GATE_TOLERANCE;
	const double yard_before = yard(gate);
	const long taken = taken_away();
	double clock_before, clock_after, yard_after, ticks;

	gate->tried++;
	if (yard_before > limit) {
		/* Of a different length each time, not to keep in step with what disturbs. */
		rest(gate, (1 + (long)(gate->tried % 9)) * MILLISECOND / 3);
		return false;
	}
	clock_before = core_cycles_per_tick();
	ticks = run_evenly(turn);
	clock_after = core_cycles_per_tick();
	yard_after = yard(gate);
	if (ticks <= 0 || yard_after > limit || taken_away() != taken ||
	    !steady(clock_before, clock_after))
		return false;
	gate->accepted++;
	sample->ticks = ticks / (double)(turn->slice * turn->slices);
	sample->cycles = sample->ticks * (clock_before + clock_after) / 2;
	sample->yard = yard_before > yard_after ? yard_before : yard_after;
	return true;
}
