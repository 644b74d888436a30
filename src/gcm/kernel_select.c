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
 * The self-test's messages: key byte i is i, nonce byte i 0xc0 + i, AAD byte i 0xa0 + i, text byte
 * i 7 i + i / 256.  One is long enough for the widest group's whole loop, for more than 256
 * counter blocks and for a short last block.  The others are 0, 1, 4, 9 and so on to 484 bytes of
 * that text, for the ways that short messages take; the tag of each is the next one's AAD, and the
 * last tag stands for all.  The tags are OpenSSL 3.0's.  A tag is a known answer for the
 * ciphertext too, since it is a sum over every byte of it.
 */
enum { TEXT = 5003, AAD = 20, SHORT = 23 };

static const struct {
	size_t key_len;
	uint8_t long_tag[GCM_TAG_BYTES], short_tag[GCM_TAG_BYTES];
} answers[] = {
	{16,
	 {0x4f, 0x0c, 0x7c, 0xcf, 0xfb, 0xbc, 0x22, 0xab, 0x50, 0x25, 0x98, 0x3b, 0x22, 0xf5, 0x66,
	  0xcb},
	 {0xa9, 0x84, 0x97, 0x7c, 0x27, 0xb3, 0x4b, 0xc8, 0x68, 0x7c, 0x8b, 0x25, 0x98, 0x3c, 0x67,
	  0x90}},
	{24,
	 {0xdf, 0xe8, 0x28, 0x41, 0xb0, 0x00, 0xe6, 0x1b, 0xba, 0x14, 0xa3, 0x3e, 0xe9, 0x41, 0x51,
	  0x85},
	 {0x9b, 0x6d, 0xad, 0x78, 0x76, 0x68, 0xf1, 0x86, 0x85, 0xc0, 0x82, 0x8d, 0xa2, 0x97, 0xd0,
	  0xbc}},
	{32,
	 {0xf7, 0x11, 0x7b, 0x58, 0xc0, 0x6a, 0x7c, 0x19, 0xe9, 0x26, 0x86, 0x1d, 0x0c, 0x0a, 0x38,
	  0x3f},
	 {0x36, 0x1e, 0xc3, 0x21, 0x15, 0x9f, 0x1a, 0xdd, 0xfa, 0x93, 0x0d, 0xe7, 0xdd, 0xac, 0xa0,
	  0x8a}},
};

static uint8_t text_byte(size_t i)
{
	return (uint8_t)(7 * i + i / 256);
}

/* What is sealed, and room for it. */
struct message {
	uint8_t text[TEXT], aad[AAD], nonce[GCM_NONCE_BYTES], tag[GCM_TAG_BYTES];
};

static void message_fill(struct message *m)
{
	for (size_t i = 0; i < sizeof m->text; i++)
		m->text[i] = text_byte(i);
	for (size_t i = 0; i < sizeof m->aad; i++)
		m->aad[i] = (uint8_t)(0xa0 + i);
	for (size_t i = 0; i < sizeof m->nonce; i++)
		m->nonce[i] = (uint8_t)(0xc0 + i);
}

/* Seals and opens the first len bytes in place: is the text back, and the tag right? */
static bool there_and_back(const struct gcm_key *key, struct gcm_counter_cache *cache,
			   struct message *m, size_t aad_len, size_t len)
{
	bool good;

	gcm_seal(key, cache, m->text, m->tag, m->nonce, m->aad, aad_len, m->text, len);
	good = gcm_open(key, cache, m->text, m->tag, m->nonce, m->aad, aad_len, m->text, len);
	for (size_t i = 0; i < len; i++)
		good = good && m->text[i] == text_byte(i);
	return good;
}

static bool short_match(const struct gcm_key *key, const uint8_t right_tag[GCM_TAG_BYTES])
{
	struct message m;
	bool good = true;

	message_fill(&m);
	for (size_t i = 0; i < SHORT; i++) {
		good = there_and_back(key, NULL, &m, i == 0 ? 0 : GCM_TAG_BYTES, i * i) && good;
		memcpy(m.aad, m.tag, sizeof m.tag);
	}
	return good && memcmp(m.tag, right_tag, sizeof m.tag) == 0;
}

static bool long_match(const struct gcm_key *key, struct gcm_counter_cache *cache,
		       const uint8_t right_tag[GCM_TAG_BYTES])
{
	struct message m;

	message_fill(&m);
	return there_and_back(key, cache, &m, sizeof m.aad, sizeof m.text) &&
	       memcmp(m.tag, right_tag, sizeof m.tag) == 0;
}

/* A tag with one byte changed, each of them in turn, is refused and leaves a zero byte. */
static bool refuses_others(const struct gcm_key *key)
{
	struct message m;
	bool good = true;
	uint8_t sealed;

	message_fill(&m);
	gcm_seal(key, NULL, &sealed, m.tag, m.nonce, NULL, 0, m.text, 1);
	for (size_t i = 0; i < sizeof m.tag; i++) {
		m.tag[i] ^= 1;
		good = !gcm_open(key, NULL, m.text, m.tag, m.nonce, NULL, 0, &sealed, 1) && good;
		good = sodium_is_zero(m.text, 1) && good;
		m.tag[i] ^= 1;
	}
	return gcm_open(key, NULL, m.text, m.tag, m.nonce, NULL, 0, &sealed, 1) && good;
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
		good = long_match(&key, NULL, answers[i].long_tag) && good;
		good = long_match(&key, &cache, answers[i].long_tag) && good;
		good = short_match(&key, answers[i].short_tag) && good;
		good = refuses_others(&key) && good;
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
