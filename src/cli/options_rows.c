/* SPDX-License-Identifier: ISC */
/*
 * options_rows.c - the one table of options, in the order in which --help shows them.
 */
#include "cli/options.h"

#define SEAL       ((unsigned)COMMAND_SEAL)
#define OPEN       ((unsigned)COMMAND_OPEN)
#define VERIFY     ((unsigned)COMMAND_VERIFY)
#define INFO       ((unsigned)COMMAND_INFO)
#define KEYGEN     ((unsigned)COMMAND_KEYGEN)
#define REKEY      ((unsigned)COMMAND_REKEY)
#define BENCH      ((unsigned)COMMAND_BENCH)
#define ALL        ((unsigned)COMMAND_ALL)
#define OF(member) offsetof(struct options, member)

static const struct options_row rows[] = {
	{'o', "output", "FILE", SEAL | OPEN | KEYGEN | REKEY, OPTIONS_TEXT, OF(output),
	 "write there; - is standard output, even a terminal"},
	{'f', "force", NULL, SEAL | OPEN | KEYGEN | REKEY, OPTIONS_FLAG, OF(force),
	 "replace an existing output, only after success"},
	{0, "rm", NULL, SEAL | OPEN, OPTIONS_FLAG, OF(rm),
	 "remove each input once its output is safely on disk"},
	{0, "passphrase-file", "FILE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.file), "read the passphrase from FILE"},
	{0, "passphrase-fd", "N", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.fd_text), "read the passphrase from descriptor N"},
	{0, "passphrase-command", "CMD", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.command), "run CMD by sh -c, if needed; its output is the passphrase"},
	{0, "passphrase-env", "VAR", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SOURCE,
	 OF(passphrase.variable), "take the passphrase out of the variable VAR"},
	{'K', "key-file", "FILE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_KEY,
	 OPTIONS_KEY_FILE, "use a key file made by keygen; may be repeated"},
	{'r', "recipient", "TEXT", SEAL, OPTIONS_KEY, OPTIONS_RECIPIENT,
	 "seal to the public key gcmc1...; may be repeated"},
	{'R', "recipients-file", "FILE", SEAL, OPTIONS_KEY, OPTIONS_RECIPIENTS_FILE,
	 "seal to every public key in FILE; may be repeated"},
	{'i', "identity", "FILE", OPEN | VERIFY | INFO | REKEY, OPTIONS_KEY, OPTIONS_IDENTITY,
	 "use the secret keys in FILE; may be repeated"},
	{0, "new-passphrase", NULL, REKEY, OPTIONS_FLAG, OF(ask_new_passphrase),
	 "ask for a new passphrase on the terminal"},
	{0, "new-passphrase-file", "FILE", REKEY, OPTIONS_SOURCE, OF(new_passphrase.file),
	 "read the new passphrase from FILE"},
	{0, "new-passphrase-fd", "N", REKEY, OPTIONS_SOURCE, OF(new_passphrase.fd_text),
	 "read the new passphrase from descriptor N"},
	{0, "new-passphrase-command", "CMD", REKEY, OPTIONS_SOURCE, OF(new_passphrase.command),
	 "run CMD by sh -c; its output is the new passphrase"},
	{0, "new-passphrase-env", "VAR", REKEY, OPTIONS_SOURCE, OF(new_passphrase.variable),
	 "take the new passphrase out of the variable VAR"},
	{0, "new-key-file", "FILE", REKEY, OPTIONS_NEW_KEY, OPTIONS_KEY_FILE,
	 "the new key is this key file; may be repeated"},
	{0, "new-recipient", "TEXT", REKEY, OPTIONS_NEW_KEY, OPTIONS_RECIPIENT,
	 "the new key is gcmc1...; may be repeated"},
	{0, "add", NULL, REKEY, OPTIONS_FLAG, OF(add), "keep the slot that opened FILE"},
	{0, "remove", "N", REKEY, OPTIONS_SLOT, OF(remove),
	 "take out slot N of info instead of that slot; may be repeated"},
	{0, "dry-run", NULL, REKEY, OPTIONS_FLAG, OF(dry_run),
	 "print what would change, and change nothing"},
	{0, "in-place", NULL, REKEY, OPTIONS_FLAG, OF(in_place),
	 "write the header alone; the old one goes to FILE.header-backup"},
	{0, "header-only", NULL, REKEY, OPTIONS_FLAG, OF(header_only),
	 "save the header as it is to -o FILE; needs no key"},
	{0, "restore-header", "FILE", REKEY, OPTIONS_TEXT, OF(restore_header),
	 "put the header back that FILE holds, if it belongs there"},
	{0, "bare", NULL, SEAL | OPEN | VERIFY, OPTIONS_FLAG, OF(bare),
	 "no header: a pure Cobblestone-256 message under one key file"},
	{0, "context", "TEXT", SEAL | OPEN | VERIFY | REKEY, OPTIONS_TEXT, OF(context),
	 "bind TEXT to the key; not stored, the same is needed to open"},
	{0, "require-nonempty", NULL, SEAL, OPTIONS_FLAG, OF(require_nonempty),
	 "an empty input is an error, and nothing is written"},
	{0, "from-command", NULL, SEAL, OPTIONS_FLAG, OF(from_command),
	 "run the command behind --, seal its output if it succeeds"},
	{0, "spare", "BYTES", SEAL, OPTIONS_SIZE, OF(spare),
	 "leave room in the header for slots that come later"},
	{0, "digest", NULL, SEAL, OPTIONS_FLAG, OF(digest),
	 "print the SHA-256 of each output on standard error"},
	{0, "digest-file", "FILE", SEAL, OPTIONS_TEXT, OF(digest_file),
	 "write it to FILE, for sha256sum -c"},
	{0, "kdf-memory", "SIZE", SEAL | REKEY, OPTIONS_SIZE, OF(kdf_memory),
	 "memory for Argon2id (default 256M)"},
	{0, "kdf-passes", "N", SEAL | REKEY, OPTIONS_NUMBER, OF(kdf_passes),
	 "passes of Argon2id over it (default 3)"},
	{0, "max-kdf-memory", "SIZE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SIZE,
	 OF(max_kdf_memory), "most memory that one passphrase slot may take (default 1G)"},
	{0, "max-kdf-cost", "SIZE", SEAL | OPEN | VERIFY | INFO | REKEY, OPTIONS_SIZE,
	 OF(max_kdf_cost), "most memory times passes, summed over slots (default 16G)"},
	{0, "range", "OFF:LEN", OPEN, OPTIONS_RANGE, OF(range),
	 "LEN bytes from byte OFF on; OFF: is all from there"},
	{0, "verify-first", NULL, OPEN, OPTIONS_FLAG, OF(verify_first),
	 "check all of the file before anything is written"},
	{0, "salvage", NULL, OPEN, OPTIONS_FLAG, OF(salvage),
	 "write zeros for bad chunks and list them; fail all the same"},
	{0, "sparse", NULL, OPEN, OPTIONS_FLAG, OF(sparse),
	 "leave holes for zeros where the output is a regular file"},
	{0, "quick", NULL, VERIFY, OPTIONS_FLAG, OF(quick),
	 "check header, key and last chunk alone: in milliseconds"},
	{'T', "threads", "N", SEAL | OPEN | VERIFY, OPTIONS_NUMBER, OF(threads),
	 "work in N threads (default: as many as pay)"},
	{'T', "threads", "N", BENCH, OPTIONS_NUMBER, OF(threads),
	 "measure a file in memory too, in N threads"},
	{0, "kernel", "NAME", SEAL | OPEN | VERIFY | BENCH, OPTIONS_TEXT, OF(kernel),
	 "use this AES-GCM kernel"},
	{0, "recipient", NULL, KEYGEN, OPTIONS_FLAG, OF(recipient),
	 "print the recipients of identities, which -i names"},
	{'i', NULL, "FILE", KEYGEN, OPTIONS_KEY, OPTIONS_IDENTITY,
	 "the identities for --recipient; may be repeated"},
	{0, "identity", NULL, KEYGEN, OPTIONS_FLAG, OF(identity),
	 "make an X25519 identity instead of a key file"},
	{0, "words", "[=N]", KEYGEN, OPTIONS_WORDS, OF(words),
	 "make a passphrase of N random words (default 7, 91 bits)"},
	{0, "size", "LIST", BENCH, OPTIONS_SIZES, OF(sizes),
	 "message sizes in bytes (default 64,1024,16384)"},
	{0, "seconds", "N", BENCH, OPTIONS_NUMBER, OF(seconds),
	 "how long to measure in all (default 3)"},
	{0, "list", NULL, BENCH, OPTIONS_FLAG, OF(list),
	 "show the kernels, and why one is not usable here"},
	{0, "kdf", NULL, BENCH, OPTIONS_FLAG, OF(kdf), "measure Argon2id too"},
	{0, "csv", NULL, BENCH, OPTIONS_FLAG, OF(csv), "comma-separated values"},
	{0, "json", NULL, OPEN | VERIFY | INFO | BENCH, OPTIONS_FLAG, OF(json),
	 "one JSON object on standard output; open: with --salvage"},
	{0, "progress", NULL, SEAL | OPEN | VERIFY, OPTIONS_FLAG, OF(progress),
	 "show how far it is, also in pipes and logs"},
	{0, "no-progress", NULL, SEAL | OPEN | VERIFY, OPTIONS_FLAG, OF(no_progress),
	 "do not show it, unless SIGUSR1 asks"},
	{'q', "quiet", NULL, ALL, OPTIONS_FLAG, OF(quiet), "no warnings and notices"},
	{'v', "verbose", NULL, ALL, OPTIONS_FLAG, OF(verbose), "say more"},
	{'h', "help", NULL, ALL, OPTIONS_FLAG, OF(help), "print this text"},
	{'V', "version", NULL, ALL, OPTIONS_FLAG, OF(version), "print the version"},
};

#define ROWS (sizeof rows / sizeof rows[0])

_Static_assert(ROWS <= OPTIONS_ROWS_MAX, "OPTIONS_ROWS_MAX is too small");

const struct options_row *options_row(size_t i)
{
	return i < ROWS ? &rows[i] : NULL;
}
