/* SPDX-License-Identifier: ISC */
/*
 * jsonout.h - the one object that --json prints, with the members that every command's has: schema,
 * status and error, and files where the command takes any.
 *
 * Nothing is printed before the end, and then all of it.
 */
#ifndef GCMCRYPT_CLI_JSONOUT_H
#define GCMCRYPT_CLI_JSONOUT_H

#include <jansson.h>

#include "cli/job.h"

struct jsonout {
	bool wanted; /* --json was given; else only jsonout_end() may follow, which prints nothing */
	bool lacking; /* there was no memory for a part of it */
	json_t *object;
	json_t *files; /* one object a file; it belongs to object */
};

/* schema: "gcmcrypt-info/1"; its number stays while members are only added. */
void jsonout_begin(struct jsonout *out, const struct options *options, const char *schema);

/* Sets a member of object, which takes over value; NULL for either is a want of memory. */
void jsonout_set(struct jsonout *out, json_t *object, const char *member, json_t *value);

/* The same at the end of an array. */
void jsonout_append(struct jsonout *out, json_t *array, json_t *value);

/*
 * Text that came from outside, with nothing lost: a backslash is doubled, and a byte that is no part
 * of UTF-8 becomes \xNN.  NULL: no memory.
 */
json_t *jsonout_text(const char *text);

/* A size or number; what passes 2^63 - 1, which no file and no option does, becomes that. */
json_t *jsonout_number(uint64_t number);

/* The same, or null where it is not known. */
json_t *jsonout_number_if(bool known, uint64_t number);

/* One more object in files, with the member "file": path as it was given, "-" for standard input. */
json_t *jsonout_file(struct jsonout *out, const char *path);

/* What the member "error" is of a file that came to fault: null, or an object. */
json_t *jsonout_file_error(const struct job *job, enum fault fault);

/*
 * Ends a run that came to fault: prints the object, frees it, and returns the exit status.  The
 * object's own "error" is the fault where no file has it.
 */
int jsonout_end(struct jsonout *out, const struct options *options, enum fault fault);

#endif
