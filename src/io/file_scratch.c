/* SPDX-License-Identifier: ISC */
/*
 * file_scratch.c - makes files that have no name and that nobody keeps.
 */
#include "io/file_scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/file_descriptor.h"

/* Without files in memory it is one of the folder for temporary files, and has no name either. */
static int create(void)
{
#ifdef MFD_CLOEXEC
	return memfd_create("gcmcrypt", MFD_CLOEXEC);
#else
	FILE *file = tmpfile();
	int fd = file == NULL ? -1 : fcntl(fileno(file), F_DUPFD_CLOEXEC, FILE_FIRST_OWN_FD);

	if (file != NULL)
		(void)fclose(file);
	return fd;
#endif
}

enum fault file_scratch_open(struct file_scratch *scratch)
{
	*scratch = (struct file_scratch){
		.input = {.name = "memory", .regular = true},
		.output = {.name = "memory", .regular = true, .in_place = true, .folder_fd = -1},
	};
	scratch->output.fd = create();
	scratch->input.fd = scratch->output.fd;
	if (scratch->output.fd >= 0)
		return FAULT_NONE;
	scratch->output.error = errno;
	return FAULT_CREATE;
}

enum fault file_scratch_rewind(struct file_scratch *scratch)
{
	struct stat now;

	if (fstat(scratch->input.fd, &now) != 0)
		return FAULT_READ;
	scratch->input.length = (uint64_t)now.st_size;
	return file_input_seek(&scratch->input, 0);
}

void file_scratch_close(struct file_scratch *scratch)
{
	if (scratch->output.fd >= FILE_FIRST_OWN_FD)
		(void)file_close(&scratch->output.fd);
	scratch->input.fd = -1;
}
