/* SPDX-License-Identifier: ISC */
/*
 * cmd_bench.c - measures this machine: size x kernel x seal, open, on one screen.
 *
 * Owns what is printed; bench_check.c compares, bench_message.c and bench_stream.c
 * measure.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/bench_check.h"
#include "cli/bench_json.h"
#include "cli/bench_message.h"
#include "cli/bench_stream.h"
#include "cli/print.h"
#include "cli/run.h"
#include "cpu/cpu.h"
#include "cpu/ticks.h"
#include "io/kdf.h"

#define KERNELS_MAX     16
#define DEFAULT_SECONDS 3
#define BILLION         UINT64_C(1000000000)

struct plan {
	const struct options *options;
	const struct gcm_kernel *used;               /* what seal and open use */
	const struct gcm_kernel *timed[KERNELS_MAX]; /* best first */
	size_t count;
	double spread; /* the worst of all rows */
	struct print *print;
	struct bench_json json; /* in place of print, if it is wanted */
};

static void print_features(struct print *print, uint32_t features)
{
	for (uint32_t bit = 1; bit != 0; bit <<= 1)
		if ((features & bit) != 0 && cpu_feature_name(bit) != NULL)
			print_text(print, " %s", cpu_feature_name(bit));
}

static void list_kernels(const struct plan *plan)
{
	uint32_t features = cpu_probe();

	for (size_t i = 0; i < gcm_kernel_count(); i++) {
		const struct gcm_kernel *kernel = gcm_kernel_at(i);
		const char *name = gcm_kernel_name(kernel);

		if (!gcm_kernel_usable(kernel, features)) {
			print_text(plan->print, "%-12s no, this machine lacks", name);
			print_features(plan->print, gcm_kernel_needs(kernel) & ~features);
			print_text(plan->print, "\n");
		} else if (gcm_kernel_select(features, name) == NULL) {
			print_text(plan->print, "%-12s no, its self-test fails\n", name);
		} else {
			print_text(plan->print, "%-12s yes%s\n", name,
				   kernel == plan->used ? ", seal and open use it" : "");
		}
	}
}

/* The kernels to be timed: all that work here, or the one that --kernel names. */
static void choose_kernels(struct plan *plan)
{
	uint32_t features = cpu_probe();

	for (size_t i = 0; i < gcm_kernel_count() && plan->count < KERNELS_MAX; i++) {
		const struct gcm_kernel *kernel = gcm_kernel_at(i);

		if (plan->options->kernel != NULL ? kernel == plan->used
						  : gcm_kernel_usable(kernel, features))
			plan->timed[plan->count++] = kernel;
	}
}

static enum fault check_kernels(const struct plan *plan)
{
	const struct gcm_kernel *portable = gcm_kernel_at(gcm_kernel_count() - 1);

	for (size_t i = 0; i < plan->count; i++) {
		const char *name = gcm_kernel_name(plan->timed[i]);
		size_t len = 0;
		enum fault fault = bench_check(plan->timed[i], portable, &len);

		if (fault == FAULT_KERNEL_WRONG)
			message_error(name, "disagrees with %s at %zu byte%s: do not use it",
				      gcm_kernel_name(portable), len, len == 1 ? "" : "s");
		else if (fault != FAULT_NONE)
			message_fault(name, fault, 0);
		if (fault != FAULT_NONE)
			return fault;
	}
	return FAULT_NONE;
}

static void print_head(const struct plan *plan)
{
	char model[CPU_MODEL_BYTES];

	if (plan->json.out.wanted)
		return;
	if (plan->options->csv) {
		print_text(plan->print,
			   "bytes,kernel,used,seal_gb_s,seal_%s_byte,open_gb_s,open_%s_byte,spread,"
			   "threads\n",
			   cpu_ticks_unit(), cpu_ticks_unit());
		return;
	}
	cpu_model(model);
	print_text(plan->print, "%s:", model[0] == '\0' ? "processor" : model);
	print_features(plan->print, cpu_probe());
	print_text(plan->print, "\n\n%8s  %-12s %10s %9s/B %10s %9s/B\n", "bytes", "kernel",
		   "seal GB/s", cpu_ticks_unit(), "open GB/s", cpu_ticks_unit());
}

static void print_row(struct plan *plan, const struct bench_turns_row *row)
{
	bool used = row->kernel == plan->used;
	const char *name = gcm_kernel_name(row->kernel);
	double spread = row->seal.spread > row->open.spread ? row->seal.spread : row->open.spread;

	if (spread > plan->spread)
		plan->spread = spread;
	if (plan->json.out.wanted)
		bench_json_row(&plan->json, row, spread);
	else if (plan->options->csv)
		print_text(plan->print, "%" PRIu64 ",%s,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%u\n",
			   row->bytes, name, used, row->seal.gigabytes, row->seal.ticks,
			   row->open.gigabytes, row->open.ticks, spread, row->threads);
	else
		print_text(plan->print, "%8" PRIu64 "  %-11s%c %10.3f %11.3f %10.3f %11.3f\n",
			   row->bytes, name, used ? '*' : ' ', row->seal.gigabytes, row->seal.ticks,
			   row->open.gigabytes, row->open.ticks);
}

/* All kernels on messages of bytes, or, in so many threads, on a stream. */
static enum fault time_rows(struct plan *plan, uint64_t bytes, unsigned threads,
			    uint64_t nanoseconds)
{
	struct bench_turns_row rows[KERNELS_MAX];
	char size[MESSAGE_SIZE_BYTES];
	enum fault fault;

	for (size_t i = 0; i < plan->count; i++)
		rows[i] = (struct bench_turns_row){
			.kernel = plan->timed[i], .bytes = bytes, .threads = threads};
	fault = threads == 0 ? bench_message(rows, plan->count, nanoseconds)
			     : bench_stream(rows, plan->count, nanoseconds);
	if (fault == FAULT_KERNEL_WRONG)
		message_error(NULL,
			      "a message of %" PRIu64
			      " byte%s did not open: do not use this machine",
			      bytes, bytes == 1 ? "" : "s");
	else if (fault != FAULT_NONE && fault != FAULT_SIGNAL)
		message_error(NULL, "%s in memory: %s", message_size(size, bytes),
			      message_reason(fault, 0));
	for (size_t i = 0; i < plan->count && fault == FAULT_NONE; i++)
		print_row(plan, &rows[i]);
	return fault == FAULT_NONE ? print_send(plan->print) : fault;
}

static void print_foot(const struct plan *plan)
{
	if (plan->options->csv || plan->json.out.wanted)
		return;
	if (plan->options->threads != 0)
		print_text(plan->print,
			   "\n%" PRIu64
			   ": a file read, sealed or opened, and written in memory, in "
			   "%" PRIu64 " thread%s",
			   BENCH_STREAM_BYTES, plan->options->threads,
			   plan->options->threads == 1 ? "" : "s");
	print_text(plan->print,
		   "\n* seal and open use it\n"
		   "Medians%s; the middle half of the turns spread over %.0f%% at worst.\n",
		   plan->options->threads == 0 ? " on one thread" : "", 100 * plan->spread);
}

static enum fault time_all(struct plan *plan)
{
	static const uint64_t usual[] = {64, 1024, 16384};
	const struct options *options = plan->options;
	const uint64_t *sizes = options->size_count == 0 ? usual : options->sizes;
	size_t count =
		options->size_count == 0 ? sizeof usual / sizeof usual[0] : options->size_count;
	uint64_t seconds = options->seconds == 0 ? DEFAULT_SECONDS : options->seconds;
	uint64_t share = seconds * BILLION / (count + (options->threads != 0));
	enum fault fault = FAULT_NONE;

	print_head(plan);
	for (size_t i = 0; i < count && fault == FAULT_NONE; i++)
		fault = time_rows(plan, sizes[i], 0, share);
	if (fault == FAULT_NONE && options->threads != 0)
		fault = time_rows(plan, BENCH_STREAM_BYTES, (unsigned)options->threads, share);
	if (fault == FAULT_NONE)
		print_foot(plan);
	return fault;
}

static enum fault time_argon2(struct plan *plan, uint32_t mib, uint32_t passes)
{
	static const uint8_t passphrase[] = "bench";
	struct slot_argon2 params = {.passes = passes, .memory_kib = mib * 1024};
	struct slot_secret secret;
	char size[MESSAGE_SIZE_BYTES];
	uint64_t before = cpu_nanoseconds();
	enum fault fault = kdf_argon2id(&secret, &params, passphrase, sizeof passphrase - 1);
	double seconds = (double)(cpu_nanoseconds() - before) / (double)BILLION;

	if (fault != FAULT_NONE && fault != FAULT_SIGNAL)
		message_error(NULL, "Argon2 with %s: %s",
			      message_size(size, UINT64_C(1024) * params.memory_kib),
			      message_reason(fault, 0));
	else if (fault == FAULT_NONE && plan->json.out.wanted)
		bench_json_argon2(&plan->json, mib, passes, seconds);
	else if (fault == FAULT_NONE)
		print_text(plan->print,
			   plan->options->csv ? "argon2id,%" PRIu32 ",%" PRIu32 ",%.3f\n"
					      : "Argon2id %5" PRIu32 " MiB x %" PRIu32
						" passes %8.3f s\n",
			   mib, passes, seconds);
	slot_secret_wipe(&secret);
	return fault == FAULT_NONE ? print_send(plan->print) : fault;
}

/* A quarter of what seal takes by itself, that, and four times as much. */
static enum fault time_kdf(struct plan *plan)
{
	static const uint32_t mib[] = {64, 256, 1024};
	enum fault fault = FAULT_NONE;

	if (!plan->json.out.wanted)
		print_text(plan->print, plan->options->csv ? "kdf,mib,passes,seconds\n" : "\n");
	for (size_t i = 0; i < sizeof mib / sizeof mib[0] && fault == FAULT_NONE; i++)
		fault = time_argon2(plan, mib[i], 3);
	return fault;
}

static enum fault measure(struct plan *plan)
{
	enum fault fault;

	choose_kernels(plan);
	fault = check_kernels(plan);
	if (fault == FAULT_NONE)
		fault = time_all(plan);
	if (fault == FAULT_NONE && plan->options->kdf)
		fault = time_kdf(plan);
	return fault;
}

static enum fault print_all(struct plan *plan)
{
	enum fault fault = FAULT_NONE, ended;

	print_begin(plan->print);
	if (plan->options->list)
		list_kernels(plan);
	else
		fault = measure(plan);
	ended = print_end(plan->print);
	return fault == FAULT_NONE ? ended : fault;
}

int cmd_bench(const struct options *options)
{
	struct print print = {.used = 0};
	struct plan plan = {.options = options, .print = &print};
	enum fault fault = run_pick_kernel(options, &plan.used);

	bench_json_begin(&plan.json, options, plan.used);
	if (fault != FAULT_NONE)
		return jsonout_end(&plan.json.out, options, fault);
	if (!plan.json.out.wanted)
		return message_status(print_all(&plan));
	if (!options->list)
		fault = measure(&plan);
	return jsonout_end(&plan.json.out, options, fault);
}
