/* SPDX-License-Identifier: ISC */
/*
 * summary.c - the few figures by which the kernels are judged, each beside the bar that was set.
 *
 * 16 KiB, the size of a chunk, under a 256-bit key: each kernel against what the ports allow and
 * against OpenSSL 3.0.  The bars were set on a processor whose ports do one 512-bit AES round or
 * two narrower ones a cycle; on others a bound may mean something else.
 */
#include <math.h>

#include "report.h"

#define KEY_BITS 256
#define CHUNK    16384

struct bar {
	const char *kernel;
	const char *bound;       /* NULL: none, judged by its cycles a byte */
	const char *bound_title; /* as people call it */
	double bound_max;        /* cycles, relative to the bound */
	double openssl_min;      /* OpenSSL's cycles, relative to the kernel's */
	double cycles_max;       /* cycles a byte */
};

static const struct bar bars[] = {
	{"vaes512", "bound-zmm-cached", "12 rounds zmm", 1.07, 3.3, INFINITY},
	{"vaes256", "bound-ymm", "14 rounds ymm", 0.93, 2.5, INFINITY},
	{"aesni", "bound-xmm", "14 rounds xmm", 0.91, 1.3, INFINITY},
	{"soft", NULL, "", INFINITY, 0, 23},
};

static const struct {
	size_t size;
	double cycles_max;
} short_bars[] = {{16, 52}, {64, 58}, {256, 132}, {1024, 0.28 * 1024}};

/* NaN: not measured, or too few quiet samples to say. */
static double cycles(const struct bench_results *results, const char *name, bool opening,
		     size_t size)
{
	const struct bench_row *row = bench_row_find(results, name, opening, KEY_BITS, size);
	struct bench_figures figures;

	if (row == NULL)
		return NAN;
	figures = bench_row_figures(results, row);
	return figures.samples < BENCH_SAMPLES_MIN ? NAN : figures.cycles;
}

/* Where one of the two was not measured, the ratio is NaN and says nothing. */
static void print_ratio(FILE *out, double ratio, const char *of, const char *limit, double bar,
			bool reached)
{
	if (isnan(ratio))
		(void)fprintf(out, "   not measured x %s", of);
	else
		(void)fprintf(out, "   %.3f x %s (%s %.2f: %s)", ratio, of, limit, bar,
			      reached ? "yes" : "no");
}

static void print_bar(FILE *out, const struct bench_results *results, const struct bar *bar,
		      bool opening)
{
	const double kernel = cycles(results, bar->kernel, opening, CHUNK);
	const double openssl = cycles(results, "openssl", opening, CHUNK) / kernel;

	if (bench_row_find(results, bar->kernel, opening, KEY_BITS, CHUNK) == NULL)
		return;
	if (isnan(kernel)) {
		(void)fprintf(out, "%-8s %s   too few quiet samples\n", bar->kernel,
			      opening ? "open" : "seal");
		return;
	}
	(void)fprintf(out, "%-8s %s %7.3f c/B", bar->kernel, opening ? "open" : "seal",
		      kernel / CHUNK);
	if (bar->bound != NULL) {
		const double bound = kernel / cycles(results, bar->bound, opening, CHUNK);

		print_ratio(out, bound, bar->bound_title, "at most", bar->bound_max,
			    bound <= bar->bound_max);
		print_ratio(out, openssl, "OpenSSL's speed", "at least", bar->openssl_min,
			    openssl >= bar->openssl_min);
	} else {
		(void)fprintf(out, " (below %.0f: %s)", bar->cycles_max,
			      kernel / CHUNK < bar->cycles_max ? "yes" : "no");
	}
	(void)fputc('\n', out);
}

static void print_short(FILE *out, const struct bench_results *results)
{
	for (size_t i = 0; i < sizeof short_bars / sizeof short_bars[0]; i++) {
		const size_t size = short_bars[i].size;
		const double kernel = cycles(results, "vaes512", false, size);

		if (isnan(kernel))
			continue;
		(void)fprintf(out, "vaes512  seal of %4zu bytes: %6.1f cycles (at most %.0f: %s)\n",
			      size, kernel, short_bars[i].cycles_max,
			      kernel <= short_bars[i].cycles_max ? "yes" : "no");
	}
}

void bench_report_summary(FILE *out, const struct bench_results *results)
{
	(void)fprintf(out, "\n%d bytes, %d-bit keys: kernels and their bars\n", CHUNK, KEY_BITS);
	for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++) {
		print_bar(out, results, &bars[i], false);
		print_bar(out, results, &bars[i], true);
	}
	print_short(out, results);
}
