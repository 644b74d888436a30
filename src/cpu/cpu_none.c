/* SPDX-License-Identifier: ISC */
/*
 * cpu_none.c - the probe for machines that have no probe of their own: nothing found.
 */
#include "cpu/cpu.h"

#if !defined(__x86_64__)

uint32_t cpu_probe(void)
{
	return 0;
}

void cpu_model(char model[CPU_MODEL_BYTES])
{
	model[0] = '\0';
}

#endif
