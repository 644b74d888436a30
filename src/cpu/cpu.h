/* SPDX-License-Identifier: ISC */
/*
 * cpu.h - which CPU features this program cares about, and which are here.
 *
 * Depends on nothing of ours.  A bit is set only where the processor has the instructions and
 * the system saves the registers they use, so a set bit means "may be executed now".
 */
#ifndef GCMCRYPT_CPU_CPU_H
#define GCMCRYPT_CPU_CPU_H

#include <stdint.h>

enum cpu_feature {
	CPU_AES = 1u << 0,
	CPU_PCLMULQDQ = 1u << 1,
	CPU_SSSE3 = 1u << 2,
	CPU_SSE4_1 = 1u << 3,
	CPU_AVX = 1u << 4,
	CPU_AVX2 = 1u << 5,
	CPU_VAES = 1u << 6,
	CPU_VPCLMULQDQ = 1u << 7,
	CPU_AVX512F = 1u << 8,
	CPU_AVX512BW = 1u << 9,
	CPU_AVX512VL = 1u << 10,
	CPU_AVX512DQ = 1u << 11,
};

/* Longest text of cpu_model(), its final NUL included. */
#define CPU_MODEL_BYTES 49

/* Asks the processor and the system; caches nothing.  Returns an OR of enum cpu_feature. */
uint32_t cpu_probe(void);

/* The name of one feature bit ("VAES"), or NULL for a bit that has none. */
const char *cpu_feature_name(uint32_t feature);

/* What the processor calls itself, as NUL-terminated text; empty where it does not say. */
void cpu_model(char model[CPU_MODEL_BYTES]);

#endif
