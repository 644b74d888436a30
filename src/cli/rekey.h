/* SPDX-License-Identifier: ISC */
/*
 * rekey.h - a header in the place of another, before a payload that stays as it is.
 *
 * The steps of cmd_rekey.c, each in the file of its own name (rekey_plan() in rekey_plan.c), but for
 * rekey_refuse(), which stands beside rekey_write().
 */
#ifndef GCMCRYPT_CLI_REKEY_H
#define GCMCRYPT_CLI_REKEY_H

#include "cli/job.h"
#include "cli/print.h"

struct rekey {
	/* What becomes of the slots of job->header. */
	bool goes[HEADER_SLOTS_MAX];
	size_t going;
	bool comes;   /* slots are added, before that of number place */
	size_t place; /* 0..slot_count */

	uint8_t bytes[HEADER_MAX_BYTES]; /* the new header */
	size_t len;
	size_t first, count; /* which of its slots are those that were added */
	size_t old_len;      /* of the header that the file has: there its payload starts */

	struct print print; /* --dry-run */
};

/*
 * Refuses what cannot be replaced or rewritten, and looks at the name of the output, if one was
 * given, or of the old header's copy: before anybody types a passphrase in vain.
 */
enum fault rekey_refuse(struct job *job);

/*
 * Decides which slots go, and where new ones stand.  FAULT_USAGE: --remove names none (a message was
 * written).  FAULT_REKEY_LAST, FAULT_REKEY_PASSPHRASES, FAULT_REKEY_COST.
 */
enum fault rekey_plan(struct job *job, struct rekey *rekey);

/*
 * Makes the new header: slots that stay byte for byte as they were, new ones under fresh salts.  Asks
 * for the new passphrase.  FAULT_REKEY_ROOM, FAULT_HEADER_FULL, and the faults of sealkeys_make().
 */
enum fault rekey_header(struct job *job, struct rekey *rekey);

/*
 * --restore-header: makes path the input, after the header was read from another file and unlocked,
 * and finds the payload that belongs to that header.  FAULT_RESTORE_OTHER, FAULT_REKEY_ROOM, and the
 * faults of rekey_refuse() and file_input_open().
 */
enum fault rekey_restore(struct job *job, struct rekey *rekey, const char *path);

/*
 * Writes the new header before the payload: into a new file that takes the old one's name or -o's,
 * or in place, after the old header was saved.  FAULT_REKEY_CHANGED and the faults of file.h.
 */
enum fault rekey_write(struct job *job, struct rekey *rekey);

/* --header-only: writes the header as it is. */
enum fault rekey_write_header(struct job *job);

/* --dry-run: prints what would change.  Faults of print.h. */
enum fault rekey_tell_plan(struct job *job, struct rekey *rekey);

/* After success: what was done, and once a run what that does not do. */
void rekey_tell(struct job *job, const struct rekey *rekey);

#endif
