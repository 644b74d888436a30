/* SPDX-License-Identifier: ISC */
/*
 * run.h - what one run of seal, open, verify, info or rekey shares between its files.
 */
#ifndef GCMCRYPT_CLI_RUN_H
#define GCMCRYPT_CLI_RUN_H

#include "cli/keysource.h"
#include "format/payload.h"
#include "format/seed.h"
#include "gcm/gcm.h"

/* Key material of the file in hand, and of the run: in the arena. */
struct run_hidden {
	struct payload_key payload;
	struct seed seed;
	struct slot_secret slot;
	uint8_t ephemeral[SLOT_KEY_BYTES]; /* X25519 secret of one slot */
	uint8_t file_key[HEADER_FILE_KEY_BYTES];
	uint8_t input_key[PAYLOAD_INPUT_KEY_BYTES];
};

struct run;

/* Takes one file from beginning to end, messages included. */
typedef enum fault run_step(struct run *run, const char *path);

struct run {
	const struct options *options;
	run_step *step;
	void *own;    /* what the command itself shares between its files */
	size_t begun; /* files that were begun: those behind them are still to be opened */
	bool confine_tried;
	bool confined; /* nothing is opened by a name that had no file when that began */
	enum message_level level;
	struct secrets *secrets;
	struct run_hidden *hidden;
	const struct gcm_kernel *kernel;  /* NULL: info opens no chunk */
	unsigned threads;                 /* at most, for one file */
	struct gcm_counter_cache *caches; /* one a thread, in the arena */
	struct keysource keys;

	struct options incoming_options; /* rekey: where the keys come from that are to open */
	struct keysource incoming;

	struct slot_argon2 argon2; /* of new slots: one salt for all files */
	bool argon2_chosen;

	bool keyref_checked; /* seal --keyref: once */
	enum fault keyref_fault;
};

/*
 * Takes every file that is named, or standard input where none is, until a signal ends that or
 * nobody reads the output any more; then says how many failed, if that is worth saying.  The first
 * fault, or FAULT_NONE.  take writes its own messages; context is its own.
 */
typedef enum fault run_take(void *context, const char *path);
enum fault run_all(const struct options *options, run_take *take, void *context);

/*
 * The whole run: prepares, takes every file, cleans up.  FAULT_NONE, what kept it from starting, or
 * what the first file that failed came to.
 */
enum fault run_files(const struct options *options, run_step *step, void *own);

/* Whether input is where a key or a passphrase comes from, so that its bytes are not all data. */
bool run_shares_key(const struct run *run, const struct file_input *input);

/* Whether path ("-": standard output) is a file that holds a key or a passphrase. */
bool run_holds_key(const struct run *run, const char *path);

/* Wipes what belongs to one file, and the stack below the caller. */
void run_forget_file(struct run *run);

/*
 * The kernel that --kernel names, or the best one.  FAULT_KERNEL: there is none of that name.
 * FAULT_KERNEL_WRONG: not one works.  A message was written.
 */
enum fault run_pick_kernel(const struct options *options, const struct gcm_kernel **kernel);

/* The exit status of a fault; a file that is too long is the reader's damage. */
int run_status(const struct options *options, enum fault fault);

#endif
