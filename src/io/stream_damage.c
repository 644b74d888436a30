/* SPDX-License-Identifier: ISC */
/*
 * stream_damage.c - keeps the runs of chunks that did not open, in order.
 *
 * Knows chunks by their number; their bytes are somebody else's business.
 */
#include "io/stream_damage.h"

#include <stdlib.h>

#define ROOM_AT_FIRST 64

static bool make_room(struct stream_damage *damage)
{
	size_t room = damage->room == 0 ? ROOM_AT_FIRST : 2 * damage->room;
	struct stream_damage_range *ranges;

	if (damage->count < damage->room)
		return true;
	if (room > SIZE_MAX / sizeof *ranges)
		return false;
	ranges = realloc(damage->ranges, room * sizeof *ranges);
	if (ranges == NULL)
		return false;
	damage->ranges = ranges;
	damage->room = room;
	return true;
}

static bool add_one(struct stream_damage *damage, uint64_t chunk)
{
	struct stream_damage_range *before = NULL;

	if (damage->count > 0)
		before = &damage->ranges[damage->count - 1];
	if (before != NULL && before->first + before->count == chunk) {
		before->count++;
	} else {
		if (!make_room(damage))
			return false;
		damage->ranges[damage->count++] =
			(struct stream_damage_range){.first = chunk, .count = 1};
	}
	damage->chunks++;
	return true;
}

bool stream_damage_add(struct stream_damage *damage, uint64_t first, uint32_t bad)
{
	for (; bad != 0; bad >>= 1, first++)
		if ((bad & 1) != 0 && !add_one(damage, first))
			return false;
	return true;
}

void stream_damage_end(struct stream_damage *damage, uint64_t last, size_t last_sealed)
{
	damage->last = last;
	damage->last_sealed = last_sealed;
}

bool stream_damage_at_end(const struct stream_damage *damage)
{
	const struct stream_damage_range *range;

	if (damage->count == 0)
		return false;
	range = &damage->ranges[damage->count - 1];
	return range->first + range->count > damage->last;
}

enum fault stream_damage_fault(const struct stream_damage *damage)
{
	/* Where the last chunk is missing, the one before it is the last of which there is a byte. */
	uint64_t behind = damage->last + (damage->last_sealed > 0);

	if (damage->count == 0)
		return FAULT_NONE;
	return damage->ranges[0].first + 1 < behind ? FAULT_CHUNK_DAMAGED : FAULT_ENDS_EARLY;
}

void stream_damage_free(struct stream_damage *damage)
{
	free(damage->ranges);
	*damage = (struct stream_damage){0};
}
