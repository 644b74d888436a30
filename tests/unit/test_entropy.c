/* SPDX-License-Identifier: ISC */
/*
 * test_entropy.c - a seed for each file, whatever the source repeats; no source, no seed.
 */
#include "io_util.h"

#include "io/entropy.h"

static size_t asked_for;

static bool constant_source(void *bytes, size_t len)
{
	asked_for += len;
	memset(bytes, 0x42, len);
	return true;
}

static bool no_source(void *bytes, size_t len)
{
	memset(bytes, 0, len);
	return false;
}

static void no_source_no_seed(void **state)
{
	struct seed seed;

	(void)state;
	assert_int_equal(entropy_seed(&seed, no_source, NULL), FAULT_NO_RANDOMNESS);
}

/* A cloned machine: the source repeats itself, and still no two seeds are the same. */
static void a_source_that_repeats_itself(void **state)
{
	struct seed seeds[64];

	(void)state;
	asked_for = 0;
	for (size_t i = 0; i < COUNT_OF(seeds); i++) {
		assert_int_equal(entropy_seed(&seeds[i], constant_source, NULL), FAULT_NONE);
		for (size_t j = 0; j < i; j++)
			assert_memory_not_equal(seeds[i].bytes, seeds[j].bytes, SEED_BYTES);
	}
	assert_int_equal(asked_for, COUNT_OF(seeds) * SEED_SYSTEM_BYTES);
}

static void with_an_input(void **state)
{
	struct file_input input;
	struct seed one, two;

	(void)state;
	assert_int_equal(file_input_open(&input, "/dev/null"), FAULT_NONE);
	assert_int_equal(entropy_seed(&one, entropy_system, &input), FAULT_NONE);
	assert_int_equal(entropy_seed(&two, entropy_system, &input), FAULT_NONE);
	assert_memory_not_equal(one.bytes, two.bytes, SEED_BYTES);
	file_input_close(&input);
}

/* Longer than one system call gives; no part is left as it was (odds of a false alarm: 2^-128). */
static void the_system_fills_all(void **state)
{
	static const size_t lengths[] = {16, 64, 256, 257, 600};
	uint8_t bytes[616];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		memset(bytes, 0, sizeof bytes);
		assert_true(entropy_system(bytes, lengths[i]));
		assert_false(sodium_is_zero(bytes, 16));
		assert_false(sodium_is_zero(bytes + lengths[i] - 16, 16));
		assert_true(sodium_is_zero(bytes + lengths[i], 16));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_source_no_seed),
		cmocka_unit_test(a_source_that_repeats_itself),
		cmocka_unit_test(with_an_input),
		cmocka_unit_test(the_system_fills_all),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return sodium_init() < 0 ? 99 : cmocka_run_group_tests(tests, NULL, NULL);
}
