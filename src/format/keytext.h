/* SPDX-License-Identifier: ISC */
/*
 * keytext.h - keys as text: Bech32m (BIP-350), and the lines of a key or recipients file.
 */
#ifndef GCMCRYPT_FORMAT_KEYTEXT_H
#define GCMCRYPT_FORMAT_KEYTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEYTEXT_KEY_BYTES  32
#define KEYTEXT_MAX        96    /* longest text of a key and its NUL, with room to spare */
#define KEYTEXT_FILE_BYTES 65536 /* longest key file; a longer one is an error */

enum keytext_kind {
	KEYTEXT_RECIPIENT, /* gcmc1...              X25519 public key */
	KEYTEXT_IDENTITY,  /* GCMC-SECRET-KEY-1...  X25519 secret key */
	KEYTEXT_KEY_FILE,  /* GCMC-FILE-KEY-1...    32-byte symmetric key */
};

/* Writes the key as NUL-terminated text; recipients in lower case, secrets in upper. */
void keytext_encode(char text[KEYTEXT_MAX], enum keytext_kind kind,
		    const uint8_t key[KEYTEXT_KEY_BYTES]);

/*
 * Reads exactly len characters of text.  False (key is zero) for mixed case, a bad checksum,
 * non-zero padding, a wrong length or human-readable part, and a recipient that is low-order
 * or not canonical.
 */
bool keytext_decode(uint8_t key[KEYTEXT_KEY_BYTES], enum keytext_kind kind, const char *text,
		    size_t len);

/* Whether an X25519 public key is canonical and not of low order. */
bool keytext_recipient_sound(const uint8_t key[KEYTEXT_KEY_BYTES]);

/* What a line of a key file holds. */
enum keytext_line {
	KEYTEXT_LINE_NONE, /* nothing yet, a comment or a blank line */
	KEYTEXT_LINE_KEY,  /* a key of the kind that was asked for */
	KEYTEXT_LINE_BAD,  /* not ASCII, malformed, of another kind, or the file is too long */
};

/*
 * A key file taken apart byte by byte, so that no buffer ever holds more than one line of it.
 * Holds secrets: born in the arena.  Lines end in LF or CRLF, the last may end with the file;
 * lines that start with '#' and empty lines say nothing.  Text is 20..7E and tab, in comments
 * too, and CR stands only before LF; so no editor or terminal shows another file than this one.
 * How many keys a file may hold is the caller's to count.
 */
struct keytext_parser {
	enum keytext_kind kind;
	char line[KEYTEXT_MAX];
	size_t used;
	size_t line_number; /* of the line that the last byte belongs to, from 1; 0 before any */
	size_t total;       /* bytes taken */
	bool started;       /* the line in hand has a byte */
	bool carriage;      /* the last byte was CR */
	bool comment;       /* the line in hand says nothing */
	bool bad;           /* for good */
};

void keytext_parser_init(struct keytext_parser *parser, enum keytext_kind kind);

/*
 * Take one byte, and note the end of the file.  KEYTEXT_LINE_KEY: a line is complete and key is
 * filled; KEYTEXT_LINE_BAD: from here on every call says so; either way line_number tells which
 * line.  The key is written for KEYTEXT_LINE_KEY, and zeroed where a line was no good key.
 */
enum keytext_line keytext_parser_byte(struct keytext_parser *parser, uint8_t byte,
				      uint8_t key[KEYTEXT_KEY_BYTES]);
enum keytext_line keytext_parser_end(struct keytext_parser *parser, uint8_t key[KEYTEXT_KEY_BYTES]);
void keytext_parser_wipe(struct keytext_parser *parser);

#endif
