/* SPDX-License-Identifier: ISC */
/*
 * file_confine.h - has the system refuse whatever this process has no business with any more:
 * other files, commands, TCP.
 *
 * For the time when keys were read and the file in hand was opened: what is open stays open, and
 * what is still to be done by name has to be allowed one by one.  Linux alone can do that, by
 * Landlock; elsewhere, and where it cannot be had, nothing changes.
 */
#ifndef GCMCRYPT_IO_FILE_CONFINE_H
#define GCMCRYPT_IO_FILE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

struct file_confine {
	int rules;        /* descriptor; -1: none */
	int version;      /* of Landlock's interface; 0: there is none */
	uint64_t handled; /* rights to files that it takes away where no rule gives them */
	int error;        /* errno of what kept or will keep it from being used; 0: nothing */
};

/* What will still be done with a path. */
enum file_confine_use {
	FILE_CONFINE_READ,       /* opened for reading; a folder so that it can be refused as one */
	FILE_CONFINE_READ_BELOW, /* a folder: whatever is in it, the same */
	FILE_CONFINE_REWRITE,    /* opened for reading and writing */
	FILE_CONFINE_WRITE,      /* a FIFO or device: file_output_open() */
	FILE_CONFINE_CREATE,     /* file_output_open(), and all that comes after it */
	FILE_CONFINE_NAME,       /* file_output_commit() or _discard(): the output is open */
	FILE_CONFINE_REMOVE,     /* unlinked */
};

/* Begins a list of rules.  has_child: a child runs that this process may have to send signals to. */
void file_confine_begin(struct file_confine *confine, bool has_child);

/*
 * One more rule.  What is not there, or cannot be reached, gets none: it cannot be opened anyway.
 * Rules for names hold for all of the folder, since the system knows none that are finer.
 */
void file_confine_allow(struct file_confine *confine, const char *path, enum file_confine_use use);

/*
 * From now on, for this thread and those that it starts, and for good: files are opened, created
 * and removed by these rules alone, no command is run, and, as far as confine->version knows
 * (file_confine_tcp()), no TCP port is bound or connected to.  False: confine->error says why not, and
 * nothing has changed.  Ends the list either way.
 */
bool file_confine_enforce(struct file_confine *confine);

/* Whether what was enforced includes TCP. */
bool file_confine_tcp(const struct file_confine *confine);

#endif
