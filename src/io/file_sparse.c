/* SPDX-License-Identifier: ISC */
/*
 * file_sparse.c - outputs in which blocks of zeros take no room on the disk.
 *
 * A hole is left only behind the end of the file, where nothing is, so that it can hold nothing but
 * zeros; the file is never cut.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "io/file_descriptor.h"

#define BLOCK_BYTES 4096 /* of most file systems, and a divisor where they have larger ones */

void file_output_make_sparse(struct file_output *output)
{
	int flags = fcntl(output->fd, F_GETFL);
	off_t at = lseek(output->fd, 0, SEEK_CUR);
	struct stat now;

	/* Appending goes to the end, wherever a descriptor was moved. */
	if (!output->regular || flags < 0 || (flags & O_APPEND) != 0)
		return;
	if (at < 0 || fstat(output->fd, &now) != 0 || at < now.st_size)
		return;
	output->sparse = true;
	output->start = (uint64_t)at;
}

/*
 * How many of the bytes can go together: blocks, or parts of blocks at either end, that are zero, or
 * that are not.  at: where the first byte goes in the file, whose blocks count.
 */
static size_t run_of(const uint8_t *from, size_t len, uint64_t at, bool *zero)
{
	static const uint8_t zeros[BLOCK_BYTES];
	size_t run = 0;

	while (run < len) {
		size_t piece = BLOCK_BYTES - (size_t)((at + run) % BLOCK_BYTES);

		if (piece > len - run)
			piece = len - run;
		bool is_zero = memcmp(from + run, zeros, piece) == 0;

		if (run == 0)
			*zero = is_zero;
		if (is_zero != *zero)
			break;
		run += piece;
	}
	return run;
}

static enum fault failed(struct file_output *output, enum fault fault)
{
	output->error = errno;
	return fault;
}

static enum fault leave_hole(struct file_output *output, size_t len)
{
	if (lseek(output->fd, (off_t)len, SEEK_CUR) < 0)
		return failed(output, FAULT_WRITE);
	output->written += len;
	return FAULT_NONE;
}

/* Makes the file as long as what was put into it, where that ends with a hole. */
static enum fault grow(struct file_output *output)
{
	off_t end = (off_t)(output->start + output->written);
	enum fault fault = FAULT_NONE;

	while (fault == FAULT_NONE && ftruncate(output->fd, end) != 0)
		fault = file_after_error(output->fd, POLLOUT, FAULT_WRITE);
	return fault == FAULT_NONE ? FAULT_NONE : failed(output, fault);
}

enum fault file_output_put_sparse(struct file_output *output, const uint8_t *from, size_t len)
{
	enum fault fault = FAULT_NONE;
	size_t done = 0;
	bool zero = false;

	while (fault == FAULT_NONE && done < len) {
		uint64_t at = output->start + output->written;
		size_t run = run_of(from + done, len - done, at, &zero);

		fault = zero ? leave_hole(output, run) : file_output_put(output, from + done, run);
		done += run;
	}
	return fault == FAULT_NONE && zero ? grow(output) : fault;
}
