/* SPDX-License-Identifier: ISC */
/*
 * file_commit.c - the end of an output: it appears under its name complete, or not at all.
 *
 * Order: bytes, mode and times, fsync of the file, name, fsync of the folder.  Only what this run
 * created, and only while it still is that inode, is renamed or unlinked.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "io/file_descriptor.h"
#include "io/signals.h"

#define RENAME_KEEP_OTHER 1u /* Linux: RENAME_NOREPLACE */

/* Only root can give a file away; whoever cannot may still be in its group. */
static void give_to_owner(int fd, const struct stat *like)
{
	bool given = fchown(fd, like->st_uid, like->st_gid) == 0 ||
		     (errno == EPERM && fchown(fd, (uid_t)-1, like->st_gid) == 0);

	(void)given; /* else it is ours alone: dress() keeps it from other groups */
}

/*
 * Mode and times as like has them, where it is a regular file.  A file system that keeps neither
 * is no reason to fail: what it leaves is the private mode of the start.
 */
static void dress(const struct file_output *output, const struct file_input *like)
{
	mode_t mode = FILE_PRIVATE_MODE;
	struct stat now;

	if (like != NULL && like->regular) {
		const struct timespec times[2] = {like->at_open.st_atim, like->at_open.st_mtim};

		mode = like->at_open.st_mode & 0777;
		if (output->replaces_input)
			give_to_owner(output->fd, &like->at_open);
		/* Group bits were meant for like's group: another one gets what all others get. */
		if (fstat(output->fd, &now) != 0 || now.st_gid != like->at_open.st_gid)
			mode &= (mode_t)(0707 | (mode & 07) << 3);
		futimens(output->fd, times);
	}
	fchmod(output->fd, mode);
}

/* Gives back what was reserved and not needed. */
static bool release_rest(const struct file_output *output)
{
	return output->reserved <= output->written ||
	       ftruncate(output->fd, (off_t)output->written) == 0;
}

static bool sync_file(int fd)
{
	int result;

	do {
		result = fsync(fd);
	} while (result != 0 && errno == EINTR && signals_caught() == 0);
	return result == 0;
}

/*
 * False, errno: the name may be lost in a crash.  Some systems cannot sync a folder at all: true,
 * but *synced is false.
 */
static bool sync_folder(int fd, bool *synced)
{
	int result;

	/* The name is taken, and whatever signal came, it came too late. */
	do {
		result = fsync(fd);
	} while (result != 0 && errno == EINTR);
	*synced = result == 0;
	if (*synced)
		return true;
	/* EBADF: the folder could be opened for searching only. */
	return errno == EINVAL || errno == ENOTSUP || errno == EOPNOTSUPP || errno == ENOENT ||
	       errno == EROFS || errno == EBADF;
}

/* After a sync that failed, errno as it left it: a signal ends the wait for a slow disk too. */
static enum fault not_synced(void)
{
	return errno == EINTR && signals_caught() != 0 ? FAULT_SIGNAL : FAULT_SYNC;
}

static void unlink_own(const struct file_output *output, const char *name)
{
	struct stat there;

	if (fstatat(output->folder_fd, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    there.st_dev == output->made_device && there.st_ino == output->made_inode)
		unlinkat(output->folder_fd, name, 0);
}

/* renameat2() by number, since not every libc has it; false, errno: also where no kernel has it. */
static bool rename_to_free_name(int folder_fd, const char *from, const char *to)
{
#ifdef SYS_renameat2
	return syscall(SYS_renameat2, folder_fd, from, folder_fd, to, RENAME_KEEP_OTHER) == 0;
#else
	(void)folder_fd, (void)from, (void)to;
	errno = ENOSYS;
	return false;
#endif
}

static enum fault not_named(void)
{
	return errno == EEXIST ? FAULT_EXISTS : FAULT_CREATE;
}

/* The temporary, which has a name, gets the output's, if that is free. */
static enum fault move_to_free_name(const struct file_output *output)
{
	int folder_fd = output->folder_fd;

	if (rename_to_free_name(folder_fd, output->temporary, output->base))
		return FAULT_NONE;
	if (errno != ENOSYS && errno != EINVAL)
		return not_named();
	if (linkat(folder_fd, output->temporary, folder_fd, output->base, 0) != 0)
		return not_named();
	unlink_own(output, output->temporary);
	return FAULT_NONE;
}

/* The file, which has no name, gets the output's, if that is free. */
static enum fault link_to_free_name(const struct file_output *output)
{
	char path[FILE_PROC_PATH_ROOM];

	file_proc_path(path, output->fd);
	if (linkat(AT_FDCWD, path, output->folder_fd, output->base, AT_SYMLINK_FOLLOW) != 0)
		return not_named();
	return FAULT_NONE;
}

static enum fault move_over(const struct file_output *output)
{
	bool in_place;
	enum fault fault = file_output_look(output, &in_place);

	if (fault != FAULT_NONE)
		return fault;
	if (in_place) {
		errno = EEXIST; /* a FIFO or device came there meanwhile: never replaced */
		return FAULT_EXISTS;
	}
	if (renameat(output->folder_fd, output->temporary, output->folder_fd, output->base) != 0)
		return FAULT_CREATE;
	return FAULT_NONE;
}

static enum fault take_name(struct file_output *output)
{
	enum fault fault;

	if (output->temporary == NULL)
		return link_to_free_name(output);
	fault = output->force ? move_over(output) : move_to_free_name(output);
	if (fault == FAULT_NONE) {
		free(output->temporary);
		output->temporary = NULL;
	}
	return fault;
}

static enum fault commit_temporary(struct file_output *output, const struct file_input *like)
{
	enum fault fault;

	if (!release_rest(output))
		return FAULT_WRITE;
	dress(output, like); /* last, since all else changes the times */
	if (!sync_file(output->fd))
		return not_synced();
	/* Closing may tell of a loss too; only a file without a name has to stay open until then. */
	if (output->temporary != NULL && !file_close(&output->fd))
		return FAULT_WRITE;
	if (signals_caught() != 0)
		return FAULT_SIGNAL;
	if (output->replaces_input && (file_input_touched(like) || !file_input_has_name(like)))
		return FAULT_INPUT_CHANGED;
	fault = take_name(output);
	if (fault != FAULT_NONE)
		return fault;
	if (output->fd >= 0 && !file_close(&output->fd))
		fault = FAULT_WRITE;
	else if (!sync_folder(output->folder_fd, &output->synced))
		fault = FAULT_SYNC;
	output->kept = fault != FAULT_NONE && output->force;
	if (fault != FAULT_NONE && !output->force) {
		int why = errno;

		unlink_own(output, output->base);
		errno = why;
	}
	return fault;
}

static enum fault commit_in_place(struct file_output *output)
{
	if (output->regular && !sync_file(output->fd))
		return not_synced();
	if (!output->is_stdout && !file_close(&output->fd))
		return FAULT_WRITE;
	return FAULT_NONE;
}

enum fault file_output_commit(struct file_output *output, const struct file_input *like)
{
	enum fault fault =
		output->folder_fd < 0 ? commit_in_place(output) : commit_temporary(output, like);

	if (fault != FAULT_NONE)
		output->error = errno;
	file_output_discard(output);
	return fault;
}

void file_output_discard(struct file_output *output)
{
	/* Standard descriptors are not ours, and an output that was never opened may be all zero. */
	if (output->fd >= FILE_FIRST_OWN_FD)
		file_close(&output->fd);
	output->fd = -1;
	if (output->temporary != NULL)
		unlink_own(output, output->temporary);
	free(output->temporary);
	output->temporary = NULL;
	if (output->folder_fd >= FILE_FIRST_OWN_FD)
		file_close(&output->folder_fd);
	output->folder_fd = -1;
}
