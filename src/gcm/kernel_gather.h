/* SPDX-License-Identifier: ISC */
/*
 * kernel_gather.h - a part of kernel_template.h: a text in pieces, as sealing asks for it, a group
 * at a time.
 *
 * What lies in a long piece is read where it is.  Short pieces, and the group in which a long one
 * ends, are put together in out, where their ciphertext will replace them, since sealing in place
 * is allowed; so no other room is needed.
 */

struct gather {
	const struct gcm_slice *piece, *pieces_end; /* the pieces that have not been touched */
	struct gcm_slice rest;                      /* of the piece before them, held back */
	const uint8_t *end;                         /* of what the run may read now */
};

/*
 * The least of a piece that is read where it is: each costs the copies and wrong guesses of a turn
 * more, 40 cycles on a Zen 5 core, and spares a copy at some 40 bytes a cycle.
 */
#define DIRECT_MIN 2048

_Static_assert(DIRECT_MIN >= GROUP_BYTES, "a group may be filled up from a piece");

/* Copies the first n bytes that are held back to out; returns the end of the copy. */
static uint8_t *gather_copy(struct gather *g, uint8_t *out, size_t n)
{
	if (n == 0)
		return out;
	memcpy(out, g->rest.at, n);
	g->rest.at += n;
	g->rest.len -= n;
	return out + n;
}

/*
 * Where the run, which has come to in and out, reads its next group; all but the text's last has
 * to be whole there.  Puts together what comes before the next long piece, if anything does, and
 * fills the last group up from that piece; or goes on in the long piece.
 */
static __attribute__((noinline)) const uint8_t *gather_turn(struct gather *g, const uint8_t *in,
							    uint8_t *out)
{
	uint8_t *joined = out;

	if (g->rest.len == 0)
		g->rest = (struct gcm_slice){in, (size_t)(g->end - in)};
	while (g->rest.len < DIRECT_MIN) {
		joined = gather_copy(g, joined, g->rest.len);
		if (g->piece == g->pieces_end)
			break;
		g->rest = *g->piece++;
	}
	if (joined != out) {
		const size_t fill = (size_t)(out - joined) % GROUP_BYTES;

		g->end = gather_copy(g, joined, fill < g->rest.len ? fill : g->rest.len);
		return out;
	}
	in = g->rest.at;
	g->end = in + g->rest.len;
	g->rest.len = 0;
	return in;
}

/* Lets a run whose text is in pieces, if g is not NULL, read n bytes: a group, or the last ones. */
GCM_INLINE void gather_next(struct gather *g, struct run *m, size_t n)
{
	if (g != NULL && (size_t)(g->end - m->in) < n)
		m->in = gather_turn(g, m->in, m->out);
}
