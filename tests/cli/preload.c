/* SPDX-License-Identifier: ISC */
/*
 * preload.c - makes the worst of what POSIX allows to happen: every read and write of data moves
 * one to GCMCRYPT_TEST_MOST bytes (1 when unset), and one call in four fails with EINTR, after up to
 * GCMCRYPT_TEST_NAP microseconds (0 when unset) in which others may do something.
 *
 * Loaded into the program by the tests with LD_PRELOAD; standard error is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned random_number(void)
{
	static _Thread_local unsigned state;

	/* Each thread has a sequence of its own. */
	if (state == 0)
		state = 2463534242u ^ (unsigned)(uintptr_t)&state;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* How many of len bytes this call may move; 0: it is interrupted. */
static size_t allowance(int fd, size_t len)
{
	const char *most = getenv("GCMCRYPT_TEST_MOST");
	size_t limit = most == NULL ? 1 : (size_t)strtoul(most, NULL, 10);

	const char *nap = getenv("GCMCRYPT_TEST_NAP");

	if (fd == STDERR_FILENO || len == 0)
		return len;
	if (nap != NULL)
		usleep(random_number() % (unsigned)strtoul(nap, NULL, 10));
	if (random_number() % 4 == 0)
		return 0;
	size_t part = 1 + random_number() % limit;

	return part < len ? part : len;
}

ssize_t read(int fd, void *data, size_t len)
{
	ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
	size_t part = allowance(fd, len);

	if (part == 0 && len != 0) {
		errno = EINTR;
		return -1;
	}
	return next(fd, data, part);
}

ssize_t pread(int fd, void *data, size_t len, off_t from)
{
	ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
	size_t part = allowance(fd, len);

	if (part == 0 && len != 0) {
		errno = EINTR;
		return -1;
	}
	return next(fd, data, part, from);
}

#ifdef __LP64__ /* or the two have different arguments */
ssize_t pread64(int fd, void *data, size_t len, off_t from)
{
	return pread(fd, data, len, from);
}
#endif

ssize_t write(int fd, const void *data, size_t len)
{
	ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
	size_t part = allowance(fd, len);

	if (part == 0 && len != 0) {
		errno = EINTR;
		return -1;
	}
	return next(fd, data, part);
}

/* Vectors move their first part only. */
ssize_t readv(int fd, const struct iovec *parts, int count)
{
	return count < 1 ? 0 : read(fd, parts[0].iov_base, parts[0].iov_len);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
	return count < 1 ? 0 : write(fd, parts[0].iov_base, parts[0].iov_len);
}
