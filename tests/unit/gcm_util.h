/* SPDX-License-Identifier: ISC */
/*
 * gcm_util.h - what the tests of src/cpu and src/gcm share: which kernels run, bytes that are the
 * same in every run, and two other people's AES-GCM.
 *
 * GCMCRYPT_TEST_KERNEL, for these tests alone, leaves one kernel of the table.
 */
#ifndef GCMCRYPT_TEST_GCM_UTIL_H
#define GCMCRYPT_TEST_GCM_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#define gcm_key nettle_gcm_key /* nettle has a struct of that name too */
#include <nettle/gcm.h>
#undef gcm_key
#include <openssl/evp.h>
#include <sodium.h>

#include "cpu/cpu.h"
#include "gcm/kernel.h"

#define KERNELS_MAX 16

static const size_t key_lens[] = {16, 24, 32};

static const struct gcm_kernel *kernels[KERNELS_MAX];
static size_t kernel_count;

/* Fills kernels[] and says in TAP comments which ones run. */
static inline void find_kernels(void)
{
	const char *only = getenv("GCMCRYPT_TEST_KERNEL");
	uint32_t here = cpu_probe();

	for (size_t i = 0; i < gcm_kernel_count() && i < KERNELS_MAX; i++) {
		const struct gcm_kernel *kernel = gcm_kernel_at(i);
		const char *name = gcm_kernel_name(kernel);

		if (!gcm_kernel_usable(kernel, here)) {
			printf("# kernel %s: not usable here\n", name);
		} else if (only != NULL && strcmp(only, name) != 0) {
			printf("# kernel %s: left out\n", name);
		} else {
			printf("# kernel %s: run\n", name);
			kernels[kernel_count++] = kernel;
		}
	}
	fflush(stdout);
}

/* The same bytes for the same seed in every run. */
static inline void fill(uint8_t *out, size_t len, uint64_t seed)
{
	uint8_t bytes[randombytes_SEEDBYTES] = {0};

	memcpy(bytes, &seed, sizeof seed);
	randombytes_buf_deterministic(out, len, bytes);
}

static inline const EVP_CIPHER *evp_gcm(size_t key_len)
{
	return key_len == 16   ? EVP_aes_128_gcm()
	       : key_len == 24 ? EVP_aes_192_gcm()
			       : EVP_aes_256_gcm();
}

static inline const EVP_CIPHER *evp_ecb(size_t key_len)
{
	return key_len == 16   ? EVP_aes_128_ecb()
	       : key_len == 24 ? EVP_aes_192_ecb()
			       : EVP_aes_256_ecb();
}

/* One message as the tests know it.  ct and tag are what every kernel has to give. */
struct message {
	uint8_t key[32], nonce[GCM_NONCE_BYTES], tag[GCM_TAG_BYTES];
	const uint8_t *aad, *pt;
	uint8_t *ct;
	size_t key_len, aad_len, len;
};

/* Sets ct and tag by OpenSSL. */
static inline void openssl_seal(struct message *m)
{
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	int n;

	assert_int_equal(EVP_EncryptInit_ex(c, evp_gcm(m->key_len), NULL, m->key, m->nonce), 1);
	assert_int_equal(EVP_EncryptUpdate(c, NULL, &n, m->aad, (int)m->aad_len), 1);
	if (m->len != 0)
		assert_int_equal(EVP_EncryptUpdate(c, m->ct, &n, m->pt, (int)m->len), 1);
	assert_int_equal(EVP_EncryptFinal_ex(c, m->ct + m->len, &n), 1);
	assert_int_equal(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, m->tag), 1);
	EVP_CIPHER_CTX_free(c);
}

/* AES of whole blocks by OpenSSL. */
static inline void openssl_blocks(const uint8_t *key, size_t key_len, uint8_t *out,
				  const uint8_t *in, size_t len)
{
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	int n;

	assert_int_equal(EVP_EncryptInit_ex(c, evp_ecb(key_len), NULL, key, NULL), 1);
	assert_int_equal(EVP_CIPHER_CTX_set_padding(c, 0), 1);
	assert_int_equal(EVP_EncryptUpdate(c, out, &n, in, (int)len), 1);
	EVP_CIPHER_CTX_free(c);
}

#define NETTLE_SEAL(bits)                                              \
	do {                                                           \
		struct gcm_aes##bits##_ctx c;                          \
                                                                       \
		gcm_aes##bits##_set_key(&c, m->key);                   \
		gcm_aes##bits##_set_iv(&c, sizeof m->nonce, m->nonce); \
		gcm_aes##bits##_update(&c, m->aad_len, m->aad);        \
		gcm_aes##bits##_encrypt(&c, m->len, ct, m->pt);        \
		gcm_aes##bits##_digest(&c, sizeof tag, tag);           \
	} while (0)

/* Nettle has to agree with ct and tag; its ciphertext goes to ct. */
static inline void nettle_agrees(const struct message *m, uint8_t *ct)
{
	uint8_t tag[GCM_TAG_BYTES];

	if (m->key_len == 16)
		NETTLE_SEAL(128);
	else if (m->key_len == 24)
		NETTLE_SEAL(192);
	else
		NETTLE_SEAL(256);
	assert_memory_equal(ct, m->ct, m->len);
	assert_memory_equal(tag, m->tag, sizeof tag);
}

#endif
