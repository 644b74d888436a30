/* SPDX-License-Identifier: ISC */
/*
 * test_file_sparse.c - outputs with holes: the bytes, the length and the room on the disk.
 */
#include "io_util.h"

#include "io/file.h"
#include "io/signals.h"

#include <sys/resource.h>

#define BLOCK  4096
#define BLOCKS 64
#define BYTES  ((size_t)BLOCKS * BLOCK)

static uint8_t bytes[BYTES + BLOCK], found[3 * BYTES];

/* Blocks are nothing but zeros, or begin, or end, with another byte; pattern: a letter each. */
static void make_bytes(const char *pattern)
{
	memset(bytes, 0, sizeof bytes);
	for (size_t i = 0; pattern[i] != '\0'; i++) {
		if (pattern[i] == 'b')
			bytes[i * BLOCK] = 1;
		if (pattern[i] == 'e')
			bytes[(i + 1) * BLOCK - 1] = 1;
	}
}

static blkcnt_t blocks_of(const char *name)
{
	struct stat now;

	assert_int_equal(stat(name, &now), 0);
	return now.st_blocks * 512 / BLOCK;
}

/* Writes the first len bytes in pieces of so many. */
static int write_pieces(struct file_output *output, size_t len, size_t piece)
{
	for (size_t at = 0; at < len; at += piece) {
		size_t some = len - at < piece ? len - at : piece;

		CHECK(file_output_write(output, bytes + at, some) == FAULT_NONE);
		CHECK(output->written == at + some);
	}
	return 0;
}

static void zeros_become_holes(void **state)
{
	static const struct {
		const char *pattern;
		int used;
	} cases[] = {
		{"", 0},
		{"b", 1},
		{"e", 1},
		{".b", 1},
		{"be", 2},
		{"b..e", 2},
		{"..be..eb....b", 5},
	};
	static const size_t lengths[] = {BYTES, BYTES - 1, BYTES - BLOCK + 1};
	static const size_t pieces[] = {BYTES, 4 * BLOCK, 5000, 4095};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		make_bytes(cases[i].pattern);
		for (size_t j = 0; j < COUNT_OF(lengths) * COUNT_OF(pieces); j++) {
			size_t len = lengths[j / COUNT_OF(pieces)];
			struct file_output output;

			assert_int_equal(file_output_open(&output, "out", true), FAULT_NONE);
			file_output_make_sparse(&output);
			assert_true(output.sparse);
			assert_int_equal(write_pieces(&output, len, pieces[j % COUNT_OF(pieces)]),
					 0);
			assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
			assert_int_equal(get_file("out", found, sizeof found), len);
			assert_memory_equal(found, bytes, len);
			assert_true(blocks_of("out") <= cases[i].used + 1);
		}
	}
}

static void nothing_at_all(void **state)
{
	struct file_output output;

	(void)state;
	assert_int_equal(file_output_open(&output, "out", false), FAULT_NONE);
	file_output_make_sparse(&output);
	assert_int_equal(file_output_write(&output, bytes, 0), FAULT_NONE);
	assert_int_equal(file_output_commit(&output, NULL), FAULT_NONE);
	assert_text("out", "");
}

/* Standard output that goes to a file with something in it. */
struct redirection {
	int flags;
	off_t at;       /* where the descriptor stands */
	bool has_holes; /* what is to be */
};

static const size_t there = 3 * BLOCK + 5; /* bytes of 'x' before */

static int write_redirected(void *argument)
{
	const struct redirection *to = argument;
	struct file_output output;
	int fd = open("out", O_WRONLY | to->flags);

	CHECK(fd >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
	CHECK(lseek(STDOUT_FILENO, to->at, SEEK_SET) == to->at);
	CHECK(file_output_open(&output, "-", false) == FAULT_NONE);
	file_output_make_sparse(&output);
	CHECK(output.sparse == to->has_holes);
	if (write_pieces(&output, BYTES, 3 * BLOCK) != 0)
		return 1;
	CHECK(file_output_commit(&output, NULL) == FAULT_NONE);
	/* Who writes next goes on behind it. */
	CHECK(write(STDOUT_FILENO, "end", 3) == 3);
	return 0;
}

static void standard_output_stays_what_it_is(void **state)
{
	static const struct redirection ways[] = {
		{O_TRUNC, 0, true},
		{0, (off_t)there, true},
		{0, (off_t)there + 2 * BLOCK, true}, /* behind its end */
		{O_APPEND, 0, false},
		{O_APPEND, (off_t)there, false},
		{0, 7, false}, /* in the middle: old bytes would show through */
	};

	(void)state;
	make_bytes("b..e");
	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		struct redirection to = ways[i];
		size_t start = (to.flags & O_APPEND) != 0 ? there : (size_t)to.at;
		static uint8_t old[8 * BLOCK];

		memset(old, 0, sizeof old);
		memset(old, 'x', (to.flags & O_TRUNC) != 0 ? 0 : there);
		put_file("out", old, there);
		assert_child(write_redirected, &to);
		assert_int_equal(get_file("out", found, sizeof found), start + BYTES + 3);
		assert_memory_equal(found, old, start);
		assert_memory_equal(found + start, bytes, BYTES);
		assert_memory_equal(found + start + BYTES, "end", 3);
		assert_int_equal(blocks_of("out") < BLOCKS / 2, to.has_holes);
	}
}

static void other_outputs_get_every_byte(void **state)
{
	struct file_output output;
	int pipes[2];

	(void)state;
	make_bytes("");
	assert_int_equal(file_output_open(&output, "/dev/null", false), FAULT_NONE);
	file_output_make_sparse(&output);
	assert_false(output.sparse);
	file_output_discard(&output);

	assert_int_equal(pipe(pipes), 0);
	output = (struct file_output){.fd = pipes[1], .folder_fd = -1};
	file_output_make_sparse(&output);
	assert_false(output.sparse);
	assert_int_equal(file_output_write(&output, bytes, 10000), FAULT_NONE);
	assert_int_equal(read(pipes[0], found, sizeof found), 10000);
	file_output_discard(&output);
	close(pipes[0]);
}

static int reach_the_limit(void *argument)
{
	const struct rlimit limit = {2 * BLOCK, 2 * BLOCK};
	struct file_output output;

	(void)argument;
	CHECK(signals_install() && setrlimit(RLIMIT_FSIZE, &limit) == 0);
	CHECK(file_output_open(&output, "f", false) == FAULT_NONE);
	file_output_make_sparse(&output);
	CHECK(file_output_write(&output, bytes, 3 * BLOCK) == FAULT_WRITE);
	CHECK(output.error == EFBIG);
	file_output_discard(&output);
	return 0;
}

static int hear_a_signal(void *argument)
{
	struct file_output output;

	(void)argument;
	CHECK(signals_install());
	CHECK(file_output_open(&output, "f", false) == FAULT_NONE);
	file_output_make_sparse(&output);
	raise(SIGTERM);
	CHECK(file_output_write(&output, bytes, BYTES) == FAULT_SIGNAL);
	file_output_discard(&output);
	return 0;
}

static void holes_fail_as_writes_do(void **state)
{
	(void)state;
	make_bytes("");
	assert_child(reach_the_limit, NULL);
	assert_child(hear_a_signal, NULL);
	assert_int_equal(count_names(), 0);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(zeros_become_holes),
		IN_SCRATCH(nothing_at_all),
		IN_SCRATCH(standard_output_stays_what_it_is),
		IN_SCRATCH(other_outputs_get_every_byte),
		IN_SCRATCH(holes_fail_as_writes_do),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
