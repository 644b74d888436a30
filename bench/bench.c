/* SPDX-License-Identifier: ISC */
/*
 * bench.c - one run that puts our kernels, OpenSSL, libsodium and the bounds side by side.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

static FILE *open_csv(const char *name)
{
	FILE *csv = fopen(name, "wx");

	if (csv == NULL)
		perror(name);
	return csv;
}

static bool report(FILE *csv, const struct bench_results *results,
		   const struct bench_options *options)
{
	bench_report_about(stdout, "");
	bench_report_tables(stdout, results, options);
	bench_report_summary(stdout, results);
	return (csv == NULL || bench_report_csv(csv, results)) && ferror(stdout) == 0 &&
	       fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
	struct bench_options options;
	struct bench_results results;
	FILE *csv = NULL;
	bool written;

	bench_options_parse(&options, argc, argv);
	if (sodium_init() < 0)
		bench_die("libsodium does not start");
	if (options.about) {
		bench_report_about(stdout, "");
		return fflush(stdout) != 0;
	}
	if (options.csv != NULL && (csv = open_csv(options.csv)) == NULL)
		return 1;
	bench_measure(&results, &options);
	written = report(csv, &results, &options);
	if (csv != NULL)
		written = fclose(csv) == 0 && written;
	free(results.rows);
	if (!written)
		bench_die("could not write all of the results");
	return 0;
}
