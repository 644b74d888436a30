/* SPDX-License-Identifier: ISC */
/*
 * ticks.h - the finest clock that the processor has, for measurements only.
 *
 * Says how much time went by, never what time it is; nothing may be decided by it.
 */
#ifndef GCMCRYPT_CPU_TICKS_H
#define GCMCRYPT_CPU_TICKS_H

#include <stdint.h>

/* A counter that runs at a fixed rate: the time-stamp counter, or nanoseconds without one. */
uint64_t cpu_ticks(void);

/* What cpu_ticks() counts: "ticks" or "ns". */
const char *cpu_ticks_unit(void);

/* Nanoseconds of the system's monotonic clock. */
uint64_t cpu_nanoseconds(void);

#endif
