/* SPDX-License-Identifier: ISC */
/*
 * bench_json.h - what bench --json says.
 */
#ifndef GCMCRYPT_CLI_BENCH_JSON_H
#define GCMCRYPT_CLI_BENCH_JSON_H

#include "cli/bench_turns.h"
#include "cli/jsonout.h"

struct bench_json {
	struct jsonout out;
	json_t *messages;
	json_t *streams;
	json_t *argon2id;
};

/* Without --json nothing is wanted, and the others are not to be called.  used: by seal and open. */
void bench_json_begin(struct bench_json *json, const struct options *options,
		      const struct gcm_kernel *used);

/* One more measurement, of messages or of a stream, and of a passphrase. */
void bench_json_row(struct bench_json *json, const struct bench_turns_row *row, double spread);
void bench_json_argon2(struct bench_json *json, uint32_t mib, uint32_t passes, double seconds);

#endif
