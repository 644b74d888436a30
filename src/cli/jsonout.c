/* SPDX-License-Identifier: ISC */
/*
 * jsonout.c - makes and prints the object of --json.
 *
 * Owns what all commands have in it; what one of them has to say is its own business.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/jsonout.h"
#include "cli/print.h"

#define REAL_DIGITS 6 /* measurements are not worth more */

void jsonout_set(struct jsonout *out, json_t *object, const char *member, json_t *value)
{
	/* It frees the value where it fails, and fails where there is no object or value. */
	if (json_object_set_new(object, member, value) != 0)
		out->lacking = true;
}

void jsonout_append(struct jsonout *out, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		out->lacking = true;
}

void jsonout_begin(struct jsonout *out, const struct options *options, const char *schema)
{
	*out = (struct jsonout){.wanted = options->json};
	if (!out->wanted)
		return;
	out->object = json_object();
	jsonout_set(out, out->object, "schema", json_string(schema));
	jsonout_set(out, out->object, "status", json_null());
	jsonout_set(out, out->object, "error", json_null());
	if (options->command->bit == COMMAND_BENCH)
		return;
	out->files = json_array();
	jsonout_set(out, out->object, "files", out->files);
	if (out->lacking)
		out->files = NULL; /* it may be gone */
}

/* Bytes of the character that starts there, 0 where none does (RFC 3629). */
static size_t utf8_bytes(const unsigned char *at)
{
	size_t len = at[0] < 0x80   ? 1
		     : at[0] < 0xc2 ? 0
		     : at[0] < 0xe0 ? 2
		     : at[0] < 0xf0 ? 3
		     : at[0] < 0xf5 ? 4
				    : 0;

	/* A NUL is no continuation, so that nothing behind the end is looked at. */
	for (size_t i = 1; i < len; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90))
		return 0; /* longer than it need be */
	if ((at[0] == 0xed && at[1] >= 0xa0) || (at[0] == 0xf4 && at[1] >= 0x90))
		return 0; /* a surrogate, or past the last character */
	return len;
}

json_t *jsonout_text(const char *text)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *at = (const unsigned char *)text;
	char *escaped = malloc(4 * strlen(text) + 1);
	size_t used = 0;
	json_t *value;

	if (escaped == NULL)
		return NULL;
	while (*at != '\0') {
		size_t len = utf8_bytes(at);

		if (len == 0 || *at == '\\')
			escaped[used++] = '\\';
		if (len == 0) {
			escaped[used++] = 'x';
			escaped[used++] = digits[*at >> 4];
			escaped[used++] = digits[*at & 15];
			at++;
			continue;
		}
		memcpy(escaped + used, at, len);
		used += len;
		at += len;
	}
	value = json_stringn(escaped, used);
	free(escaped);
	return value;
}

json_t *jsonout_number(uint64_t number)
{
	return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

json_t *jsonout_number_if(bool known, uint64_t number)
{
	return known ? jsonout_number(number) : json_null();
}

json_t *jsonout_file(struct jsonout *out, const char *path)
{
	json_t *file;

	jsonout_append(out, out->files, json_object());
	file = json_array_get(out->files, json_array_size(out->files) - 1);
	jsonout_set(out, file, "file", jsonout_text(path));
	return file;
}

static json_t *error_of(const struct options *options, enum fault fault, int error)
{
	return json_pack("{s:i, s:s}", "status", run_status(options, fault), "message",
			 message_reason(fault, error));
}

/* Where the chunk is that failed; of the last one nobody knows the end. */
static json_t *chunk_error(const struct job *job, enum fault fault)
{
	uint64_t chunk = job->stream.chunk;
	uint64_t plain = chunk * PAYLOAD_CHUNK_BYTES;
	uint64_t sealed = job->header_len + payload_chunk_offset(chunk);
	bool whole = fault == FAULT_CHUNK_DAMAGED;

	return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o}", "status",
			 run_status(job->options, fault), "message", message_reason(fault, 0),
			 "chunk", jsonout_number(chunk), "plaintext_first", jsonout_number(plain),
			 "plaintext_last",
			 whole ? jsonout_number(plain + PAYLOAD_CHUNK_BYTES - 1) : json_null(),
			 "file_first", jsonout_number(sealed), "file_last",
			 whole ? jsonout_number(sealed + PAYLOAD_SEALED_BYTES - 1) : json_null());
}

json_t *jsonout_file_error(const struct job *job, enum fault fault)
{
	bool verifying = job->options->command->bit == COMMAND_VERIFY;
	bool about_output = fault == FAULT_CREATE || fault == FAULT_WRITE || fault == FAULT_SYNC;

	if (fault == FAULT_NONE)
		return json_null();
	if (verifying && (fault == FAULT_CHUNK_DAMAGED || fault == FAULT_ENDS_EARLY))
		return chunk_error(job, fault);
	return error_of(job->options, fault, about_output ? job->output.error : job->input.error);
}

static int send(const char *bytes, size_t len, void *print)
{
	print_bytes(print, bytes, len);
	return 0;
}

static enum fault print_object(const struct jsonout *out)
{
	struct print print;

	print_begin(&print);
	if (json_dump_callback(out->object, send, &print,
			       JSON_INDENT(2) | JSON_ENSURE_ASCII |
				       JSON_REAL_PRECISION(REAL_DIGITS)) != 0)
		return FAULT_MEMORY;
	print_text(&print, "\n");
	return print_end(&print);
}

int jsonout_end(struct jsonout *out, const struct options *options, enum fault fault)
{
	int status = run_status(options, fault);
	enum fault sent = FAULT_NONE;

	if (!out->wanted)
		return status;
	jsonout_set(out, out->object, "status", json_integer(status));
	if (fault != FAULT_NONE && json_array_size(out->files) == 0)
		jsonout_set(out, out->object, "error", error_of(options, fault, 0));
	sent = out->lacking ? FAULT_MEMORY : print_object(out);
	if (sent == FAULT_MEMORY)
		message_fault(NULL, sent, 0);
	json_decref(out->object);
	return status != 0 ? status : message_status(sent);
}
