/* SPDX-License-Identifier: ISC */
/*
 * digest.c - seal --digest and --digest-file.
 *
 * The bytes are counted where they are written (file_output_write()), so nothing is read again.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/digest.h"
#include "io/signals.h"

#define HEX_BYTES (2 * crypto_hash_sha256_BYTES)

static bool is_wanted(const struct digest *digest)
{
	return digest->options->digest || digest->options->digest_file != NULL;
}

static enum fault refused(const struct digest *digest, enum fault fault)
{
	const struct file_output *output = &digest->output;

	if (fault != FAULT_SIGNAL && fault != FAULT_BROKEN_PIPE && fault != FAULT_NONE)
		message_fault(output->name, fault, output->error);
	return fault;
}

/* What was sealed stands, whatever became of its digest. */
static enum fault lost(const struct digest *digest, enum fault fault)
{
	(void)refused(digest, fault);
	if (fault == FAULT_WRITE || fault == FAULT_SYNC || fault == FAULT_CREATE)
		message_hint("what was sealed is complete");
	return fault;
}

/* Of all inputs: one that comes last would be lost as well. */
static bool is_input(const struct options *options)
{
	const char *path = options->digest_file;
	bool found =
		options->file_count == 0 && !options->from_command && file_same_names("-", path);

	for (size_t i = 0; i < options->file_count && !found; i++)
		found = file_same_names(options->files[i], path);
	return found;
}

static enum fault taken(const char *path, const char *role)
{
	message_error(path, "is the %s too; --digest-file needs another name", role);
	return FAULT_SAME_FILE;
}

enum fault digest_begin(struct digest *digest, const struct options *options)
{
	const char *path = options->digest_file;

	memset(digest, 0, sizeof *digest);
	digest->options = options;
	if (path == NULL)
		return FAULT_NONE;
	if (is_input(options))
		return taken(path, "input");
	return refused(digest, file_output_check(&digest->output, path, options->force));
}

enum fault digest_check(const struct digest *digest, struct job *job)
{
	const char *path = digest->options->digest_file;

	if (path == NULL || !keysource_holds(&job->run->keys, path))
		return FAULT_NONE;
	job->told = true;
	return refused(digest, FAULT_KEY_OUTPUT);
}

/* Not before keys were read: --passphrase-fd could name its descriptor. */
static enum fault open_file(struct digest *digest)
{
	const struct options *options = digest->options;

	if (digest->opened || options->digest_file == NULL)
		return FAULT_NONE;
	if (digest->opening == FAULT_NONE)
		digest->opening =
			refused(digest, file_output_open(&digest->output, options->digest_file,
							 options->force));
	digest->opened = digest->opening == FAULT_NONE;
	return digest->opening;
}

enum fault digest_start(struct digest *digest, struct job *job)
{
	enum fault fault;

	if (!is_wanted(digest))
		return FAULT_NONE;
	fault = open_file(digest);
	if (fault != FAULT_NONE) {
		job->told = true;
		return fault;
	}
	if (digest->opened && file_output_same(&digest->output, &job->output)) {
		/* What has that name stays, and no other file gets a line that would be lost. */
		job->told = true;
		digest->opening = taken(digest->output.name, "output");
		digest->opened = false;
		file_output_discard(&digest->output);
		return FAULT_SAME_FILE;
	}
	crypto_hash_sha256_init(&digest->state);
	job->output.digest = &digest->state;
	return FAULT_NONE;
}

/*
 * "HEX  NAME\n", with a backslash before it where one is in NAME, which then holds \\, \n and \r in
 * place of what would end or change the line.  NULL: no memory.
 */
static char *make_line(crypto_hash_sha256_state *state, const char *name)
{
	uint8_t hash[crypto_hash_sha256_BYTES];
	char *line = malloc(1 + HEX_BYTES + 2 + 2 * strlen(name) + 2);
	char *to = line;

	if (line == NULL)
		return NULL;
	crypto_hash_sha256_final(state, hash);
	if (strpbrk(name, "\\\n\r") != NULL)
		*to++ = '\\';
	sodium_bin2hex(to, HEX_BYTES + 1, hash, sizeof hash);
	to += HEX_BYTES;
	*to++ = ' ';
	*to++ = ' ';
	for (; *name != '\0'; name++) {
		bool escaped = *name == '\\' || *name == '\n' || *name == '\r';

		if (escaped)
			*to++ = '\\';
		*to++ = *name == '\n' ? 'n' : *name == '\r' ? 'r' : *name;
	}
	*to++ = '\n';
	*to = '\0';
	return line;
}

static enum fault send_line(struct digest *digest, const char *line)
{
	enum fault fault = FAULT_NONE;

	if (digest->opened)
		fault = lost(digest, file_output_write(&digest->output, (const uint8_t *)line,
						       strlen(line)));
	digest->lines += fault == FAULT_NONE;
	if (digest->options->digest && !message_line(line) && fault == FAULT_NONE)
		fault = FAULT_WRITE;
	return fault;
}

enum fault digest_tell(struct digest *digest, struct job *job)
{
	char *line;
	enum fault fault;

	if (!is_wanted(digest))
		return FAULT_NONE;
	progress_end(&job->progress);
	line = make_line(&digest->state, job->output_path);
	fault = line == NULL ? refused(digest, FAULT_MEMORY) : send_line(digest, line);
	free(line);
	job->told = fault != FAULT_NONE;
	return fault;
}

enum fault digest_end(struct digest *digest)
{
	if (!digest->opened)
		return FAULT_NONE;
	if (digest->lines > 0 && signals_caught() == 0)
		return lost(digest, file_output_commit(&digest->output, NULL));
	file_output_discard(&digest->output);
	return FAULT_NONE;
}
