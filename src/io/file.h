/* SPDX-License-Identifier: ISC */
/*
 * file.h - the only place that opens, reads, writes, syncs, renames and unlinks.
 *
 * Inputs and outputs remember the errno of their fault; the caller makes the message.  Every
 * wait ends when a signal is caught (FAULT_SIGNAL).  Flags of inherited descriptors are never
 * changed: EAGAIN is answered with poll.
 */
#ifndef GCMCRYPT_IO_FILE_H
#define GCMCRYPT_IO_FILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "format/fault.h"

struct crypto_hash_sha256_state; /* libsodium's */

struct file_input {
	int fd;
	const char *name;    /* as given, or "standard input" */
	bool is_stdin;       /* descriptor 0: left open by file_input_close() */
	bool regular;        /* it can be read again, and start and length mean something */
	uint64_t start;      /* where it stood when opened */
	uint64_t length;     /* bytes from where it stood when opened to its end at that time */
	struct stat at_open; /* which file it is, its mode, times and size */
	uint64_t taken;      /* bytes read so far */
	int error;           /* errno of the last fault, 0 where there is none */
	bool has_ahead;      /* file_input_at_end() took one byte that nobody has read yet */
	uint8_t ahead;
	const atomic_bool *stopped; /* another thread sets it to end a reading as a signal does */
};

/*
 * Opens path for reading ("-" is descriptor 0, wherever it points).  FAULT_NONE, FAULT_OPEN,
 * FAULT_IS_DIRECTORY or FAULT_SIGNAL (a FIFO waits for its writer).  FIFOs and devices are fine.
 */
enum fault file_input_open(struct file_input *input, const char *path);

/*
 * The same for a descriptor that somebody handed over (--passphrase-fd); name is for messages.
 * FAULT_OPEN, EBADF: nobody did.  So this comes before anything else is opened.
 */
enum fault file_input_adopt(struct file_input *input, int fd, const char *name);

/*
 * The reading end of a new pipe; *writer is the other one, to be handed over to a child process
 * and then closed with file_input_pipe_given().  Both are closed by exec.  FAULT_OPEN.
 */
enum fault file_input_pipe(struct file_input *input, const char *name, int *writer);
void file_input_pipe_given(int *writer);

/* Tells the system that all of the input will be read in order: readahead, a larger pipe. */
void file_input_expect_all(const struct file_input *input);

/* Reads want bytes or to the end of input: *got < want means the end.  FAULT_READ, _SIGNAL. */
enum fault file_input_read(struct file_input *input, uint8_t *to, size_t want, size_t *got);

/*
 * The same from offset on, counted as taken is, of an input that can be sought, for several threads
 * at once: taken stays, and *error gets what input->error would.
 */
enum fault file_input_read_at(const struct file_input *input, uint64_t offset, uint8_t *to,
			      size_t want, size_t *got, int *error);

/*
 * Waits for the first byte that comes next, or for the end of the input; the byte is kept for
 * file_input_read().  FAULT_READ, FAULT_SIGNAL.
 */
enum fault file_input_at_end(struct file_input *input, bool *at_end);

/* Whether a signal or another thread asks to stop reading. */
bool file_input_stopped(const struct file_input *input);

/* Goes to that byte, counted from where a regular input stood when opened.  FAULT_READ. */
enum fault file_input_seek(struct file_input *input, uint64_t offset);

/* Whether a regular input's size or modification time differ from when it was opened. */
bool file_input_changed(const struct file_input *input);

/*
 * Whether anything at all was done to it since, were it only to its mode, owner or number of names:
 * a file that was written to may have got its old times again.
 */
bool file_input_touched(const struct file_input *input);

/*
 * Whether the input is a regular file that still has the name it was opened by, without a symbolic
 * link at its end: what file_input_remove() would take away.
 */
bool file_input_has_name(const struct file_input *input);

/*
 * Removes the input's name.  FAULT_INPUT_CHANGED: it does not have it any more, or was touched since
 * it was opened.  FAULT_REMOVE: the system did not do it.
 */
enum fault file_input_remove(struct file_input *input);

/*
 * Opens a regular input for writing too, by its name, which must not have become another file's or
 * a link: FAULT_OPEN, FAULT_INPUT_CHANGED.  It stands at its first byte then.
 */
enum fault file_input_make_writable(struct file_input *input);

/*
 * Writes over the first len bytes of an input that was made writable, keeps its times, and brings it
 * to disk; no signal stops that.  FAULT_WRITE: some of these bytes may be new and others old.
 * FAULT_SYNC.
 */
enum fault file_input_rewrite(struct file_input *input, const uint8_t *from, size_t len);

/*
 * Whether a regular input may be read by everybody or, if this process owns it, by its group (for
 * secrets: warn).
 */
bool file_input_exposed(const struct file_input *input);

/*
 * Whether reading one input takes bytes from the other: the same pipe, terminal or device.  A
 * regular file that is opened twice has two positions, so it counts only where one of them is
 * descriptor 0, whose position others may share.
 */
bool file_input_shares(const struct file_input *one, const struct file_input *other);

/* Descriptors 0, 1 and 2 stay open.  After it, or after a failed open, it does nothing. */
void file_input_close(struct file_input *input);

/*
 * An output: a temporary beside path that takes its name only in file_output_commit(), or, in
 * place, descriptor 1, a FIFO or a device.
 */
struct file_output {
	int fd;
	int folder_fd;     /* -1 when in place */
	const char *name;  /* as given, or "standard output" */
	const char *base;  /* last part of path, for the *at() calls */
	char *temporary;   /* name in the folder; NULL while it has none (O_TMPFILE) */
	dev_t made_device; /* which file the temporary is: nothing else is ever unlinked */
	ino_t made_inode;
	bool is_stdout;
	bool regular;
	bool force;
	bool in_place; /* what has the name is written to: standard output, a FIFO, a device */
	bool synced;   /* committed, and both file and folder were brought to disk */
	bool kept; /* a fault came after the new file had taken the place of an old one: it stays */
	bool replaces_input; /* commit: it takes the place of like, and its owner */
	uint64_t written;    /* bytes that the system took, holes counted */
	uint64_t reserved;   /* bytes that it keeps room for */
	bool sparse;         /* runs of zeros become holes */
	uint64_t start;      /* sparse: where its first byte stands in the file */
	struct crypto_hash_sha256_state
		*digest; /* NULL, or takes in all that file_output_write() writes */
	int error;
};

/*
 * Opens an output ("-" is descriptor 1).  force: an existing file or symbolic link of that name
 * is replaced at commit; else FAULT_EXISTS or FAULT_OUTPUT_SYMLINK at once.  Other faults:
 * FAULT_CREATE, FAULT_IS_DIRECTORY, FAULT_MEMORY, FAULT_SIGNAL (a FIFO waits for its reader).  A
 * temporary has mode 0600.  path must live as long as the output.
 */
enum fault file_output_open(struct file_output *output, const char *path, bool force);

/*
 * What file_output_open() would refuse by looking at the name alone, before anything is asked for
 * or created: FAULT_EXISTS, FAULT_OUTPUT_SYMLINK, FAULT_IS_DIRECTORY, FAULT_CREATE, FAULT_MEMORY.
 * output is closed again; its error tells more, and in_place what it would be.
 */
enum fault file_output_check(struct file_output *output, const char *path, bool force);

/*
 * Keeps room on the disk for bytes in all, where the output is a temporary on a file system that
 * can do that: what does not fit is known before anything is written.  FAULT_WRITE: it does not.
 * A file system that packs files does not pack what was reserved: for bytes that cannot be packed.
 * On tmpfs nothing is kept; what is free is looked at.
 */
enum fault file_output_reserve(struct file_output *output, uint64_t bytes);

/*
 * From now on blocks of zeros are left out where the output can have holes, and read back as zeros:
 * a regular file that ends where the output begins, and is not opened to append to.  In any other
 * they are written, as ever.  Comes before anything is written.
 */
void file_output_make_sparse(struct file_output *output);

/* Asks for a larger pipe where the output is one. */
void file_output_expect_much(const struct file_output *output);

/* Writes all of it: FAULT_WRITE, FAULT_BROKEN_PIPE or FAULT_SIGNAL otherwise. */
enum fault file_output_write(struct file_output *output, const uint8_t *from, size_t len);

/*
 * Makes a new output share all bytes of a whole regular input, on a file system that can do that.
 * True: the output stands at its first byte still, and what is written next replaces what is there.
 * False: nothing was done.
 */
bool file_output_clone(struct file_output *output, const struct file_input *input);

/*
 * Copies the input from where it stands to its end.  FAULT_MEMORY, and the faults of
 * file_input_read() and file_output_write().
 */
enum fault file_output_copy(struct file_output *output, struct file_input *input);

/* Whether two open outputs are one file, or will take the same name in the end. */
bool file_output_same(const struct file_output *one, const struct file_output *other);

/* Whether anybody but its owner may read a regular output as it is now (for secrets: warn). */
bool file_output_exposed(const struct file_output *output);

/*
 * Makes the output final: permission bits and times of like (NULL or not regular: 0600), sync,
 * rename (never over something that came meanwhile, unless force), sync of the folder, close.  With
 * replaces_input it gets the owner and group of like too, where the system allows it, and no name if
 * like was touched or has lost its own: looked at last, since a sync may take long.  Where the
 * output's group is not like's, its group gets no more than all others get.  On a fault nothing is
 * left of a temporary; only what comes after a forced replacement, such as a failed sync of the
 * folder, leaves the new, complete file (output->kept).  A signal that comes when the name is taken
 * is too late: the commit goes on to its end.  FAULT_SYNC, FAULT_WRITE, FAULT_CREATE, FAULT_EXISTS,
 * FAULT_INPUT_CHANGED, FAULT_SIGNAL.
 */
enum fault file_output_commit(struct file_output *output, const struct file_input *like);

/* Undoes everything: the folder looks as before.  After a commit, or on a closed one, nothing. */
void file_output_discard(struct file_output *output);

/*
 * Whether path ("-": descriptor 1) names the very file that input is; symbolic links count.
 * Terminals, FIFOs and devices without content of their own are never the same file.
 */
bool file_same(const struct file_input *input, const char *path);

/* The same of an input that is not open ("-": descriptor 0) and an output. */
bool file_same_names(const char *input, const char *output);

/* Whether there is something of that name; a dangling symbolic link is nothing. */
bool file_exists(const char *path);

/*
 * The start of a small file, such as one of /proc, as NUL-terminated text of *len < room bytes;
 * what does not fit is left out.  False: it cannot be read.
 */
bool file_read_small(const char *path, char *text, size_t room, size_t *len);

/*
 * Makes sure that descriptors 0, 1 and 2 are taken, so that no file that is opened later becomes
 * one of them; a closed one gives EBADF on use as before.  False: no descriptor to be had.
 */
bool file_hold_standard(void);

/* Has exec close every descriptor from first on, those that somebody handed over too. */
void file_close_on_exec(int first);

bool file_stdout_is_terminal(void);
bool file_stdin_is_terminal(void);
bool file_stderr_is_terminal(void);

/* Whether standard error is the terminal of this process, which is in the foreground there. */
bool file_stderr_in_foreground(void);

/*
 * Stops this process, as the system stops who reads from a terminal in the background, until it is
 * in the foreground there: only then are the terminal's settings not those of a shell that reads a
 * line.  Returns at once where there is no such terminal, or nobody to bring it to the foreground.
 */
void file_wait_foreground(const char *terminal);

/* How wide the terminal is that standard error is, at least 1; 80 where it does not say. */
unsigned file_stderr_columns(void);

/* Closes descriptor 1, which the system may answer with an error of earlier writes: false, errno. */
bool file_close_stdout(void);

#endif
