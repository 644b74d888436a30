/* SPDX-License-Identifier: ISC */
/*
 * kernel_select.c - the table of kernels, and the first one whose needs are met and whose
 * self-test passes.  A kernel that computes anything else than AES-GCM is never handed out.
 */
#include <sodium.h>
#include <string.h>

#include "gcm/kernel.h"

static const struct gcm_kernel *const kernels[] = {
#define GCM_KERNEL(kernel) &gcm_kernel_##kernel,
#include "gcm/kernels.def"
#undef GCM_KERNEL
};

#define KERNELS (sizeof kernels / sizeof kernels[0])

size_t gcm_kernel_count(void)
{
	return KERNELS;
}

const struct gcm_kernel *gcm_kernel_at(size_t i)
{
	return i < KERNELS ? kernels[i] : NULL;
}

const char *gcm_kernel_name(const struct gcm_kernel *kernel)
{
	return kernel->name;
}

uint32_t gcm_kernel_needs(const struct gcm_kernel *kernel)
{
	return kernel->needs;
}

bool gcm_kernel_usable(const struct gcm_kernel *kernel, uint32_t cpu_features)
{
	return (kernel->needs & ~cpu_features) == 0;
}

/*
 * The self-test's message: key byte i is i, nonce byte i 0xc0 + i, AAD byte i 0xa0 + i, text byte
 * i 7 i + i / 256.  Long enough for the widest group's whole loop, for more than 256 counter
 * blocks and for a short last block.  The tags are OpenSSL 3.0's.  A tag is a known answer for
 * the ciphertext too, since it is a sum over every byte of it.
 */
enum { TEXT = 5003, AAD = 20 };

static const struct {
	size_t key_len;
	uint8_t tag[GCM_TAG_BYTES];
} answers[] = {
	{16,
	 {0x4f, 0x0c, 0x7c, 0xcf, 0xfb, 0xbc, 0x22, 0xab, 0x50, 0x25, 0x98, 0x3b, 0x22, 0xf5, 0x66,
	  0xcb}},
	{24,
	 {0xdf, 0xe8, 0x28, 0x41, 0xb0, 0x00, 0xe6, 0x1b, 0xba, 0x14, 0xa3, 0x3e, 0xe9, 0x41, 0x51,
	  0x85}},
	{32,
	 {0xf7, 0x11, 0x7b, 0x58, 0xc0, 0x6a, 0x7c, 0x19, 0xe9, 0x26, 0x86, 0x1d, 0x0c, 0x0a, 0x38,
	  0x3f}},
};

static uint8_t text_byte(size_t i)
{
	return (uint8_t)(7 * i + i / 256);
}

/* Seals and opens in place, refuses the tag with each of its bytes changed, and leaves zeroes. */
static bool answers_match(const struct gcm_key *key, struct gcm_counter_cache *cache,
			  const uint8_t right_tag[GCM_TAG_BYTES])
{
	uint8_t text[TEXT], aad[AAD], nonce[GCM_NONCE_BYTES], tag[GCM_TAG_BYTES];
	bool good;

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = text_byte(i);
	for (size_t i = 0; i < sizeof aad; i++)
		aad[i] = (uint8_t)(0xa0 + i);
	for (size_t i = 0; i < sizeof nonce; i++)
		nonce[i] = (uint8_t)(0xc0 + i);

	gcm_seal(key, cache, text, tag, nonce, aad, sizeof aad, text, sizeof text);
	good = memcmp(tag, right_tag, sizeof tag) == 0;
	good = gcm_open(key, cache, text, tag, nonce, aad, sizeof aad, text, sizeof text) && good;
	for (size_t i = 0; i < sizeof text; i++)
		good = good && text[i] == text_byte(i);
	for (size_t i = 0; i < sizeof tag; i++) {
		tag[i] ^= 1;
		good = !gcm_open(key, cache, text, tag, nonce, NULL, 0, text, 1) && good;
		tag[i] ^= 1;
	}
	tag[15] ^= 0x80;
	good = !gcm_open(key, cache, text, tag, nonce, aad, sizeof aad, text, sizeof text) && good;
	return good && sodium_is_zero(text, sizeof text);
}

static bool self_test(const struct gcm_kernel *kernel)
{
	struct gcm_counter_cache cache;
	struct gcm_key key;
	uint8_t bytes[32];
	bool good = true;

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)i;
	gcm_counter_cache_init(&cache);
	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		good = gcm_key_init(&key, kernel, bytes, answers[i].key_len) && good;
		good = answers_match(&key, NULL, answers[i].tag) && good;
		good = answers_match(&key, &cache, answers[i].tag) && good;
	}
	return good;
}

const struct gcm_kernel *gcm_kernel_select(uint32_t cpu_features, const char *name_or_null)
{
	for (size_t i = 0; i < KERNELS; i++) {
		if (name_or_null != NULL && strcmp(name_or_null, kernels[i]->name) != 0)
			continue;
		if (gcm_kernel_usable(kernels[i], cpu_features) && self_test(kernels[i]))
			return kernels[i];
	}
	return NULL;
}
