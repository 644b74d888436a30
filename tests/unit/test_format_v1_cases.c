/* SPDX-License-Identifier: ISC */
/*
 * test_format_v1_cases.c - the 58 small files of gcmcrypt_v1_cases.txt: what a reader that is made
 * of nothing but src/format says of each, as the exit status that it must come to.
 */
#include "format_util.h"
#include "format_vectors.h"

#include "format/payload.h"
#include "format/slot.h"

#define FILE_MAX 65536

/* The exit status that each fault of the format has. */
static int status_of(enum fault fault)
{
	switch (fault) {
	case FAULT_NONE:
		return 0;
	case FAULT_NOTHING_OPENS:
		return 3;
	case FAULT_HEADER_CUT:
	case FAULT_ENDS_EARLY:
		return 5;
	case FAULT_FOREIGN:
	case FAULT_NEWER:
		return 6;
	default:
		return 4;
	}
}

/* Finds the file key of a whole header with a key file's key. */
static enum fault open_header(uint8_t file_key[HEADER_FILE_KEY_BYTES], const uint8_t *bytes,
			      size_t len, const uint8_t key[32])
{
	struct slot_secret secret;
	struct header header;
	const enum fault fault = header_parse(&header, bytes, len);

	if (fault != FAULT_NONE)
		return fault;
	for (size_t i = 0; i < header.slot_count; i++) {
		if (header.slots[i].type != SLOT_KEY_FILE)
			continue;
		slot_secret_key_file(&secret, header.slots[i].body, key);
		if (slot_unwrap(file_key, &header.slots[i], &secret))
			return header_mac_right(&header, file_key) ? FAULT_NONE
								   : FAULT_HEADER_TAMPERED;
	}
	return FAULT_NOTHING_OPENS;
}

/* What a reader makes of a file of one chunk at most: header, commitment, chunk. */
static enum fault open_small(const uint8_t *file, size_t len, const uint8_t key[32])
{
	uint8_t file_key[HEADER_FILE_KEY_BYTES], input_key[32], commitment[32];
	uint8_t plain[PAYLOAD_CHUNK_BYTES];
	struct payload_shape shape;
	struct payload_key payload;
	const uint8_t *start;
	size_t hlen;
	enum fault fault = header_check_preamble(file, len, &hlen);

	if (fault == FAULT_NONE)
		fault = open_header(file_key, file, len < hlen ? len : hlen, key);
	if (fault != FAULT_NONE)
		return fault;
	start = file + hlen;
	if (len - hlen < PAYLOAD_START_BYTES)
		return FAULT_ENDS_EARLY;
	payload_input_key(input_key, file_key);
	payload_derive(&payload, commitment, gcm_kernel_at(gcm_kernel_count() - 1), input_key,
		       start, false, NULL, 0);
	if (sodium_memcmp(commitment, start + PAYLOAD_SALT_BYTES, sizeof commitment) != 0)
		return FAULT_COMMITMENT;
	fault = payload_shape(&shape, len - hlen);
	if (fault != FAULT_NONE)
		return fault;
	assert_int_equal(shape.last, 0);
	return payload_open_chunk(&payload, NULL, plain, 0, start + PAYLOAD_START_BYTES,
				  shape.last_sealed)
		       ? FAULT_NONE
		       : FAULT_ENDS_EARLY;
}

/* One line: name, exit status, file in hex. */
static void check_case(char *line, const uint8_t key[32])
{
	static uint8_t file[FILE_MAX];
	const char *const name = strtok(line, " ");
	const char *const status = strtok(NULL, " ");
	const char *const hex = strtok(NULL, " ");
	size_t len;

	assert_non_null(hex);
	len = strcmp(hex, "-") == 0 ? 0 : hex_bytes(file, sizeof file, hex);
	if (status_of(open_small(file, len, key)) != strtol(status, NULL, 10))
		fail_msg("%s: %d, not %s", name, status_of(open_small(file, len, key)), status);
}

static void cases_have_their_status(void **state)
{
	char *const text = vectors_read("gcmcrypt_v1.txt");
	char *const cases = vectors_read("gcmcrypt_v1_cases.txt");
	size_t count = 0;
	uint8_t key[32];

	(void)state;
	if (text == NULL || cases == NULL)
		skip();
	value_exact(key, sizeof key, text, "key_file_key");
	for (char *line = cases, *next; *line != '\0'; line = next) {
		next = line + strcspn(line, "\n");
		if (*next != '\0')
			*next++ = '\0';
		if (line[0] == '#' || line[0] == '\0')
			continue;
		check_case(line, key);
		count++;
	}
	assert_int_equal(count, 58);
	free(text);
	free(cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_have_their_status),
	};

	return FORMAT_TESTS_RUN(tests);
}
