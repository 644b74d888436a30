/* SPDX-License-Identifier: ISC */
/*
 * test_payload_lengths.c - sizes, shapes, offsets and ranges of a payload: arithmetic alone.
 */
#include "format_util.h"

#include "format/payload.h"

/* The longest plaintext: 2^38 chunks, of which the last is as full as it may be. */
#define PLAIN_MAX ((UINT64_C(1) << 52) - 1)

static void sealed_size_and_shape_agree(void **state)
{
	static const uint64_t around[] = {0, 1, 2, 100, 255, 65536, (UINT64_C(1) << 38) - 1};
	struct payload_shape shape;
	uint64_t size;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(around); i++) {
		for (int64_t d = i == 0 ? 0 : -40; d <= 40; d++) {
			const uint64_t len = (uint64_t)((int64_t)(around[i] * 16384) + d);

			assert_true(payload_sealed_size(&size, len));
			assert_int_equal(size, 56 + len + 16 * (len / 16384 + 1));
			assert_int_equal(payload_shape(&shape, size), FAULT_NONE);
			assert_int_equal(shape.plain_len, len);
			assert_int_equal(shape.last, len / 16384);
			assert_int_equal(shape.last_sealed, len % 16384 + 16);
			assert_int_equal(payload_chunk_offset(shape.last) + shape.last_sealed,
					 size);
		}
	}
}

static void sealed_size_has_an_end(void **state)
{
	uint64_t size;

	(void)state;
	assert_true(payload_sealed_size(&size, PLAIN_MAX));
	assert_int_equal(size, 56 + PLAIN_MAX + (UINT64_C(16) << 38));
	assert_false(payload_sealed_size(&size, PLAIN_MAX + 1));
	assert_false(payload_sealed_size(&size, UINT64_MAX));
}

static void shape_refuses(void **state)
{
	struct payload_shape shape;

	(void)state;
	for (uint64_t len = 0; len < 72; len++) {
		assert_int_equal(payload_shape(&shape, len), FAULT_ENDS_EARLY);
		assert_true(all_zero(&shape, sizeof shape));
	}
	for (uint64_t rest = 0; rest < 16400; rest++) {
		assert_int_equal(payload_shape(&shape, 56 + 3 * UINT64_C(16400) + rest),
				 rest < 16 ? FAULT_ENDS_EARLY : FAULT_NONE);
	}
	const uint64_t end = payload_chunk_offset(PAYLOAD_CHUNKS_MAX);

	assert_int_equal(payload_shape(&shape, end - 1), FAULT_NONE);
	assert_int_equal(shape.plain_len, PLAIN_MAX);
	assert_int_equal(payload_shape(&shape, end), FAULT_TOO_LONG);
	assert_int_equal(payload_shape(&shape, end + 16), FAULT_TOO_LONG);
	assert_int_equal(payload_shape(&shape, UINT64_MAX), FAULT_TOO_LONG);
}

static void chunk_offsets(void **state)
{
	(void)state;
	assert_int_equal(payload_chunk_offset(0), 56);
	assert_int_equal(payload_chunk_offset(1), 56 + 16400);
	assert_int_equal(payload_chunk_offset(262144), UINT64_C(56) + 16400 * UINT64_C(262144));
	assert_int_equal(payload_chunk_offset((UINT64_C(1) << 38) - 1),
			 UINT64_C(56) + 16400 * ((UINT64_C(1) << 38) - 1));
}

static void check_range(uint64_t plain_len, uint64_t offset, uint64_t len)
{
	const struct payload_shape shape = {.last = plain_len / 16384,
					    .last_sealed = plain_len % 16384 + 16,
					    .plain_len = plain_len};
	struct payload_range range;
	const bool inside = payload_range(&range, &shape, offset, len);

	assert_int_equal(inside, offset <= plain_len);
	if (!inside) {
		assert_true(all_zero(&range, sizeof range));
		return;
	}
	assert_int_equal(range.offset, offset);
	/* Said without a sum that could wrap. */
	assert_int_equal(range.len, plain_len - offset < len ? plain_len - offset : len);
	assert_true(range.first <= range.last && range.last <= shape.last);
	assert_true(range.first * 16384 <= offset && offset - range.first * 16384 < 16384);
	if (range.len > 0) {
		const uint64_t final = offset + range.len - 1;

		assert_true(range.last * 16384 <= final && final - range.last * 16384 < 16384);
	} else {
		assert_int_equal(range.first, range.last);
	}
}

static void ranges_around_boundaries(void **state)
{
	static const uint64_t plains[] = {0,     1,     16383, 16384,     16385,
					  32767, 32768, 49153, PLAIN_MAX, PLAIN_MAX - 16383};
	static const uint64_t points[] = {0,
					  1,
					  2,
					  16382,
					  16383,
					  16384,
					  16385,
					  32767,
					  32768,
					  32769,
					  49152,
					  49153,
					  49154,
					  PLAIN_MAX - 1,
					  PLAIN_MAX,
					  PLAIN_MAX + 1,
					  UINT64_MAX - 1,
					  UINT64_MAX};

	(void)state;
	for (size_t p = 0; p < COUNT_OF(plains); p++) {
		for (size_t o = 0; o < COUNT_OF(points); o++) {
			for (size_t l = 0; l < COUNT_OF(points); l++)
				check_range(plains[p], points[o], points[l]);
		}
	}
}

static void range_by_hand(void **state)
{
	const struct payload_shape shape = {.last = 3, .last_sealed = 16 + 848, .plain_len = 50000};
	struct payload_range range;

	(void)state;
	assert_true(payload_range(&range, &shape, 16383, 2));
	assert_int_equal(range.first, 0);
	assert_int_equal(range.last, 1);
	assert_true(payload_range(&range, &shape, 16384, 16384));
	assert_int_equal(range.first, 1);
	assert_int_equal(range.last, 1);
	assert_true(payload_range(&range, &shape, 49000, UINT64_MAX));
	assert_int_equal(range.first, 2);
	assert_int_equal(range.last, 3);
	assert_int_equal(range.len, 1000);
	assert_true(payload_range(&range, &shape, 50000, 7));
	assert_int_equal(range.len, 0);
	assert_false(payload_range(&range, &shape, 50001, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sealed_size_and_shape_agree),
		cmocka_unit_test(sealed_size_has_an_end),
		cmocka_unit_test(shape_refuses),
		cmocka_unit_test(chunk_offsets),
		cmocka_unit_test(ranges_around_boundaries),
		cmocka_unit_test(range_by_hand),
	};

	return FORMAT_TESTS_RUN(tests);
}
