/* SPDX-License-Identifier: ISC */
/*
 * cpu.c - the names of the features.  The same on every machine; probes nothing.
 */
#include <stddef.h>

#include "cpu/cpu.h"

static const struct {
	uint32_t feature;
	const char *name;
} names[] = {
	{CPU_AES, "AES"},           {CPU_PCLMULQDQ, "PCLMULQDQ"},
	{CPU_SSSE3, "SSSE3"},       {CPU_SSE4_1, "SSE4.1"},
	{CPU_AVX, "AVX"},           {CPU_AVX2, "AVX2"},
	{CPU_VAES, "VAES"},         {CPU_VPCLMULQDQ, "VPCLMULQDQ"},
	{CPU_AVX512F, "AVX512F"},   {CPU_AVX512BW, "AVX512BW"},
	{CPU_AVX512VL, "AVX512VL"}, {CPU_AVX512DQ, "AVX512DQ"},
};

const char *cpu_feature_name(uint32_t feature)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].feature == feature)
			return names[i].name;
	return NULL;
}
