/* SPDX-License-Identifier: ISC */
/*
 * measure.c - the order of a run: agreement first, then for each key, size and operation all
 * competitors in turn, until each has its samples or time is up.
 */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/ticks.h"
#include "measure.h"

/* Those who take part, for one length of key. */
struct course {
	struct bench_field field;
	size_t key_bits;
};

static void check_course(struct bench_stage *stage, const struct course *course,
			 const struct bench_options *options)
{
	const struct bench_competitor *list = course->field.list;

	for (size_t s = 0; s < options->size_count; s++) {
		/* One byte less as well, which ends inside a block. */
		for (size_t len = options->sizes[s] - 1; len <= options->sizes[s]; len++) {
			bench_stage_set(stage, &list[0], len);
			for (size_t i = 0; i < course->field.count; i++)
				if (!list[i].is_bound)
					bench_stage_agree(stage, &list[0], &list[i], len);
		}
	}
}

/* A row and a turn for each competitor that is to take part; returns how many. */
static size_t line_up(struct bench_row *rows, struct bench_turn *turns, const struct course *course,
		      const struct bench_options *options, bool opening,
		      const struct bench_load *load)
{
	size_t count = 0;

	for (size_t i = 0; i < course->field.count; i++) {
		const struct bench_competitor *competitor = &course->field.list[i];

		if (!bench_options_wants(options, competitor->name))
			continue;
		memcpy(rows[count].name, competitor->name, sizeof rows[count].name);
		rows[count].opening = opening;
		rows[count].key_bits = course->key_bits;
		rows[count].size = load->len;
		turns[count++] = (struct bench_turn){
			.competitor = competitor,
			.opening = opening,
			.load = *load,
		};
	}
	return count;
}

/* All competitors of one operation and size, in turn. */
static void race(struct bench_results *results, const struct course *course,
		 const struct bench_options *options, bool opening, const struct bench_load *load)
{
	struct bench_turn turns[BENCH_COMPETITORS_MAX];
	struct bench_row *rows = results->rows + results->count;
	const size_t count = line_up(rows, turns, course, options, opening, load);
	const uint64_t start = cpu_nanoseconds();
	bool enough = false;

	bench_gate_settle(&results->gate);
	for (size_t i = 0; i < count; i++)
		bench_gate_fit(&results->gate, &turns[i]);
	while (!enough && cpu_nanoseconds() - start < options->seconds * UINT64_C(1000000000)) {
		enough = true;
		for (size_t i = 0; i < count; i++) {
			struct bench_row *row = &rows[i];

			if (row->count < BENCH_SAMPLES_MAX &&
			    bench_gate_sample(&results->gate, &turns[i], &row->samples[row->count]))
				row->count++;
			enough = enough && row->count >= options->samples;
		}
	}
	results->count += count;
}

static void run_course(struct bench_results *results, struct bench_stage *stage,
		       const struct course *course, const struct bench_options *options)
{
	for (size_t s = 0; s < options->size_count; s++) {
		const size_t size = options->sizes[s];
		struct bench_load load = bench_stage_seal_load(stage, size);

		(void)fprintf(stderr, "bench: %zu-bit keys, %zu bytes\n", course->key_bits, size);
		bench_stage_set(stage, &course->field.list[0], size);
		race(results, course, options, false, &load);
		load = bench_stage_open_load(stage, size);
		race(results, course, options, true, &load);
	}
}

void bench_measure(struct bench_results *results, const struct bench_options *options)
{
	uint8_t key[32];
	struct course courses[BENCH_KEY_BITS_MAX];
	struct bench_stage stage, yard;
	struct bench_field yardstick = {.count = 0};
	struct bench_load load;

	memset(results, 0, sizeof *results);
	results->rows = bench_memory(sizeof *results->rows * 2 * options->key_bits_count *
				     options->size_count * BENCH_COMPETITORS_MAX);
	randombytes_buf(key, sizeof key);
	bench_stage_begin(&stage, options->aad_len);
	bench_stage_begin(&yard, options->aad_len);
	for (size_t k = 0; k < options->key_bits_count; k++) {
		courses[k].key_bits = options->key_bits[k];
		bench_field_open(&courses[k].field, key, options->key_bits[k] / 8);
		check_course(&stage, &courses[k], options);
	}
	bench_join_openssl(&yardstick, key, sizeof key);
	load = bench_stage_seal_load(&yard, BENCH_YARDSTICK_BYTES);
	bench_gate_begin(&results->gate, &yardstick.list[0], &load);
	for (size_t k = 0; k < options->key_bits_count; k++)
		run_course(results, &stage, &courses[k], options);
	for (size_t k = 0; k < options->key_bits_count; k++)
		bench_field_close(&courses[k].field);
	bench_field_close(&yardstick);
	bench_stage_end(&yard);
	bench_stage_end(&stage);
}

static int compare(const void *a, const void *b)
{
	const struct bench_sample *one = a;
	const struct bench_sample *other = b;

	return (one->cycles > other->cycles) - (one->cycles < other->cycles);
}

/*
 * The quiet value may have fallen since a sample was accepted, so each is judged once more.  Time
 * goes by the sample in the middle: ticks follow cycles as long as the clock does not move.
 */
struct bench_figures bench_row_figures(const struct bench_results *results,
				       const struct bench_row *row)
{
	struct bench_sample quiet[BENCH_SAMPLES_MAX];
	struct bench_figures figures = {.cycles = NAN, .least = NAN, .spread = NAN, .seconds = NAN};
	size_t n = 0;

	for (size_t i = 0; i < row->count; i++)
		if (row->samples[i].yard <= results->gate.quiet * BENCH_GATE_TOLERANCE)
			quiet[n++] = row->samples[i];
	figures.samples = n;
	if (n == 0)
		return figures;
	qsort(quiet, n, sizeof quiet[0], compare);
	figures.cycles = quiet[n / 2].cycles;
	figures.least = quiet[0].cycles;
	figures.spread = (quiet[n - 1 - n / 4].cycles - quiet[n / 4].cycles) / quiet[n / 2].cycles;
	figures.seconds = quiet[n / 2].ticks / results->gate.ticks_per_ns / 1e9;
	return figures;
}

const struct bench_row *bench_row_find(const struct bench_results *results, const char *name,
				       bool opening, size_t key_bits, size_t size)
{
	for (size_t i = 0; i < results->count; i++) {
		const struct bench_row *row = &results->rows[i];

		if (strcmp(row->name, name) == 0 && row->opening == opening &&
		    row->key_bits == key_bits && row->size == size)
			return row;
	}
	return NULL;
}
