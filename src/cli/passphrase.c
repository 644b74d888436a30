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
#include "io/signals.h"

#define FILLER 0xff /* anything but NUL: see ask_once() */

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

/*
 * readpassphrase() returns a string; that a NUL was typed shows only if the end is found from
 * behind, in a buffer that held no NUL before.
 */
static enum fault ask_once(struct passphrase *passphrase, const char *prompt)
{
	char *buffer = (char *)passphrase->bytes;

	do {
		memset(buffer, FILLER, sizeof passphrase->bytes);
		if (readpassphrase(prompt, buffer, sizeof passphrase->bytes, RPP_REQUIRE_TTY) !=
		    NULL) {
			passphrase->len = sizeof passphrase->bytes - 1;
			while (passphrase->len > 0 && buffer[passphrase->len] != '\0')
				passphrase->len--;
			return signals_caught() != 0 ? FAULT_SIGNAL : FAULT_NONE;
		}
		if (signals_caught() != 0)
			return FAULT_SIGNAL;
	} while (errno == EINTR); /* by a signal that is ignored: ask again */
	message_fault(NULL, FAULT_NO_KEY_SOURCE, 0);
	return FAULT_NO_KEY_SOURCE;
}

enum fault passphrase_ask(struct passphrase *passphrase, struct passphrase *again)
{
	enum fault fault =
		ask_once(passphrase, again == NULL ? "Passphrase: " : "New passphrase: ");

	if (fault == FAULT_NONE)
		fault = passphrase_check(passphrase, NULL);
	if (fault != FAULT_NONE || again == NULL)
		return fault;
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
