/* SPDX-License-Identifier: ISC */
/* bytes.h - integers from and to bytes, whatever the machine's byte order and alignment. */
#ifndef GCMCRYPT_GCM_SOFT_BYTES_H
#define GCMCRYPT_GCM_SOFT_BYTES_H

#include <stdint.h>

/* gcc 12 at -O2 leaves the larger helpers of the hot loops as calls, through memory. */
#if defined(__GNUC__)
#define SOFT_INLINE static inline __attribute__((always_inline))
#else
#define SOFT_INLINE static inline
#endif

SOFT_INLINE uint64_t soft_load_le64(const uint8_t p[8])
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

SOFT_INLINE uint64_t soft_load_be64(const uint8_t p[8])
{
	return (uint64_t)p[7] | (uint64_t)p[6] << 8 | (uint64_t)p[5] << 16 | (uint64_t)p[4] << 24 |
	       (uint64_t)p[3] << 32 | (uint64_t)p[2] << 40 | (uint64_t)p[1] << 48 |
	       (uint64_t)p[0] << 56;
}

/* One store a line: compilers make one instruction of eight such stores, but not of a loop. */
SOFT_INLINE void soft_store_le64(uint8_t p[8], uint64_t x)
{
	p[0] = (uint8_t)x;
	p[1] = (uint8_t)(x >> 8);
	p[2] = (uint8_t)(x >> 16);
	p[3] = (uint8_t)(x >> 24);
	p[4] = (uint8_t)(x >> 32);
	p[5] = (uint8_t)(x >> 40);
	p[6] = (uint8_t)(x >> 48);
	p[7] = (uint8_t)(x >> 56);
}

SOFT_INLINE void soft_store_be64(uint8_t p[8], uint64_t x)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(x >> (56 - 8 * i));
}

SOFT_INLINE uint32_t soft_load_be32(const uint8_t p[4])
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

SOFT_INLINE void soft_store_be32(uint8_t p[4], uint32_t x)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(x >> (24 - 8 * i));
}

#endif
