/* SPDX-License-Identifier: ISC */
/*
 * file_copy.c - what goes from an input to an output as it is, without passing through this program
 * where the system can do that.
 *
 * A way that the system does not have is left for the next one, which says what is wrong.
 */
#include "io/file.h"

#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif

#include "io/signals.h"

#define PIECE_BYTES ((size_t)1 << 16)  /* through memory */
#define RANGE_BYTES ((size_t)16 << 20) /* by the system: a signal waits no longer than for this */

bool file_output_clone(struct file_output *output, const struct file_input *input)
{
#ifdef FICLONE
	if (output->in_place || output->written > 0 || !input->regular || input->start != 0)
		return false;
	return ioctl(output->fd, FICLONE, input->fd) == 0;
#else
	(void)output, (void)input;
	return false;
#endif
}

/* As much as the system copies by itself; both descriptors then stand behind it. */
static void copy_ranges(struct file_output *output, struct file_input *input)
{
#ifdef __linux__
	ssize_t some = 1;

	while (some > 0 && signals_caught() == 0) {
		some = copy_file_range(input->fd, NULL, output->fd, NULL, RANGE_BYTES, 0);
		if (some > 0) {
			input->taken += (uint64_t)some;
			output->written += (uint64_t)some;
		}
	}
#else
	(void)output, (void)input;
#endif
}

enum fault file_output_copy(struct file_output *output, struct file_input *input)
{
	uint8_t *piece = malloc(PIECE_BYTES);
	size_t got = PIECE_BYTES;
	enum fault fault = piece == NULL ? FAULT_MEMORY : FAULT_NONE;

	if (fault == FAULT_NONE && input->regular && !input->has_ahead)
		copy_ranges(output, input);
	/* What is left: nothing, or all that the system did not copy, and why. */
	while (fault == FAULT_NONE && got == PIECE_BYTES) {
		fault = file_input_read(input, piece, PIECE_BYTES, &got);
		if (fault == FAULT_NONE)
			fault = file_output_write(output, piece, got);
	}
	free(piece);
	return fault;
}
