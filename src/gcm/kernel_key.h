/* SPDX-License-Identifier: ISC */
/*
 * kernel_key.h - a part of kernel_template.h: what a prepared key looks like.
 */

/*
 * The layout of gcm_key's schedule.  All members are bytes, so that the array in gcm_key may be
 * seen through it.
 */
struct prepared {
	uint8_t round_key[15][16]; /* end at [14]: those of short keys start at [2] or [4] */
	uint8_t first;             /* which one is the first: 0, 2 or 4 */
	uint8_t unused[15];
	uint8_t power[POWERS + LANES][16];  /* H^POWERS ... H^2, H^1, then zero blocks */
	uint8_t folded[POWERS + LANES][16]; /* of each its halves' xor, in both halves */
};

/* From a power to its folded form, in bytes. */
#define FOLDED (offsetof(struct prepared, folded) - offsetof(struct prepared, power))

_Static_assert(sizeof(struct prepared) <= sizeof(((struct gcm_key *)0)->schedule),
	       "gcm.h: schedule is too small for this group");
_Static_assert((BATCH == 4 || BATCH == 8) && VECS % BATCH == 0, "see the parameters above");

GCM_INLINE const struct prepared *prepared(const struct gcm_key *k)
{
	return (const struct prepared *)(const void *)k->schedule;
}

/* Where the n powers H^n ... H^1 start. */
GCM_INLINE const uint8_t *powers(const struct prepared *p, size_t n)
{
	return p->power[POWERS - n];
}
