/* SPDX-License-Identifier: ISC */
/*
 * entropy.c - asks the system for random bytes and looks at the circumstances of this run.
 *
 * Owns what goes into a seed; format/seed.c mixes it.  There is no second source to fall back to.
 * The system's bytes stand on the stack, not in the arena, for the few lines until they are mixed,
 * and are wiped there: their owner is the one function that nobody else sees them in.
 */
#include "io/entropy.h"

#include <sodium.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#define GETENTROPY_MAX 256 /* bytes that one call gives */

/* Nothing here is secret, or enough alone: it only tells two runs apart. */
struct circumstances {
	struct timespec wall;
	struct timespec since_boot;
	pid_t pid;
	char boot_id[64];
	struct stat input;
};

bool entropy_system(void *bytes, size_t len)
{
	uint8_t *to = bytes;

	while (len > 0) {
		size_t some = len < GETENTROPY_MAX ? len : GETENTROPY_MAX;

		if (getentropy(to, some) != 0)
			return false;
		to += some;
		len -= some;
	}
	return true;
}

static void look_around(struct circumstances *around, const struct file_input *input)
{
	size_t len;

	memset(around, 0, sizeof(*around)); /* padding too: all of it is hashed */
	clock_gettime(CLOCK_REALTIME, &around->wall);
	clock_gettime(CLOCK_MONOTONIC, &around->since_boot);
	around->pid = getpid();
	file_read_small("/proc/sys/kernel/random/boot_id", around->boot_id, sizeof(around->boot_id),
			&len);
	if (input != NULL)
		around->input = input->at_open;
}

enum fault entropy_seed(struct seed *seed, entropy_source *source, const struct file_input *input)
{
	struct circumstances around;
	uint8_t system[SEED_SYSTEM_BYTES];
	enum fault fault = FAULT_NO_RANDOMNESS;

	if (source(system, sizeof(system))) {
		look_around(&around, input);
		seed_init(seed, system, &around, sizeof(around));
		fault = FAULT_NONE;
	}
	sodium_memzero(system, sizeof(system));
	return fault;
}
