/* SPDX-License-Identifier: ISC */
/* bytes.h - integers from and to bytes, whatever the machine's byte order and alignment. */
#ifndef GCMCRYPT_GCM_SOFT_BYTES_H
#define GCMCRYPT_GCM_SOFT_BYTES_H

#include <stdint.h>

static inline uint64_t soft_load_le64(const uint8_t p[8])
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

static inline uint64_t soft_load_be64(const uint8_t p[8])
{
	return (uint64_t)p[7] | (uint64_t)p[6] << 8 | (uint64_t)p[5] << 16 | (uint64_t)p[4] << 24 |
	       (uint64_t)p[3] << 32 | (uint64_t)p[2] << 40 | (uint64_t)p[1] << 48 |
	       (uint64_t)p[0] << 56;
}

static inline void soft_store_le64(uint8_t p[8], uint64_t x)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(x >> 8 * i);
}

static inline void soft_store_be64(uint8_t p[8], uint64_t x)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(x >> (56 - 8 * i));
}

static inline uint32_t soft_load_be32(const uint8_t p[4])
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline void soft_store_be32(uint8_t p[4], uint32_t x)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(x >> (24 - 8 * i));
}

#endif
