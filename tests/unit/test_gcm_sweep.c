/* SPDX-License-Identifier: ISC */
/*
 * test_gcm_sweep.c - every kernel against OpenSSL and nettle, and so against each other: lengths,
 * keys, offsets, AAD, in place, both neighbours of every buffer, counters that wrap.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "gcm_util.h"

#define TEXT_MAX   (16384 + 300)
#define AAD_MAX    300
#define OFFSET_MAX 63
#define CANARY     16
#define ROOM       (CANARY + OFFSET_MAX + TEXT_MAX + CANARY)

static uint8_t text[ROOM], aad[AAD_MAX + OFFSET_MAX], expected[TEXT_MAX], work[ROOM];

/* A kernel writes to work between two canaries, at any offset. */
static uint8_t *work_at(size_t offset)
{
	memset(work, 0xc5, sizeof work);
	return work + CANARY + offset;
}

static void assert_canaries(const uint8_t *at, size_t len)
{
	for (size_t i = 1; i <= CANARY; i++) {
		assert_int_equal(at[-(ptrdiff_t)i], 0xc5);
		assert_int_equal(at[len + i - 1], 0xc5);
	}
}

struct tag_room {
	uint8_t before[16], tag[GCM_TAG_BYTES], after[16];
};

static void assert_tag(const struct tag_room *room, const uint8_t *tag)
{
	assert_memory_equal(room->tag, tag, GCM_TAG_BYTES);
	for (size_t i = 0; i < sizeof room->before; i++) {
		assert_int_equal(room->before[i], 0xc5);
		assert_int_equal(room->after[i], 0xc5);
	}
}

/* Seal and open, apart and in place; out_offset moves what is written. */
static void check_kernel(const struct gcm_kernel *kernel, const struct message *m,
			 size_t out_offset)
{
	struct gcm_key key;
	struct tag_room room;
	uint8_t *out = work_at(out_offset);

	assert_true(gcm_key_init(&key, kernel, m->key, m->key_len));
	memset(&room, 0xc5, sizeof room);
	gcm_seal(&key, NULL, out, room.tag, m->nonce, m->aad, m->aad_len, m->pt, m->len);
	assert_memory_equal(out, m->ct, m->len);
	assert_tag(&room, m->tag);
	assert_canaries(out, m->len);

	assert_true(gcm_open(&key, NULL, out, m->tag, m->nonce, m->aad, m->aad_len, out, m->len));
	assert_memory_equal(out, m->pt, m->len);
	gcm_seal(&key, NULL, out, room.tag, m->nonce, m->aad, m->aad_len, out, m->len);
	assert_memory_equal(out, m->ct, m->len);
	assert_tag(&room, m->tag);
	assert_canaries(out, m->len);

	out = work_at(OFFSET_MAX - out_offset);
	assert_true(gcm_open(&key, NULL, out, m->tag, m->nonce, m->aad, m->aad_len, m->ct, m->len));
	assert_memory_equal(out, m->pt, m->len);
	assert_canaries(out, m->len);
}

/* A message whose every property follows from seed, but for its lengths and its text's offset. */
static void make_message(struct message *m, size_t len, size_t aad_len, size_t offset,
			 uint64_t seed)
{
	fill(m->key, sizeof m->key, 2 * seed);
	fill(m->nonce, sizeof m->nonce, 2 * seed + 1);
	m->key_len = key_lens[seed % 3];
	m->aad = aad + seed % OFFSET_MAX;
	m->aad_len = aad_len;
	m->pt = text + offset;
	m->len = len;
	m->ct = expected;
	openssl_seal(m);
}

static void check_length(size_t len, size_t aad_len, uint64_t seed)
{
	struct message m;

	make_message(&m, len, aad_len, seed * 5 % (OFFSET_MAX + 1), seed);
	nettle_agrees(&m, work);
	for (size_t i = 0; i < kernel_count; i++)
		check_kernel(kernels[i], &m, seed * 11 % (OFFSET_MAX + 1));
}

static void test_short_lengths_with_many_keys(void **state)
{
	(void)state;
	for (size_t len = 0; len < 32; len++)
		for (uint64_t key = 0; key < 66; key++)
			check_length(len, key % 31, 1000 * len + key);
}

static void test_every_length(void **state)
{
	(void)state;
	for (size_t len = 0; len <= 1100; len++)
		for (uint64_t key = 0; key < 3; key++)
			check_length(len, (7 * len + 100 * key) % (AAD_MAX + 1), 3 * len + key);
}

/* 4080 bytes are counters 2 to 256: the last eight bits of the counter come round here. */
static void test_lengths_where_the_counter_carries(void **state)
{
	(void)state;
	for (size_t len = 4080; len <= 4112; len++)
		for (uint64_t key = 0; key < 3; key++)
			check_length(len, 13, 3 * len + key);
}

static void test_lengths_around_a_chunk(void **state)
{
	(void)state;
	for (size_t len = 16384 - 64; len <= 16384 + 64; len++)
		check_length(len, 13, len);
	for (size_t len = 16384 - 300; len <= TEXT_MAX; len += 23)
		check_length(len, len % 40, len);
}

static void test_every_aad_length(void **state)
{
	static const size_t lens[] = {0, 1, 15, 16, 17, 64, 255, 257, 700};

	(void)state;
	for (size_t aad_len = 0; aad_len <= AAD_MAX; aad_len++)
		for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
			check_length(lens[i], aad_len, 9 * aad_len + i);
}

static void test_every_pair_of_offsets(void **state)
{
	struct message m;

	(void)state;
	for (size_t in = 0; in <= OFFSET_MAX; in++) {
		make_message(&m, 600 + in, 13, in, in);
		for (size_t out = 0; out <= OFFSET_MAX; out++)
			for (size_t i = 0; i < kernel_count; i++)
				check_kernel(kernels[i], &m, out);
	}
}

/* Memory of size bytes, whole pages, with a page before and after it that no one may touch. */
static uint8_t *guarded(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *all = mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(all != MAP_FAILED);
	assert_int_equal(size % page, 0);
	assert_int_equal(mprotect(all, page, PROT_NONE), 0);
	assert_int_equal(mprotect(all + page + size, page, PROT_NONE), 0);
	return all + page;
}

static void unguard(uint8_t *memory, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap(memory - page, size + 2 * page);
}

/* The same message against either guard page; a byte beyond it is a crash. */
static void check_guarded(uint8_t *in, uint8_t *out, uint8_t *extra, size_t size, size_t len,
			  bool at_end)
{
	struct message m;
	struct gcm_key key;
	uint8_t tag[GCM_TAG_BYTES];

	make_message(&m, len, len % 67, 0, len);
	in += at_end ? size - len : 0;
	out += at_end ? size - len : 0;
	extra += at_end ? size - m.aad_len : 0;
	memcpy(extra, m.aad, m.aad_len);
	for (size_t i = 0; i < kernel_count; i++) {
		assert_true(gcm_key_init(&key, kernels[i], m.key, m.key_len));
		memcpy(in, m.pt, len);
		gcm_seal(&key, NULL, out, tag, m.nonce, extra, m.aad_len, in, len);
		assert_memory_equal(out, m.ct, len);
		assert_memory_equal(tag, m.tag, sizeof tag);
		memcpy(in, m.ct, len);
		memset(out, 0, len);
		assert_true(gcm_open(&key, NULL, out, tag, m.nonce, extra, m.aad_len, in, len));
		assert_memory_equal(out, m.pt, len);
	}
}

static void test_nothing_beyond_a_buffer(void **state)
{
	const size_t size = 65536;
	uint8_t *in = guarded(size), *out = guarded(size), *extra = guarded(size);

	(void)state;
	for (size_t len = 0; len <= 1100; len++) {
		check_guarded(in, out, extra, size, len, false);
		check_guarded(in, out, extra, size, len, true);
	}
	for (size_t len = 16384 - 64; len <= 16384 + 64; len += 3) {
		check_guarded(in, out, extra, size, len, false);
		check_guarded(in, out, extra, size, len, true);
	}
	unguard(in, size);
	unguard(out, size);
	unguard(extra, size);
}

/* SP 800-38D's inc32: the last 32 bits wrap, the rest stays. */
static void counter_block(uint8_t out[16], const uint8_t j0[16], uint32_t add)
{
	uint32_t n =
		(uint32_t)j0[12] << 24 | (uint32_t)j0[13] << 16 | (uint32_t)j0[14] << 8 | j0[15];

	n += add;
	memcpy(out, j0, 12);
	for (size_t i = 0; i < 4; i++)
		out[12 + i] = (uint8_t)(n >> (24 - 8 * i));
}

/*
 * ct and tag for any J0, which OpenSSL takes in no API of its own.  Its block cipher makes the
 * counter mode; and as GHASH does not depend on J0, the tag of the same ciphertext under the
 * message's nonce differs from the one wanted by two blocks of AES.
 */
static void seal_from_j0(struct message *m, const uint8_t j0[16])
{
	static uint8_t counters[TEXT_MAX + 48], stream[TEXT_MAX + 48], pt[TEXT_MAX];
	const uint8_t *wanted_pt = m->pt;
	uint8_t plain_j0[16];

	for (uint32_t i = 0; i <= m->len / 16 + 1; i++)
		counter_block(counters + 16 * i, j0, i);
	openssl_blocks(m->key, m->key_len, stream, counters, (m->len / 16 + 2) * 16);
	openssl_seal(m); /* only for the keystream under the nonce */
	for (size_t i = 0; i < m->len; i++)
		pt[i] = (uint8_t)(m->ct[i] ^ stream[16 + i]);
	m->pt = pt;
	openssl_seal(m);
	m->pt = wanted_pt;
	memcpy(plain_j0, m->nonce, 12);
	memcpy(plain_j0 + 12, "\0\0\0\1", 4);
	openssl_blocks(m->key, m->key_len, counters, plain_j0, 16);
	for (size_t i = 0; i < sizeof m->tag; i++)
		m->tag[i] ^= counters[i] ^ stream[i];
}

static void check_counter(uint32_t low, size_t len)
{
	struct message m;
	struct gcm_key key;
	uint8_t j0[16], tag[GCM_TAG_BYTES];

	make_message(&m, len, 13, 0, low + len);
	memset(j0, 0xff, sizeof j0); /* a carry out of the counter would show here */
	counter_block(j0, j0, low + 1);
	seal_from_j0(&m, j0);
	for (size_t i = 0; i < kernel_count; i++) {
		const struct gcm_kernel *kernel = kernels[i];

		assert_true(gcm_key_init(&key, kernel, m.key, m.key_len));
		kernel->seal(&key, NULL, work, tag, j0, m.aad, m.aad_len, m.pt, len, low);
		assert_memory_equal(work, m.ct, len);
		assert_memory_equal(tag, m.tag, sizeof tag);
		kernel->open(&key, NULL, work, tag, j0, m.aad, m.aad_len, m.ct, len, low);
		assert_memory_equal(work, m.pt, len);
		assert_memory_equal(tag, m.tag, sizeof tag);
	}
}

static void test_counter_wraps_without_carry(void **state)
{
	static const size_t lens[] = {0, 16, 33, 64, 200, 256, 300, 1024, 2000, 16384};

	(void)state;
	for (uint32_t back = 0; back < 40; back++)
		for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
			check_counter(UINT32_MAX - back, lens[i]);
	for (uint32_t run = 1; run < 4; run++)
		for (uint32_t low = 250; low < 260; low++)
			check_counter(run << 24 | low, 9000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_lengths_with_many_keys),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_lengths_where_the_counter_carries),
		cmocka_unit_test(test_lengths_around_a_chunk),
		cmocka_unit_test(test_every_aad_length),
		cmocka_unit_test(test_every_pair_of_offsets),
		cmocka_unit_test(test_nothing_beyond_a_buffer),
		cmocka_unit_test(test_counter_wraps_without_carry),
	};

	if (sodium_init() < 0)
		return 1;
	find_kernels();
	fill(text, sizeof text, 1);
	fill(aad, sizeof aad, 2);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
