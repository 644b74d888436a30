/* SPDX-License-Identifier: ISC */
/*
 * test_memory.c - limits on memory, read from planted files.
 */
#include "io_util.h"

#include "io/memory.h"

#include <ftw.h>
#include <sys/resource.h>

#define MIB ((uint64_t)1 << 20)

/* Writes a file below the scratch folder and makes the folders that it is in. */
static void plant(const char *path, const char *text)
{
	char folder[256];

	for (size_t at = 0; path[at] != '\0'; at++) {
		if (path[at] != '/')
			continue;
		snprintf(folder, sizeof folder, "%.*s", (int)at, path);
		assert_true(mkdir(folder, 0700) == 0 || errno == EEXIST);
	}
	put_text(path, text);
}

static int remove_one(const char *path, const struct stat *there, int kind, struct FTW *where)
{
	(void)there, (void)kind;
	return where->level == 0 ? 0 : remove(path);
}

static int leave_planted(void **state)
{
	return nftw(".", remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0 ? leave_scratch(state) : -1;
}

static void nothing_is_known(void **state)
{
	(void)state;
	assert_true(memory_left(".") == UINT64_MAX);
	plant("proc/meminfo", "MemTotal: 77 kB\nnonsense\n");
	plant("proc/self/cgroup", "\n0\n1:\nx:y\n:\n0::/nowhere\n3:memory:/nowhere/either\n");
	assert_true(memory_left(".") == UINT64_MAX);
}

static void what_the_machine_has(void **state)
{
	(void)state;
	plant("proc/meminfo", "MemTotal:   8000000 kB\nMemFree:  10 kB\nMemAvailable:  2048 kB\n"
			      "SwapCached:  99 kB\nSwapFree:   1024 kB\n");
	assert_int_equal(memory_left("."), 3 * MIB);
	plant("proc/meminfo", "MemAvailable: 2048 kB\n");
	assert_int_equal(memory_left("."), 2 * MIB);
}

static void control_groups_version_2(void **state)
{
	(void)state;
	plant("proc/self/cgroup", "1:name=systemd:/x\n0::/a/b\n");
	plant("sys/fs/cgroup/a/b/memory.max", "max\n");
	assert_true(memory_left(".") == UINT64_MAX);
	plant("sys/fs/cgroup/a/memory.max", "104857600\n");
	assert_int_equal(memory_left("."), 100 * MIB);
	/* Files in memory can be dropped, and count for nothing. */
	plant("sys/fs/cgroup/a/memory.stat", "file 99999999\nanon 41943040\nanon_thp 5\n");
	assert_int_equal(memory_left("."), 60 * MIB);
	plant("sys/fs/cgroup/a/b/memory.max", "20971520\n");
	assert_int_equal(memory_left("."), 20 * MIB);
	plant("sys/fs/cgroup/memory.max", "1048576\n");
	assert_int_equal(memory_left("."), MIB);
	plant("sys/fs/cgroup/memory.stat", "anon 41943040\n");
	assert_int_equal(memory_left("."), 0);
}

static void control_groups_version_1(void **state)
{
	(void)state;
	plant("proc/self/cgroup", "9:cpu:/c\n4:hugetlb,memory:/a/b\n0::/\n");
	plant("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
	plant("sys/fs/cgroup/memory/memory.limit_in_bytes", "104857600\n");
	plant("sys/fs/cgroup/memory/memory.stat", "rss 1\ntotal_cache 7\ntotal_rss 41943040\n");
	assert_int_equal(memory_left("."), 60 * MIB);
}

static int limited_address_space(void *argument)
{
	const struct rlimit limit = {(rlim_t)1 << 45, (rlim_t)1 << 45};
	uint64_t pages = (uint64_t)sysconf(_SC_PAGESIZE);

	(void)argument;
	CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
	CHECK(memory_left(".") == ((uint64_t)1 << 45) - 1000 * pages);
	return 0;
}

static void the_address_space_in_use_counts(void **state)
{
	(void)state;
	plant("proc/self/statm", "1000 20 30 40 0 50 0\n");
	assert_child(limited_address_space, NULL);
}

/* The real one: whatever it says, this program got so far. */
static void this_machine(void **state)
{
	(void)state;
	assert_true(memory_left("") > 0);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_planted)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(nothing_is_known),
		IN_SCRATCH(what_the_machine_has),
		IN_SCRATCH(control_groups_version_2),
		IN_SCRATCH(control_groups_version_1),
		IN_SCRATCH(the_address_space_in_use_counts),
		cmocka_unit_test(this_machine),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
