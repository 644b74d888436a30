/* SPDX-License-Identifier: ISC */
/*
 * file_descriptor.h - what the file*.c files share about descriptors; nobody else includes it.
 */
#ifndef GCMCRYPT_IO_FILE_DESCRIPTOR_H
#define GCMCRYPT_IO_FILE_DESCRIPTOR_H

#include <fcntl.h>
#include <stdbool.h>

#include "format/fault.h"
#include "io/file.h"

/* Descriptors below it are the standard ones, and never ours to close. */
#define FILE_FIRST_OWN_FD 3

/* How to open what may be neither read nor listed, for its place alone. */
#ifdef O_PATH
#define FILE_SEARCH_ONLY O_PATH
#else
#define FILE_SEARCH_ONLY O_RDONLY
#endif

/* Of a temporary, and of an output that has no input to take its mode from. */
#define FILE_PRIVATE_MODE 0600

/*
 * What to do after a call on fd failed with errno.  FAULT_NONE: call again (EINTR, or EAGAIN and
 * fd is ready for events by now).  FAULT_SIGNAL: a signal was caught.  Else fault, errno as it was.
 */
enum fault file_after_error(int fd, short events, enum fault fault);

/* open() that is tried again after EINTR unless a signal was caught; -1 and errno. */
int file_open_at(int folder_fd, const char *path, int flags);

/*
 * The same for the folder that path is in: "name" is in ".", "/name" in "/", "a/b/name" in "a/b".
 * -1 and errno; ENOENT where path is empty.
 */
int file_open_folder_of(const char *path, int flags);

/* Closes *fd and makes it -1; false, errno: the system lost something. */
bool file_close(int *fd);

/* Asks for a pipe of 1 MiB where fd is a smaller one; in vain is fine. */
void file_widen_pipe(int fd);

/* "/proc/self/fd/N": how linkat() finds a file that has no name. */
#define FILE_PROC_PATH_ROOM 32
void file_proc_path(char path[FILE_PROC_PATH_ROOM], int fd);

/*
 * What is at the output's name now, and may it be replaced, or, *in_place, written to?
 * FAULT_CREATE, FAULT_EXISTS, FAULT_OUTPUT_SYMLINK, FAULT_IS_DIRECTORY.
 */
enum fault file_output_look(const struct file_output *output, bool *in_place);

/*
 * Writes all of it where the output stands, counts what the system took, and keeps the errno of a
 * fault in output->error.  FAULT_WRITE, FAULT_SIGNAL.
 */
enum fault file_output_put(struct file_output *output, const uint8_t *from, size_t len);

/* The same for a sparse output: its length is right after each call, also behind a hole. */
enum fault file_output_put_sparse(struct file_output *output, const uint8_t *from, size_t len);

#endif
