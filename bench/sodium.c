/* SPDX-License-Identifier: ISC */
/*
 * sodium.c - libsodium's AES-256-GCM at its best: what it can prepare of a key is kept.  It has
 * no other key length, and needs AES instructions.
 */
#include <sodium.h>
#include <stdlib.h>

#include "competitor.h"

static void seal(void *state, const struct bench_load *load, size_t count)
{
	const crypto_aead_aes256gcm_state *key = state;

	for (size_t i = 0; i < count; i++)
		(void)crypto_aead_aes256gcm_encrypt_detached_afternm(
			load->out, load->tag, NULL, load->in, load->len, load->aad, load->aad_len,
			NULL, bench_load_ticket(load, i)->nonce, key);
}

static bool open(void *state, const struct bench_load *load, size_t count)
{
	const crypto_aead_aes256gcm_state *key = state;
	bool right = true;

	for (size_t i = 0; i < count; i++) {
		const struct bench_ticket *ticket = bench_load_ticket(load, i);

		right &= crypto_aead_aes256gcm_decrypt_detached_afternm(
				 load->out, NULL, load->in, load->len, ticket->tag, load->aad,
				 load->aad_len, ticket->nonce, key) == 0;
	}
	return right;
}

static void release(void *state)
{
	sodium_memzero(state, sizeof(crypto_aead_aes256gcm_state));
	free(state);
}

void bench_join_sodium(struct bench_field *field, const uint8_t *key, size_t key_len)
{
	struct bench_competitor *competitor;
	crypto_aead_aes256gcm_state *state;

	if (key_len != crypto_aead_aes256gcm_KEYBYTES || !crypto_aead_aes256gcm_is_available())
		return;
	state = bench_memory(sizeof *state);
	(void)crypto_aead_aes256gcm_beforenm(state, key);
	competitor = bench_field_add(field, "libsodium");
	competitor->state = state;
	competitor->seal = seal;
	competitor->open = open;
	competitor->release = release;
}
