/* SPDX-License-Identifier: ISC */
/*
 * test_gcm.c - published answers for every kernel, and the choice of one.
 *
 * GCMCRYPT_VECTORS names the folder that holds wycheproof_aes_gcm.json.
 */
#include <unistd.h>

#include <jansson.h>

#include "gcm_util.h"

#define TEXT_MAX 4096

static size_t from_hex(uint8_t *out, size_t size, const char *hex)
{
	size_t len = 0;

	assert_int_equal(sodium_hex2bin(out, size, hex, strlen(hex), NULL, &len, NULL), 0);
	return len;
}

struct answer {
	const char *key, *nonce, *aad, *pt, *ct, *tag;
};

#define ZERO   "00000000000000000000000000000000"
#define NONCE0 "000000000000000000000000"
#define NONCE1 "cafebabefacedbaddecaf888"
#define KEY1   "feffe9928665731c6d6a8f9467308308"
#define AAD1   "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define PT1                                                                \
	"d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" \
	"1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
#define CT128                                                              \
	"42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e" \
	"21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
#define CT192                                                              \
	"3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c" \
	"7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710"
#define CT256                                                              \
	"522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa" \
	"8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"

/* The test cases with 96-bit nonces of the GCM specification that SP 800-38D adopted. */
static const struct answer answers[] = {
	{ZERO, NONCE0, "", "", "", "58e2fccefa7e3061367f1d57a4e7455a"},
	{ZERO, NONCE0, "", ZERO, "0388dace60b6a392f328c2b971b2fe78",
	 "ab6e47d42cec13bdf53a67b21257bddf"},
	{KEY1, NONCE1, "", PT1 "1aafd255", CT128 "473f5985", "4d5c2af327cd64a62cf35abd2ba6fab4"},
	{KEY1, NONCE1, AAD1, PT1, CT128, "5bc94fbc3221a5db94fae95ae7121a47"},
	{ZERO "0000000000000000", NONCE0, "", "", "", "cd33b28ac773f74ba00ed1f312572435"},
	{ZERO "0000000000000000", NONCE0, "", ZERO, "98e7247c07f0fe411c267e4384b0f600",
	 "2ff58d80033927ab8ef4d4587514f0fb"},
	{KEY1 "feffe9928665731c", NONCE1, "", PT1 "1aafd255", CT192 "acade256",
	 "9924a7c8587336bfb118024db8674a14"},
	{KEY1 "feffe9928665731c", NONCE1, AAD1, PT1, CT192, "2519498e80f1478f37ba55bd6d27618c"},
	{ZERO ZERO, NONCE0, "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"},
	{ZERO ZERO, NONCE0, "", ZERO, "cea7403d4d606b6e074ec5d3baf39d18",
	 "d0d1c8a799996bf0265b98b5d48ab919"},
	{KEY1 KEY1, NONCE1, "", PT1 "1aafd255", CT256 "898015ad",
	 "b094dac5d93471bdec1a502270e3cc6c"},
	{KEY1 KEY1, NONCE1, AAD1, PT1, CT256, "76fc6ece0f4e1768cddf8853bb2d551b"},
};

/* A published message with all its parts; right says whether its tag is. */
static void check_answer(const struct gcm_kernel *kernel, const struct answer *a, bool right)
{
	static uint8_t aad[TEXT_MAX], pt[TEXT_MAX], ct[TEXT_MAX], out[TEXT_MAX];
	uint8_t key_bytes[32], nonce[GCM_NONCE_BYTES], tag[GCM_TAG_BYTES], made[GCM_TAG_BYTES];
	size_t key_len = from_hex(key_bytes, sizeof key_bytes, a->key);
	size_t aad_len = from_hex(aad, sizeof aad, a->aad);
	size_t len = from_hex(pt, sizeof pt, a->pt);
	struct gcm_key key;

	assert_int_equal(from_hex(nonce, sizeof nonce, a->nonce), sizeof nonce);
	assert_int_equal(from_hex(ct, sizeof ct, a->ct), len);
	assert_int_equal(from_hex(tag, sizeof tag, a->tag), sizeof tag);
	assert_true(gcm_key_init(&key, kernel, key_bytes, key_len));
	if (right) {
		gcm_seal(&key, NULL, out, made, nonce, aad, aad_len, pt, len);
		assert_memory_equal(out, ct, len);
		assert_memory_equal(made, tag, sizeof tag);
	}
	memset(out, 0xc5, sizeof out);
	assert_int_equal(gcm_open(&key, NULL, out, tag, nonce, aad, aad_len, ct, len), right);
	if (right)
		assert_memory_equal(out, pt, len);
	else
		assert_true(sodium_is_zero(out, len));
}

static void test_answers_of_sp_800_38d(void **state)
{
	(void)state;
	for (size_t i = 0; i < kernel_count; i++)
		for (size_t a = 0; a < sizeof answers / sizeof answers[0]; a++)
			check_answer(kernels[i], &answers[a], true);
}

/* FIPS 197, appendix C, as the keystream of a counter that reaches its block at each place. */
static void test_answers_of_fips_197(void **state)
{
	static const char *const sealed[] = {"69c4e0d86a7b0430d8cdb78070b4c55a",
					     "dda97ca4864cdfe06eaf70a0ec0d7191",
					     "8ea2b7ca516745bfeafc49904b496089"};
	uint8_t key_bytes[32], nonce[12], out[16 * 80] = {0}, tag[16], want[16];
	struct gcm_key key;

	(void)state;
	for (size_t i = 0; i < sizeof key_bytes; i++)
		key_bytes[i] = (uint8_t)i;
	for (size_t i = 0; i < kernel_count; i++) {
		for (size_t n = 0; n < 3 * 80; n++) {
			uint32_t low = 0xccddeeff - 1 - (uint32_t)(n / 3);

			for (size_t b = 0; b < 12; b++)
				nonce[b] = (uint8_t)(b * 0x11);
			from_hex(want, sizeof want, sealed[n % 3]);
			assert_true(gcm_key_init(&key, kernels[i], key_bytes, key_lens[n % 3]));
			memset(out, 0, sizeof out);
			kernels[i]->seal(&key, NULL, out, tag, nonce, NULL, 0, out, sizeof out,
					 low);
			assert_memory_equal(out + 16 * (n / 3), want, 16);
		}
	}
}

static const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	assert_non_null(text);
	return text;
}

static void check_wycheproof_group(const json_t *group, size_t *count)
{
	size_t i;
	json_t *test;

	if (json_integer_value(json_object_get(group, "ivSize")) != 8 * GCM_NONCE_BYTES)
		return;
	assert_int_equal(json_integer_value(json_object_get(group, "tagSize")), 8 * GCM_TAG_BYTES);
	json_array_foreach (json_object_get(group, "tests"), i, test) {
		const struct answer a = {text_of(test, "key"), text_of(test, "iv"),
					 text_of(test, "aad"), text_of(test, "msg"),
					 text_of(test, "ct"),  text_of(test, "tag")};
		bool right = strcmp(text_of(test, "result"), "valid") == 0;

		for (size_t k = 0; k < kernel_count; k++)
			check_answer(kernels[k], &a, right);
		++*count;
	}
}

static void test_wycheproof(void **state)
{
	const char *folder = getenv("GCMCRYPT_VECTORS");
	char name[4096];
	size_t i, count = 0;
	json_t *file, *group;

	(void)state;
	snprintf(name, sizeof name, "%s/wycheproof_aes_gcm.json", folder == NULL ? "" : folder);
	if (access(name, R_OK) != 0) {
		printf("# GCMCRYPT_VECTORS: no wycheproof_aes_gcm.json there\n");
		skip();
	}
	file = json_load_file(name, 0, NULL);
	assert_non_null(file);
	json_array_foreach (json_object_get(file, "testGroups"), i, group)
		check_wycheproof_group(group, &count);
	json_decref(file);
	printf("# wycheproof: %zu cases with 96-bit nonces\n", count);
	assert_true(count > 100);
}

static void test_table_of_kernels(void **state)
{
	size_t count = gcm_kernel_count();

	(void)state;
	assert_true(count >= 1);
	assert_null(gcm_kernel_at(count));
	assert_null(gcm_kernel_at(SIZE_MAX));
	assert_string_equal(gcm_kernel_name(gcm_kernel_at(count - 1)), "soft");
	for (size_t i = 0; i < count; i++) {
		const struct gcm_kernel *kernel = gcm_kernel_at(i);
		uint32_t needs = gcm_kernel_needs(kernel);

		assert_true(gcm_kernel_usable(kernel, UINT32_MAX));
		assert_true(gcm_kernel_usable(kernel, needs));
		assert_int_equal(gcm_kernel_usable(kernel, 0), needs == 0);
		for (uint32_t bit = 1; bit != 0; bit <<= 1)
			if ((needs & bit) != 0)
				assert_false(gcm_kernel_usable(kernel, UINT32_MAX & ~bit));
	}
}

static void test_selection(void **state)
{
	uint32_t here = cpu_probe();
	const struct gcm_kernel *best = NULL;

	(void)state;
	for (size_t i = 0; i < gcm_kernel_count(); i++) {
		const struct gcm_kernel *kernel = gcm_kernel_at(i);
		bool usable = gcm_kernel_usable(kernel, here);

		if (usable && best == NULL)
			best = kernel;
		assert_ptr_equal(gcm_kernel_select(here, kernel->name), usable ? kernel : NULL);
		assert_ptr_equal(gcm_kernel_select(0, kernel->name),
				 kernel->needs == 0 ? kernel : NULL);
	}
	assert_ptr_equal(gcm_kernel_select(here, NULL), best);
	assert_string_equal(gcm_kernel_name(gcm_kernel_select(0, NULL)), "soft");
	assert_null(gcm_kernel_select(here, "AESNI"));
	assert_null(gcm_kernel_select(here, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_of_sp_800_38d),
		cmocka_unit_test(test_answers_of_fips_197),
		cmocka_unit_test(test_wycheproof),
		cmocka_unit_test(test_table_of_kernels),
		cmocka_unit_test(test_selection),
	};

	if (sodium_init() < 0)
		return 1;
	find_kernels();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
