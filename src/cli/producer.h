/* SPDX-License-Identifier: ISC */
/*
 * producer.h - the command of --from-command: run when everything else is ready, judged when its
 * output has ended.
 */
#ifndef GCMCRYPT_CLI_PRODUCER_H
#define GCMCRYPT_CLI_PRODUCER_H

#include "cli/job.h"

/*
 * Runs the command, if one was given, as the job's input, and makes the stream wait for its status
 * before the last chunk is sealed.  FAULT_COMMAND, FAULT_COMMAND_EMPTY, FAULT_READ, FAULT_SIGNAL.
 */
enum fault producer_start(struct job *job);

/* Says how the command failed and what became of its output. */
void producer_report(const struct job *job, enum fault fault);

/* After FAULT_COMMAND: says how a command ended that the user knows by this name. */
void producer_report_end(const char *name, const struct child *child);

#endif
