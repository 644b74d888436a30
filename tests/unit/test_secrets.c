/* SPDX-License-Identifier: ISC */
/*
 * test_secrets.c - the arena: its room, its guards, its locks, and what a core dump would hold.
 */
#include "io_util.h"

#include "io/secrets.h"

#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define NOBODY 65534

static void pieces_are_aligned_and_zero(void **state)
{
	static const size_t sizes[] = {1, 63, 64, 65, 3072, 0, 200};
	struct secrets *secrets = secrets_new(0);
	uint8_t *before_end = NULL;

	(void)state;
	assert_non_null(secrets);
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		uint8_t *piece = secrets_take(secrets, sizes[i]);

		assert_non_null(piece);
		assert_int_equal((uintptr_t)piece % 64, 0);
		assert_true(before_end == NULL || piece >= before_end);
		for (size_t at = 0; at < sizes[i]; at++)
			assert_int_equal(piece[at], 0);
		memset(piece, 0xa5, sizes[i]);
		before_end = piece + sizes[i];
	}
	secrets_free(secrets);
	secrets_free(NULL);
}

static void room_is_as_promised(void **state)
{
	(void)state;
	for (unsigned workers = 0; workers < 5; workers++) {
		struct secrets *secrets = secrets_new(workers);
		size_t room = SECRETS_BASE_BYTES + workers * SECRETS_WORKER_BYTES;

		assert_non_null(secrets);
		assert_null(secrets_take(secrets, room + 1));
		assert_null(secrets_take(secrets, SIZE_MAX));
		assert_non_null(secrets_take(secrets, room - 65));
		assert_null(secrets_take(secrets, 65));
		assert_non_null(secrets_take(secrets, 64));
		assert_null(secrets_take(secrets, 1));
		secrets_free(secrets);
	}
}

/* Ends with 0 where a child may write. */
static int write_there(void *at)
{
	*(volatile uint8_t *)at = 1;
	return 0;
}

static void guards_stand_around_it(void **state)
{
	struct secrets *secrets = secrets_new(1);
	size_t room = SECRETS_BASE_BYTES + SECRETS_WORKER_BYTES;

	(void)state;
	assert_non_null(secrets);
	uint8_t *all = secrets_take(secrets, room);

	assert_int_equal(run_child(write_there, all + room - 1), 0);
	assert_int_not_equal(run_child(write_there, all + room), 0);
	/* In front stand the arena's own numbers and libsodium's canary, at most a page. */
	assert_int_not_equal(run_child(write_there, all - sysconf(_SC_PAGESIZE) - 64), 0);
	secrets_free(secrets);
}

#ifdef __linux__
/* There only in a program under AddressSanitizer, whose mlock() does nothing and says it did. */
extern void __asan_init(void) __attribute__((weak));

/* Finds the flags of the mapping that holds at in /proc/self/smaps. */
static bool mapping_has_flag(const void *at, const char *flag)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	char line[512];
	bool inside = false, found = false;

	assert_non_null(maps);
	while (fgets(line, sizeof line, maps) != NULL) {
		unsigned long from, to;

		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = from <= (uintptr_t)at && (uintptr_t)at < to;
		if (inside && strncmp(line, "VmFlags:", 8) == 0)
			found = strstr(line, flag) != NULL;
	}
	fclose(maps);
	return found;
}

static void locked_and_not_dumped(void **state)
{
	struct secrets *secrets = secrets_new(0);

	(void)state;
	assert_non_null(secrets);
	void *piece = secrets_take(secrets, 64);

	assert_true(mapping_has_flag(piece, " dd"));
	if (__asan_init == NULL)
		assert_int_equal(secrets_locked(secrets), mapping_has_flag(piece, " lo"));
	secrets_free(secrets);
}

/* Ends with the first byte that is not 0 there. */
static int look_there(void *at)
{
	const uint8_t *bytes = at;
	size_t i = 0;

	while (i + 1 < SECRETS_BASE_BYTES && bytes[i] == 0)
		i++;
	return bytes[i];
}

static void a_forked_process_has_none_of_it(void **state)
{
	struct secrets *secrets = secrets_new(0);

	(void)state;
	assert_non_null(secrets);
	uint8_t *piece = secrets_take(secrets, SECRETS_BASE_BYTES);

	assert_non_null(piece);
	memset(piece, 0xa5, SECRETS_BASE_BYTES);
	assert_true(mapping_has_flag(piece, " wf"));
	assert_true(mapping_has_flag(piece + SECRETS_BASE_BYTES - 1, " wf"));
	assert_child(look_there, piece);
	for (size_t i = 0; i < SECRETS_BASE_BYTES; i++)
		assert_int_equal(piece[i], 0xa5);
	secrets_free(secrets);
}

static int without_right_to_lock(void *argument)
{
	const struct rlimit none = {0, 0};

	(void)argument;
	CHECK(setrlimit(RLIMIT_MEMLOCK, &none) == 0);
	CHECK(geteuid() != 0 || setuid(NOBODY) == 0);
	struct secrets *secrets = secrets_new(2);

	CHECK(secrets != NULL);
	CHECK(!secrets_locked(secrets));
	uint8_t *piece = secrets_take(secrets, SECRETS_BASE_BYTES);

	CHECK(piece != NULL);
	memset(piece, 0xa5, SECRETS_BASE_BYTES);
	secrets_free(secrets);
	return 0;
}

static void a_failed_lock_is_told_and_survived(void **state)
{
	(void)state;
	if (__asan_init != NULL)
		skip();
	assert_child(without_right_to_lock, NULL);
}

static int harden_and_abort(void *argument)
{
	struct rlimit limit;

	(void)argument;
	secrets_harden_process();
	CHECK(getrlimit(RLIMIT_CORE, &limit) == 0);
	CHECK(limit.rlim_cur == 0 && limit.rlim_max == 0);
	CHECK(prctl(PR_GET_DUMPABLE) == 0);
	signal(SIGABRT, SIG_DFL);
	abort();
}

static void no_core_after_hardening(void **state)
{
	int status = run_child(harden_and_abort, NULL);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_false(WCOREDUMP(status));
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_aligned_and_zero),
		cmocka_unit_test(room_is_as_promised),
		cmocka_unit_test(guards_stand_around_it),
#ifdef __linux__
		cmocka_unit_test(locked_and_not_dumped),
		cmocka_unit_test(a_forked_process_has_none_of_it),
		cmocka_unit_test(a_failed_lock_is_told_and_survived),
		cmocka_unit_test(no_core_after_hardening),
#endif
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return sodium_init() < 0 ? 99 : cmocka_run_group_tests(tests, NULL, NULL);
}
