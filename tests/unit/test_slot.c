/* SPDX-License-Identifier: ISC */
/*
 * test_slot.c - the wrap of the file key: known answers, what must not open it, low-order points,
 * and the caps on Argon2id.
 */
#include "format_util.h"

#include "format/slot.h"

#define BODY_MAX SLOT_XWING_BYTES

/* A slot of format_answers.h: its body, and the secret and file key that belong to it. */
struct known {
	uint8_t body[BODY_MAX];
	struct header_slot slot;
	struct slot_secret secret;
	uint8_t file_key[HEADER_FILE_KEY_BYTES];
};

static void known_read(struct known *known, uint8_t type)
{
	char name[32];

	memset(known, 0, sizeof *known);
	snprintf(name, sizeof name, "slot_%02x_body", type);
	known->slot.len = (uint16_t)answer(known->body, sizeof known->body, name);
	known->slot.type = type;
	known->slot.body = known->body;
	snprintf(name, sizeof name, "slot_%02x_secret", type);
	known->secret.len = answer(known->secret.bytes, SLOT_SECRET_MAX, name);
	answer_exact(known->file_key, sizeof known->file_key, "file_key");
}

static bool opens(const struct known *known)
{
	uint8_t file_key[HEADER_FILE_KEY_BYTES];
	bool right;

	memset(file_key, 0x5a, sizeof file_key);
	right = slot_unwrap(file_key, &known->slot, &known->secret);
	if (right)
		assert_memory_equal(file_key, known->file_key, sizeof file_key);
	else
		assert_true(all_zero(file_key, sizeof file_key));
	return right;
}

static void lengths_by_type(void **state)
{
	(void)state;
	assert_int_equal(slot_body_bytes(SLOT_PASSPHRASE), 88);
	assert_int_equal(slot_body_bytes(SLOT_KEY_FILE), 96);
	assert_int_equal(slot_body_bytes(SLOT_X25519), 96);
	assert_int_equal(slot_body_bytes(SLOT_XWING), 1184);
	assert_int_equal(slot_params_bytes(SLOT_PASSPHRASE), 24);
	assert_int_equal(slot_params_bytes(SLOT_KEY_FILE), 32);
	assert_int_equal(slot_params_bytes(SLOT_X25519), 32);
	assert_int_equal(slot_params_bytes(SLOT_XWING), 1120);
	assert_int_equal(slot_body_bytes(SLOT_SPARE), 0);
	for (unsigned type = 5; type < 256; type++)
		assert_int_equal(slot_body_bytes((uint8_t)type), 0);
}

static void wrap_makes_known_bytes(void **state)
{
	struct known known;

	(void)state;
	for (uint8_t type = 1; type <= 3; type++) {
		uint8_t body[BODY_MAX + 1];

		known_read(&known, type);
		memset(body, 0x5a, sizeof body);
		memcpy(body, known.body, slot_params_bytes(type));
		slot_wrap(body, type, &known.secret, known.file_key);
		assert_memory_equal(body, known.body, known.slot.len);
		assert_int_equal(body[known.slot.len], 0x5a);
		assert_true(opens(&known));
	}
}

static void secrets_are_known(void **state)
{
	struct known known;
	struct slot_secret secret;
	uint8_t key[SLOT_KEY_BYTES], esk[SLOT_KEY_BYTES], epk[SLOT_KEY_BYTES];

	(void)state;
	known_read(&known, SLOT_KEY_FILE);
	answer_exact(key, sizeof key, "slot_02_key");
	slot_secret_key_file(&secret, known.body, key);
	assert_int_equal(secret.len, known.secret.len);
	assert_memory_equal(secret.bytes, known.secret.bytes, secret.len);

	known_read(&known, SLOT_X25519);
	answer_exact(key, sizeof key, "slot_03_recipient");
	answer_exact(esk, sizeof esk, "slot_03_esk");
	assert_true(slot_secret_x25519_seal(&secret, epk, esk, key));
	assert_memory_equal(epk, known.body, sizeof epk);
	assert_int_equal(secret.len, known.secret.len);
	assert_memory_equal(secret.bytes, known.secret.bytes, secret.len);

	answer_exact(key, sizeof key, "slot_03_identity");
	slot_secret_wipe(&secret);
	assert_true(all_zero(&secret, sizeof secret));
	assert_true(slot_secret_x25519_open(&secret, epk, key));
	assert_int_equal(secret.len, known.secret.len);
	assert_memory_equal(secret.bytes, known.secret.bytes, secret.len);
}

static void no_bit_of_secret_may_differ(void **state)
{
	struct known known;

	(void)state;
	for (uint8_t type = 1; type <= 3; type++) {
		known_read(&known, type);
		for (size_t bit = 0; bit < 8 * known.secret.len; bit++) {
			known.secret.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
			assert_false(opens(&known));
			known.secret.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		known.secret.len /= 2;
		assert_false(opens(&known));
	}
}

static void no_bit_of_body_may_differ(void **state)
{
	struct known known;

	(void)state;
	for (uint8_t type = 1; type <= 3; type++) {
		known_read(&known, type);
		for (size_t bit = 0; bit < 8 * (size_t)known.slot.len; bit++) {
			known.body[bit / 8] ^= (uint8_t)(1u << bit % 8);
			assert_false(opens(&known));
			known.body[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
	}
}

/* A slot holds for one secret at most: thousands of others find nothing in it. */
static void wrap_commits_to_secret(void **state)
{
	struct known known;

	(void)state;
	known_read(&known, SLOT_KEY_FILE);
	for (unsigned i = 0; i < 4096; i++) {
		randombytes_buf(known.secret.bytes, sizeof known.secret.bytes);
		assert_false(opens(&known));
	}
}

static void type_is_bound(void **state)
{
	struct known known;

	(void)state;
	for (uint8_t type = 1; type <= 3; type++) {
		known_read(&known, type);
		for (unsigned other = 0; other < 256; other++) {
			known.slot.type = (uint8_t)other;
			assert_int_equal(opens(&known), other == type);
		}
	}
}

static void length_is_checked(void **state)
{
	struct known known;

	(void)state;
	known_read(&known, SLOT_KEY_FILE);
	for (uint16_t len = 0; len < 200; len++) {
		known.slot.len = len;
		assert_int_equal(opens(&known), len == SLOT_KEY_FILE_BYTES);
	}
}

/* One derivation, many files: both open, and the two pads have nothing to do with each other. */
static void one_secret_serves_many_file_keys(void **state)
{
	struct known one, two;
	uint8_t keys = 0, cts = 0;

	(void)state;
	known_read(&one, SLOT_PASSPHRASE);
	known_read(&two, SLOT_PASSPHRASE);
	two.file_key[31] ^= 1;
	slot_wrap(two.body, SLOT_PASSPHRASE, &two.secret, two.file_key);
	assert_true(opens(&one));
	assert_true(opens(&two));
	assert_memory_not_equal(one.body + 56, two.body + 56, 32); /* tags */
	for (size_t i = 0; i < 31; i++) {
		keys |= one.file_key[i] ^ two.file_key[i];
		cts |= one.body[24 + i] ^ two.body[24 + i];
	}
	assert_int_equal(keys, 0);
	assert_int_not_equal(cts, 0);
}

static void wrap_needs_a_known_type(void **state)
{
	struct known known;

	(void)state;
	known_read(&known, SLOT_KEY_FILE);
	expect_assert_failure(slot_wrap(known.body, SLOT_SPARE, &known.secret, known.file_key));
	expect_assert_failure(slot_wrap(known.body, 9, &known.secret, known.file_key));
	expect_assert_failure(slot_wrap(known.body, SLOT_XWING, &known.secret, known.file_key));
}

/* Every encoding of a point whose order divides 8, bit 255 clear (RFC 7748, 6.1 and its errata). */
static const char *const low_order[] = {
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
	"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
};

static void low_order_points_give_no_secret(void **state)
{
	uint8_t point[SLOT_KEY_BYTES], own[SLOT_KEY_BYTES], epk[SLOT_KEY_BYTES];
	struct slot_secret secret;

	(void)state;
	some_bytes(own, sizeof own, 1);
	for (size_t i = 0; i < 2 * COUNT_OF(low_order); i++) {
		hex_bytes(point, sizeof point, low_order[i / 2]);
		point[31] |= i % 2 == 0 ? 0 : 0x80; /* X25519 does not look at bit 255 */
		memset(&secret, 0x5a, sizeof secret);
		assert_false(slot_secret_x25519_open(&secret, point, own));
		assert_true(all_zero(&secret, sizeof secret));
		memset(&secret, 0x5a, sizeof secret);
		assert_false(slot_secret_x25519_seal(&secret, epk, own, point));
		assert_true(all_zero(&secret, sizeof secret));
	}
}

static void x25519_both_sides_agree(void **state)
{
	uint8_t identity[32], recipient[32], esk[32], epk[32];
	struct slot_secret made, found;

	(void)state;
	for (unsigned i = 0; i < 64; i++) {
		randombytes_buf(identity, sizeof identity);
		randombytes_buf(esk, sizeof esk);
		crypto_scalarmult_curve25519_base(recipient, identity);
		assert_true(slot_secret_x25519_seal(&made, epk, esk, recipient));
		assert_true(slot_secret_x25519_open(&found, epk, identity));
		assert_memory_equal(&made, &found, sizeof made);
		identity[1] ^= 1;
		assert_true(slot_secret_x25519_open(&found, epk, identity));
		assert_memory_not_equal(&made, &found, sizeof made);
	}
}

static void argon2_params_layout(void **state)
{
	const struct slot_argon2 params = {0x01020304, 0xa1a2a3a4, "0123456789abcde"};
	struct slot_argon2 again;
	uint8_t body[SLOT_PASSPHRASE_BYTES], want[24];

	(void)state;
	hex_bytes(want, sizeof want, "01020304a1a2a3a430313233343536373839616263646500");
	memset(body, 0x5a, sizeof body);
	slot_argon2_encode(body, &params);
	assert_memory_equal(body, want, sizeof want);
	assert_int_equal(body[24], 0x5a);
	slot_argon2_decode(&again, body);
	assert_true(slot_argon2_same(&again, &params));
	again.passes++;
	assert_false(slot_argon2_same(&again, &params));
	slot_argon2_decode(&again, body);
	again.memory_kib++;
	assert_false(slot_argon2_same(&again, &params));
	slot_argon2_decode(&again, body);
	again.salt[SLOT_ARGON2_SALT - 1] ^= 1;
	assert_false(slot_argon2_same(&again, &params));
	slot_argon2_decode(&again, body);
	assert_int_equal(again.passes, params.passes);
	assert_int_equal(again.memory_kib, params.memory_kib);
	assert_memory_equal(again.salt, params.salt, sizeof params.salt);
}

static bool charge(struct slot_kdf_budget *budget, uint32_t passes, uint32_t memory_kib)
{
	const struct slot_kdf_budget before = *budget;
	const struct slot_argon2 params = {.passes = passes, .memory_kib = memory_kib};
	const bool may = slot_kdf_charge(budget, &params);

	if (may) {
		assert_int_equal(budget->spent_kib - before.spent_kib,
				 (uint64_t)passes * memory_kib);
		assert_int_equal(budget->derivations, before.derivations + 1);
	} else {
		assert_memory_equal(budget, &before, sizeof before);
	}
	return may;
}

static struct slot_kdf_budget fresh(void)
{
	struct slot_kdf_budget budget;

	memset(&budget, 0, sizeof budget);
	budget.caps = slot_kdf_default_caps;
	return budget;
}

static void caps_on_one_slot(void **state)
{
	struct slot_kdf_budget budget = fresh();

	(void)state;
	assert_false(charge(&budget, 1, 1048577));
	assert_true(charge(&budget, 1, 1048576));
	assert_false(charge(&budget, 17, 8));
	assert_true(charge(&budget, 16, 8));
	assert_false(charge(&budget, UINT32_MAX, 8));
	assert_false(charge(&budget, 1, UINT32_MAX));
	assert_false(charge(&budget, UINT32_MAX, UINT32_MAX));
	assert_true(charge(&budget, 3, 262144)); /* what was skipped has cost nothing */
}

static void cap_on_the_sum(void **state)
{
	struct slot_kdf_budget budget = fresh();

	(void)state;
	assert_true(charge(&budget, 16, 1048576)); /* 16 GiB-passes, all there is */
	assert_false(charge(&budget, 1, 8));

	budget = fresh();
	assert_true(charge(&budget, 15, 1048576));
	assert_true(charge(&budget, 1, 1048576 - 8));
	assert_false(charge(&budget, 1, 9));
	assert_true(charge(&budget, 1, 8));
	assert_false(charge(&budget, 1, 8));
}

static void cap_on_derivations(void **state)
{
	struct slot_kdf_budget budget = fresh();

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		assert_true(charge(&budget, 1, 8));
	assert_false(charge(&budget, 1, 8));
}

/* With caps raised as far as they go, the sum is still right in 64 bits. */
static void sums_do_not_wrap(void **state)
{
	struct slot_kdf_budget budget = fresh();

	(void)state;
	budget.caps = (struct slot_kdf_caps){UINT32_MAX, UINT32_MAX, UINT64_MAX};
	assert_true(charge(&budget, UINT32_MAX, UINT32_MAX));
	assert_false(charge(&budget, UINT32_MAX, UINT32_MAX));
	assert_true(charge(&budget, 1, UINT32_MAX));

	budget = fresh();
	budget.caps = (struct slot_kdf_caps){UINT32_MAX, UINT32_MAX, UINT64_C(1) << 33};
	assert_true(charge(&budget, 3, 1u << 31u)); /* 3 * 2^31 does not fit in 32 bits */
	assert_false(charge(&budget, 2, 1u << 31u));
	assert_true(charge(&budget, 1, 1u << 31u));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_by_type),
		cmocka_unit_test(wrap_makes_known_bytes),
		cmocka_unit_test(secrets_are_known),
		cmocka_unit_test(no_bit_of_secret_may_differ),
		cmocka_unit_test(no_bit_of_body_may_differ),
		cmocka_unit_test(wrap_commits_to_secret),
		cmocka_unit_test(type_is_bound),
		cmocka_unit_test(length_is_checked),
		cmocka_unit_test(one_secret_serves_many_file_keys),
		cmocka_unit_test(wrap_needs_a_known_type),
		cmocka_unit_test(low_order_points_give_no_secret),
		cmocka_unit_test(x25519_both_sides_agree),
		cmocka_unit_test(argon2_params_layout),
		cmocka_unit_test(caps_on_one_slot),
		cmocka_unit_test(cap_on_the_sum),
		cmocka_unit_test(cap_on_derivations),
		cmocka_unit_test(sums_do_not_wrap),
	};

	return FORMAT_TESTS_RUN(tests);
}
