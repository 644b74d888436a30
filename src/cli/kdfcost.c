/* SPDX-License-Identifier: ISC */
/*
 * kdfcost.c - what Argon2id may cost.
 *
 * Knows options and the caps of format.md; runs no derivation.
 */
#include "cli/kdfcost.h"
#include "cli/number.h"

#define KIB                UINT64_C(1024)
#define DEFAULT_MEMORY_KIB (256 * KIB)
#define DEFAULT_PASSES     3
#define WEAK_COST_KIB      (64 * KIB * 3)

struct slot_kdf_caps kdfcost_caps(const struct options *options)
{
	struct slot_kdf_caps caps = slot_kdf_default_caps;

	if (options->max_kdf_memory != 0)
		caps.memory_kib = options->max_kdf_memory / KIB;
	if (options->max_kdf_cost != 0) {
		caps.cost_kib = options->max_kdf_cost / KIB;
		caps.passes = UINT32_MAX; /* the sum alone decides */
	}
	return caps;
}

static uint64_t wanted_memory_kib(const struct options *options)
{
	return options->kdf_memory == 0 ? DEFAULT_MEMORY_KIB : options->kdf_memory / KIB;
}

static uint64_t wanted_passes(const struct options *options)
{
	return options->kdf_passes == 0 ? DEFAULT_PASSES : options->kdf_passes;
}

static bool check_ranges(const struct options *options)
{
	uint64_t memory_kib = wanted_memory_kib(options);

	if (options->kdf_memory % KIB != 0 || memory_kib < SLOT_ARGON2_MEMORY_KIB_MIN ||
	    memory_kib > UINT32_MAX) {
		message_error(NULL, "--kdf-memory: not a whole number of KiB, from 8K to 4194303M");
		return false;
	}
	if (wanted_passes(options) > UINT32_MAX) {
		message_error(NULL, "--kdf-passes: more than 4294967295");
		return false;
	}
	return true;
}

bool kdfcost_check(const struct options *options)
{
	struct slot_kdf_budget budget = {.caps = kdfcost_caps(options)};
	struct slot_argon2 params = {0};
	struct kdfcost_need need = {0};

	if (!check_ranges(options))
		return false;
	if (options->command->bit != COMMAND_SEAL || !options_want_passphrase(options))
		return true;
	kdfcost_wanted(options, &params);
	if (slot_kdf_charge(&budget, &params))
		return true;
	kdfcost_add(&need, &params);
	message_error(
		NULL,
		"--kdf-memory, --kdf-passes: readers refuse such a cost unless told otherwise");
	kdfcost_hint(options, &need);
	return false;
}

void kdfcost_wanted(const struct options *options, struct slot_argon2 *params)
{
	params->memory_kib = (uint32_t)wanted_memory_kib(options);
	params->passes = (uint32_t)wanted_passes(options);
}

void kdfcost_choose(const struct options *options, struct slot_argon2 *params)
{
	struct slot_kdf_budget usual = {.caps = slot_kdf_default_caps};
	enum message_level level = options_level(options);

	kdfcost_wanted(options, params);
	if ((uint64_t)params->memory_kib * params->passes < WEAK_COST_KIB)
		message_warning(level, NULL, "Argon2 below 64M x 3 passes makes guessing cheap");
	if (!slot_kdf_charge(&usual, params))
		message_warning(level, NULL, "whoever opens this needs the same --max-kdf options");
}

void kdfcost_add(struct kdfcost_need *need, const struct slot_argon2 *params)
{
	uint64_t cost = (uint64_t)params->memory_kib * params->passes;

	if (params->memory_kib > need->memory_kib)
		need->memory_kib = params->memory_kib;
	if (params->passes > need->passes)
		need->passes = params->passes;
	need->cost_kib = cost > UINT64_MAX - need->cost_kib ? UINT64_MAX : need->cost_kib + cost;
}

void kdfcost_hint(const struct options *options, const struct kdfcost_need *need)
{
	struct slot_kdf_caps caps = kdfcost_caps(options);
	char memory[NUMBER_TEXT_BYTES], cost[NUMBER_TEXT_BYTES];
	bool more_memory = need->memory_kib > caps.memory_kib;
	bool more_cost = need->cost_kib > caps.cost_kib || need->passes > caps.passes;

	if (need->cost_kib > UINT64_MAX / KIB)
		return; /* no machine could do it, and no option takes such a number */
	(void)number_size(memory, need->memory_kib);
	(void)number_size(cost, need->cost_kib > caps.cost_kib ? need->cost_kib : caps.cost_kib);
	if (more_memory || more_cost)
		message_hint("to allow it: %s%s%s%s%s", more_memory ? "--max-kdf-memory " : "",
			     more_memory ? memory : "", more_memory && more_cost ? " " : "",
			     more_cost ? "--max-kdf-cost " : "", more_cost ? cost : "");
}
