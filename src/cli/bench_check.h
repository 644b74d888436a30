/* SPDX-License-Identifier: ISC */
/*
 * bench_check.h - whether a kernel says the same as the portable one.
 */
#ifndef GCMCRYPT_CLI_BENCH_CHECK_H
#define GCMCRYPT_CLI_BENCH_CHECK_H

#include "format/fault.h"
#include "gcm/gcm.h"

/*
 * Seals messages of many lengths with both, compares ciphertext and tag, opens them again and
 * tries a wrong tag.  FAULT_KERNEL_WRONG: they disagree, at length *len.  FAULT_MEMORY.
 */
enum fault bench_check(const struct gcm_kernel *kernel, const struct gcm_kernel *portable,
		       size_t *len);

#endif
