/* SPDX-License-Identifier: ISC */
/*
 * bench_message.h - how long kernels take to seal and open messages of one size.
 *
 * Every message has a new nonce that counts up as chunks do, and every tag is checked.
 */
#ifndef GCMCRYPT_CLI_BENCH_MESSAGE_H
#define GCMCRYPT_CLI_BENCH_MESSAGE_H

#include "cli/bench_turns.h"

/*
 * Fills in the speeds of rows, one for each kernel that rows[i].kernel names, for messages of
 * rows[0].bytes bytes, within about that many nanoseconds.  FAULT_MEMORY, FAULT_SIGNAL, or
 * FAULT_KERNEL_WRONG: a tag was wrong.
 */
enum fault bench_message(struct bench_turns_row *rows, size_t count, uint64_t nanoseconds);

#endif
