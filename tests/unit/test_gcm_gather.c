/* SPDX-License-Identifier: ISC */
/*
 * test_gcm_gather.c - gcm_seal_gather() against OpenSSL's seal of the joined text, however a text
 * is cut: all splits of short ones, random and regular ones of long ones, empty pieces anywhere, each
 * piece against a page that no one may touch, with a counter cache that stays in place.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "gcm_util.h"

#define TEXT_MAX   (65536 + 300)
#define PIECES_MAX 2048
#define CANARY     64

static uint8_t text[TEXT_MAX], sealed[TEXT_MAX], work[CANARY + TEXT_MAX + CANARY];
static struct gcm_slice pieces[PIECES_MAX];

/* A kernel with a key, and the message that it has to seal. */
struct bed {
	struct gcm_key key;
	struct gcm_counter_cache cache;
	struct message m;
};

static void begin(struct bed *b, const struct gcm_kernel *kernel, size_t key_len)
{
	static const uint8_t aad[13] = {1, 2, 3};

	memset(&b->m, 0, sizeof b->m);
	fill(b->m.key, sizeof b->m.key, 71);
	fill(b->m.nonce, sizeof b->m.nonce, 72);
	b->m.key_len = key_len;
	b->m.aad = aad;
	b->m.aad_len = sizeof aad;
	b->m.pt = text;
	b->m.ct = sealed;
	assert_true(gcm_key_init(&b->key, kernel, b->m.key, key_len));
	gcm_counter_cache_init(&b->cache);
}

static void set_length(struct bed *b, size_t len)
{
	b->m.nonce[11]++;
	b->m.len = len;
	openssl_seal(&b->m);
}

/* The same with a cache and without one; no byte beside the ciphertext changes. */
static void check(struct bed *b, size_t count)
{
	uint8_t tag[GCM_TAG_BYTES], *out = work + CANARY;

	for (size_t with = 0; with < 2; with++) {
		memset(work, 0xc5, CANARY);
		memset(out, 0xc5, b->m.len + CANARY);
		memset(tag, 0, sizeof tag);
		gcm_seal_gather(&b->key, with == 0 ? NULL : &b->cache, out, tag, b->m.nonce,
				b->m.aad, b->m.aad_len, pieces, count);
		assert_memory_equal(out, b->m.ct, b->m.len);
		assert_memory_equal(tag, b->m.tag, sizeof tag);
		for (size_t i = 0; i < CANARY; i++) {
			assert_int_equal(work[i], 0xc5);
			assert_int_equal(out[b->m.len + i], 0xc5);
		}
	}
}

/* The next piece, of the text's bytes from at on; an empty one points nowhere. */
static size_t put(size_t count, size_t at, size_t len)
{
	assert_true(count < PIECES_MAX);
	pieces[count] = (struct gcm_slice){len == 0 ? NULL : text + at, len};
	return count + 1;
}

/* Two and three pieces, each length of each. */
static void test_all_splits_of_short_texts(void **state)
{
	struct bed b;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		begin(&b, kernels[i], key_lens[i % 3]);
		for (size_t len = 0; len <= 40; len++) {
			set_length(&b, len);
			for (size_t one = 0; one <= len; one++)
				for (size_t two = one; two <= len; two++) {
					put(0, 0, one);
					put(1, one, two - one);
					check(&b, put(2, two, len - two));
				}
		}
	}
}

/* One cut through a text at each place where direct reading is about to begin or end. */
static void test_all_cuts_of_a_chunk(void **state)
{
	struct bed b;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		begin(&b, kernels[i], key_lens[i % 3]);
		for (size_t len = 16384 - 1; len <= 16384 + 1; len++) {
			set_length(&b, len);
			for (size_t cut = 0; cut <= len; cut += cut > 1100 ? 13 : 1) {
				put(0, 0, cut);
				check(&b, put(1, cut, len - cut));
			}
		}
	}
}

/* Equal pieces, short and long ones by turns, and empty ones between, from the shortest on. */
static void test_regular_pieces(void **state)
{
	static const size_t sizes[] = {37,   64,   255,  511,  512,  513,  1000, 1024, 2047,
				       2048, 2049, 3000, 4095, 4096, 4097, 5000, 8192, 20000};
	struct bed b;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		begin(&b, kernels[i], key_lens[i % 3]);
		for (size_t n = 0; n < 8 * sizeof sizes / sizeof sizes[0]; n++) {
			const size_t size = sizes[n / 8];
			size_t count = 0, at = 0;

			set_length(&b, 16384 + 7 * n % 300);
			while (at < b.m.len) {
				size_t part = n % 2 != 0 && count % 2 != 0 ? 5 : size;

				part = n % 4 > 1 && count % 3 == 1 ? 0 : part;
				part = part < b.m.len - at ? part : b.m.len - at;
				count = put(count, at, part);
				at += part;
			}
			if (n % 8 > 3)
				count = put(count, 0, 0);
			check(&b, count);
		}
	}
}

/* Cuts at random: mostly short pieces or mostly long ones, by the seed and a number's low bits. */
static size_t cut_at_random(size_t len, uint64_t seed)
{
	uint32_t random[PIECES_MAX];
	size_t count = 0, at = 0;

	fill((uint8_t *)random, sizeof random, seed);
	while (at < len && count < PIECES_MAX - 2) {
		size_t part = random[count] % ((size_t)1 << random[count] % 7 % 4 * 4 << seed % 3);

		part = part < len - at ? part : len - at;
		count = put(count, at, part);
		at += part;
	}
	return put(count, at, len - at);
}

static void test_random_pieces(void **state)
{
	static const size_t lens[] = {300,   513,   1031,  2048,  4095,  4097,
				      12288, 16384, 16385, 40000, 65536, TEXT_MAX};
	struct bed b;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (size_t n = 0; n < sizeof lens / sizeof lens[0]; n++) {
			begin(&b, kernels[i], key_lens[n % 3]);
			for (uint64_t seed = 0; seed < 30; seed++) {
				set_length(&b, lens[n]);
				check(&b, cut_at_random(lens[n], 1000 * n + seed));
			}
		}
}

static void test_no_piece(void **state)
{
	struct bed b;
	uint8_t tag[GCM_TAG_BYTES];

	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		begin(&b, kernels[i], 32);
		set_length(&b, 0);
		gcm_seal_gather(&b.key, NULL, NULL, tag, b.m.nonce, b.m.aad, b.m.aad_len, NULL, 0);
		assert_memory_equal(tag, b.m.tag, sizeof tag);
	}
}

/* A copy of pieces[i] that begins or ends beside a page that no one may touch. */
static uint8_t *guard(struct gcm_slice *piece, size_t *size, bool at_end)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE),
		     room = (piece->len + page - 1) & ~(page - 1);
	uint8_t *all, *copy;

	*size = room + 2 * page;
	all = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(all != MAP_FAILED);
	copy = all + page + (at_end ? room - piece->len : 0);
	if (piece->len != 0)
		memcpy(copy, piece->at, piece->len);
	piece->at = copy;
	assert_int_equal(mprotect(all, page, PROT_NONE), 0);
	assert_int_equal(mprotect(all + page + room, page, PROT_NONE), 0);
	return all;
}

static void check_guarded(struct bed *b, size_t count, uint64_t seed)
{
	uint8_t *maps[PIECES_MAX];
	size_t sizes[PIECES_MAX];

	for (size_t i = 0; i < count; i++)
		maps[i] = guard(&pieces[i], &sizes[i], (seed + i) % 3 != 0);
	check(b, count);
	for (size_t i = 0; i < count; i++)
		munmap(maps[i], sizes[i]);
}

static void test_nothing_beyond_a_piece(void **state)
{
	static const size_t sizes[] = {611, 2050, 4096, 5001, 9000};
	struct bed b;

	(void)state;
	for (size_t i = 0; i < kernel_count; i++) {
		begin(&b, kernels[i], 32);
		for (uint64_t n = 0; n < 60; n++) {
			const size_t size = sizes[n % 5] + n / 5;
			size_t count = 0, at = 0;

			set_length(&b, 30000 + n);
			for (; b.m.len - at > size; at += size)
				count = put(count, at, size);
			check_guarded(&b, put(count, at, b.m.len - at), n);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_splits_of_short_texts),
		cmocka_unit_test(test_all_cuts_of_a_chunk),
		cmocka_unit_test(test_regular_pieces),
		cmocka_unit_test(test_random_pieces),
		cmocka_unit_test(test_no_piece),
		cmocka_unit_test(test_nothing_beyond_a_piece),
	};

	if (sodium_init() < 0)
		return 1;
	find_kernels();
	fill(text, sizeof text, 1);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
