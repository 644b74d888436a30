/* SPDX-License-Identifier: ISC */
/*
 * kdfcost.h - what Argon2id may cost: the caps for readers and writers, and what to ask for where
 * they are too low.
 */
#ifndef GCMCRYPT_CLI_KDFCOST_H
#define GCMCRYPT_CLI_KDFCOST_H

#include <stdbool.h>

#include "cli/options.h"
#include "format/slot.h"

/* The caps of format.md, as --max-kdf-memory and --max-kdf-cost change them. */
struct slot_kdf_caps kdfcost_caps(const struct options *options);

/* Whether the numbers make sense, and a reader would accept them; else a message has said so. */
bool kdfcost_check(const struct options *options);

/* Fills in passes and memory that a slot to be made is to have. */
void kdfcost_wanted(const struct options *options, struct slot_argon2 *params);

/* The same, and warns where they are weak or unusual. */
void kdfcost_choose(const struct options *options, struct slot_argon2 *params);

/* What all passphrase slots of a file together would need. */
struct kdfcost_need {
	uint64_t memory_kib; /* the most that one of them takes */
	uint64_t passes;     /* likewise */
	uint64_t cost_kib;   /* memory times passes, summed; UINT64_MAX: more than that */
};

void kdfcost_add(struct kdfcost_need *need, const struct slot_argon2 *params);

/* Writes the hint that names the options to be given, with their values. */
void kdfcost_hint(const struct options *options, const struct kdfcost_need *need);

#endif
