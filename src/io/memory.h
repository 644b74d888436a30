/* SPDX-License-Identifier: ISC */
/*
 * memory.h - how much memory this process may still take before something refuses or kills it.
 */
#ifndef GCMCRYPT_IO_MEMORY_H
#define GCMCRYPT_IO_MEMORY_H

#include <stdint.h>

/*
 * The least of what RLIMIT_AS, the control group and its parents, and the machine (free, freeable
 * and swap) leave, in bytes; UINT64_MAX where nobody says.  root stands before /proc and
 * /sys/fs/cgroup: "" in the program, a folder with planted files in a test.
 */
uint64_t memory_left(const char *root);

#endif
