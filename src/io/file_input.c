/* SPDX-License-Identifier: ISC */
/*
 * file_input.c - opens and reads inputs: regular files, FIFOs, devices, inherited descriptors.
 *
 * Never changes what it reads, nor the flags of a descriptor that it was given.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "io/file_descriptor.h"
#include "io/signals.h"

static enum fault failed(struct file_input *input, enum fault fault)
{
	input->error = errno;
	file_input_close(input);
	return fault;
}

/* A descriptor that was handed over may stand anywhere in its file, and behind its end. */
static void measure(struct file_input *input)
{
	off_t at = lseek(input->fd, 0, SEEK_CUR);
	off_t size = input->at_open.st_size;

	if (at < 0)
		at = 0;
	input->start = (uint64_t)at;
	input->length = at < size ? (uint64_t)(size - at) : 0;
}

/* Looks at the descriptor that input->fd is by now. */
static enum fault look(struct file_input *input)
{
	if (fstat(input->fd, &input->at_open) != 0)
		return failed(input, FAULT_OPEN);
	if (S_ISDIR(input->at_open.st_mode)) {
		errno = EISDIR;
		return failed(input, FAULT_IS_DIRECTORY);
	}
	input->regular = S_ISREG(input->at_open.st_mode);
	if (input->regular)
		measure(input);
	return FAULT_NONE;
}

enum fault file_input_adopt(struct file_input *input, int fd, const char *name)
{
	*input = (struct file_input){.fd = fd, .name = name, .is_stdin = fd == STDIN_FILENO};
	if (signals_own_fd(fd)) {
		input->fd = -1; /* not the caller's to close */
		errno = EBADF;
		return failed(input, FAULT_OPEN);
	}
	return look(input);
}

enum fault file_input_open(struct file_input *input, const char *path)
{
	if (strcmp(path, "-") == 0)
		return file_input_adopt(input, STDIN_FILENO, "standard input");
	*input = (struct file_input){.name = path};
	input->fd = file_open_at(AT_FDCWD, path, O_RDONLY);
	if (input->fd < 0)
		return failed(input, signals_caught() != 0 ? FAULT_SIGNAL : FAULT_OPEN);
	return look(input);
}

/* pipe2() would do it in one step, and not every system has it: nothing is started in between. */
static bool make_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
		return true;
	file_close(&ends[0]);
	file_close(&ends[1]);
	return false;
}

enum fault file_input_pipe(struct file_input *input, const char *name, int *writer)
{
	int ends[2];

	*input = (struct file_input){.fd = -1, .name = name};
	if (!make_pipe(ends))
		return failed(input, FAULT_OPEN);
	input->fd = ends[0];
	*writer = ends[1];
	enum fault fault = look(input);

	if (fault != FAULT_NONE)
		file_close(writer);
	return fault;
}

void file_input_pipe_given(int *writer)
{
	file_close(writer);
}

void file_input_expect_all(const struct file_input *input)
{
	if (S_ISFIFO(input->at_open.st_mode))
		file_widen_pipe(input->fd);
#ifdef POSIX_FADV_SEQUENTIAL
	else if (input->regular)
		posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

bool file_input_stopped(const struct file_input *input)
{
	return signals_caught() != 0 || (input->stopped != NULL && atomic_load(input->stopped));
}

/* Goes on from *got to want, or to the end; offset: NULL for where the descriptor stands. */
static enum fault take(const struct file_input *input, const uint64_t *offset, uint8_t *to,
		       size_t want, size_t *got)
{
	enum fault fault = file_input_stopped(input) ? FAULT_SIGNAL : FAULT_NONE;

	while (fault == FAULT_NONE && *got < want) {
		const size_t left = want - *got;
		ssize_t some = offset == NULL ? read(input->fd, to + *got, left)
					      : pread(input->fd, to + *got, left,
						      (off_t)(input->start + *offset + *got));

		if (some == 0)
			break;
		if (some > 0)
			*got += (size_t)some;
		else
			fault = file_after_error(input->fd, POLLIN, FAULT_READ);
		if (file_input_stopped(input))
			fault = FAULT_SIGNAL;
	}
	return fault;
}

enum fault file_input_read(struct file_input *input, uint8_t *to, size_t want, size_t *got)
{
	enum fault fault;

	*got = 0;
	if (input->has_ahead && want > 0 && !file_input_stopped(input)) {
		to[(*got)++] = input->ahead;
		input->has_ahead = false;
	}
	fault = take(input, NULL, to, want, got);
	input->taken += *got;
	if (fault != FAULT_NONE)
		input->error = errno;
	return fault;
}

enum fault file_input_read_at(const struct file_input *input, uint64_t offset, uint8_t *to,
			      size_t want, size_t *got, int *error)
{
	enum fault fault;

	*got = 0;
	fault = take(input, &offset, to, want, got);
	*error = fault == FAULT_NONE ? 0 : errno;
	return fault;
}

enum fault file_input_at_end(struct file_input *input, bool *at_end)
{
	uint8_t byte = 0;
	size_t got;
	enum fault fault = file_input_read(input, &byte, 1, &got);

	input->taken -= got;
	input->has_ahead = got == 1;
	input->ahead = byte;
	*at_end = got == 0;
	return fault;
}

enum fault file_input_seek(struct file_input *input, uint64_t offset)
{
	/* Both are lengths of files, or computed from one: far from 2^63. */
	if (lseek(input->fd, (off_t)(input->start + offset), SEEK_SET) < 0) {
		input->error = errno;
		return FAULT_READ;
	}
	input->taken = offset;
	input->has_ahead = false;
	return FAULT_NONE;
}

static bool same_time(const struct timespec *one, const struct timespec *other)
{
	return one->tv_sec == other->tv_sec && one->tv_nsec == other->tv_nsec;
}

bool file_input_changed(const struct file_input *input)
{
	const struct stat *then = &input->at_open;
	struct stat now;

	if (!input->regular)
		return false;
	if (fstat(input->fd, &now) != 0)
		return true; /* nobody can say that it is the same */
	return now.st_size != then->st_size || !same_time(&now.st_mtim, &then->st_mtim);
}

bool file_input_touched(const struct file_input *input)
{
	struct stat now;

	return file_input_changed(input) || fstat(input->fd, &now) != 0 ||
	       !same_time(&now.st_ctim, &input->at_open.st_ctim);
}

bool file_input_has_name(const struct file_input *input)
{
	const struct stat *then = &input->at_open;
	struct stat now;

	return input->regular && !input->is_stdin &&
	       fstatat(AT_FDCWD, input->name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       now.st_dev == then->st_dev && now.st_ino == then->st_ino;
}

enum fault file_input_remove(struct file_input *input)
{
	/* The name last: between that look and the removal there is nothing else. */
	if (file_input_touched(input) || !file_input_has_name(input))
		return FAULT_INPUT_CHANGED;
	if (unlinkat(AT_FDCWD, input->name, 0) == 0)
		return FAULT_NONE;
	input->error = errno;
	return FAULT_REMOVE;
}

bool file_input_exposed(const struct file_input *input)
{
	bool own = input->at_open.st_uid == geteuid();

	/*
	 * Somebody else's file that its group may read was lent on purpose: and where an access
	 * control list lends it, as that of a service's credential does, these bits are no group's.
	 */
	return input->regular &&
	       (input->at_open.st_mode & (own ? S_IRGRP | S_IROTH : S_IROTH)) != 0;
}

bool file_input_shares(const struct file_input *one, const struct file_input *other)
{
	return one->at_open.st_dev == other->at_open.st_dev &&
	       one->at_open.st_ino == other->at_open.st_ino &&
	       (!one->regular || one->is_stdin || other->is_stdin);
}

void file_input_close(struct file_input *input)
{
	if (input->fd >= FILE_FIRST_OWN_FD)
		file_close(&input->fd);
	input->fd = -1;
}
