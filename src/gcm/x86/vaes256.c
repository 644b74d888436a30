/* SPDX-License-Identifier: ISC */
/*
 * vaes256.c - settings: 256-bit VAES and VPCLMULQDQ, no AVX-512.
 *
 * Eight states and the three sums leave five of sixteen registers, so no more side by side; a group
 * is two batches, which halves the reductions.
 */
#include "gcm/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#include "cpu/cpu.h"

GCM_TARGET_BEGIN("aes,pclmul,avx2,vaes,vpclmulqdq")

#include "gcm/x86/vec256.h"

#define KERNEL vaes256
#define NEEDS                                                                               \
	(CPU_AES | CPU_PCLMULQDQ | CPU_SSSE3 | CPU_SSE4_1 | CPU_AVX | CPU_AVX2 | CPU_VAES | \
	 CPU_VPCLMULQDQ)
#define VECS  16
#define BATCH 8

#include "gcm/kernel_template.h"

GCM_TARGET_END

#endif
