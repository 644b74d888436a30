/* SPDX-License-Identifier: ISC */
/*
 * count.c - seals messages with one kernel, for valgrind to count the instructions of.
 *
 *   count --compiler              what this was compiled by, as in "gcc 12 -O2 x86_64"
 *   count KERNEL SIZE MESSAGES    seals so many messages of SIZE bytes; 77: not usable here
 *
 * Only the kernel named is executed, and its self-test: valgrind knows no AVX-512.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "gcm/gcm.h"

#define SIZE_MAX_BYTES 16384

/* MESSAGES is a multiple of this, which counts as 256: the counter cache is filled once for each. */
#define RUN 16

#define TEXT_OF(word) #word
#define TEXT(word)    TEXT_OF(word)

#if defined(__clang__)
#define COMPILER "clang " TEXT(__clang_major__)
#else
#define COMPILER "gcc " TEXT(__GNUC__)
#endif

#if defined(__x86_64__)
#define MACHINE "x86_64"
#else
#define MACHINE "other"
#endif

/* BUILD_FLAGS is CFLAGS.  What changes the instructions: the last -O, and each -m. */
static void print_compiler(void)
{
	char flags[] = BUILD_FLAGS;
	const char *level = "-O0";

	printf("%s", COMPILER);
	for (const char *word = strtok(flags, " \t"); word != NULL; word = strtok(NULL, " \t")) {
		if (strncmp(word, "-O", 2) == 0)
			level = word;
		else if (strncmp(word, "-m", 2) == 0)
			printf(" %s", word);
	}
	printf(" %s %s\n", level, MACHINE);
}

/* Messages numbered in steps, so that few of them fill the cache as often as many in sequence. */
static void seal(const struct gcm_key *key, size_t size, unsigned long messages)
{
	static uint8_t text[SIZE_MAX_BYTES];
	struct gcm_counter_cache cache;
	uint8_t nonce[GCM_NONCE_BYTES] = {0}, tag[GCM_TAG_BYTES];
	const uint8_t aad[13] = {0};

	gcm_counter_cache_init(&cache);
	for (unsigned long i = 0; i < messages; i++) {
		nonce[11] = (uint8_t)(i % RUN * (256 / RUN));
		nonce[10] = (uint8_t)(i / RUN);
		gcm_seal(key, &cache, text, tag, nonce, aad, sizeof aad, text, size);
	}
	gcm_counter_cache_wipe(&cache);
}

static const struct gcm_kernel *usable_kernel(const char *name)
{
	for (size_t i = 0; i < gcm_kernel_count(); i++) {
		const struct gcm_kernel *kernel = gcm_kernel_at(i);

		if (strcmp(gcm_kernel_name(kernel), name) == 0 &&
		    gcm_kernel_usable(kernel, cpu_probe()))
			return kernel;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static const uint8_t bytes[32] = {1};
	const struct gcm_kernel *kernel;
	struct gcm_key key;
	unsigned long size, messages;

	if (argc == 2 && strcmp(argv[1], "--compiler") == 0) {
		print_compiler();
		return 0;
	}
	if (argc != 4)
		return 2;
	size = strtoul(argv[2], NULL, 10);
	messages = strtoul(argv[3], NULL, 10);
	if (size == 0 || size > SIZE_MAX_BYTES || messages == 0 || messages > 256UL * RUN)
		return 2;
	kernel = usable_kernel(argv[1]);
	if (kernel == NULL)
		return 77;
	if (gcm_kernel_select(cpu_probe(), argv[1]) != kernel ||
	    !gcm_key_init(&key, kernel, bytes, sizeof bytes))
		return 2;
	seal(&key, size, messages);
	gcm_key_wipe(&key);
	return 0;
}
