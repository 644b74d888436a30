/* SPDX-License-Identifier: ISC */
/*
 * file_rewrite.c - the one write that is not atomic: over the first bytes of a file that exists.
 *
 * Whoever calls it has saved these bytes.  Once begun it is not stopped by signals.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "io/file_descriptor.h"

static enum fault failed(struct file_input *input, enum fault fault)
{
	input->error = errno;
	return fault;
}

enum fault file_input_make_writable(struct file_input *input)
{
	const struct stat *then = &input->at_open;
	struct stat now;
	int fd = file_open_at(AT_FDCWD, input->name, O_RDWR | O_NOFOLLOW);

	if (fd < 0)
		return failed(input, FAULT_OPEN);
	if (fstat(fd, &now) != 0 || now.st_dev != then->st_dev || now.st_ino != then->st_ino) {
		file_close(&fd);
		return FAULT_INPUT_CHANGED;
	}
	file_input_close(input);
	input->fd = fd;
	input->start = 0;
	input->taken = 0;
	input->has_ahead = false;
	return FAULT_NONE;
}

/* False, errno: at least one byte may have been written, and at least one may not. */
static bool write_over(int fd, const uint8_t *from, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t some = pwrite(fd, from + done, len - done, (off_t)done);

		if (some == 0)
			errno = EIO;
		if (some > 0)
			done += (size_t)some;
		else if (some == 0 || errno != EINTR)
			return false;
	}
	return true;
}

enum fault file_input_rewrite(struct file_input *input, const uint8_t *from, size_t len)
{
	const struct timespec times[2] = {input->at_open.st_atim, input->at_open.st_mtim};
	int result;

	if (!write_over(input->fd, from, len))
		return failed(input, FAULT_WRITE);
	futimens(input->fd, times); /* a file system that keeps none is no reason to fail */
	do {
		result = fsync(input->fd);
	} while (result != 0 && errno == EINTR);
	return result == 0 ? FAULT_NONE : failed(input, FAULT_SYNC);
}
