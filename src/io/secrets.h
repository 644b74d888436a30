/* SPDX-License-Identifier: ISC */
/*
 * secrets.h - the one locked arena that every secret is born in.
 *
 * 16 KiB, and 8 KiB more for each worker; guarded by libsodium, locked against swapping, left out
 * of core dumps and forked processes, and wiped as a whole.  Pieces are never given back one by one.
 */
#ifndef GCMCRYPT_IO_SECRETS_H
#define GCMCRYPT_IO_SECRETS_H

#include <stdbool.h>
#include <stddef.h>

#define SECRETS_BASE_BYTES   16384
#define SECRETS_WORKER_BYTES 8192
#define SECRETS_STACK_BYTES  16384 /* deeper than key work goes: for sodium_stackzero() */

struct secrets;

/* An arena for that many workers, sodium_init() done; NULL: no memory. */
struct secrets *secrets_new(unsigned workers);

/* Whether the system locked it; where not, the caller warns once and goes on. */
bool secrets_locked(const struct secrets *secrets);

/* len zero bytes on a 64-byte boundary; NULL when the arena is full. */
void *secrets_take(struct secrets *secrets, size_t len);

/* Wipes everything that was taken and frees it; NULL does nothing. */
void secrets_free(struct secrets *secrets);

/* No core dumps and no tracing of this process from now on (RLIMIT_CORE, PR_SET_DUMPABLE). */
void secrets_harden_process(void);

#endif
