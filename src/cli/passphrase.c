/* SPDX-License-Identifier: ISC */
/*
 * passphrase.c - takes a passphrase from wherever it is, by one rule.
 *
 * Owns that rule and the prompts; which source counts is decided in keysource.c.
 */
#include <errno.h>
#include <readpassphrase.h>
#include <sodium.h>
#include <string.h>

#include "cli/message.h"
#include "cli/passphrase.h"
#include "cli/words.h"
#include "io/entropy.h"
#include "io/signals.h"

#define FILLER   0xff /* anything but NUL: see ask_once() */
#define TERMINAL "/dev/tty"

_Static_assert(PASSPHRASE_ROOM >= WORDS_ROOM(WORDS_USUAL), "the usual words are a passphrase");

static enum fault bad(const char *name, const char *why)
{
	message_error(name, "%s", why);
	return FAULT_BAD_PASSPHRASE;
}

enum fault passphrase_check(struct passphrase *passphrase, const char *name)
{
	const uint8_t *bytes = passphrase->bytes;

	if (passphrase->len > 0 && bytes[passphrase->len - 1] == '\n') {
		passphrase->len--;
		if (passphrase->len > 0 && bytes[passphrase->len - 1] == '\r')
			passphrase->len--;
	}
	if (passphrase->len == 0)
		return bad(name, "the passphrase is empty");
	if (passphrase->len > PASSPHRASE_MAX)
		return bad(name, "the passphrase is longer than 1024 bytes");
	for (size_t i = 0; i < passphrase->len; i++)
		if (bytes[i] == '\0' || bytes[i] == '\n' || bytes[i] == '\r')
			return bad(name, "a NUL, CR or LF stands inside the passphrase");
	return FAULT_NONE;
}

enum fault passphrase_read(struct passphrase *passphrase, struct file_input *input)
{
	enum fault fault = file_input_read(input, passphrase->bytes, sizeof passphrase->bytes,
					   &passphrase->len);

	if (fault == FAULT_SIGNAL)
		return fault;
	if (fault != FAULT_NONE) {
		message_fault(input->name, fault, input->error);
		return fault;
	}
	return passphrase_check(passphrase, input->name);
}

/* readpassphrase(), which a signal ends wherever it comes. */
static bool read_line(char *buffer, size_t room, const char *prompt)
{
	struct signals_watch watch;
	bool read;

	file_wait_foreground(TERMINAL);
	signals_watch_begin(&watch);
	read = readpassphrase(prompt, buffer, room, RPP_REQUIRE_TTY) != NULL;
	int why = errno;

	signals_watch_end(&watch);
	errno = why;
	return read;
}

/*
 * readpassphrase() returns a string; that a NUL was typed shows only if the end is found from
 * behind, in a buffer that held no NUL before.
 */
static enum fault ask_once(struct passphrase *passphrase, const char *prompt)
{
	char *buffer = (char *)passphrase->bytes;
	bool read;

	do {
		memset(buffer, FILLER, sizeof passphrase->bytes);
		read = read_line(buffer, sizeof passphrase->bytes, prompt);
		if (signals_caught() != 0)
			return FAULT_SIGNAL;
	} while (!read && errno == EINTR); /* by a signal that is ignored: ask again */
	if (!read) {
		message_fault(NULL, FAULT_NO_KEY_SOURCE, 0);
		return FAULT_NO_KEY_SOURCE;
	}
	passphrase->len = sizeof passphrase->bytes - 1;
	while (passphrase->len > 0 && buffer[passphrase->len] != '\0')
		passphrase->len--;
	return FAULT_NONE;
}

enum fault passphrase_ask(struct passphrase *passphrase)
{
	enum fault fault = ask_once(passphrase, "Passphrase: ");

	return fault == FAULT_NONE ? passphrase_check(passphrase, NULL) : fault;
}

/* Nowhere else do the words appear: who does not see them here has sealed for nobody. */
static enum fault show_words(const struct passphrase *words)
{
	static const char before[] = "Write this passphrase down, it is shown only once:\n\n  ";
	static const char after[] = "\n\n";
	struct file_output output;
	enum fault fault = file_output_open(&output, TERMINAL, false);

	if (fault == FAULT_NONE)
		fault = file_output_write(&output, (const uint8_t *)before, strlen(before));
	if (fault == FAULT_NONE)
		fault = file_output_write(&output, words->bytes, words->len);
	if (fault == FAULT_NONE)
		fault = file_output_write(&output, (const uint8_t *)after, strlen(after));
	if (fault == FAULT_NONE)
		fault = file_output_commit(&output, NULL);
	if (fault != FAULT_NONE && fault != FAULT_SIGNAL)
		message_fault(TERMINAL, fault, output.error);
	file_output_discard(&output);
	return fault;
}

static enum fault make_words(struct passphrase *passphrase, struct seed *seed)
{
	enum fault fault = entropy_seed(seed, entropy_system, NULL);

	if (fault != FAULT_NONE) {
		message_fault(NULL, fault, 0);
		return fault;
	}
	words_draw((char *)passphrase->bytes, WORDS_USUAL, seed);
	seed_wipe(seed);
	passphrase->len = WORDS_ROOM(WORDS_USUAL) - 1;
	return show_words(passphrase);
}

enum fault passphrase_ask_new(struct passphrase *passphrase, struct passphrase *again,
			      struct seed *seed)
{
	enum fault fault = ask_once(passphrase, "New passphrase, or Enter for seven words: ");

	if (fault == FAULT_NONE && passphrase->len == 0)
		return make_words(passphrase, seed);
	if (fault == FAULT_NONE)
		fault = passphrase_check(passphrase, NULL);
	if (fault == FAULT_NONE)
		fault = ask_once(again, "The same again: ");
	if (fault != FAULT_NONE)
		return fault;
	if (again->len != passphrase->len ||
	    sodium_memcmp(again->bytes, passphrase->bytes, passphrase->len) != 0)
		fault = bad(NULL, "the two passphrases differ");
	passphrase_wipe(again);
	return fault;
}

void passphrase_wipe(struct passphrase *passphrase)
{
	sodium_memzero(passphrase, sizeof *passphrase);
}
