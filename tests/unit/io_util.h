/* SPDX-License-Identifier: ISC */
/*
 * io_util.h - what the unit tests of src/io share: cmocka, a scratch folder, whole files, and
 * child processes for what cannot be undone (signals, limits, standard descriptors).
 */
#ifndef GCMCRYPT_TESTS_IO_UTIL_H
#define GCMCRYPT_TESTS_IO_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* In a child: ends its body with the line that failed, which the parent shows. */
#define CHECK(condition)                                                                   \
	do {                                                                               \
		if (!(condition)) {                                                        \
			printf("# line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
			fflush(stdout);                                                    \
			return 1;                                                          \
		}                                                                          \
	} while (0)

/* Runs body in a child and returns how it ended, as waitpid() tells; 20 seconds are too long. */
static inline int run_child(int (*body)(void *), void *argument)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL); /* cmocka would catch it */
		alarm(20);
		_exit(body(argument));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* The body must return 0. */
static inline void assert_child(int (*body)(void *), void *argument)
{
	int status = run_child(body, argument);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* A scratch folder that the test stands in; it must be empty again in the end. */
static inline int enter_scratch(void **state)
{
	const char *base = getenv("TMPDIR");
	char *path = malloc(4096);

	if (path == NULL || sodium_init() < 0)
		return -1;
	snprintf(path, 4096, "%s/gcmcrypt-test-XXXXXX", base != NULL ? base : "/tmp");
	if (mkdtemp(path) == NULL || chdir(path) != 0)
		return -1;
	*state = path;
	return 0;
}

/* Names in the folder, hidden ones too. */
static inline size_t count_names(void)
{
	DIR *folder = opendir(".");
	size_t count = 0;

	assert_non_null(folder);
	for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count;
}

static inline void remove_names(void)
{
	DIR *folder = opendir(".");

	assert_non_null(folder);
	for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove(entry->d_name);
	}
	closedir(folder);
}

static inline int leave_scratch(void **state)
{
	char *path = *state;

	remove_names();
	int result = chdir("/") == 0 && rmdir(path) == 0 ? 0 : -1;

	free(path);
	return result;
}

static inline void put_file(const char *name, const void *bytes, size_t len)
{
	FILE *file = fopen(name, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
}

/* Reads at most room bytes of a file and returns how many there were. */
static inline size_t get_file(const char *name, void *bytes, size_t room)
{
	FILE *file = fopen(name, "rb");

	assert_non_null(file);
	size_t len = fread(bytes, 1, room, file);

	assert_int_equal(fclose(file), 0);
	return len;
}

static inline void assert_text(const char *name, const char *text)
{
	char found[256];
	size_t len = get_file(name, found, sizeof found);

	assert_int_equal(len, strlen(text));
	assert_memory_equal(found, text, len);
}

static inline mode_t mode_of(const char *name)
{
	struct stat there;

	assert_int_equal(lstat(name, &there), 0);
	return there.st_mode & 07777;
}

#endif
