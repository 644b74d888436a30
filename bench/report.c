/* SPDX-License-Identifier: ISC */
/*
 * report.c - tables for people, CSV for programs.
 */
#include <openssl/crypto.h>
#include <sodium.h>
#include <string.h>

#include "cpu/cpu.h"
#include "report.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

void bench_report_about(FILE *out, const char *start)
{
	const uint32_t here = cpu_probe();
	char model[CPU_MODEL_BYTES];

	cpu_model(model);
	(void)fprintf(out, "%smachine: %s\n", start, model[0] != '\0' ? model : "unknown");
	(void)fprintf(out, "%sfeatures:", start);
	for (uint32_t bit = 1; bit != 0; bit <<= 1)
		if ((here & bit) != 0 && cpu_feature_name(bit) != NULL)
			(void)fprintf(out, " %s", cpu_feature_name(bit));
	(void)fprintf(out, "\n%scompiler: %s\n", start, COMPILER);
	(void)fprintf(out, "%sopenssl: %s\n", start, OpenSSL_version(OPENSSL_VERSION));
	(void)fprintf(out, "%slibsodium: %s\n", start, sodium_version_string());
}

/* "~" stands behind a figure of too few samples, "-" for none. */
static void print_cell(FILE *out, const struct bench_results *results, const struct bench_row *row)
{
	const struct bench_figures figures = bench_row_figures(results, row);

	if (figures.samples == 0)
		(void)fprintf(out, " %8s ", "-");
	else
		(void)fprintf(out, " %8.3f%c", figures.cycles / (double)row->size,
			      figures.samples < BENCH_SAMPLES_MIN ? '~' : ' ');
}

static void print_table(FILE *out, const struct bench_results *results,
			const struct bench_options *options, bool opening, size_t key_bits)
{
	(void)fprintf(out, "\n%s, %zu-bit keys: core cycles a byte\n%-18s",
		      opening ? "open" : "seal", key_bits, "bytes");
	for (size_t s = 0; s < options->size_count; s++)
		(void)fprintf(out, " %8zu ", options->sizes[s]);
	(void)fputc('\n', out);
	for (size_t i = 0; i < results->count; i++) {
		const char *name = results->rows[i].name;

		/* The rows of the first size name all competitors. */
		if (bench_row_find(results, name, opening, key_bits, options->sizes[0]) !=
		    &results->rows[i])
			continue;
		(void)fprintf(out, "%-18s", name);
		for (size_t s = 0; s < options->size_count; s++)
			print_cell(out, results,
				   bench_row_find(results, name, opening, key_bits,
						  options->sizes[s]));
		(void)fputc('\n', out);
	}
}

void bench_report_tables(FILE *out, const struct bench_results *results,
			 const struct bench_options *options)
{
	for (size_t k = 0; k < options->key_bits_count; k++) {
		print_table(out, results, options, false, options->key_bits[k]);
		print_table(out, results, options, true, options->key_bits[k]);
	}
	(void)fprintf(out,
		      "\n%zu bytes of AAD.  Medians of quiet samples, %lu of the %lu taken; "
		      "~ fewer than %d of them, - none.\nThe yardstick, OpenSSL's seal of %d "
		      "bytes, takes %.0f cycles in quiet; up to %.0f%% more was let pass.\n",
		      options->aad_len, results->gate.accepted, results->gate.tried,
		      BENCH_SAMPLES_MIN, BENCH_YARDSTICK_BYTES, results->gate.quiet,
		      100 * (BENCH_GATE_TOLERANCE - 1));
}

bool bench_report_csv(FILE *out, const struct bench_results *results)
{
	bench_report_about(out, "# ");
	(void)fputs("operation,key_bits,size,competitor,cycles_per_byte,cycles_per_byte_min,spread,"
		    "samples,gigabytes_per_second,cycles_per_call\n",
		    out);
	for (size_t i = 0; i < results->count; i++) {
		const struct bench_row *row = &results->rows[i];
		const struct bench_figures figures = bench_row_figures(results, row);
		const double size = (double)row->size;

		(void)fprintf(out, "%s,%zu,%zu,%s,%.4f,%.4f,%.4f,%zu,%.3f,%.1f\n",
			      row->opening ? "open" : "seal", row->key_bits, row->size, row->name,
			      figures.cycles / size, figures.least / size, figures.spread,
			      figures.samples, size / figures.seconds / 1e9, figures.cycles);
	}
	return ferror(out) == 0 && fflush(out) == 0;
}
