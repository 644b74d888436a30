/* SPDX-License-Identifier: ISC */
/*
 * test_seed.c - the seed of a file and its draws, against Python's BLAKE2b.
 */
#include "format_util.h"

#include "format/seed.h"

static void seed_from_answers(struct seed *seed)
{
	uint8_t system[SEED_SYSTEM_BYTES], around[99];

	answer_exact(system, sizeof system, "seed_system");
	answer_exact(around, sizeof around, "seed_around");
	seed_init(seed, system, around, sizeof around);
}

static void known_answers(void **state)
{
	static const struct {
		const char *label, *name;
		size_t len;
	} draws[] = {
		{"file key", "seed_draw_0", 32},
		{"salt", "seed_draw_1", 16},
		{"salt", "seed_draw_2", 64},
		{"", "seed_draw_3", 1},
	};
	uint8_t want[SEED_VALUE_MAX], got[SEED_VALUE_MAX + 1];
	struct seed seed;

	(void)state;
	seed_from_answers(&seed);
	answer_exact(want, SEED_BYTES, "seed_bytes");
	assert_memory_equal(seed.bytes, want, SEED_BYTES);
	for (size_t i = 0; i < COUNT_OF(draws); i++) {
		answer_exact(want, draws[i].len, draws[i].name);
		memset(got, 0x5a, sizeof got);
		seed_draw(&seed, got, draws[i].len, draws[i].label);
		assert_memory_equal(got, want, draws[i].len);
		assert_int_equal(got[draws[i].len], 0x5a);
		assert_int_equal(seed.counter, i + 1);
	}
}

/* A machine that was cloned and repeats its source: other circumstances, other values. */
static void circumstances_matter(void **state)
{
	const uint8_t system[SEED_SYSTEM_BYTES] = {0};
	uint8_t around[40] = {0}, one[32], two[32];
	struct seed seed;

	(void)state;
	seed_init(&seed, system, around, sizeof around);
	seed_draw(&seed, one, sizeof one, "file key");
	for (size_t bit = 0; bit < 8 * sizeof around; bit++) {
		around[bit / 8] ^= (uint8_t)(1u << bit % 8);
		seed_init(&seed, system, around, sizeof around);
		seed_draw(&seed, two, sizeof two, "file key");
		assert_memory_not_equal(one, two, sizeof one);
		around[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void system_matters(void **state)
{
	uint8_t system[SEED_SYSTEM_BYTES] = {0}, one[32], two[32];
	struct seed seed;

	(void)state;
	seed_init(&seed, system, "x", 1);
	seed_draw(&seed, one, sizeof one, "file key");
	for (size_t bit = 0; bit < 8 * sizeof system; bit++) {
		system[bit / 8] ^= (uint8_t)(1u << bit % 8);
		seed_init(&seed, system, "x", 1);
		seed_draw(&seed, two, sizeof two, "file key");
		assert_memory_not_equal(one, two, sizeof one);
		system[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void draws_differ(void **state)
{
	uint8_t values[300][16];
	struct seed seed;

	(void)state;
	seed_from_answers(&seed);
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		seed_draw(&seed, values[i], sizeof values[i], "salt");
		for (size_t j = 0; j < i; j++)
			assert_memory_not_equal(values[i], values[j], sizeof values[i]);
	}
}

static void wiped_and_bounded(void **state)
{
	uint8_t value[SEED_VALUE_MAX + 1];
	struct seed seed;

	(void)state;
	seed_from_answers(&seed);
	expect_assert_failure(seed_draw(&seed, value, sizeof value, "salt"));
	seed_wipe(&seed);
	assert_true(all_zero(&seed, sizeof seed));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),     cmocka_unit_test(circumstances_matter),
		cmocka_unit_test(system_matters),    cmocka_unit_test(draws_differ),
		cmocka_unit_test(wiped_and_bounded),
	};

	return FORMAT_TESTS_RUN(tests);
}
