/* SPDX-License-Identifier: ISC */
/*
 * report.h - the message about a file that failed: which of its names, which chunk, what is kept.
 */
#ifndef GCMCRYPT_CLI_REPORT_H
#define GCMCRYPT_CLI_REPORT_H

#include "cli/job.h"

void report_fault(const struct job *job, enum fault fault);

/* "not a gcmcrypt file (starts with ff d8 ff e0)"; bytes[have] are the first of the file. */
void report_foreign(const char *name, const uint8_t *bytes, size_t have);

/* "made by a newer version of gcmcrypt (format 2)"; preamble is the first 16 bytes. */
void report_other_version(const char *name, const uint8_t *preamble);

/* The number of chunks that a sealed file of a known size has; 0 where the size is unknown. */
uint64_t report_chunk_count(const struct job *job);

#endif
