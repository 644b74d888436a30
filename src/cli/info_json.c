/* SPDX-License-Identifier: ISC */
/*
 * info_json.c - what info --json says of one file.
 *
 * Its members and their types are a promise, made in gcmcrypt(1): they stay, and more may come.
 */
#include "cli/info_json.h"

static const char *type_name(unsigned type)
{
	switch (type) {
	case SLOT_SPARE:
		return "spare";
	case SLOT_PASSPHRASE:
		return "passphrase";
	case SLOT_KEY_FILE:
		return "key-file";
	case SLOT_X25519:
		return "x25519";
	case SLOT_XWING:
		return "x-wing";
	default:
		return "unknown";
	}
}

static json_t *cost_of(const struct header_slot *slot)
{
	struct slot_argon2 argon2;

	if (slot->type != SLOT_PASSPHRASE)
		return json_null();
	slot_argon2_decode(&argon2, slot->body);
	return json_pack("{s:o, s:o}", "memory_kib", jsonout_number(argon2.memory_kib), "passes",
			 jsonout_number(argon2.passes));
}

static json_t *slots_of(struct jsonout *out, const struct header *header)
{
	json_t *slots = json_array();

	for (size_t i = 0; i < header->slot_count; i++) {
		const struct header_slot *slot = &header->slots[i];

		jsonout_append(out, slots,
			       json_pack("{s:o, s:s, s:i, s:i, s:o}", "slot", jsonout_number(i + 1),
					 "type", type_name(slot->type), "type_number", slot->type,
					 "bytes", slot->len, "argon2id", cost_of(slot)));
	}
	return slots;
}

void info_json_add(struct jsonout *out, const char *path, const struct job *job,
		   const struct info_json_facts *facts, enum fault fault)
{
	bool parsed = job->header_len > 0;
	uint64_t plain_len = job->shape.plain_len;
	json_t *file = jsonout_file(out, path);

	jsonout_set(out, file, "format", jsonout_number_if(parsed, HEADER_VERSION));
	jsonout_set(out, file, "cipher", parsed ? json_string("AES-256-GCM") : json_null());
	jsonout_set(out, file, "chunk_bytes", jsonout_number_if(parsed, PAYLOAD_CHUNK_BYTES));
	jsonout_set(out, file, "header_bytes", jsonout_number_if(parsed, job->header_len));
	jsonout_set(out, file, "slots", slots_of(out, &job->header));
	jsonout_set(out, file, "opened_by", jsonout_number_if(facts->opened, job->slot));
	jsonout_set(out, file, "file_bytes", jsonout_number_if(facts->measured, facts->len));
	jsonout_set(out, file, "length_possible",
		    facts->measured ? json_boolean(facts->possible) : json_null());
	jsonout_set(out, file, "plaintext_bytes", jsonout_number_if(facts->possible, plain_len));
	jsonout_set(out, file, "chunks", jsonout_number_if(facts->possible, job->shape.last + 1));
	jsonout_set(out, file, "overhead_bytes",
		    jsonout_number_if(facts->possible, facts->len - plain_len));
	jsonout_set(out, file, "error", jsonout_file_error(job, fault));
}
