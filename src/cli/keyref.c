/* SPDX-License-Identifier: ISC */
/*
 * keyref.c - opens another file's header with each secret that is to seal.
 *
 * Looks at no chunk, and leaves nothing behind but the passphrase that was asked for.
 */
#include "cli/keyref.h"

#include "cli/openkeys.h"

static enum fault unopened(struct job *other, const char *why)
{
	message_error(other->input.name, "%s", why);
	message_hint("--keyref: nothing was sealed");
	other->told = true;
	return FAULT_NOTHING_OPENS;
}

static enum fault try_each(struct job *other)
{
	enum fault fault = openkeys_every_key(other);

	if (fault == FAULT_NOTHING_OPENS)
		return unopened(other, other->options->key_count == 1
					       ? "the key given does not open this file"
					       : "one of the keys given does not open this file");
	if (fault != FAULT_NONE || !options_want_passphrase(other->options))
		return fault;
	fault = openkeys_passphrase(other);
	if (fault != FAULT_NOTHING_OPENS)
		return fault;
	return unopened(other,
			other->passphrase_tried
				? "wrong passphrase"
				: "no passphrase opens this file: it has no passphrase slot");
}

static enum fault open_other(struct run *run)
{
	/* It is a verify to whoever looks. */
	static const struct command as_verify = {.name = "seal", .bit = COMMAND_VERIFY};
	struct options options = *run->options;
	struct job *other = job_begin(run);
	enum fault fault;

	if (other == NULL)
		return FAULT_MEMORY;
	options.command = &as_verify;
	options.producer = NULL;
	options.rm = false;
	other->options = &options;
	fault = job_open_input(other, options.keyref);
	if (fault == FAULT_NONE)
		fault = openkeys_read_header(other);
	if (fault == FAULT_NONE)
		fault = try_each(other);
	return job_end(other, fault);
}

enum fault keyref_check(struct job *job)
{
	struct run *run = job->run;

	if (run->options->keyref == NULL)
		return FAULT_NONE;
	if (!run->keyref_checked)
		run->keyref_fault = open_other(run);
	run->keyref_checked = true;
	job->told = run->keyref_fault != FAULT_NONE;
	return run->keyref_fault;
}
