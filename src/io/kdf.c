/* SPDX-License-Identifier: ISC */
/*
 * kdf.c - one Argon2id, after a look at whether the machine can give what it needs.
 *
 * Owns no memory: libsodium takes Argon2id's and gives it back.
 */
#include "io/kdf.h"

#include <sodium.h>

#include "io/memory.h"
#include "io/signals.h"

#define S_BYTES     32
#define SPARE_BYTES (UINT64_C(8) << 20) /* for everything else that a running program needs */

uint64_t kdf_memory_left(void)
{
	uint64_t left = memory_left("");

	if (left == UINT64_MAX)
		return left;
	return left > SPARE_BYTES ? left - SPARE_BYTES : 0;
}

enum fault kdf_argon2id(struct slot_secret *secret, const struct slot_argon2 *params,
			const uint8_t *passphrase, size_t len)
{
	uint64_t need = (uint64_t)params->memory_kib * 1024;
	bool failed;

	/* Looked at first, since a system that overcommits kills instead of refusing. */
	if (need > SIZE_MAX || kdf_memory_left() < need)
		return FAULT_KDF_MEMORY;
	/* It may take minutes, and libsodium asks nobody whether to go on. */
	if (!signals_end_at_once())
		return FAULT_SIGNAL;
	secret->len = S_BYTES;
	failed = crypto_pwhash_argon2id(secret->bytes, S_BYTES, (const char *)passphrase, len,
					params->salt, params->passes, (size_t)need,
					crypto_pwhash_argon2id_ALG_ARGON2ID13) != 0;
	signals_set_flag_again();
	if (failed)
		slot_secret_wipe(secret);
	return failed ? FAULT_KDF_MEMORY : FAULT_NONE;
}
