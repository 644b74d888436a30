/* SPDX-License-Identifier: ISC */
/*
 * openfirst.h - open --range and --verify-first: what has to be right before anything is written;
 * and verify --quick, which wants no more than a part of that.
 *
 * Without these options each does nothing, but openfirst_last().
 */
#ifndef GCMCRYPT_CLI_OPENFIRST_H
#define GCMCRYPT_CLI_OPENFIRST_H

#include "cli/job.h"

/* FAULT_NOT_SEEKABLE: the input cannot be read as these options need. */
enum fault openfirst_refuse(const struct job *job);

/*
 * Opens the last chunk alone, which proves the length and the end, and sets job->shape.  Afterwards
 * the input stands at its end, or after a fault anywhere.  The faults of stream_open().
 */
enum fault openfirst_last(struct job *job);

/*
 * Checks the last chunk (--range), then all of them (--verify-first), and leaves the input at the
 * first one that is wanted.  job->shape and job->range are set for --range.  The faults of
 * stream_open(), FAULT_RANGE, FAULT_NOT_AS_CHECKED.
 */
enum fault openfirst_check(struct job *job);

/* job_stream() for what is wanted. */
struct stream *openfirst_stream(struct job *job);

/* FAULT_NOT_AS_CHECKED: what was opened after --verify-first may not be what was checked. */
enum fault openfirst_same(const struct job *job);

#endif
