/* SPDX-License-Identifier: ISC */
/*
 * bench_check.c - compares a kernel with the portable one before it is timed.
 *
 * Prints nothing.  The keys are random and guard nothing.
 */
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench_check.h"

#define KEY_BYTES 32
#define ALIGNMENT 64
#define EVERY_MAX 600   /* every length up to this, */
#define LARGE     16384 /* and those around this */
#define AROUND    40

struct side {
	struct gcm_key key;
	struct gcm_counter_cache cache;
	uint8_t tag[GCM_TAG_BYTES];
	uint8_t text[LARGE + AROUND];
};

struct pair {
	struct side ours, portable;
	uint8_t plain[LARGE + AROUND];
	uint8_t nonce[GCM_NONCE_BYTES];
};

static void seal_with(struct side *side, const struct pair *pair, size_t len)
{
	gcm_seal(&side->key, &side->cache, side->text, side->tag, pair->nonce, NULL, 0, pair->plain,
		 len);
}

static bool open_with(struct side *side, const struct pair *pair, size_t len)
{
	return gcm_open(&side->key, &side->cache, side->text, side->tag, pair->nonce, NULL, 0,
			side->text, len);
}

static bool agree(struct pair *pair, size_t len)
{
	struct side *ours = &pair->ours;
	struct side *portable = &pair->portable;

	sodium_increment(pair->nonce, sizeof pair->nonce);
	seal_with(ours, pair, len);
	seal_with(portable, pair, len);
	if (memcmp(ours->text, portable->text, len) != 0 ||
	    memcmp(ours->tag, portable->tag, GCM_TAG_BYTES) != 0)
		return false;
	if (!open_with(ours, pair, len) || memcmp(ours->text, pair->plain, len) != 0)
		return false;
	/* A wrong tag is refused, and leaves nothing but zeros. */
	memcpy(ours->text, portable->text, len);
	ours->tag[len % GCM_TAG_BYTES] ^= 1;
	return !open_with(ours, pair, len) && sodium_is_zero(ours->text, len) == 1;
}

static void prepare(struct pair *pair, const struct gcm_kernel *kernel,
		    const struct gcm_kernel *portable)
{
	uint8_t key[KEY_BYTES];

	randombytes_buf(key, sizeof key);
	randombytes_buf(pair->nonce, sizeof pair->nonce);
	randombytes_buf(pair->plain, sizeof pair->plain);
	(void)gcm_key_init(&pair->ours.key, kernel, key, sizeof key);
	(void)gcm_key_init(&pair->portable.key, portable, key, sizeof key);
	gcm_counter_cache_init(&pair->ours.cache);
	gcm_counter_cache_init(&pair->portable.cache);
}

enum fault bench_check(const struct gcm_kernel *kernel, const struct gcm_kernel *portable,
		       size_t *len)
{
	struct pair *pair = aligned_alloc(ALIGNMENT, sizeof *pair);
	enum fault fault = FAULT_NONE;

	if (pair == NULL)
		return FAULT_MEMORY;
	prepare(pair, kernel, portable);
	for (*len = 0; *len < LARGE + AROUND; ++*len) {
		if (*len == EVERY_MAX)
			*len = LARGE - AROUND;
		if (!agree(pair, *len)) {
			fault = FAULT_KERNEL_WRONG;
			break;
		}
	}
	free(pair);
	return fault;
}
