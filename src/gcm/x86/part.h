/* SPDX-License-Identifier: ISC */
/*
 * part.h - a block that is cut short, for x86 without masked loads: 1 to 16 bytes, and not one
 * byte beyond them is read or written.  Branches depend on the length alone.
 */
#ifndef GCMCRYPT_GCM_X86_PART_H
#define GCMCRYPT_GCM_X86_PART_H

#include "gcm/x86/block.h"

GCM_INLINE uint64_t part_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

GCM_INLINE uint64_t part_load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

GCM_INLINE void part_store32(uint8_t *p, uint64_t v)
{
	uint32_t low = (uint32_t)v;

	memcpy(p, &low, sizeof low);
}

/* Two loads that overlap cover every length of a class; the rest of the block is zero. */
GCM_INLINE block b_load_part(const uint8_t *p, size_t len)
{
	if (len > 8)
		return b_set64(part_load64(p + len - 8) >> (8 * (16 - len)), part_load64(p));
	if (len >= 4)
		return b_set64(0, part_load32(p) | part_load32(p + len - 4) << (8 * (len - 4)));
	return b_set64(0, p[0] | (uint64_t)p[len / 2] << (8 * (len / 2)) |
				  (uint64_t)p[len - 1] << (8 * (len - 1)));
}

GCM_INLINE void b_store_part(uint8_t *p, block a, size_t len)
{
	uint64_t low = b_low64(a), high = b_high64(a);

	if (len == 16) {
		b_store(p, a);
	} else if (len > 8) {
		uint64_t end = low >> (8 * (len - 8)) | high << (8 * (16 - len));

		memcpy(p, &low, sizeof low);
		memcpy(p + len - 8, &end, sizeof end);
	} else if (len >= 4) {
		part_store32(p, low);
		part_store32(p + len - 4, low >> (8 * (len - 4)));
	} else {
		p[0] = (uint8_t)low;
		p[len / 2] = (uint8_t)(low >> (8 * (len / 2)));
		p[len - 1] = (uint8_t)(low >> (8 * (len - 1)));
	}
}

/* The first len bytes; the others become zero. */
GCM_INLINE block b_keep_part(block a, size_t len)
{
	static const uint8_t window[32] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	return _mm_and_si128(a, b_load(window + 16 - len));
}

#endif
