/* SPDX-License-Identifier: ISC */
/*
 * bytes.h - unsigned integers in big-endian order, the only order in the format.
 */
#ifndef GCMCRYPT_FORMAT_BYTES_H
#define GCMCRYPT_FORMAT_BYTES_H

#include <stdint.h>

static inline uint16_t bytes_load16(const uint8_t at[2])
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t bytes_load32(const uint8_t at[4])
{
	return (uint32_t)bytes_load16(at) << 16 | bytes_load16(at + 2);
}

static inline void bytes_store16(uint8_t at[2], uint16_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static inline void bytes_store32(uint8_t at[4], uint32_t value)
{
	bytes_store16(at, (uint16_t)(value >> 16));
	bytes_store16(at + 2, (uint16_t)value);
}

static inline void bytes_store64(uint8_t at[8], uint64_t value)
{
	bytes_store32(at, (uint32_t)(value >> 32));
	bytes_store32(at + 4, (uint32_t)value);
}

#endif
