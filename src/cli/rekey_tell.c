/* SPDX-License-Identifier: ISC */
/*
 * rekey_tell.c - what rekey would do, on standard output, and what it has done, on standard error.
 */
#include "cli/rekey.h"

#define NAME_BYTES 4096

static const char *kind(uint8_t type)
{
	switch (type) {
	case SLOT_SPARE:
		return "spare";
	case SLOT_PASSPHRASE:
		return "passphrase";
	case SLOT_KEY_FILE:
		return "key file";
	case SLOT_X25519:
		return "X25519 recipient";
	default:
		return "of a type that this program skips";
	}
}

static void print_old(struct job *job, struct rekey *rekey)
{
	for (size_t i = 0; i < job->header.slot_count; i++)
		print_text(&rekey->print, "slot %-7zu%s%s: %s\n", i + 1,
			   kind(job->header.slots[i].type),
			   i == job->slot - 1 ? ", which opened it" : "",
			   rekey->goes[i] ? "goes" : "stays");
}

static void print_new(struct rekey *rekey)
{
	struct header header;

	if (header_parse(&header, rekey->bytes, rekey->len) != FAULT_NONE)
		return;
	for (size_t i = rekey->first; i < rekey->first + rekey->count; i++)
		print_text(&rekey->print, "new slot %-3zu%s: comes\n", i + 1,
			   kind(header.slots[i].type));
}

enum fault rekey_tell_plan(struct job *job, struct rekey *rekey)
{
	struct print *print = &rekey->print;
	char shown[NAME_BYTES];
	enum fault fault;

	print_begin(print);
	if (job->options->file_count > 1)
		print_text(print, "%s:\n", message_escape(shown, sizeof shown, job->input.name));
	if (job->options->restore_header != NULL) {
		print_text(print, "header      belongs to this payload, and would be put back\n");
	} else {
		print_old(job, rekey);
		print_new(rekey);
	}
	print_text(print, "length      %zu bytes of header, after %zu\n", rekey->len,
		   rekey->old_len);
	print_text(print, "written     %s\n",
		   job->options->in_place ? "in place, the header alone" : "a new file");
	fault = print_end(print);
	job->told = fault != FAULT_NONE;
	return fault;
}

static void tell_of_copies(struct job *job)
{
	bool *told = job->run->own;

	if (*told)
		return;
	*told = true;
	message_notice(job->run->level, NULL,
		       "copies made before, of a file or its header, still open with the old key; "
		       "only sealing again revokes it");
}

void rekey_tell(struct job *job, const struct rekey *rekey)
{
	enum message_level level = job->run->level;
	const char *name = job->input.name;

	message_detail(level, name, "has a header of %zu bytes now, after %zu", rekey->len,
		       rekey->old_len);
	if (job->options->in_place && job->options->restore_header == NULL)
		message_notice(level, name,
			       "the header was rewritten in place; the old one is in %s: remove "
			       "that later",
			       job->output_path);
	if (!job->options->in_place && job->options->output == NULL &&
	    job->input.at_open.st_nlink > 1)
		message_warning(level, name, "has other names, which still are the old file");
	if (rekey->going > 0)
		tell_of_copies(job);
}
