/* SPDX-License-Identifier: ISC */
/*
 * vaes512.c - settings: 512-bit VAES and VPCLMULQDQ.
 *
 * Eight vectors side by side: two AES units with a latency of four cycles need that many.  Measured
 * for 16 KiB on a Zen 5 core: 0.147 cycles a byte instead of 0.176 with four, all rounds done.
 *
 * There the two pipes of AES, which multiplications share, are what a loop is short of: with cached
 * rounds a vector takes 15.25 of their slots, 7.6 cycles, and the loop 8.8, since some of the eight
 * shuffles and xors beside them get a slot there too.
 */
#include "gcm/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#include "cpu/cpu.h"

GCM_TARGET_BEGIN("aes,pclmul,avx512f,avx512bw,avx512vl,vaes,vpclmulqdq")

#include "gcm/x86/vec512.h"

#define KERNEL vaes512
#define NEEDS                                                                               \
	(CPU_AES | CPU_PCLMULQDQ | CPU_SSSE3 | CPU_SSE4_1 | CPU_AVX | CPU_AVX2 | CPU_VAES | \
	 CPU_VPCLMULQDQ | CPU_AVX512F | CPU_AVX512BW | CPU_AVX512VL)
#define VECS  8
#define BATCH 8

#include "gcm/kernel_template.h"

GCM_TARGET_END

#endif
