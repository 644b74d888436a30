/* SPDX-License-Identifier: ISC */
/*
 * test_cpu.c - the probe against what the system says of the processor, and the names of bits.
 */
#include <ctype.h>

#include "gcm_util.h"

static void test_every_feature_has_its_own_name(void **state)
{
	(void)state;
	for (uint32_t a = CPU_AES; a <= CPU_AVX512DQ; a <<= 1) {
		assert_non_null(cpu_feature_name(a));
		for (uint32_t b = CPU_AES; b < a; b <<= 1)
			assert_string_not_equal(cpu_feature_name(a), cpu_feature_name(b));
	}
	assert_null(cpu_feature_name(0));
	assert_null(cpu_feature_name(CPU_AVX512DQ << 1));
	assert_null(cpu_feature_name(CPU_AES | CPU_AVX));
}

static void test_probe_is_the_same_twice(void **state)
{
	(void)state;
	assert_int_equal(cpu_probe(), cpu_probe());
}

/* A bit without a name, or a wide one without those below it, would be a mistake in the table. */
static void test_probe_finds_sane_sets(void **state)
{
	uint32_t here = cpu_probe();

	(void)state;
	assert_int_equal(here & ~(uint32_t)(2 * CPU_AVX512DQ - 1), 0);
	if ((here & CPU_AVX512F) != 0)
		assert_true((here & CPU_AVX2) != 0);
	if ((here & CPU_AVX2) != 0)
		assert_true((here & CPU_AVX) != 0);
	if ((here & CPU_AVX) != 0)
		assert_true((here & CPU_SSE4_1) != 0);
}

static void test_model_is_text(void **state)
{
	char model[CPU_MODEL_BYTES];

	(void)state;
	memset(model, 'x', sizeof model);
	cpu_model(model);
	assert_non_null(memchr(model, '\0', sizeof model));
	assert_true(model[0] != ' ');
	assert_true(model[0] == '\0' || model[strlen(model) - 1] != ' ');
	for (const char *c = model; *c != '\0'; c++)
		assert_true(isprint((unsigned char)*c));
}

/* The system's own list of what programs may use, where it has one in this form. */
static bool system_flags(char *line, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	bool found = false;

	if (f == NULL)
		return false;
	while (!found && fgets(line, (int)size, f) != NULL)
		found = strncmp(line, "flags\t", 6) == 0;
	fclose(f);
	if (found)
		line[strcspn(line, "\n")] = ' ';
	return found;
}

static void test_probe_agrees_with_the_system(void **state)
{
	static const struct {
		uint32_t feature;
		const char *flag;
	} flags[] = {
		{CPU_AES, " aes "},           {CPU_PCLMULQDQ, " pclmulqdq "},
		{CPU_SSSE3, " ssse3 "},       {CPU_SSE4_1, " sse4_1 "},
		{CPU_AVX, " avx "},           {CPU_AVX2, " avx2 "},
		{CPU_VAES, " vaes "},         {CPU_VPCLMULQDQ, " vpclmulqdq "},
		{CPU_AVX512F, " avx512f "},   {CPU_AVX512BW, " avx512bw "},
		{CPU_AVX512VL, " avx512vl "}, {CPU_AVX512DQ, " avx512dq "},
	};
	uint32_t here = cpu_probe();
	char line[16384];

	(void)state;
#if defined(__x86_64__)
	if (!system_flags(line, sizeof line))
		skip();
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if ((strstr(line, flags[i].flag) != NULL) != ((here & flags[i].feature) != 0))
			fail_msg("the system and the probe differ on %s",
				 cpu_feature_name(flags[i].feature));
#else
	(void)flags;
	(void)line;
	(void)system_flags;
	assert_int_equal(here, 0);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_feature_has_its_own_name),
		cmocka_unit_test(test_probe_is_the_same_twice),
		cmocka_unit_test(test_probe_finds_sane_sets),
		cmocka_unit_test(test_model_is_text),
		cmocka_unit_test(test_probe_agrees_with_the_system),
	};

	find_kernels();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
