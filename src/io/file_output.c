/* SPDX-License-Identifier: ISC */
/*
 * file_output.c - opens and writes outputs; file_commit.c makes them final or undoes them.
 *
 * A named output is a temporary in its own folder until then: without a name where the system can
 * do that (O_TMPFILE), else .NAME.gcmcrypt-XXXXXX.  Standard output, FIFOs and devices are written
 * where they are, and nothing but their bytes is touched.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef FALLOC_FL_KEEP_SIZE
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include "io/file_descriptor.h"
#include "io/signals.h"

#define TEMPORARY_ROOM 256 /* of a temporary's name, NUL included */
#define TEMPORARY_MARK ".gcmcrypt-"
#define RANDOM_LETTERS 6
#define NAME_ATTEMPTS  100
#define RESERVE_LEAST  (1 << 20) /* less is written before a full disk costs anybody time */

static enum fault failed(struct file_output *output, enum fault fault)
{
	output->error = errno;
	file_output_discard(output);
	return fault;
}

static enum fault refused(int why, enum fault fault)
{
	errno = why;
	return fault;
}

static enum fault open_folder(struct file_output *output, const char *path)
{
	const char *slash = strrchr(path, '/');

	output->base = slash == NULL ? path : slash + 1;
	output->folder_fd = file_open_folder_of(path, O_RDONLY);
	if (output->folder_fd < 0 && errno == EACCES)
		output->folder_fd = file_open_folder_of(path, FILE_SEARCH_ONLY);
	if (output->folder_fd >= 0)
		return FAULT_NONE;
	return errno == ENOMEM ? FAULT_MEMORY : FAULT_CREATE;
}

enum fault file_output_look(const struct file_output *output, bool *in_place)
{
	struct stat there;

	*in_place = false;
	if (output->base[0] == '\0')
		return refused(EISDIR, FAULT_IS_DIRECTORY);
	if (fstatat(output->folder_fd, output->base, &there, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? FAULT_NONE : FAULT_CREATE;
	if (S_ISDIR(there.st_mode))
		return refused(EISDIR, FAULT_IS_DIRECTORY);
	if (S_ISLNK(there.st_mode))
		return output->force ? FAULT_NONE : refused(EEXIST, FAULT_OUTPUT_SYMLINK);
	if (S_ISREG(there.st_mode))
		return output->force ? FAULT_NONE : refused(EEXIST, FAULT_EXISTS);
	*in_place = true;
	return FAULT_NONE;
}

/* Opens the FIFO or device at the output's name, which must not have become something else. */
static enum fault open_in_place(struct file_output *output)
{
	struct stat now;

	output->fd = file_open_at(output->folder_fd, output->base, O_WRONLY | O_NOFOLLOW);
	if (output->fd < 0)
		return signals_caught() != 0 ? FAULT_SIGNAL : FAULT_CREATE;
	if (fstat(output->fd, &now) != 0)
		return FAULT_CREATE;
	if (S_ISREG(now.st_mode))
		return refused(EEXIST, FAULT_EXISTS);
	file_close(&output->folder_fd);
	return FAULT_NONE;
}

/* Whether a file that has no name can be given one: its path under /proc leads back to it. */
static bool can_be_linked(int fd)
{
	char path[FILE_PROC_PATH_ROOM];
	struct stat by_fd, by_path;

	file_proc_path(path, fd);
	return fstat(fd, &by_fd) == 0 && stat(path, &by_path) == 0 &&
	       by_fd.st_dev == by_path.st_dev && by_fd.st_ino == by_path.st_ino;
}

static bool create_without_name(struct file_output *output)
{
#ifdef O_TMPFILE
	output->fd =
		openat(output->folder_fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, FILE_PRIVATE_MODE);
	if (output->fd < 0)
		return false;
	if (can_be_linked(output->fd))
		return true;
	file_close(&output->fd);
#else
	(void)output;
#endif
	return false;
}

/* .NAME.gcmcrypt- and room for the letters; NAME is cut where the folder takes no longer one. */
static char *temporary_stem(const struct file_output *output)
{
	const size_t added = 1 + strlen(TEMPORARY_MARK) + RANDOM_LETTERS;
	long most = fpathconf(output->folder_fd, _PC_NAME_MAX);
	size_t room = most > 0 && most < TEMPORARY_ROOM ? (size_t)most : TEMPORARY_ROOM - 1;
	size_t keep = strlen(output->base);
	char *name = malloc(TEMPORARY_ROOM);

	if (name == NULL)
		return NULL;
	if (keep + added > room)
		keep = room > added ? room - added : 0;
	/* Not within a character of UTF-8: some file systems refuse such names. */
	while (keep > 0 && ((unsigned char)output->base[keep] & 0xC0) == 0x80)
		keep--;
	snprintf(name, TEMPORARY_ROOM, ".%.*s" TEMPORARY_MARK, (int)keep, output->base);
	return name;
}

static enum fault create_with_name(struct file_output *output)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	char *name = temporary_stem(output);

	if (name == NULL)
		return FAULT_MEMORY;
	char *tail = name + strlen(name);

	for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
		for (size_t i = 0; i < RANDOM_LETTERS; i++)
			tail[i] = letters[randombytes_uniform(sizeof(letters) - 1)];
		tail[RANDOM_LETTERS] = '\0';
		output->fd = openat(output->folder_fd, name, flags, FILE_PRIVATE_MODE);
		if (output->fd >= 0) {
			output->temporary = name;
			return FAULT_NONE;
		}
		if (errno != EEXIST)
			break;
	}
	int why = errno;

	free(name);
	return refused(why, FAULT_CREATE);
}

static enum fault open_temporary(struct file_output *output)
{
	struct stat made;

	/* A nameless file can only get a name that is free, so a forced output needs a rename. */
	if (output->force || !create_without_name(output)) {
		enum fault fault = create_with_name(output);

		if (fault != FAULT_NONE)
			return fault;
	}
	if (fstat(output->fd, &made) != 0)
		return FAULT_CREATE;
	output->made_device = made.st_dev;
	output->made_inode = made.st_ino;
	output->regular = true;
	return FAULT_NONE;
}

/* Closed, or open for reading alone: where nothing is written, no write would tell. */
static bool takes_nothing(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || (flags & O_ACCMODE) == O_RDONLY;
}

static enum fault open_stdout(struct file_output *output)
{
	struct stat now;

	output->fd = STDOUT_FILENO;
	output->name = "standard output";
	output->is_stdout = true;
	output->in_place = true;
	if (takes_nothing(output->fd))
		return refused(EBADF, FAULT_CREATE);
	if (fstat(output->fd, &now) != 0)
		return FAULT_CREATE;
	output->regular = S_ISREG(now.st_mode);
	return FAULT_NONE;
}

enum fault file_output_open(struct file_output *output, const char *path, bool force)
{
	enum fault fault;

	*output = (struct file_output){.fd = -1, .folder_fd = -1, .name = path, .force = force};
	if (strcmp(path, "-") == 0) {
		fault = open_stdout(output);
	} else {
		fault = open_folder(output, path);
		if (fault == FAULT_NONE)
			fault = file_output_look(output, &output->in_place);
		if (fault == FAULT_NONE)
			fault = output->in_place ? open_in_place(output) : open_temporary(output);
	}
	return fault == FAULT_NONE ? FAULT_NONE : failed(output, fault);
}

enum fault file_output_check(struct file_output *output, const char *path, bool force)
{
	enum fault fault;

	*output = (struct file_output){.fd = -1, .folder_fd = -1, .name = path, .force = force};
	output->in_place = strcmp(path, "-") == 0;
	if (output->in_place)
		return FAULT_NONE;
	fault = open_folder(output, path);
	if (fault == FAULT_NONE)
		fault = file_output_look(output, &output->in_place);
	if (fault != FAULT_NONE)
		return failed(output, fault);
	file_output_discard(output);
	return FAULT_NONE;
}

#ifdef FALLOC_FL_KEEP_SIZE
/*
 * Where memory is the disk, to reserve its pages takes as long as to write to them, before anything
 * is written: 10 % of sealing 1 GiB with two threads.  What is free is looked at instead.
 */
static bool reserve(struct file_output *output, uint64_t bytes)
{
	struct statfs system;

	if (fstatfs(output->fd, &system) == 0 && system.f_type == TMPFS_MAGIC) {
		errno = ENOSPC;
		return system.f_blocks == 0 || bytes / (uint64_t)system.f_bsize <= system.f_bavail;
	}
	if (fallocate(output->fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) != 0)
		return false;
	output->reserved = bytes;
	return true;
}
#endif

enum fault file_output_reserve(struct file_output *output, uint64_t bytes)
{
#ifdef FALLOC_FL_KEEP_SIZE
	if (output->folder_fd < 0 || bytes < RESERVE_LEAST || bytes > INT64_MAX)
		return FAULT_NONE;
	if (!reserve(output, bytes) && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
		output->error = errno;
		return FAULT_WRITE;
	}
#else
	(void)output, (void)bytes;
#endif
	return FAULT_NONE;
}

void file_output_expect_much(const struct file_output *output)
{
	if (!output->regular)
		file_widen_pipe(output->fd);
}

enum fault file_output_put(struct file_output *output, const uint8_t *from, size_t len)
{
	enum fault fault = FAULT_NONE;
	size_t done = 0;

	while (fault == FAULT_NONE && done < len) {
		ssize_t some = write(output->fd, from + done, len - done);

		if (some > 0) {
			done += (size_t)some;
		} else {
			if (some == 0)
				errno = EIO; /* a device that takes nothing would never be done */
			fault = file_after_error(output->fd, POLLOUT, FAULT_WRITE);
		}
		if (signals_caught() != 0)
			fault = FAULT_SIGNAL;
	}
	output->written += done;
	if (fault != FAULT_NONE)
		output->error = errno;
	return fault;
}

enum fault file_output_write(struct file_output *output, const uint8_t *from, size_t len)
{
	uint64_t before = output->written;
	enum fault fault;

	if (signals_caught() != 0)
		return FAULT_SIGNAL;
	fault = output->sparse ? file_output_put_sparse(output, from, len)
			       : file_output_put(output, from, len);
	if (output->digest != NULL)
		crypto_hash_sha256_update(output->digest, from, output->written - before);
	return fault == FAULT_WRITE && output->error == EPIPE && output->is_stdout
		       ? FAULT_BROKEN_PIPE
		       : fault;
}

static bool same_descriptor(int one, int other)
{
	struct stat a, b;

	return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool file_output_same(const struct file_output *one, const struct file_output *other)
{
	if (one->in_place || other->in_place)
		return same_descriptor(one->fd, other->fd);
	return strcmp(one->base, other->base) == 0 &&
	       same_descriptor(one->folder_fd, other->folder_fd);
}

bool file_output_exposed(const struct file_output *output)
{
	struct stat now;

	return output->regular && fstat(output->fd, &now) == 0 &&
	       (now.st_mode & (S_IRGRP | S_IROTH)) != 0;
}
