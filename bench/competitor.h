/* SPDX-License-Identifier: ISC */
/*
 * competitor.h - what bench measures: several implementations of AES-GCM behind one interface.
 *
 * For the files of bench/ alone.  A competitor seals or opens many messages in one call, so that
 * its loop calls its library directly and a short message is not measured through a pointer.
 */
#ifndef GCMCRYPT_BENCH_COMPETITOR_H
#define GCMCRYPT_BENCH_COMPETITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gcm/gcm.h"

/*
 * The nonces of one call, and the tags of one ciphertext under each: base nonce xor number, the
 * number counting up as chunks of a payload do.  Two runs of 256, so that the nonce's second
 * last byte changes after every 256 messages, just as it does in a long payload.
 */
#define BENCH_TICKETS 512

struct bench_ticket {
	_Alignas(32) uint8_t nonce[GCM_NONCE_BYTES]; /* never across two cache lines */
	uint8_t tag[GCM_TAG_BYTES];
};

/* One message, again and again under the next ticket; after the last comes the first. */
struct bench_load {
	const struct bench_ticket *tickets;
	const uint8_t *aad;
	const uint8_t *in;
	uint8_t *out;
	uint8_t *tag; /* where sealing puts it; opening checks the ticket's */
	size_t aad_len;
	size_t len;
	size_t first; /* number of the next message: tells its ticket */
};

/* The ticket of the i-th message of a call. */
static inline const struct bench_ticket *bench_load_ticket(const struct bench_load *load, size_t i)
{
	return &load->tickets[(load->first + i) % BENCH_TICKETS];
}

struct bench_competitor {
	char name[24];
	bool is_bound; /* computes no AES-GCM: what the processor's ports allow */
	void *state;
	void (*seal)(void *state, const struct bench_load *load, size_t count);
	bool (*open)(void *state, const struct bench_load *load, size_t count); /* all right? */
	void (*release)(void *state);
};

#define BENCH_COMPETITORS_MAX 16

/* Those who take part, for one key; OpenSSL is first, and the one to agree with. */
struct bench_field {
	struct bench_competitor list[BENCH_COMPETITORS_MAX];
	size_t count;
};

/* Each adds its competitors, as far as they run here, for a key of 16 or 32 bytes. */
void bench_join_openssl(struct bench_field *field, const uint8_t *key, size_t key_len);
void bench_join_ours(struct bench_field *field, const uint8_t *key, size_t key_len);
void bench_join_sodium(struct bench_field *field, const uint8_t *key, size_t key_len);
void bench_join_bounds(struct bench_field *field, const uint8_t *key, size_t key_len);

/* All of the above, and their end. */
void bench_field_open(struct bench_field *field, const uint8_t *key, size_t key_len);
void bench_field_close(struct bench_field *field);

/* A new place in the field, named. */
struct bench_competitor *bench_field_add(struct bench_field *field, const char *name);

/* Zeroed memory that begins on a page; never NULL. */
void *bench_memory(size_t len);

/* Prints "bench: ..." on standard error and ends the program with status 1. */
_Noreturn void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
