/* SPDX-License-Identifier: ISC */
/*
 * openssl.c - OpenSSL's EVP at its best: the key is set up once in a context that is kept, a
 * message sets its nonce alone, and its tag is made or checked.
 */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "competitor.h"

struct openssl {
	EVP_CIPHER_CTX *seal;
	EVP_CIPHER_CTX *open;
};

static void seal(void *state, const struct bench_load *load, size_t count)
{
	EVP_CIPHER_CTX *context = ((struct openssl *)state)->seal;
	bool right = true;
	int n = 0;

	for (size_t i = 0; i < count; i++) {
		const uint8_t *nonce = bench_load_ticket(load, i)->nonce;

		right &= EVP_EncryptInit_ex(context, NULL, NULL, NULL, nonce) == 1;
		if (load->aad_len != 0)
			right &= EVP_EncryptUpdate(context, NULL, &n, load->aad,
						   (int)load->aad_len) == 1;
		if (load->len != 0)
			right &= EVP_EncryptUpdate(context, load->out, &n, load->in,
						   (int)load->len) == 1;
		right &= EVP_EncryptFinal_ex(context, load->out + load->len, &n) == 1;
		right &= EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, GCM_TAG_BYTES,
					     load->tag) == 1;
	}
	if (!right)
		bench_die("OpenSSL does not seal");
}

static bool open(void *state, const struct bench_load *load, size_t count)
{
	EVP_CIPHER_CTX *context = ((struct openssl *)state)->open;
	uint8_t tag[GCM_TAG_BYTES];
	bool right = true;
	int n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct bench_ticket *ticket = bench_load_ticket(load, i);

		memcpy(tag, ticket->tag, sizeof tag); /* its parameter is not const */
		right &= EVP_DecryptInit_ex(context, NULL, NULL, NULL, ticket->nonce) == 1;
		right &= EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, GCM_TAG_BYTES, tag) ==
			 1;
		if (load->aad_len != 0)
			right &= EVP_DecryptUpdate(context, NULL, &n, load->aad,
						   (int)load->aad_len) == 1;
		if (load->len != 0)
			right &= EVP_DecryptUpdate(context, load->out, &n, load->in,
						   (int)load->len) == 1;
		right &= EVP_DecryptFinal_ex(context, load->out + load->len, &n) == 1;
	}
	return right;
}

static void release(void *state)
{
	struct openssl *openssl = state;

	EVP_CIPHER_CTX_free(openssl->seal);
	EVP_CIPHER_CTX_free(openssl->open);
	free(openssl);
}

void bench_join_openssl(struct bench_field *field, const uint8_t *key, size_t key_len)
{
	const EVP_CIPHER *cipher = key_len == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm();
	struct bench_competitor *competitor = bench_field_add(field, "openssl");
	struct openssl *openssl = bench_memory(sizeof *openssl);

	openssl->seal = EVP_CIPHER_CTX_new();
	openssl->open = EVP_CIPHER_CTX_new();
	if (openssl->seal == NULL || openssl->open == NULL ||
	    EVP_EncryptInit_ex(openssl->seal, cipher, NULL, key, NULL) != 1 ||
	    EVP_DecryptInit_ex(openssl->open, cipher, NULL, key, NULL) != 1)
		bench_die("OpenSSL has no AES-GCM");
	competitor->state = openssl;
	competitor->seal = seal;
	competitor->open = open;
	competitor->release = release;
}
