/* SPDX-License-Identifier: ISC */
/*
 * report.c - puts a fault of one file into words.
 *
 * Knows the sentences that need numbers or names; errors.def has all others.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/producer.h"
#include "cli/report.h"
#include "io/kdf.h"

#define FOREIGN_SHOWN 4
#define CLAUSE_BYTES  128
#define NAME_BYTES    4096
#define PLAIN_BYTES   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_+,:@%=-"

void report_foreign(const char *name, const uint8_t *bytes, size_t have)
{
	char shown[3 * HEADER_MAGIC_BYTES + 1] = "";
	size_t count = FOREIGN_SHOWN;

	/* A damaged magic shows its damage only further on. */
	if (have >= FOREIGN_SHOWN && memcmp(bytes, header_immut, FOREIGN_SHOWN) == 0)
		count = HEADER_MAGIC_BYTES;
	for (size_t i = 0; i < have && i < count; i++)
		(void)snprintf(shown + 3 * i, sizeof shown - 3 * i, " %02x", bytes[i]);
	message_error(name, "%s (starts with%s)", message_reason(FAULT_FOREIGN, 0), shown);
}

void report_other_version(const char *name, const uint8_t *preamble)
{
	unsigned version = preamble[HEADER_VERSION_AT];

	if (version == HEADER_VERSION)
		message_error(name, "made by a newer version of gcmcrypt (format 1, with flags)");
	else if (version > HEADER_VERSION)
		message_error(name, "made by a newer version of gcmcrypt (format %u)", version);
	else
		message_error(name, "made by another version of gcmcrypt (format %u)", version);
	if (version >= HEADER_VERSION)
		message_hint("%s", message_usual_hint(FAULT_NEWER));
}

uint64_t report_chunk_count(const struct job *job)
{
	uint64_t size = job->input.length;
	struct payload_shape shape;

	if (!job->input.regular || size < job->header_len)
		return 0;
	return payload_shape(&shape, size - job->header_len) == FAULT_NONE ? shape.last + 1 : 0;
}

/* "chunk 6098 of 78644", or without the count where the size is not known. */
static const char *chunk_name(char text[CLAUSE_BYTES], const struct job *job)
{
	uint64_t count = report_chunk_count(job);

	if (count == 0)
		(void)snprintf(text, CLAUSE_BYTES, "chunk %" PRIu64, job->stream.chunk);
	else
		(void)snprintf(text, CLAUSE_BYTES, "chunk %" PRIu64 " of %" PRIu64,
			       job->stream.chunk, count);
	return text;
}

/* What already went out to where it cannot be taken back. */
static const char *already_written(char text[CLAUSE_BYTES], const struct job *job)
{
	char size[MESSAGE_SIZE_BYTES];

	text[0] = '\0';
	if (job->at_output && !job->atomic && job->stream.plain_len > 0)
		(void)snprintf(text, CLAUSE_BYTES,
			       "; the %s before it were verified and already written",
			       message_size(size, job->stream.plain_len));
	return text;
}

/* verify: where the chunk is in the sealed file, for those who want to look at another copy. */
static const char *place_in_file(char text[CLAUSE_BYTES], const struct job *job, enum fault fault)
{
	uint64_t first = job->header_len + payload_chunk_offset(job->stream.chunk);

	text[0] = '\0';
	if (job->options->command->bit != COMMAND_VERIFY)
		return text;
	if (fault == FAULT_CHUNK_DAMAGED)
		(void)snprintf(text, CLAUSE_BYTES, ", file bytes %" PRIu64 "-%" PRIu64, first,
			       first + PAYLOAD_SEALED_BYTES - 1);
	else
		(void)snprintf(text, CLAUSE_BYTES, ", file from byte %" PRIu64, first);
	return text;
}

static void report_chunk(const struct job *job, enum fault fault)
{
	uint64_t first = job->stream.chunk * PAYLOAD_CHUNK_BYTES;
	char chunk[CLAUSE_BYTES], written[CLAUSE_BYTES], range[CLAUSE_BYTES], place[CLAUSE_BYTES];

	if (fault == FAULT_CHUNK_DAMAGED)
		(void)snprintf(range, sizeof range, "plaintext bytes %" PRIu64 "-%" PRIu64, first,
			       first + PAYLOAD_CHUNK_BYTES - 1);
	else
		(void)snprintf(range, sizeof range, "plaintext from byte %" PRIu64, first);
	message_error(job->input.name, "%s: %s (%s)%s%s", message_reason(fault, 0),
		      chunk_name(chunk, job), range, place_in_file(place, job, fault),
		      already_written(written, job));
	message_hint("%s%s with open --salvage",
		     job->at_output && job->atomic ? "nothing was kept; " : "",
		     fault == FAULT_CHUNK_DAMAGED ? "use another copy, or save the good chunks"
						  : "fetch it again, or save what is there");
}

static void report_unopened(const struct job *job)
{
	const struct options *options = job->options;
	const char *name = job->input.name;

	if (options->bare) {
		message_error(name, "wrong key or --context, or not a bare message");
	} else if (job->passphrase_tried && options->key_count > 0) {
		message_error(name, "neither the passphrase nor a key given opens this file");
	} else if (job->passphrase_tried) {
		message_error(name, "wrong passphrase");
	} else if (options->key_count > 0) {
		message_error(name, "no key given opens this file");
	} else {
		message_error(name, "no passphrase opens this file: it has no passphrase slot");
		message_hint("use -K KEYFILE or -i IDENTITY");
	}
}

static void report_kdf_memory(const struct job *job)
{
	const char *name = job->input.name;
	uint64_t need = (uint64_t)job->kdf_memory_kib * 1024;
	uint64_t left = kdf_memory_left();
	char needed[MESSAGE_SIZE_BYTES], had[MESSAGE_SIZE_BYTES];

	if (left < need)
		message_error(name, "Argon2 needs %s of memory, and can have %s",
			      message_size(needed, need), message_size(had, left));
	else
		message_error(name, "Argon2 needs %s of memory, and did not get it",
			      message_size(needed, need));
	if (job->options->command->bit == COMMAND_SEAL)
		message_hint("--kdf-memory SIZE asks for less");
	else
		message_hint("free some, raise the limit (ulimit -v, MemoryMax=), or use another "
			     "machine");
}

static void report_kdf_cost(const struct job *job)
{
	const char *name = job->input.name;
	const struct kdfcost_need *need = &job->need;
	struct slot_kdf_caps caps = kdfcost_caps(job->options);
	char memory[MESSAGE_SIZE_BYTES];

	if (need->memory_kib > caps.memory_kib || need->passes > caps.passes)
		message_error(name,
			      "a passphrase slot needs more Argon2 than is allowed (%s, %" PRIu64
			      " pass%s)",
			      message_size(memory, need->memory_kib * 1024), need->passes,
			      need->passes == 1 ? "" : "es");
	else if (need->cost_kib > caps.cost_kib)
		message_error(name,
			      "its passphrase slots together need more Argon2 than is allowed");
	else
		message_error(name,
			      "none of its first %d passphrase slots opens, and no more are tried",
			      SLOT_PASSPHRASES_MAX);
	kdfcost_hint(job->options, need);
}

/* Of an output that is not there: nothing; of a file that was to be replaced: all. */
static void hint_at_kept(const struct job *job)
{
	if (job->options->command->bit == COMMAND_REKEY && job->options->output == NULL)
		message_hint("the file is as it was");
	else
		message_hint("nothing was kept");
}

static void report_output(const struct job *job, enum fault fault)
{
	const char *name = job->output.name == NULL ? job->output_path : job->output.name;
	char size[MESSAGE_SIZE_BYTES];

	if (job->output.written == 0)
		message_error(name, "%s", message_reason(fault, job->output.error));
	else
		message_error(name, "%s (after %s)", message_reason(fault, job->output.error),
			      message_size(size, job->output.written));
	if (job->output.kept)
		message_hint("the new file is in place, but a crash may lose it");
	else if (job->atomic)
		hint_at_kept(job);
}

/* The output is complete, but --rm did not remove the input. */
static void report_not_removed(const struct job *job, enum fault fault)
{
	if (fault == FAULT_REMOVE)
		message_error(job->input.name, "%s: %s", message_reason(fault, 0),
			      strerror(job->input.error));
	else
		message_error(job->input.name, "%s", message_reason(fault, 0));
	if (fault == FAULT_INPUT_CHANGED && job->options->command->bit == COMMAND_SEAL)
		message_hint("%s may hold a mixture of old and new", job->output.name);
	else
		message_hint("%s is complete", job->output.name);
}

/* Whether name[len] is one that a shell takes as it is, and that a suffix makes another name of. */
static bool is_plain_name(const char *name, size_t len)
{
	const char *end = name + len;
	const char *last = end;

	while (last > name && last[-1] != '/')
		last--;
	return last < end && *last != '.' && strspn(name, PLAIN_BYTES) >= len;
}

static void hint_at_tar(const char *name)
{
	const char *here = name[0] == '-' ? "./" : "";
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	if (is_plain_name(name, len))
		message_hint("tar -c %s%.*s | gcmcrypt seal -o %s%.*s.tar.gcm", here, (int)len,
			     name, here, (int)len, name);
	else
		message_hint("tar -c DIR | gcmcrypt seal -o DIR.tar.gcm");
}

/* NAME was meant to be opened, and NAME.gcm is there. */
static void hint_at_suffix(const struct job *job)
{
	char sealed[NAME_BYTES];
	int len = snprintf(sealed, sizeof sealed, "%s.gcm", job->input.name);

	if (job->options->command->bit != COMMAND_SEAL && !job->input.is_stdin && len > 0 &&
	    (size_t)len < sizeof sealed && file_exists(sealed))
		message_hint("did you mean %s?", sealed);
}

/* What does not begin like a sealed file, and may have been one. */
static void hint_at_header(const struct job *job)
{
	size_t len = strlen(job->input.name);
	bool named = len > 4 && strcmp(job->input.name + len - 4, ".gcm") == 0;

	if (job->options->salvage || (named && job->options->command->bit != COMMAND_SEAL))
		message_hint("if its header is lost, rekey --restore-header puts back a saved one");
	else
		hint_at_suffix(job);
}

static void report_terminal(const struct job *job)
{
	message_error(NULL, "%s is a terminal",
		      job->at_output ? "standard output" : "standard input");
	if (job->at_output)
		message_hint("-o FILE writes to a file, -o - to the terminal all the same");
	else
		message_hint("give a FILE, or sealed data through a pipe");
}

static void report_range(const struct job *job)
{
	message_error(job->input.name,
		      "%s: the plaintext has %" PRIu64 " byte%s, and it starts at %" PRIu64,
		      message_reason(FAULT_RANGE, 0), job->shape.plain_len,
		      job->shape.plain_len == 1 ? "" : "s", job->options->range.offset);
}

/* Faults about an input or output in general. */
static void report_usual(const struct job *job, enum fault fault)
{
	bool about_input = fault == FAULT_READ || fault == FAULT_TOO_LONG ||
			   fault == FAULT_NOT_AS_CHECKED || fault == FAULT_REKEY_CHANGED;

	if (!job->at_output || about_input) {
		message_fault(job->input.name, fault, job->input.error);
		if (fault == FAULT_READ && job->options->salvage)
			message_hint("salvage a copy made by ddrescue, which has zeros for what "
				     "cannot be read");
		else if (about_input && job->atomic && fault != FAULT_REKEY_CHANGED)
			hint_at_kept(job);
		if (fault == FAULT_IS_DIRECTORY && job->options->command->bit == COMMAND_SEAL)
			hint_at_tar(job->input.name);
		if (fault == FAULT_OPEN && job->input.error == ENOENT)
			hint_at_suffix(job);
		/* Where it is open, it was to be opened once more, for writing. */
		if (fault == FAULT_OPEN && job->input.error == EACCES && job->run->confined &&
		    job->input.fd < 0)
			message_hint("if it was put there after this run had begun, a new run "
				     "reads it");
		return;
	}
	message_fault(strcmp(job->output_path, "-") == 0 ? "standard output" : job->output_path,
		      fault, job->output.error);
}

/* What keeps the work from being done, whatever the input holds. */
static void report_work(const struct job *job, enum fault fault)
{
	switch (fault) {
	case FAULT_COMMAND:
	case FAULT_COMMAND_EMPTY:
		producer_report(job, fault);
		break;
	case FAULT_INPUT_CHANGED:
	case FAULT_REMOVE:
	case FAULT_NOT_SYNCED:
		report_not_removed(job, fault);
		break;
	case FAULT_WRITE:
	case FAULT_SYNC:
		report_output(job, fault);
		break;
	case FAULT_TERMINAL:
		report_terminal(job);
		break;
	default:
		report_usual(job, fault);
	}
}

void report_fault(const struct job *job, enum fault fault)
{
	switch (fault) {
	case FAULT_SIGNAL:
	case FAULT_BROKEN_PIPE:
		break; /* the exit status says it */
	case FAULT_FOREIGN:
		report_foreign(job->input.name, job->bytes, (size_t)job->input.taken);
		hint_at_header(job);
		break;
	case FAULT_NEWER:
		report_other_version(job->input.name, job->bytes);
		break;
	case FAULT_CHUNK_DAMAGED:
	case FAULT_ENDS_EARLY:
		report_chunk(job, fault);
		break;
	case FAULT_NOTHING_OPENS:
		report_unopened(job);
		break;
	case FAULT_KDF_COST:
		report_kdf_cost(job);
		break;
	case FAULT_KDF_MEMORY:
		report_kdf_memory(job);
		break;
	case FAULT_RANGE:
		report_range(job);
		break;
	default:
		report_work(job, fault);
	}
}
