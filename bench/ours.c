/* SPDX-License-Identifier: ISC */
/*
 * ours.c - every kernel of ours that runs here, called as the payload layer calls it: through
 * gcm_seal() and gcm_open(), one prepared key, one counter cache.
 */
#include <stdlib.h>

#include "competitor.h"
#include "cpu/cpu.h"

struct ours {
	struct gcm_key key;
	struct gcm_counter_cache cache;
};

static void seal(void *state, const struct bench_load *load, size_t count)
{
	struct ours *ours = state;

	for (size_t i = 0; i < count; i++)
		gcm_seal(&ours->key, &ours->cache, load->out, load->tag,
			 bench_load_ticket(load, i)->nonce, load->aad, load->aad_len, load->in,
			 load->len);
}

static bool open(void *state, const struct bench_load *load, size_t count)
{
	struct ours *ours = state;
	bool right = true;

	for (size_t i = 0; i < count; i++) {
		const struct bench_ticket *ticket = bench_load_ticket(load, i);

		right &= gcm_open(&ours->key, &ours->cache, load->out, ticket->tag, ticket->nonce,
				  load->aad, load->aad_len, load->in, load->len);
	}
	return right;
}

static void release(void *state)
{
	struct ours *ours = state;

	gcm_key_wipe(&ours->key);
	gcm_counter_cache_wipe(&ours->cache);
	free(ours);
}

void bench_join_ours(struct bench_field *field, const uint8_t *key, size_t key_len)
{
	const uint32_t here = cpu_probe();

	for (size_t i = 0; i < gcm_kernel_count(); i++) {
		const struct gcm_kernel *kernel = gcm_kernel_at(i);
		struct bench_competitor *competitor;
		struct ours *ours;

		if (!gcm_kernel_usable(kernel, here))
			continue;
		if (gcm_kernel_select(here, gcm_kernel_name(kernel)) == NULL)
			bench_die("kernel %s fails its self-test", gcm_kernel_name(kernel));
		ours = bench_memory(sizeof *ours);
		(void)gcm_key_init(&ours->key, kernel, key, key_len);
		gcm_counter_cache_init(&ours->cache);
		competitor = bench_field_add(field, gcm_kernel_name(kernel));
		competitor->state = ours;
		competitor->seal = seal;
		competitor->open = open;
		competitor->release = release;
	}
}
