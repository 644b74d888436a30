/* SPDX-License-Identifier: ISC */
/*
 * kdf.h - Argon2id (RFC 9106, version 1.3, one lane) through libsodium, which allocates for it.
 */
#ifndef GCMCRYPT_IO_KDF_H
#define GCMCRYPT_IO_KDF_H

#include <stdint.h>

#include "format/fault.h"
#include "format/slot.h"

/*
 * How many bytes Argon2id could take now, by what the machine, its control group and RLIMIT_AS
 * leave; UINT64_MAX where nobody says.
 */
uint64_t kdf_memory_left(void);

/*
 * S of a passphrase slot.  FAULT_KDF_MEMORY when the machine, its control group or RLIMIT_AS has
 * less than params->memory_kib to give: looked at before anything is allocated, never a wrong
 * passphrase.  FAULT_SIGNAL when one was caught before; one that comes meanwhile ends the process at
 * once, so no output may be open.
 */
enum fault kdf_argon2id(struct slot_secret *secret, const struct slot_argon2 *params,
			const uint8_t *passphrase, size_t len);

#endif
