/* SPDX-License-Identifier: ISC */
/*
 * ticks.c - the time-stamp counter of x86, the monotonic clock elsewhere.
 *
 * Owns the choice between the two; must not be used for anything but measuring.
 */
#include <time.h>

#include "cpu/ticks.h"

uint64_t cpu_nanoseconds(void)
{
	struct timespec now = {0, 0};

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)
uint64_t cpu_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

const char *cpu_ticks_unit(void)
{
	return "ticks";
}
#else
uint64_t cpu_ticks(void)
{
	return cpu_nanoseconds();
}

const char *cpu_ticks_unit(void)
{
	return "ns";
}
#endif
