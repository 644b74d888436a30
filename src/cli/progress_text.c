/* SPDX-License-Identifier: ISC */
/*
 * progress_text.c - puts numbers about a stream into one line, and makes it fit.
 *
 * Knows no terminal and no clock.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/progress_text.h"

#define PREFIX         "gcmcrypt: "
#define ELLIPSIS       "..."
#define NAME_LEAST     8 /* columns: less of a name says nothing */
#define CLOCK_BYTES    32
#define MINUTE         60
#define HOUR           (60 * MINUTE)
#define DAY            (24 * HOUR)
#define CLOCK_MAX      (100 * HOUR) /* from here on days are enough */
#define SECONDS_MAX    UINT32_MAX   /* 136 years */
#define PERCENT        100
#define MILLISECONDS   1000
#define WIDE_LEAD_BYTE 0xe0 /* of three bytes and more in UTF-8: may be two columns wide */

/* "0:07", "12:03", "1:00:00", "9 days". */
static const char *clock_text(char text[CLOCK_BYTES], uint64_t seconds)
{
	if (seconds >= CLOCK_MAX)
		(void)snprintf(text, CLOCK_BYTES, "%" PRIu64 " days", seconds / DAY);
	else if (seconds >= HOUR)
		(void)snprintf(text, CLOCK_BYTES, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
			       seconds / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE);
	else
		(void)snprintf(text, CLOCK_BYTES, "%" PRIu64 ":%02" PRIu64, seconds / MINUTE,
			       seconds % MINUTE);
	return text;
}

static uint64_t bytes_per_second(const struct progress_text *now)
{
	double seconds = (double)now->milliseconds / MILLISECONDS;

	return now->milliseconds == 0 ? 0 : (uint64_t)((double)now->done / seconds);
}

/* Rounded up; 0 where nobody can say, or nothing is left. */
static uint64_t seconds_left(const struct progress_text *now)
{
	double left;

	if (now->done == 0 || now->done >= now->total)
		return 0;
	left = (double)(now->total - now->done) / (double)now->done * (double)now->milliseconds /
	       MILLISECONDS;
	return left >= SECONDS_MAX ? SECONDS_MAX : (uint64_t)left + 1;
}

const char *progress_text_figures(char text[PROGRESS_TEXT_FIGURES_BYTES],
				  const struct progress_text *now)
{
	char done[MESSAGE_SIZE_BYTES], total[MESSAGE_SIZE_BYTES], speed[MESSAGE_SIZE_BYTES];
	char clock[CLOCK_BYTES];
	uint64_t left = seconds_left(now);

	(void)message_size(done, now->done);
	(void)message_size(total, now->total);
	(void)message_size(speed, bytes_per_second(now));
	/* An input that has grown is one of unknown size. */
	if (now->total == 0 || now->done > now->total)
		(void)snprintf(text, PROGRESS_TEXT_FIGURES_BYTES, "%s in %s, %s/s", done,
			       clock_text(clock, now->milliseconds / MILLISECONDS), speed);
	else
		(void)snprintf(
			text, PROGRESS_TEXT_FIGURES_BYTES, "%" PRIu64 "%%, %s of %s, %s/s%s%s%s",
			now->done * PERCENT / now->total, done, total, speed, left == 0 ? "" : ", ",
			left == 0 ? "" : clock_text(clock, left), left == 0 ? "" : " left");
	return text;
}

/* Bytes of the letter of UTF-8 at text, and the columns that it takes at most. */
static size_t letter_bytes(const char *text, size_t *columns)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t most = byte[0] < 0xc0 ? 1 : byte[0] < WIDE_LEAD_BYTE ? 2 : byte[0] < 0xf0 ? 3 : 4;
	size_t len = 1;

	while (len < most && (byte[len] & 0xc0) == 0x80)
		len++;
	*columns = byte[0] < WIDE_LEAD_BYTE ? 1 : 2;
	return len;
}

/* Bytes of the longest beginning of text that fits, and the columns that it takes. */
static size_t fitting_bytes(const char *text, size_t columns, size_t *taken)
{
	size_t len = 0;

	*taken = 0;
	while (text[len] != '\0') {
		size_t more;
		size_t bytes = letter_bytes(text + len, &more);

		if (*taken + more > columns)
			break;
		*taken += more;
		len += bytes;
	}
	return len;
}

size_t progress_text_line(char text[PROGRESS_TEXT_LINE_BYTES], const struct progress_text *now,
			  size_t columns)
{
	/* Longer than any line, also in letters of four bytes: what is cut here is cut below too. */
	char name[PROGRESS_TEXT_LINE_BYTES - PROGRESS_TEXT_COLUMNS];
	char figures[PROGRESS_TEXT_FIGURES_BYTES];
	const char *dots = "";
	size_t width = columns < PROGRESS_TEXT_COLUMNS ? columns : PROGRESS_TEXT_COLUMNS;
	size_t fixed = strlen(PREFIX ": ") + strlen(progress_text_figures(figures, now));
	size_t room = width > fixed ? width - fixed : 0;
	size_t taken;
	size_t len = fitting_bytes(message_escape(name, sizeof name, now->name), room, &taken);

	if (name[len] != '\0' && room < NAME_LEAST) {
		(void)snprintf(text, PROGRESS_TEXT_LINE_BYTES, "%.*s", (int)width, figures);
		return strlen(text);
	}
	if (name[len] != '\0') {
		dots = ELLIPSIS;
		len = fitting_bytes(name, room - strlen(ELLIPSIS), &taken);
	}
	(void)snprintf(text, PROGRESS_TEXT_LINE_BYTES, PREFIX "%.*s%s: %s", (int)len, name, dots,
		       figures);
	return fixed + taken + strlen(dots);
}
