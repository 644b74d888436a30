/* SPDX-License-Identifier: ISC */
/*
 * reader.h - takes header and payload start from an input, in the order that format.md demands.
 */
#ifndef GCMCRYPT_IO_READER_H
#define GCMCRYPT_IO_READER_H

#include "format/header.h"
#include "format/payload.h"
#include "io/file.h"

/*
 * Reads 16 bytes, checks them, reads the rest of the header into bytes[HEADER_MAX_BYTES] and
 * checks its structure.  No fault: header points into bytes.  FAULT_INPUT_EMPTY for no byte at
 * all, the faults of header.h and of file_input_read() otherwise.
 */
enum fault reader_header(struct file_input *input, struct header *header, uint8_t *bytes);

/* Reads salt || commitment; FAULT_HEADER_CUT when the input ends first. */
enum fault reader_payload_start(struct file_input *input, uint8_t start[PAYLOAD_START_BYTES]);

#endif
