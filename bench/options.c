/* SPDX-License-Identifier: ISC */
/*
 * options.c - the command line of bench, by getopt_long.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "options.h"
#include "stage.h"

#define SECONDS_MAX 3600

static const char help[] =
	"Usage: bench [OPTION]...\n"
	"Times this project's kernels, OpenSSL, libsodium and what the processor's ports allow,\n"
	"all in turn, in core cycles, while the machine is quiet.\n"
	"\n"
	"  --size LIST      bytes of a message: 16,64,256,1024,4096,16384,65536\n"
	"  --key-bits LIST  128,256\n"
	"  --only LIST      these competitors alone: vaes512, aesni, openssl, bound-zmm, ...\n"
	"  --aad BYTES      AAD of each message: 13\n"
	"  --samples N      quiet samples of each competitor: 15\n"
	"  --seconds N      at most, to wait for them, for each size and operation: 20\n"
	"  --csv FILE       all results; a name that is new\n"
	"  --about          prints machine, compiler and libraries, and ends\n"
	"  --help           prints this, and ends\n";

static _Noreturn void usage(const char *option, const char *text)
{
	(void)fprintf(stderr, "bench: %s: not possible: '%s'\nTry 'bench --help'.\n", option, text);
	exit(2);
}

static size_t number(const char *option, const char *text, const char **end, size_t min, size_t max)
{
	char *stop = NULL;
	unsigned long value = strtoul(text, &stop, 10);

	if (*text < '0' || *text > '9' || value < min || value > max)
		usage(option, text);
	*end = stop;
	return value;
}

static size_t only_number(const char *option, const char *text, size_t min, size_t max)
{
	const char *end = NULL;
	size_t value = number(option, text, &end, min, max);

	if (*end != '\0')
		usage(option, text);
	return value;
}

static size_t list(const char *option, const char *text, size_t *values, size_t room, size_t min,
		   size_t max)
{
	const char *at = text;
	size_t count = 0;

	for (;; at++) {
		if (count == room)
			usage(option, text);
		values[count++] = number(option, at, &at, min, max);
		if (*at == '\0')
			return count;
		if (*at != ',')
			usage(option, text);
	}
}

static void set(struct bench_options *options, int option, const char *value)
{
	switch (option) {
	case 's':
		options->size_count =
			list("--size", value, options->sizes, BENCH_SIZES_MAX, 1, BENCH_SIZE_MAX);
		break;
	case 'k':
		options->key_bits_count =
			list("--key-bits", value, options->key_bits, BENCH_KEY_BITS_MAX, 128, 256);
		for (size_t i = 0; i < options->key_bits_count; i++)
			if (options->key_bits[i] != 128 && options->key_bits[i] != 256)
				usage("--key-bits", value);
		break;
	case 'a':
		options->aad_len = only_number("--aad", value, 0, BENCH_AAD_MAX);
		break;
	case 'n':
		options->samples =
			only_number("--samples", value, BENCH_SAMPLES_MIN, BENCH_SAMPLES_MAX);
		break;
	default:
		options->seconds = only_number("--seconds", value, 1, SECONDS_MAX);
		break;
	}
}

void bench_options_parse(struct bench_options *options, int argc, char **argv)
{
	static const struct option known[] = {
		{"size", required_argument, NULL, 's'},
		{"key-bits", required_argument, NULL, 'k'},
		{"only", required_argument, NULL, 'o'},
		{"aad", required_argument, NULL, 'a'},
		{"samples", required_argument, NULL, 'n'},
		{"seconds", required_argument, NULL, 't'},
		{"csv", required_argument, NULL, 'c'},
		{"about", no_argument, NULL, 'A'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int option;

	*options = (struct bench_options){
		.sizes = {16, 64, 256, 1024, 4096, 16384, 65536},
		.size_count = 7,
		.key_bits = {128, 256},
		.key_bits_count = 2,
		.aad_len = 13,
		.samples = 15,
		.seconds = 20,
	};
	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'h')
			exit(fputs(help, stdout) < 0 || fflush(stdout) != 0);
		else if (option == 'c')
			options->csv = optarg;
		else if (option == 'o')
			options->only = optarg;
		else if (option == 'A')
			options->about = true;
		else if (option == '?')
			exit(2);
		else
			set(options, option, optarg);
	}
	if (optind < argc)
		usage("arguments", argv[optind]);
}

bool bench_options_wants(const struct bench_options *options, const char *name)
{
	const size_t len = strlen(name);
	const char *at = options->only;

	while (at != NULL && (strncmp(at, name, len) != 0 || (at[len] != ',' && at[len] != '\0'))) {
		at = strchr(at, ',');
		if (at == NULL)
			return false;
		at++;
	}
	return true;
}
