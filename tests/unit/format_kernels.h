/* SPDX-License-Identifier: ISC */
/*
 * format_kernels.h - the kernels that a test of src/format runs on: all that this machine has, or
 * the one that the environment variable GCMCRYPT_TEST_KERNEL names.
 */
#ifndef GCMCRYPT_TESTS_FORMAT_KERNELS_H
#define GCMCRYPT_TESTS_FORMAT_KERNELS_H

#include "format_util.h"

#include "cpu/cpu.h"
#include "gcm/gcm.h"

/* Calls check once for each kernel, with context; a test of no kernel fails. */
static inline void each_kernel(void (*check)(const struct gcm_kernel *, const void *context),
			       const void *context)
{
	const char *const only = getenv("GCMCRYPT_TEST_KERNEL");
	const uint32_t features = cpu_probe();
	size_t count = 0;

	for (size_t i = 0; i < gcm_kernel_count(); i++) {
		const struct gcm_kernel *const kernel = gcm_kernel_at(i);

		if (!gcm_kernel_usable(kernel, features))
			continue;
		if (only != NULL && *only != '\0' && strcmp(only, gcm_kernel_name(kernel)) != 0)
			continue;
		check(kernel, context);
		count++;
	}
	assert_true(count > 0);
}

#endif
