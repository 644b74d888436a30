/* SPDX-License-Identifier: ISC */
/*
 * test_soft.c - the portable kernel against published answers, against OpenSSL, and its field
 * arithmetic against the standard's own bit by bit definition.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>
#include <sodium.h>

#include "gcm/kernel.h"
#include "gcm/soft/bytes.h"
#include "gcm/soft/counter_stream.h"
#include "gcm/soft/ghash_mul.h"

#define TEXT_MAX (16384 + 64)
#define SLACK    32

static const size_t key_lens[] = {16, 24, 32};

/* The same bytes in every run: ChaCha20 under a key made of the seed. */
static void fill(uint8_t *out, size_t len, uint32_t seed)
{
	uint8_t bytes[randombytes_SEEDBYTES] = {0};

	soft_store_be32(bytes, seed);
	randombytes_buf_deterministic(out, len, bytes);
}

static void from_hex(uint8_t *out, const char *hex)
{
	size_t len;

	assert_int_equal(sodium_hex2bin(out, TEXT_MAX, hex, strlen(hex), " ", &len, NULL), 0);
}

static const EVP_CIPHER *evp(size_t key_len, bool gcm)
{
	if (key_len == 16)
		return gcm ? EVP_aes_128_gcm() : EVP_aes_128_ecb();
	if (key_len == 24)
		return gcm ? EVP_aes_192_gcm() : EVP_aes_192_ecb();
	return gcm ? EVP_aes_256_gcm() : EVP_aes_256_ecb();
}

/* OpenSSL's AES-GCM under a nonce of 12 bytes. */
static void evp_gcm(const uint8_t *key, size_t key_len, const uint8_t *nonce, const uint8_t *aad,
		    size_t aad_len, const uint8_t *in, size_t len, uint8_t *out, uint8_t *tag)
{
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	int n;

	assert_int_equal(EVP_EncryptInit_ex(c, evp(key_len, true), NULL, key, nonce), 1);
	assert_int_equal(EVP_EncryptUpdate(c, NULL, &n, aad, (int)aad_len), 1);
	assert_int_equal(EVP_EncryptUpdate(c, out, &n, in, (int)len), 1);
	assert_int_equal(EVP_EncryptFinal_ex(c, out + len, &n), 1);
	assert_int_equal(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
	EVP_CIPHER_CTX_free(c);
}

/* AES of whole blocks by OpenSSL. */
static void evp_blocks(const uint8_t *key, size_t key_len, const uint8_t *in, size_t len,
		       uint8_t *out)
{
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	int n;

	assert_int_equal(EVP_EncryptInit_ex(c, evp(key_len, false), NULL, key, NULL), 1);
	EVP_CIPHER_CTX_set_padding(c, 0);
	assert_int_equal(EVP_EncryptUpdate(c, out, &n, in, (int)len), 1);
	assert_int_equal(n, (int)len);
	EVP_CIPHER_CTX_free(c);
}

/*
 * AES-GCM from any J0, which OpenSSL cannot be asked for: counter mode from its AES, and GHASH of
 * the ciphertext by letting it seal, under the zero nonce, the text that gives this ciphertext.
 */
static void oracle(const uint8_t *key, size_t key_len, const uint8_t j0[16], const uint8_t *aad,
		   size_t aad_len, const uint8_t *in, size_t len, uint8_t *ct, uint8_t *tag)
{
	const size_t blocks = (len + 15) / 16;
	uint8_t *work = malloc(3 * (16 * blocks + 48));
	uint8_t *stream = work + 16 * blocks + 48, *spare = stream + 16 * blocks + 48;
	uint8_t zero_j0[16] = {0}, mask[16];

	assert_non_null(work);
	for (size_t i = 0; i <= blocks; i++) {
		memcpy(work + 16 * i, j0, 12);
		soft_store_be32(work + 16 * i + 12, soft_load_be32(j0 + 12) + (uint32_t)i);
	}
	evp_blocks(key, key_len, work, 16 * (blocks + 1), stream);
	for (size_t i = 0; i < len; i++)
		ct[i] = in[i] ^ stream[16 + i];
	evp_gcm(key, key_len, zero_j0, aad, aad_len, ct, len, work, tag);
	evp_gcm(key, key_len, zero_j0, aad, aad_len, work, len, spare, tag);
	assert_memory_equal(spare, ct, len);
	zero_j0[15] = 1;
	evp_blocks(key, key_len, zero_j0, 16, mask);
	for (size_t i = 0; i < 16; i++)
		tag[i] ^= mask[i] ^ stream[i];
	free(work);
}

/* FIPS 197, appendix C; every block of a group, by counters that lead up to the one given. */
static void test_fips197(void **state)
{
	static const char *const sealed[] = {"69c4e0d86a7b0430d8cdb78070b4c55a",
					     "dda97ca4864cdfe06eaf70a0ec0d7191",
					     "8ea2b7ca516745bfeafc49904b496089"};
	uint8_t key[32], text[16], block[16], want[16], group[SOFT_GROUP_BYTES];
	struct soft_stream stream;
	struct soft_aes aes;

	(void)state;
	for (unsigned i = 0; i < 32; i++)
		key[i] = (uint8_t)i;
	for (unsigned i = 0; i < 16; i++)
		text[i] = (uint8_t)(i * 0x11);
	for (unsigned k = 0; k < 3; k++) {
		from_hex(want, sealed[k]);
		gcm_soft_aes_init(&aes, key, key_lens[k]);
		for (uint32_t n = 0; n < SOFT_BLOCKS; n++) {
			memcpy(block, text, 12);
			soft_store_be32(block + 12, soft_load_be32(text + 12) - n);
			gcm_soft_stream_start(&stream, &aes, NULL, NULL, block);
			gcm_soft_stream_next(&stream, group);
			assert_memory_equal(group + 16 * n, want, 16);
		}
	}
}

struct answer {
	const char *key, *nonce, *aad, *pt, *ct, *tag;
};

#define KEY   "feffe9928665731c6d6a8f9467308308"
#define NONCE "cafebabefacedbaddecaf888"
#define PT                                                                 \
	"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" \
	"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
#define AAD "feedfacedeadbeeffeedfacedeadbeefabaddad2"

/* The cases with 96-bit nonces of McGrew and Viega's GCM, on which SP 800-38D rests. */
static const struct answer answers[] = {
	{"00000000000000000000000000000000", "000000000000000000000000", "", "", "",
	 "58e2fccefa7e3061367f1d57a4e7455a"},
	{"00000000000000000000000000000000", "000000000000000000000000", "",
	 "00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78",
	 "ab6e47d42cec13bdf53a67b21257bddf"},
	{KEY, NONCE, "", PT "1aafd255",
	 "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
	 "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
	 "4d5c2af327cd64a62cf35abd2ba6fab4"},
	{KEY, NONCE, AAD, PT,
	 "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
	 "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
	 "5bc94fbc3221a5db94fae95ae7121a47"},
	{KEY "feffe9928665731c", NONCE, AAD, PT,
	 "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c"
	 "7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
	 "2519498e80f1478f37ba55bd6d27618c"},
	{KEY KEY, NONCE, AAD, PT,
	 "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
	 "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
	 "76fc6ece0f4e1768cddf8853bb2d551b"},
};

static void test_known_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		const struct answer *a = &answers[i];
		uint8_t key[32], nonce[12], aad[32], pt[64], ct[64], tag[16], out[64], got[16];
		const size_t len = strlen(a->pt) / 2;
		struct gcm_key k;

		from_hex(key, a->key);
		from_hex(nonce, a->nonce);
		from_hex(aad, a->aad);
		from_hex(pt, a->pt);
		from_hex(ct, a->ct);
		from_hex(tag, a->tag);
		gcm_kernel_soft.key_init(&k, key, strlen(a->key) / 2);
		gcm_kernel_soft.seal(&k, NULL, out, got, nonce, aad, strlen(a->aad) / 2, pt, len,
				     1);
		assert_memory_equal(out, ct, len);
		assert_memory_equal(got, tag, 16);
		gcm_kernel_soft.open(&k, NULL, out, got, nonce, aad, strlen(a->aad) / 2, ct, len,
				     1);
		assert_memory_equal(out, pt, len);
		assert_memory_equal(got, tag, 16);
	}
}

/*
 * One message against the oracle: sealed and opened, with the cache and without, in place and
 * not, at odd addresses.
 */
static void check_message(struct gcm_counter_cache *cache, const uint8_t *key, size_t key_len,
			  const uint8_t j0[16], uint32_t seed, size_t len)
{
	static uint8_t pt[TEXT_MAX], ct[TEXT_MAX], out[TEXT_MAX + 2 * SLACK], empty[SLACK];
	const size_t aad_len = seed % 5 == 0 ? 13 : seed * 7 % 301;
	uint8_t aad[301], tag[16], got[16];
	uint8_t *at = out + seed % SLACK;
	struct gcm_key k;

	fill(pt, len, seed + 1);
	fill(aad, sizeof aad, seed + 2);
	oracle(key, key_len, j0, aad, aad_len, pt, len, ct, tag);
	memset(out, 0xa5, sizeof out);
	memset(empty, 0xa5, sizeof empty);
	gcm_kernel_soft.key_init(&k, key, key_len);
	gcm_kernel_soft.seal(&k, NULL, at, got, j0, aad, aad_len, pt, len, soft_load_be32(j0 + 12));
	assert_memory_equal(at, ct, len);
	assert_memory_equal(got, tag, 16);
	gcm_kernel_soft.open(&k, cache, at, got, j0, aad, aad_len, at, len,
			     soft_load_be32(j0 + 12));
	assert_memory_equal(at, pt, len);
	assert_memory_equal(got, tag, 16);
	gcm_kernel_soft.seal(&k, cache, at, got, j0, aad, aad_len, at, len,
			     soft_load_be32(j0 + 12));
	assert_memory_equal(at, ct, len);
	assert_memory_equal(got, tag, 16);
	gcm_kernel_soft.open(&k, NULL, at, got, j0, aad, aad_len, ct, len, soft_load_be32(j0 + 12));
	assert_memory_equal(at, pt, len);
	assert_memory_equal(got, tag, 16);
	assert_memory_equal(out, empty, seed % SLACK);
	assert_memory_equal(at + len, empty, SLACK);
}

/* One cache for all that a test does: every new key or nonce has to be noticed. */
static struct gcm_counter_cache cache;

static void check_lengths(size_t from, size_t to)
{
	uint8_t key[32], j0[16];

	for (size_t len = from; len <= to; len++) {
		for (size_t i = 0; i < 3; i++) {
			const uint32_t seed = (uint32_t)(3 * len + i);

			fill(key, sizeof key, seed);
			fill(j0, 12, (uint32_t)len);
			soft_store_be32(j0 + 12, 1);
			check_message(&cache, key, key_lens[i], j0, seed, len);
		}
	}
}

static void test_every_length(void **state)
{
	(void)state;
	check_lengths(0, 1100);
}

static void test_chunk_lengths(void **state)
{
	(void)state;
	check_lengths(16384 - 64, 16384 + 64);
}

/*
 * inc32 changes 32 bits and no more (6.2): starts around each carry between its bytes, and the one
 * start a run before each carry that a cache serves.
 */
static void test_counter_wrap(void **state)
{
	static const uint32_t carries[] = {0x100, 0x10000, 0x1000000, 0};
	uint8_t key[32], j0[16];

	(void)state;
	memset(j0, 0xff, 12);
	fill(key, sizeof key, 1);
	for (size_t i = 0; i < sizeof carries / sizeof *carries; i++) {
		for (uint32_t before = 0; before < 20; before++) {
			soft_store_be32(j0 + 12, carries[i] - before);
			check_message(&cache, key, 32, j0, before, 300);
			check_message(&cache, key, 16, j0, before, 5000);
		}
		soft_store_be32(j0 + 12, carries[i] - 255);
		check_message(&cache, key, 32, j0, 0, 12000);
		check_message(&cache, key, 24, j0, 0, 12000);
	}
}

/*
 * Two files in turn, as a worker meets them: nonces that are a base xor the chunk's number in the
 * last five bytes, numbers around those where more than the last byte changes, whole chunks (for
 * which the cache is built) and lengths around a run of 256 counters.
 */
static void test_cache_files(void **state)
{
	static const uint64_t around[] = {256, 512, 1 << 16, 1 << 24, UINT64_C(1) << 32};
	uint8_t key[2][32], base[2][12], j0[16];

	(void)state;
	fill(&key[0][0], sizeof key, 1);
	fill(&base[0][0], sizeof base, 2);
	for (size_t len = 4080; len <= 4112; len += 4) {
		const size_t file = len / 4 % 2;

		for (size_t i = 0; i < 5 * sizeof around / sizeof *around; i++) {
			const uint64_t number = around[i / 5] + i % 5 - 2;

			memcpy(j0, base[file], 12);
			for (unsigned n = 0; n < 5; n++)
				j0[11 - n] ^= (uint8_t)(number >> 8 * n);
			soft_store_be32(j0 + 12, 1);
			check_message(&cache, key[file], key_lens[2 * file], j0, (uint32_t)i,
				      16384);
			check_message(&cache, key[file], key_lens[2 * file], j0, (uint32_t)len,
				      len);
		}
	}
}

/* Whatever a cache depends on, changed alone while all the rest stays. */
static void test_cache_stale(void **state)
{
	uint8_t key[32], other[32], j0[16] = {0};
	struct soft_aes aes;

	(void)state;
	j0[15] = 1;
	fill(key, sizeof key, 1);
	for (unsigned i = 0; i < 12;
	     i++) { /* bytes 0, 5 and 10 of the nonce; the rest is no matter */
		check_message(&cache, key, 32, j0, 0, 12000);
		j0[i] ^= 0x40;
		check_message(&cache, key, 32, j0, 0, 12000);
	}
	for (unsigned i = 0; i < 32; i++) { /* the key */
		check_message(&cache, key, 32, j0, 0, 12000);
		key[i] ^= 0x40;
		check_message(&cache, key, 32, j0, 0, 12000);
	}
	/* Its length: a longer key that is the first two round keys of a shorter one. */
	gcm_soft_aes_init(&aes, key, 24);
	memcpy(other, aes.first, sizeof other);
	check_message(&cache, key, 24, j0, 0, 12000);
	check_message(&cache, other, 32, j0, 0, 12000);
}

/* A table that went wrong while it was built is not used. */
static void test_cache_fault(void **state)
{
	static const unsigned entries[] = {0, 127, 255};
	const uint8_t key[32] = {1}, nonce[12] = {2};
	struct soft_cache c;
	struct soft_aes aes;

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		gcm_soft_aes_init(&aes, key, key_lens[k]);
		assert_true(gcm_soft_cache_build(&c, &aes, nonce));
		for (unsigned i = 0; i < 3; i++) {
			const unsigned group = entries[i] / SOFT_BLOCKS,
				       n = entries[i] % SOFT_BLOCKS;
			const soft_word bit = soft_word_all(UINT64_C(1) << n);

			c.entry[group][k] ^= bit;
			assert_false(gcm_soft_cache_right(&c, &aes, nonce));
			c.entry[group][k] ^= bit;
			assert_true(gcm_soft_cache_right(&c, &aes, nonce));
		}
	}
}

/* Multiplication by the standard's algorithm 1 (6.3). */
static void slow_multiply(uint8_t y[16], const uint8_t h[16])
{
	uint8_t z[16] = {0}, v[16];

	memcpy(v, h, 16);
	for (unsigned i = 0; i < 128; i++) {
		const bool odd = v[15] & 1;

		for (unsigned j = 0; j < 16 && (y[i / 8] >> (7 - i % 8) & 1); j++)
			z[j] ^= v[j];
		for (unsigned j = 15; j > 0; j--)
			v[j] = (uint8_t)(v[j] >> 1 | v[j - 1] << 7);
		v[0] = (uint8_t)(v[0] >> 1 ^ (odd ? 0xe1 : 0));
	}
	memcpy(y, z, 16);
}

/* Full and lopsided bytes: digits that are all ones are where a count could run over. */
static void test_ghash_digits(void **state)
{
	static const uint8_t bytes[] = {0x00, 0x01, 0x80, 0x11, 0x88, 0x33, 0x77, 0xee, 0xef, 0xff};
	const size_t kinds = sizeof bytes;

	(void)state;
	for (size_t i = 0; i < kinds * kinds * 20; i++) {
		const size_t blocks = 1 + i % 20;
		uint8_t h[16], text[20 * 16], want[16] = {0}, got[16];
		struct soft_powers powers;
		struct soft_ghash g;

		memset(h, bytes[i / 20 % kinds], 16);
		memset(text, bytes[i / 20 / kinds], sizeof text);
		for (size_t j = 0; j < 16 * blocks; j += 16) {
			for (size_t n = 0; n < 16; n++)
				want[n] ^= text[j + n];
			slow_multiply(want, h);
		}
		gcm_soft_ghash_key(&powers, h);
		gcm_soft_ghash_start(&g, &powers);
		gcm_soft_ghash_update(&g, text, 16 * blocks);
		gcm_soft_ghash_finish(&g, got);
		assert_memory_equal(got, want, 16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fips197),       cmocka_unit_test(test_known_answers),
		cmocka_unit_test(test_ghash_digits),  cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_chunk_lengths), cmocka_unit_test(test_counter_wrap),
		cmocka_unit_test(test_cache_files),   cmocka_unit_test(test_cache_stale),
		cmocka_unit_test(test_cache_fault),
	};

	if (sodium_init() < 0)
		return 1;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
