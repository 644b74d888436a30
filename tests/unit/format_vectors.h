/* SPDX-License-Identifier: ISC */
/*
 * format_vectors.h - files of vectors in the folder that the environment variable GCMCRYPT_VECTORS
 * names, and the "name = value" lines of gcmcrypt_v1.txt.
 */
#ifndef GCMCRYPT_TESTS_FORMAT_VECTORS_H
#define GCMCRYPT_TESTS_FORMAT_VECTORS_H

#include "format_util.h"

/*
 * The whole of a file of vectors with a NUL behind it, for the caller to free(); NULL, with the
 * reason printed, when it is not there: the test is then to skip().
 */
static inline char *vectors_read(const char *name)
{
	const char *const folder = getenv("GCMCRYPT_VECTORS");
	char path[4096];
	char *text = NULL;
	long size;
	FILE *file;

	if (folder == NULL) {
		printf("# skipped: GCMCRYPT_VECTORS names no folder with %s\n", name);
		return NULL;
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (file == NULL) {
		printf("# skipped: %s is not there\n", path);
		return NULL;
	}
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_true(size > 0);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
	fclose(file);
	return text;
}

/* The value of "name = value" in the text, up to the end of its line. */
static inline void value_text(char *out, size_t room, const char *text, const char *name)
{
	const size_t len = strlen(name);

	for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, len) == 0 && strncmp(line + len, " = ", 3) == 0) {
			const char *const value = line + len + 3;
			const size_t size = strcspn(value, "\n");

			assert_true(size < room);
			memcpy(out, value, size);
			out[size] = '\0';
			return;
		}
	}
	fail_msg("%s is not in the vectors", name);
}

static inline size_t value(uint8_t *out, size_t room, const char *text, const char *name)
{
	char hex[4096];

	value_text(hex, sizeof hex, text, name);
	return hex_bytes(out, room, hex);
}

static inline void value_exact(uint8_t *out, size_t len, const char *text, const char *name)
{
	assert_int_equal(value(out, len, text, name), len);
}

static inline uint32_t value_number(const char *text, const char *name)
{
	char digits[32];

	value_text(digits, sizeof digits, text, name);
	return (uint32_t)strtoul(digits, NULL, 10);
}

#endif
