/* SPDX-License-Identifier: ISC */
/*
 * file.c - what inputs and outputs have in common, and the standard descriptors.
 *
 * The other file_*.c hold the rest of file.h.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "io/file_descriptor.h"
#include "io/signals.h"

#define WIDE_PIPE_BYTES (1 << 20)
#define USUAL_COLUMNS   80

#define DESCRIPTORS_AT_MOST 65536
#define RANGE_CLOSE_ON_EXEC 4u /* Linux: CLOSE_RANGE_CLOEXEC */

/* Waits until fd is ready or a signal was caught. */
static enum fault wait_ready(int fd, short events, enum fault fault)
{
	struct pollfd both[2] = {
		{.fd = fd, .events = events},
		{.fd = signals_wake_fd(), .events = POLLIN},
	};

	if (poll(both, 2, -1) < 0 && errno != EINTR)
		return fault;
	return signals_caught() != 0 ? FAULT_SIGNAL : FAULT_NONE;
}

enum fault file_after_error(int fd, short events, enum fault fault)
{
	if (signals_caught() != 0)
		return FAULT_SIGNAL;
	if (errno == EINTR)
		return FAULT_NONE;
	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return wait_ready(fd, events, fault);
	return fault;
}

int file_open_at(int folder_fd, const char *path, int flags)
{
	int fd;

	do {
		fd = openat(folder_fd, path, flags | O_CLOEXEC | O_NOCTTY);
	} while (fd < 0 && errno == EINTR && signals_caught() == 0);
	return fd;
}

int file_open_folder_of(const char *path, int flags)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash == NULL || slash == path ? 1 : (size_t)(slash - path);
	char *folder = path[0] == '\0' ? NULL : strndup(slash == NULL ? "." : path, len);

	if (folder == NULL) {
		errno = path[0] == '\0' ? ENOENT : ENOMEM;
		return -1;
	}
	int fd = file_open_at(AT_FDCWD, folder, flags | O_DIRECTORY);
	int why = errno;

	free(folder);
	errno = why;
	return fd;
}

bool file_close(int *fd)
{
	int closing = *fd;

	*fd = -1;
	/* After EINTR the descriptor is gone and its data is in the system's hands. */
	return close(closing) == 0 || errno == EINTR;
}

void file_widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	int bytes = fcntl(fd, F_GETPIPE_SZ);

	if (bytes >= 0 && bytes < WIDE_PIPE_BYTES)
		fcntl(fd, F_SETPIPE_SZ, WIDE_PIPE_BYTES);
#else
	(void)fd;
#endif
}

void file_proc_path(char path[FILE_PROC_PATH_ROOM], int fd)
{
	snprintf(path, FILE_PROC_PATH_ROOM, "/proc/self/fd/%d", fd);
}

static bool is_there(const char *path, int standard, struct stat *there)
{
	return (strcmp(path, "-") == 0 ? fstat(standard, there) : stat(path, there)) == 0;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
	if (S_ISBLK(one->st_mode) && S_ISBLK(other->st_mode))
		return one->st_rdev == other->st_rdev; /* two nodes may name one device */
	return S_ISREG(one->st_mode) && S_ISREG(other->st_mode) && one->st_dev == other->st_dev &&
	       one->st_ino == other->st_ino;
}

bool file_same(const struct file_input *input, const char *path)
{
	struct stat other;

	return is_there(path, STDOUT_FILENO, &other) && is_same(&input->at_open, &other);
}

bool file_same_names(const char *input, const char *output)
{
	struct stat one, other;

	return is_there(input, STDIN_FILENO, &one) && is_there(output, STDOUT_FILENO, &other) &&
	       is_same(&one, &other);
}

bool file_exists(const char *path)
{
	struct stat there;

	return stat(path, &there) == 0;
}

bool file_read_small(const char *path, char *text, size_t room, size_t *len)
{
	int fd = file_open_at(AT_FDCWD, path, O_RDONLY);
	ssize_t got = 1;

	*len = 0;
	if (fd < 0)
		return false;
	while (got != 0 && *len < room - 1) {
		got = read(fd, text + *len, room - 1 - *len);
		if (got < 0 && file_after_error(fd, POLLIN, FAULT_READ) != FAULT_NONE)
			break;
		if (got > 0)
			*len += (size_t)got;
	}
	text[*len] = '\0';
	file_close(&fd);
	return got >= 0;
}

bool file_hold_standard(void)
{
	/* The direction that nobody uses: reading from 0 or writing to 1 or 2 stays an error. */
	static const int flags[FILE_FIRST_OWN_FD] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = STDIN_FILENO; fd < FILE_FIRST_OWN_FD; fd++) {
		if (fcntl(fd, F_GETFD) != -1)
			continue;
		/* The lowest free descriptor is this one, since those below it are taken. */
		if (open("/dev/null", flags[fd]) != fd)
			return false;
	}
	return true;
}

void file_close_on_exec(int first)
{
	long most = sysconf(_SC_OPEN_MAX);

	if (most < 0) /* no limit */
		most = DESCRIPTORS_AT_MOST;
#ifdef SYS_close_range
	/* By number, since not every libc has it; where the limit is 2^30, a loop takes minutes. */
	if (syscall(SYS_close_range, (unsigned)first, UINT_MAX, RANGE_CLOSE_ON_EXEC) == 0)
		return;
#endif
	for (int fd = first; fd < most; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

bool file_stdout_is_terminal(void)
{
	return isatty(STDOUT_FILENO) == 1;
}

bool file_stdin_is_terminal(void)
{
	return isatty(STDIN_FILENO) == 1;
}

bool file_stderr_is_terminal(void)
{
	return isatty(STDERR_FILENO) == 1;
}

bool file_stderr_in_foreground(void)
{
	return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

unsigned file_stderr_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
									       : USUAL_COLUMNS;
}

void file_wait_foreground(const char *terminal)
{
	int fd = file_open_at(AT_FDCWD, terminal, O_RDWR);

	if (fd < 0)
		return;
	/* Stops the process group (SIGTTOU) in the background, and is done at once elsewhere. */
	(void)tcdrain(fd);
	file_close(&fd);
}

bool file_close_stdout(void)
{
	int fd = STDOUT_FILENO;

	return file_close(&fd);
}
