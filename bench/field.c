/* SPDX-License-Identifier: ISC */
/*
 * field.c - the list of competitors, their memory, and how bench gives up.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "competitor.h"

#define PAGE 4096

void bench_die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)fputs("bench: ", stderr);
	(void)vfprintf(stderr, format, arguments);
	(void)fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

void *bench_memory(size_t len)
{
	size_t room = (len + PAGE - 1) / PAGE * PAGE;
	void *memory = aligned_alloc(PAGE, room);

	if (memory == NULL)
		bench_die("out of memory");
	/* Also touches each page, so that no sample pays for one. */
	return memset(memory, 0, room);
}

struct bench_competitor *bench_field_add(struct bench_field *field, const char *name)
{
	struct bench_competitor *competitor = &field->list[field->count];

	if (field->count == BENCH_COMPETITORS_MAX)
		bench_die("more than %d competitors", BENCH_COMPETITORS_MAX);
	field->count++;
	memset(competitor, 0, sizeof *competitor);
	(void)snprintf(competitor->name, sizeof competitor->name, "%s", name);
	return competitor;
}

void bench_field_open(struct bench_field *field, const uint8_t *key, size_t key_len)
{
	field->count = 0;
	bench_join_openssl(field, key, key_len);
	bench_join_ours(field, key, key_len);
	bench_join_sodium(field, key, key_len);
	bench_join_bounds(field, key, key_len);
}

void bench_field_close(struct bench_field *field)
{
	for (size_t i = 0; i < field->count; i++)
		field->list[i].release(field->list[i].state);
	field->count = 0;
}
