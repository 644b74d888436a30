/* SPDX-License-Identifier: ISC */
/*
 * probe.c - tries, from inside the program, what it has no business with, and says on standard error
 * how that went: once when a thread reads data, and once when the output is synced.
 *
 * It can also be an older kernel: GCMCRYPT_TEST_LANDLOCK=N makes Landlock's calls answer as version N
 * of their interface would, which refuses what it does not know.  Loaded with LD_PRELOAD by
 * confined.bats, whose folders are GCMCRYPT_TEST_HERE, that of the output, and GCMCRYPT_TEST_AWAY.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUCH 100000 /* bytes: only data is read so many at a time */

extern char **environ;

static void say(const char *where, const char *what, int result)
{
	const char *how = result >= 0 ? "done" : "failed";

	/* Landlock's word for a link to another folder is EXDEV. */
	if (result < 0 && (errno == EACCES || errno == EPERM || errno == EXDEV))
		how = "refused";
	dprintf(STDERR_FILENO, "probe at %s: %s: %s\n", where, what, how);
}

static const char *in(const char *folder, const char *name)
{
	static char paths[4][4096];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", getenv(folder), name);
	return path;
}

static int opened(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd;
}

static int run_true(void)
{
	char *argv[] = {"/bin/true", NULL};
	pid_t child;
	int status;

	errno = posix_spawn(&child, argv[0], NULL, NULL, argv, environ);
	if (errno != 0)
		return -1;
	return waitpid(child, &status, 0) == child && status == 0 ? 0 : -1;
}

/* A port that nobody listens at is as good: only a refusal counts. */
static int with_tcp(int (*call)(int, const struct sockaddr *, socklen_t), uint16_t port)
{
	struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int result = call(fd, (const struct sockaddr *)&there, sizeof there);
	int why = errno;

	close(fd);
	errno = why;
	return result < 0 && why == ECONNREFUSED ? 0 : result;
}

static void try_all(const char *where)
{
	say(where, "read a key", opened(in("GCMCRYPT_TEST_AWAY", "key"), O_RDONLY));
	say(where, "read beside", opened(in("GCMCRYPT_TEST_HERE", "beside"), O_RDONLY));
	say(where, "write beside", opened(in("GCMCRYPT_TEST_HERE", "beside"), O_WRONLY));
	say(where, "list", opened(getenv("GCMCRYPT_TEST_AWAY"), O_RDONLY | O_DIRECTORY));
	say(where, "create", opened(in("GCMCRYPT_TEST_AWAY", "made"), O_WRONLY | O_CREAT));
	say(where, "truncate", truncate(in("GCMCRYPT_TEST_AWAY", "victim"), 0));
	say(where, "rename",
	    rename(in("GCMCRYPT_TEST_AWAY", "victim"), in("GCMCRYPT_TEST_AWAY", "moved")));
	say(where, "remove", unlink(in("GCMCRYPT_TEST_AWAY", "doomed")));
	say(where, "link", link(in("GCMCRYPT_TEST_AWAY", "key"), in("GCMCRYPT_TEST_HERE", "key")));
	say(where, "exec", run_true());
	say(where, "bind", with_tcp(bind, 0));
	say(where, "connect", with_tcp(connect, 9));
	say(where, "signal", kill(getppid(), 0));
}

static void try_once(const char *where, atomic_flag *done)
{
	if (getenv("GCMCRYPT_TEST_AWAY") != NULL && !atomic_flag_test_and_set(done))
		try_all(where);
}

static void at_read(size_t len)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;

	if (len >= MUCH)
		try_once("read", &done);
}

ssize_t read(int fd, void *data, size_t len)
{
	ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");

	at_read(len);
	return next(fd, data, len);
}

ssize_t pread(int fd, void *data, size_t len, off_t from)
{
	ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");

	at_read(len);
	return next(fd, data, len, from);
}

#ifdef __LP64__ /* or the two have different arguments */
ssize_t pread64(int fd, void *data, size_t len, off_t from)
{
	return pread(fd, data, len, from);
}
#endif

int fsync(int fd)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;
	int (*next)(int) = dlsym(RTLD_NEXT, "fsync");

	try_once("fsync", &done);
	return next(fd);
}

/* What each version knows of files, network and scopes, from the first on. */
static const uint64_t known[][3] = {
	{0x1fff, 0, 0}, {0x3fff, 0, 0}, {0x7fff, 0, 0},
	{0x7fff, 3, 0}, {0xffff, 3, 0}, {0xffff, 3, 3},
};

/* As the kernel's own check: -1 and errno, or 0. */
static int refuse_unknown(unsigned long version, const uint64_t *asked, size_t len)
{
	const uint64_t *mask = known[version - 1];

	for (size_t i = 0; i < len / sizeof *asked; i++) {
		if ((asked[i] & ~mask[i]) == 0)
			continue;
		/* What an interface ends before is "too big", what it lacks in a member is invalid. */
		errno = mask[i] == 0 ? E2BIG : EINVAL;
		return -1;
	}
	return 0;
}

long syscall(long number, ...)
{
	long (*next)(long, ...) = dlsym(RTLD_NEXT, "syscall");
	const char *text = getenv("GCMCRYPT_TEST_LANDLOCK");
	long given[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		given[i] = va_arg(list, long);
	va_end(list);
	if (number == 444 && text != NULL) {
		const uint64_t *asked = (const uint64_t *)given[0];
		unsigned long version = strtoul(text, NULL, 10);

		if (asked == NULL)
			return (long)version;
		if (version <= sizeof known / sizeof known[0] &&
		    refuse_unknown(version, asked, (size_t)given[1]) != 0)
			return -1;
	}
	return next(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}
