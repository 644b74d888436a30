/* SPDX-License-Identifier: ISC */
/*
 * count_argon2.c - writes a line for each Argon2id, PASSES and KIB, to the file that
 * GCMCRYPT_TEST_DERIVATIONS names, and lets it happen.
 *
 * Loaded into the program by the tests with LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *file;

/* Before the program refuses itself what it has no business with. */
__attribute__((constructor)) static void open_file(void)
{
	const char *name = getenv("GCMCRYPT_TEST_DERIVATIONS");

	file = name == NULL ? NULL : fopen(name, "ae");
}

typedef int argon2id(unsigned char *const, unsigned long long, const char *const,
		     unsigned long long, const unsigned char *const, unsigned long long, size_t,
		     int);

int crypto_pwhash_argon2id(unsigned char *const out, unsigned long long out_len,
			   const char *const passphrase, unsigned long long len,
			   const unsigned char *const salt, unsigned long long passes, size_t bytes,
			   int algorithm)
{
	argon2id *next = (argon2id *)dlsym(RTLD_NEXT, "crypto_pwhash_argon2id");

	if (file == NULL || fprintf(file, "%llu %zu\n", passes, bytes / 1024) < 0 ||
	    fflush(file) != 0)
		abort();
	return next(out, out_len, passphrase, len, salt, passes, bytes, algorithm);
}
