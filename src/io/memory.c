/* SPDX-License-Identifier: ISC */
/*
 * memory.c - reads limits and use of memory where Linux shows them.
 *
 * Takes whatever it cannot read or understand for "no limit": the allocation itself has the last
 * word.  Must not allocate.
 */
#include "io/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/file.h"

#define NO_LIMIT  UINT64_MAX
#define KIB       1024
#define TEXT_ROOM 8192 /* longest of the files read here that matters */
#define PATH_ROOM 4096

/* Where a version of control groups keeps its limit and what is in use and cannot be dropped. */
struct group_files {
	const char *mount;
	const char *limit;
	const char *in_use; /* a key of memory.stat */
};

static const struct group_files version_1 = {
	"/sys/fs/cgroup/memory",
	"memory.limit_in_bytes",
	"total_rss ",
};
static const struct group_files version_2 = {"/sys/fs/cgroup", "memory.max", "anon "};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t above(uint64_t limit, uint64_t used)
{
	return limit > used ? limit - used : 0;
}

/* The number behind key at the start of a line; otherwise if there is none. */
static uint64_t number_after(const char *text, const char *key, uint64_t otherwise)
{
	size_t len = strlen(key);

	while (text != NULL && strncmp(text, key, len) != 0) {
		text = strchr(text, '\n');
		if (text != NULL)
			text++;
	}
	if (text == NULL)
		return otherwise;
	char *end;
	uint64_t number = strtoull(text + len, &end, 10);

	return end == text + len ? otherwise : number;
}

/* Reads root || folder || path || "/" || file as text; false: not there, or names too long. */
static bool read_text(char text[TEXT_ROOM], const char *root, const char *folder, const char *file)
{
	char path[PATH_ROOM];
	size_t len;
	int long_as = snprintf(path, sizeof(path), "%s%s/%s", root, folder, file);

	return long_as > 0 && (size_t)long_as < sizeof(path) &&
	       file_read_small(path, text, TEXT_ROOM, &len);
}

static uint64_t left_by_machine(const char *root)
{
	char text[TEXT_ROOM];

	if (!read_text(text, root, "/proc", "meminfo"))
		return NO_LIMIT;
	uint64_t available = number_after(text, "MemAvailable:", NO_LIMIT);
	uint64_t swap = number_after(text, "SwapFree:", 0);

	if (available >= NO_LIMIT / KIB || swap >= NO_LIMIT / KIB - available)
		return NO_LIMIT;
	return (available + swap) * KIB;
}

static uint64_t left_by_rlimit(const char *root)
{
	char text[TEXT_ROOM];
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return NO_LIMIT;
	if (!read_text(text, root, "/proc/self", "statm"))
		return limit.rlim_cur;
	/* The first number of statm: pages of address space in use. */
	return above(limit.rlim_cur, number_after(text, "", 0) * (uint64_t)sysconf(_SC_PAGESIZE));
}

static uint64_t left_by_group(const char *root, const struct group_files *files, const char *group)
{
	char text[TEXT_ROOM];
	char folder[PATH_ROOM];

	int long_as = snprintf(folder, sizeof(folder), "%s%s", files->mount, group);

	if (long_as < 0 || (size_t)long_as >= sizeof(folder) ||
	    !read_text(text, root, folder, files->limit))
		return NO_LIMIT;
	uint64_t limit = number_after(text, "", NO_LIMIT); /* "max" is no number */

	if (limit == NO_LIMIT || !read_text(text, root, folder, "memory.stat"))
		return limit;
	return above(limit, number_after(text, files->in_use, 0));
}

/* The group that a line of /proc/self/cgroup names, and all groups above it. */
static uint64_t left_by_group_line(const char *root, char *line)
{
	char *controllers = strchr(line, ':');
	char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
	uint64_t left = NO_LIMIT;

	if (group == NULL)
		return NO_LIMIT;
	*group++ = '\0';
	bool second = strcmp(controllers, ":") == 0;

	if (!second && strstr(controllers, "memory") == NULL)
		return NO_LIMIT;
	for (char *slash = group + strlen(group); slash != NULL; slash = strrchr(group, '/')) {
		*slash = '\0';
		left = least(left, left_by_group(root, second ? &version_2 : &version_1, group));
	}
	return left;
}

static uint64_t left_by_groups(const char *root)
{
	char text[TEXT_ROOM];
	char *rest;
	uint64_t left = NO_LIMIT;

	if (!read_text(text, root, "/proc/self", "cgroup"))
		return NO_LIMIT;
	for (char *line = strtok_r(text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest))
		left = least(left, left_by_group_line(root, line));
	return left;
}

uint64_t memory_left(const char *root)
{
	uint64_t left = least(left_by_machine(root), left_by_rlimit(root));

	return least(left, left_by_groups(root));
}
