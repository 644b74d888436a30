/* SPDX-License-Identifier: ISC */
/*
 * bench_json.c - what bench --json says: the machine, its kernels, and what was measured.
 *
 * Its members and their types are a promise, made in gcmcrypt(1): they stay, and more may come.
 */
#include "cli/bench_json.h"
#include "cpu/cpu.h"
#include "cpu/ticks.h"

static json_t *features_of(struct jsonout *out, uint32_t features)
{
	json_t *names = json_array();

	for (uint32_t bit = 1; bit != 0; bit <<= 1)
		if ((features & bit) != 0 && cpu_feature_name(bit) != NULL)
			jsonout_append(out, names, json_string(cpu_feature_name(bit)));
	return names;
}

static json_t *kernel_of(struct jsonout *out, const struct gcm_kernel *kernel, bool used)
{
	uint32_t features = cpu_probe();
	const char *name = gcm_kernel_name(kernel);
	bool usable = gcm_kernel_select(features, name) != NULL;

	return json_pack("{s:s, s:b, s:b, s:o}", "kernel", name, "usable", usable, "used", used,
			 "lacks", features_of(out, gcm_kernel_needs(kernel) & ~features));
}

/* An empty array, which belongs to the object; NULL: no memory. */
static json_t *add_array(struct jsonout *out, const char *member)
{
	jsonout_set(out, out->object, member, json_array());
	return json_object_get(out->object, member);
}

void bench_json_begin(struct bench_json *json, const struct options *options,
		      const struct gcm_kernel *used)
{
	struct jsonout *out = &json->out;
	char model[CPU_MODEL_BYTES];
	json_t *kernels;

	jsonout_begin(out, options, "gcmcrypt-bench/1");
	if (!out->wanted)
		return;
	cpu_model(model);
	jsonout_set(out, out->object, "processor", jsonout_text(model));
	jsonout_set(out, out->object, "features", features_of(out, cpu_probe()));
	jsonout_set(out, out->object, "ticks_unit", json_string(cpu_ticks_unit()));
	kernels = add_array(out, "kernels");
	for (size_t i = 0; i < gcm_kernel_count(); i++)
		jsonout_append(out, kernels,
			       kernel_of(out, gcm_kernel_at(i), gcm_kernel_at(i) == used));
	json->messages = add_array(out, "messages");
	json->streams = add_array(out, "streams");
	json->argon2id = add_array(out, "argon2id");
}

void bench_json_row(struct bench_json *json, const struct bench_turns_row *row, double spread)
{
	json_t *object = json_pack(
		"{s:o, s:s, s:f, s:f, s:f, s:f, s:f}", "bytes", jsonout_number(row->bytes),
		"kernel", gcm_kernel_name(row->kernel), "seal_gb_s", row->seal.gigabytes,
		"seal_ticks_byte", row->seal.ticks, "open_gb_s", row->open.gigabytes,
		"open_ticks_byte", row->open.ticks, "spread", spread);

	if (row->threads != 0)
		jsonout_set(&json->out, object, "threads", jsonout_number(row->threads));
	jsonout_append(&json->out, row->threads == 0 ? json->messages : json->streams, object);
}

void bench_json_argon2(struct bench_json *json, uint32_t mib, uint32_t passes, double seconds)
{
	jsonout_append(&json->out, json->argon2id,
		       json_pack("{s:o, s:o, s:f}", "memory_kib",
				 jsonout_number(UINT64_C(1024) * mib), "passes",
				 jsonout_number(passes), "seconds", seconds));
}
