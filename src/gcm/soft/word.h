/* SPDX-License-Identifier: ISC */
/*
 * word.h - the word that planes are made of: vectors where the compiler's baseline has them.
 *
 * Compilers make up vectors that the machine lacks, slowly; so only where they are sure to exist.
 */
#ifndef GCMCRYPT_GCM_SOFT_WORD_H
#define GCMCRYPT_GCM_SOFT_WORD_H

#if defined(__has_builtin) && !defined(SOFT_WORD64) /* by hand: to test the other word */
#if __has_builtin(__builtin_shufflevector) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && \
	(defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__))
#define SOFT_VECTORS
#endif
#endif

#ifdef SOFT_VECTORS
#include "gcm/soft/word128.h"
#else
#include "gcm/soft/word64.h"
#endif

#endif
