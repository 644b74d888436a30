/* SPDX-License-Identifier: ISC */
/*
 * producer.c - runs the command of --from-command and puts its end into words.
 *
 * A pipe looks the same whether its writer has finished or has died; only the status tells.
 */
#include <string.h>
#include <sys/wait.h>

#include "cli/producer.h"

/* The output has ended: whether the last chunk may be sealed. */
static enum fault at_end(void *context)
{
	struct job *job = context;

	return child_wait(&job->child);
}

/* --require-nonempty: a command that failed is told apart from one that had nothing to say. */
static enum fault require_output(struct job *job)
{
	bool empty;
	enum fault fault = file_input_at_end(&job->input, &empty);

	if (fault != FAULT_NONE || !empty)
		return fault;
	fault = child_wait(&job->child);
	return fault == FAULT_NONE ? FAULT_COMMAND_EMPTY : fault;
}

enum fault producer_start(struct job *job)
{
	const struct options *options = job->options;
	enum fault fault;

	if (options->producer == NULL)
		return FAULT_NONE;
	/* What a passphrase or key was read from is not the command's to go on with. */
	fault = child_start(&job->child, &job->input, options->producer,
			    !options_read_stdin(options));
	if (fault != FAULT_NONE)
		return fault;
	job->stream.at_end = at_end;
	job->stream.at_end_context = job;
	return options->require_nonempty ? require_output(job) : FAULT_NONE;
}

void producer_report_end(const char *name, const struct child *child)
{
	int status = child->status;

	if (child->error != 0)
		message_error(name, "cannot be run: %s", strerror(child->error));
	else if (WIFSIGNALED(status))
		message_error(name, "was ended by signal %d (%s)", WTERMSIG(status),
			      strsignal(WTERMSIG(status)));
	else
		message_error(name, "failed with exit status %d", WEXITSTATUS(status));
}

void producer_report(const struct job *job, enum fault fault)
{
	if (fault == FAULT_COMMAND_EMPTY)
		message_error(job->input.name, "%s", message_reason(fault, 0));
	else
		producer_report_end(job->input.name, &job->child);
	if (job->atomic)
		message_hint("nothing was kept");
	else if (job->output.written > 0)
		message_hint("what was written is cut short, and fails to open at its end");
	else
		message_hint("nothing was written");
}
