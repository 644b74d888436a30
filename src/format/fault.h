/* SPDX-License-Identifier: ISC */
/*
 * fault.h - the one list of what can go wrong with an input, an output or a request.
 *
 * format returns the first group, io adds the second, cli the third; cli/errors.def gives each
 * its sentence and exit status.  A new fault is one line here and one there.
 */
#ifndef GCMCRYPT_FORMAT_FAULT_H
#define GCMCRYPT_FORMAT_FAULT_H

enum fault {
	FAULT_NONE = 0,

	/* The bytes of a sealed file (format.md, "Which failure is which"). */
	FAULT_FOREIGN,         /* the magic differs */
	FAULT_NEWER,           /* another version, or a flag bit is set */
	FAULT_HEADER_CUT,      /* ends inside the header, or before the first chunk */
	FAULT_HEADER_DAMAGED,  /* CHECK fails, or the structure is wrong */
	FAULT_HEADER_TAMPERED, /* a slot opened, but the header MAC fails */
	FAULT_NOTHING_OPENS,   /* no slot opens with what was given */
	FAULT_KDF_COST,        /* nothing opened, and a slot was skipped for a cap */
	FAULT_KDF_MEMORY,      /* Argon2id did not get its memory */
	FAULT_COMMITMENT,      /* wrong commitment behind a right header */
	FAULT_CHUNK_DAMAGED,   /* a chunk that is not the last one */
	FAULT_ENDS_EARLY,      /* the last chunk fails, is full, short or missing */
	FAULT_TOO_LONG,        /* chunk number 2^38 */

	/* Files, pipes and memory; an errno goes with most of them. */
	FAULT_OPEN,
	FAULT_READ,
	FAULT_CREATE,
	FAULT_WRITE,
	FAULT_SYNC,
	FAULT_BROKEN_PIPE, /* EPIPE on standard output: exit 1 without a message */
	FAULT_MEMORY,
	FAULT_NO_RANDOMNESS, /* the system gave no random bytes: fail closed */
	FAULT_SIGNAL,        /* a signal asked us to stop */
	FAULT_INPUT_EMPTY,   /* open, verify or info of an empty input */
	FAULT_IS_DIRECTORY,
	FAULT_EXISTS,         /* the output is there and -f was not given */
	FAULT_OUTPUT_SYMLINK, /* the output is a symbolic link and -f was not given */
	FAULT_SAME_FILE,      /* input and output are one file */
	FAULT_INPUT_CHANGED,  /* not the file that was read: --rm keeps it */
	FAULT_REMOVE,
	FAULT_NOT_SYNCED, /* nobody can say that the output survives a crash: --rm keeps the input */
	FAULT_COMMAND,    /* a command could not be run, failed or was killed */
	FAULT_NOT_AS_CHECKED, /* --verify-first: the input changed since */
	FAULT_NOT_SEEKABLE,   /* the input cannot be read twice, or from its end */

	/* Requests: the command line and the keys it names. */
	FAULT_USAGE,
	FAULT_SUFFIX,
	FAULT_TERMINAL,   /* sealed or opened data would go to a terminal */
	FAULT_USED_TWICE, /* a pipe or descriptor that data and a key would share */
	FAULT_KEY_OUTPUT, /* the output is a file that a key or passphrase is taken from */
	FAULT_NO_KEY_SOURCE,
	FAULT_BAD_KEY,           /* a malformed key file, identity or recipient */
	FAULT_REKEY_INPUT,       /* rekey of what is no regular file, or has no name of its own */
	FAULT_REKEY_LAST,        /* no slot would be left that this program opens */
	FAULT_REKEY_PASSPHRASES, /* more passphrase slots than readers try */
	FAULT_REKEY_COST,        /* passphrase slots that cost more than readers allow */
	FAULT_REKEY_ROOM,        /* --in-place, and the new header has another length */
	FAULT_REKEY_CHANGED,     /* the file changed meanwhile */
	FAULT_RESTORE_OTHER,     /* --restore-header: it does not belong to the payload */
	FAULT_HEADER_FULL,       /* more slots, or longer ones, than a header can hold */
	FAULT_BAD_PASSPHRASE,    /* empty, too long, or with NUL, CR or LF inside */
	FAULT_RANGE,             /* --range starts behind the end of the plaintext */
	FAULT_SEAL_EMPTY,        /* --require-nonempty and nothing came */
	FAULT_COMMAND_EMPTY,     /* the same, from a command that succeeded */
	FAULT_RM_INPUT,          /* --rm, and the input is no regular file of that name */
	FAULT_RM_OUTPUT,         /* --rm, and the output is no regular file */
	FAULT_RM_KEY,            /* --rm, and the input is a key or passphrase in use */
	FAULT_KERNEL,            /* --kernel names none that this machine can run */
	FAULT_KERNEL_WRONG,      /* a kernel gives wrong answers */
	FAULT_COUNT
};

#endif
