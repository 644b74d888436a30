/* SPDX-License-Identifier: ISC */
/*
 * keytext.c - Bech32m (BIP-350) for keys of 32 bytes, and the grammar of key files.
 *
 * Owns what a key looks like to a human being.  Must not know where the text comes from.
 */
#include "format/keytext.h"

#include <string.h>

#include <sodium.h>

enum {
	GROUP_BITS = 5,
	KEY_GROUPS = 52, /* ceil(256 / 5); the last holds one bit of key and four of padding */
	CHECKSUM_GROUPS = 6,
	TEXT_GROUPS = KEY_GROUPS + CHECKSUM_GROUPS,
};

static const uint32_t bech32m_constant = 0x2bc830a3;

static const char charset_lower[] = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
static const char charset_upper[] = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";

/* The human-readable part, in the case that it is written in. */
static const char *hrp_of(enum keytext_kind kind)
{
	switch (kind) {
	case KEYTEXT_IDENTITY:
		return "GCMC-SECRET-KEY-";
	case KEYTEXT_KEY_FILE:
		return "GCMC-FILE-KEY-";
	case KEYTEXT_RECIPIENT:
	default:
		return "gcmc";
	}
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/* All ones where a == b, else 0; both below 2^31. */
static uint32_t equal_mask(uint32_t a, uint32_t b)
{
	return 0 - (((a ^ b) - 1) >> 31);
}

/* Both look at the whole charset, so that no part of a secret decides an address. */
static char charset_at(const char *charset, uint8_t group)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < 32; i++)
		found |= (uint8_t)charset[i] & equal_mask(i, group);
	return (char)found;
}

static bool charset_find(uint8_t *group, char c)
{
	uint32_t found = 0; /* one more than the place */

	for (uint32_t i = 0; i < 32; i++)
		found |= (i + 1) & equal_mask((uint8_t)charset_lower[i], (uint8_t)c);
	*group = (uint8_t)((found - 1) & 31);
	return found != 0;
}

/* One step of the BCH code of BIP-173. */
static uint32_t checksum_step(uint32_t state, uint32_t group)
{
	static const uint32_t generator[GROUP_BITS] = {
		0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3,
	};
	const uint32_t top = state >> 25;

	state = (state & 0x1ffffff) << GROUP_BITS ^ group;
	for (size_t i = 0; i < GROUP_BITS; i++)
		state ^= generator[i] & (0 - (top >> i & 1));
	return state;
}

/* Over the human-readable part in lower case: high bits, a zero, low bits; then the groups. */
static uint32_t checksum(const char *hrp, const uint8_t *groups, size_t count)
{
	uint32_t state = 1;

	for (const char *c = hrp; *c != '\0'; c++)
		state = checksum_step(state, (uint8_t)lower(*c) >> GROUP_BITS);
	state = checksum_step(state, 0);
	for (const char *c = hrp; *c != '\0'; c++)
		state = checksum_step(state, (uint8_t)lower(*c) & 31);
	for (size_t i = 0; i < count; i++)
		state = checksum_step(state, groups[i]);
	return state;
}

static void groups_from_key(uint8_t groups[KEY_GROUPS], const uint8_t key[KEYTEXT_KEY_BYTES])
{
	memset(groups, 0, KEY_GROUPS);
	for (size_t bit = 0; bit < 8 * KEYTEXT_KEY_BYTES; bit++) {
		const unsigned value = key[bit / 8] >> (7 - bit % 8) & 1;

		groups[bit / GROUP_BITS] |= (uint8_t)(value << (4 - bit % GROUP_BITS));
	}
}

/* False: padding bits are set. */
static bool key_from_groups(uint8_t key[KEYTEXT_KEY_BYTES], const uint8_t groups[KEY_GROUPS])
{
	const unsigned padding = GROUP_BITS * KEY_GROUPS - 8 * KEYTEXT_KEY_BYTES;

	memset(key, 0, KEYTEXT_KEY_BYTES);
	for (size_t bit = 0; bit < 8 * KEYTEXT_KEY_BYTES; bit++) {
		const unsigned value = groups[bit / GROUP_BITS] >> (4 - bit % GROUP_BITS) & 1;

		key[bit / 8] |= (uint8_t)(value << (7 - bit % 8));
	}
	return (groups[KEY_GROUPS - 1] & ((1u << padding) - 1)) == 0;
}

void keytext_encode(char text[KEYTEXT_MAX], enum keytext_kind kind,
		    const uint8_t key[KEYTEXT_KEY_BYTES])
{
	const char *const hrp = hrp_of(kind);
	const size_t hrp_len = strlen(hrp);
	const char *const charset = kind == KEYTEXT_RECIPIENT ? charset_lower : charset_upper;
	uint8_t groups[TEXT_GROUPS] = {0};
	uint32_t sum;

	/* The checksum is what makes the whole come to the constant, computed over six zeros. */
	groups_from_key(groups, key);
	sum = checksum(hrp, groups, TEXT_GROUPS) ^ bech32m_constant;
	for (unsigned i = 0; i < CHECKSUM_GROUPS; i++)
		groups[KEY_GROUPS + i] = sum >> (GROUP_BITS * (CHECKSUM_GROUPS - 1 - i)) & 31;

	memcpy(text, hrp, hrp_len);
	text += hrp_len;
	*text++ = '1';
	for (size_t i = 0; i < TEXT_GROUPS; i++)
		*text++ = charset_at(charset, groups[i]);
	*text = '\0';
	sodium_memzero(groups, sizeof groups);
}

/* Whether text starts with the human-readable part and '1', in whatever case. */
static bool hrp_right(const char *hrp, const char *text)
{
	for (; *hrp != '\0'; hrp++, text++) {
		if (lower(*text) != lower(*hrp))
			return false;
	}
	return *text == '1';
}

static bool mixed_case(const char *text, size_t len)
{
	bool lowers = false, uppers = false;

	for (size_t i = 0; i < len; i++) {
		lowers |= is_lower(text[i]);
		uppers |= text[i] != lower(text[i]);
	}
	return lowers && uppers;
}

static bool groups_from_text(uint8_t groups[TEXT_GROUPS], const char *text)
{
	bool right = true;

	for (size_t i = 0; i < TEXT_GROUPS; i++)
		right &= charset_find(&groups[i], lower(text[i]));
	return right;
}

bool keytext_decode(uint8_t key[KEYTEXT_KEY_BYTES], enum keytext_kind kind, const char *text,
		    size_t len)
{
	const char *const hrp = hrp_of(kind);
	const size_t groups_at = strlen(hrp) + 1;
	uint8_t groups[TEXT_GROUPS];
	bool right;

	memset(key, 0, KEYTEXT_KEY_BYTES);
	if (len != groups_at + TEXT_GROUPS || mixed_case(text, len) || !hrp_right(hrp, text))
		return false;

	right = groups_from_text(groups, text + groups_at) &&
		checksum(hrp, groups, TEXT_GROUPS) == bech32m_constant &&
		key_from_groups(key, groups) &&
		(kind != KEYTEXT_RECIPIENT || keytext_recipient_sound(key));
	if (!right)
		sodium_memzero(key, KEYTEXT_KEY_BYTES);
	sodium_memzero(groups, sizeof groups);
	return right;
}

/* Whether a little-endian u is below 2^255 - 19, with bit 255 clear. */
static bool canonical(const uint8_t u[KEYTEXT_KEY_BYTES])
{
	if (u[31] != 0x7f)
		return u[31] < 0x7f;
	for (size_t i = 30; i > 0; i--) {
		if (u[i] != 0xff)
			return true;
	}
	return u[0] < 0xed;
}

bool keytext_recipient_sound(const uint8_t key[KEYTEXT_KEY_BYTES])
{
	/* Clamping makes any scalar a multiple of 8, and so of every low order. */
	static const uint8_t scalar[crypto_scalarmult_curve25519_SCALARBYTES] = {8};
	uint8_t shared[crypto_scalarmult_curve25519_BYTES];

	return canonical(key) && crypto_scalarmult_curve25519(shared, scalar, key) == 0;
}

void keytext_parser_init(struct keytext_parser *parser, enum keytext_kind kind)
{
	memset(parser, 0, sizeof *parser);
	parser->kind = kind;
}

/* The line in hand is complete. */
static enum keytext_line line_end(struct keytext_parser *parser, uint8_t key[KEYTEXT_KEY_BYTES])
{
	enum keytext_line line = KEYTEXT_LINE_NONE;

	if (parser->used > 0) {
		parser->bad = !keytext_decode(key, parser->kind, parser->line, parser->used);
		line = parser->bad ? KEYTEXT_LINE_BAD : KEYTEXT_LINE_KEY;
	}
	sodium_memzero(parser->line, sizeof parser->line);
	parser->used = 0;
	parser->started = false;
	parser->carriage = false;
	parser->comment = false;
	return line;
}

/* Whether a byte may come next in the line in hand; it is kept unless it says nothing. */
static bool line_byte(struct keytext_parser *parser, uint8_t byte)
{
	if (parser->carriage)
		return false;
	if (byte == '\r') {
		parser->carriage = true;
		return true;
	}
	if (byte != '\t' && (byte < 0x20 || byte > 0x7e))
		return false;
	if (byte == '#' && parser->used == 0)
		parser->comment = true;
	if (parser->comment)
		return true;
	if (parser->used == sizeof parser->line)
		return false;
	parser->line[parser->used++] = (char)byte;
	return true;
}

enum keytext_line keytext_parser_byte(struct keytext_parser *parser, uint8_t byte,
				      uint8_t key[KEYTEXT_KEY_BYTES])
{
	if (parser->bad)
		return KEYTEXT_LINE_BAD;
	if (!parser->started)
		parser->line_number++;
	parser->started = true;
	if (parser->total == KEYTEXT_FILE_BYTES)
		parser->bad = true;
	else
		parser->total++;

	if (!parser->bad && byte == '\n')
		return line_end(parser, key);
	parser->bad = parser->bad || !line_byte(parser, byte);
	return parser->bad ? KEYTEXT_LINE_BAD : KEYTEXT_LINE_NONE;
}

enum keytext_line keytext_parser_end(struct keytext_parser *parser, uint8_t key[KEYTEXT_KEY_BYTES])
{
	parser->bad = parser->bad || parser->carriage;
	return parser->bad ? KEYTEXT_LINE_BAD : line_end(parser, key);
}

void keytext_parser_wipe(struct keytext_parser *parser)
{
	sodium_memzero(parser, sizeof *parser);
}
