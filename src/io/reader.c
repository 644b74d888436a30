/* SPDX-License-Identifier: ISC */
/*
 * reader.c - the first bytes of a sealed file, each step checked before the next is read.
 *
 * Reads no byte more than it needs, so that the input stands at the payload, or at its chunks.
 */
#include "io/reader.h"

enum fault reader_header(struct file_input *input, struct header *header, uint8_t *bytes)
{
	size_t hlen, got;
	enum fault fault = file_input_read(input, bytes, HEADER_PREAMBLE_BYTES, &got);

	if (fault != FAULT_NONE)
		return fault;
	if (got == 0)
		return FAULT_INPUT_EMPTY;
	fault = header_check_preamble(bytes, got, &hlen);
	if (fault != FAULT_NONE)
		return fault;
	size_t rest = hlen - HEADER_PREAMBLE_BYTES;

	fault = file_input_read(input, bytes + HEADER_PREAMBLE_BYTES, rest, &got);
	if (fault != FAULT_NONE)
		return fault;
	return got < rest ? FAULT_HEADER_CUT : header_parse(header, bytes, hlen);
}

enum fault reader_payload_start(struct file_input *input, uint8_t start[PAYLOAD_START_BYTES])
{
	size_t got;
	enum fault fault = file_input_read(input, start, PAYLOAD_START_BYTES, &got);

	if (fault != FAULT_NONE)
		return fault;
	return got < PAYLOAD_START_BYTES ? FAULT_HEADER_CUT : FAULT_NONE;
}
