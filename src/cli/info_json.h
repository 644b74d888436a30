/* SPDX-License-Identifier: ISC */
/*
 * info_json.h - what info --json says of one file.
 */
#ifndef GCMCRYPT_CLI_INFO_JSON_H
#define GCMCRYPT_CLI_INFO_JSON_H

#include "cli/jsonout.h"

/* What info finds out beyond the header. */
struct info_json_facts {
	bool opened;   /* job->slot opened, and the header is genuine */
	bool measured; /* len is the file's */
	bool possible; /* a complete file may have that length: then job->shape is its payload's */
	uint64_t len;
};

/* Adds the file; what is not known of it is null. */
void info_json_add(struct jsonout *out, const char *path, const struct job *job,
		   const struct info_json_facts *facts, enum fault fault);

#endif
