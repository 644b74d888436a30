/* SPDX-License-Identifier: ISC */
/*
 * stage.c - messages, nonces and tags for all competitors, and whether these agree.
 *
 * Times nothing.  Keys and texts are random and guard nothing.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "stage.h"

/* An output lies half a page off its input, lest a load look like a store before it (4 KiB). */
#define HALF_PAGE 2048

void bench_stage_begin(struct bench_stage *stage, size_t aad_len)
{
	uint8_t base[GCM_NONCE_BYTES];

	stage->plain = bench_memory(BENCH_SIZE_MAX);
	stage->sealed = bench_memory(BENCH_SIZE_MAX);
	stage->out = (uint8_t *)bench_memory(BENCH_SIZE_MAX + HALF_PAGE) + HALF_PAGE;
	stage->other = bench_memory(BENCH_SIZE_MAX);
	stage->tickets = bench_memory(BENCH_TICKETS * sizeof *stage->tickets);
	stage->aad_len = aad_len;
	randombytes_buf(stage->plain, BENCH_SIZE_MAX);
	randombytes_buf(stage->aad, sizeof stage->aad);
	randombytes_buf(base, sizeof base);
	for (size_t i = 0; i < BENCH_TICKETS; i++) {
		uint8_t *nonce = stage->tickets[i].nonce;

		memcpy(nonce, base, GCM_NONCE_BYTES);
		nonce[GCM_NONCE_BYTES - 1] ^= (uint8_t)i;
		nonce[GCM_NONCE_BYTES - 2] ^= (uint8_t)(i >> 8);
	}
}

void bench_stage_end(struct bench_stage *stage)
{
	free(stage->tickets);
	free(stage->other);
	free(stage->out - HALF_PAGE);
	free(stage->sealed);
	free(stage->plain);
}

struct bench_load bench_stage_seal_load(struct bench_stage *stage, size_t len)
{
	return (struct bench_load){
		.tickets = stage->tickets,
		.aad = stage->aad,
		.in = stage->plain,
		.out = stage->out,
		.tag = stage->tag,
		.aad_len = stage->aad_len,
		.len = len,
	};
}

struct bench_load bench_stage_open_load(struct bench_stage *stage, size_t len)
{
	struct bench_load load = bench_stage_seal_load(stage, len);

	load.in = stage->sealed;
	return load;
}

static void add(uint8_t tag[GCM_TAG_BYTES], const uint8_t term[GCM_TAG_BYTES])
{
	for (size_t i = 0; i < GCM_TAG_BYTES; i++)
		tag[i] ^= term[i];
}

/*
 * A tag is GHASH(AAD, ciphertext) xor E(J0), and E(J0) is the tag of an empty message.  So one
 * ciphertext, which stays in the cache, can be opened under every ticket.
 */
void bench_stage_set(struct bench_stage *stage, const struct bench_competitor *reference,
		     size_t len)
{
	struct bench_load load = bench_stage_seal_load(stage, len);
	uint8_t hash[GCM_TAG_BYTES];

	load.out = stage->sealed;
	reference->seal(reference->state, &load, 1);
	memcpy(hash, stage->tag, sizeof hash);
	load.out = stage->out;
	load.len = 0;
	load.aad_len = 0;
	reference->seal(reference->state, &load, 1);
	add(hash, stage->tag);
	for (size_t i = 0; i < BENCH_TICKETS; i++) {
		load.tickets = &stage->tickets[i];
		reference->seal(reference->state, &load, 1);
		memcpy(stage->tickets[i].tag, stage->tag, GCM_TAG_BYTES);
		add(stage->tickets[i].tag, hash);
	}
}

static void same(const struct bench_competitor *competitor, const char *what, size_t len,
		 bool right)
{
	if (!right)
		bench_die("%s and OpenSSL differ: %s of %zu bytes", competitor->name, what, len);
}

static void agree_on_seal(struct bench_stage *stage, const struct bench_competitor *reference,
			  const struct bench_competitor *competitor, size_t ticket, size_t len)
{
	struct bench_load load = bench_stage_seal_load(stage, len);
	uint8_t tag[GCM_TAG_BYTES];

	load.tickets += ticket;
	competitor->seal(competitor->state, &load, 1);
	load.out = stage->other;
	load.tag = tag;
	reference->seal(reference->state, &load, 1);
	same(competitor, "ciphertext", len, memcmp(stage->out, stage->other, len) == 0);
	same(competitor, "tag", len, memcmp(stage->tag, tag, sizeof tag) == 0);
}

static void agree_on_open(struct bench_stage *stage, const struct bench_competitor *reference,
			  const struct bench_competitor *competitor, size_t ticket, size_t len)
{
	struct bench_load load = bench_stage_open_load(stage, len);
	struct bench_ticket wrong = stage->tickets[ticket];

	load.tickets += ticket;
	same(competitor, "opening", len, competitor->open(competitor->state, &load, 1));
	load.out = stage->other;
	same(reference, "opening", len, reference->open(reference->state, &load, 1));
	same(competitor, "plaintext", len, memcmp(stage->out, stage->other, len) == 0);
	wrong.tag[ticket % GCM_TAG_BYTES] ^= 1;
	load.tickets = &wrong;
	same(competitor, "a wrong tag", len, !competitor->open(competitor->state, &load, 1));
}

void bench_stage_agree(struct bench_stage *stage, const struct bench_competitor *reference,
		       const struct bench_competitor *competitor, size_t len)
{
	/* On both sides of the number where the nonce's second last byte changes. */
	static const size_t tickets[] = {0, 1, 255, 256, 511};

	for (size_t i = 0; i < sizeof tickets / sizeof tickets[0]; i++) {
		agree_on_seal(stage, reference, competitor, tickets[i], len);
		agree_on_open(stage, reference, competitor, tickets[i], len);
	}
}
