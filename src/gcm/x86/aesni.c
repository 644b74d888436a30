/* SPDX-License-Identifier: ISC */
/*
 * aesni.c - settings: 128-bit AES-NI and PCLMULQDQ, no AVX.
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

GCM_TARGET_BEGIN("aes,pclmul,ssse3,sse4.1")

#include "gcm/x86/vec128.h"

#define KERNEL aesni
#define NEEDS  (CPU_AES | CPU_PCLMULQDQ | CPU_SSSE3 | CPU_SSE4_1)
#define VECS   16
#define BATCH  8

#include "gcm/kernel_template.h"

GCM_TARGET_END

#endif
