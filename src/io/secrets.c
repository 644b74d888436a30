/* SPDX-License-Identifier: ISC */
/*
 * secrets.c - a bump allocator over one guarded, locked piece of memory.
 *
 * Owns the arena and the process limits that keep it from leaking; must not know what is in it.
 */
#include "io/secrets.h"

#include <sodium.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#endif

#define PIECE_ALIGNMENT 64

/* Stands at the start of its own arena. */
struct secrets {
	size_t room; /* of bytes, a multiple of PIECE_ALIGNMENT */
	size_t used;
	bool locked;
	_Alignas(PIECE_ALIGNMENT) uint8_t bytes[];
};

/*
 * No core dump has it, and no process that is forked: there it is zero.  libsodium asks for the first
 * of these too, but does not promise it.  A kernel that cannot do one of them still does the other.
 */
static void keep_from_copies(const struct secrets *secrets, size_t whole)
{
#ifdef __linux__
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = (uintptr_t)secrets / page * page;
	uintptr_t end = ((uintptr_t)secrets + whole + page - 1) / page * page;

	(void)madvise((void *)first, end - first, MADV_DONTDUMP);
	(void)madvise((void *)first, end - first, MADV_WIPEONFORK);
#else
	(void)secrets, (void)whole;
#endif
}

struct secrets *secrets_new(unsigned workers)
{
	size_t room = SECRETS_BASE_BYTES + (size_t)workers * SECRETS_WORKER_BYTES;
	size_t whole = sizeof(struct secrets) + room;
	/*
	 * sodium_malloc() puts the end of what it gives at the end of a page, so a whole that is a
	 * multiple of 64 starts on a 64-byte boundary.
	 */
	struct secrets *secrets = sodium_malloc(whole);

	if (secrets == NULL)
		return NULL;
	/* sodium_malloc() locked it, or could not and did not say so: locking again tells. */
	bool locked = sodium_mlock(secrets, whole) == 0;

	keep_from_copies(secrets, whole);
	memset(secrets, 0, whole);
	secrets->room = room;
	secrets->locked = locked;
	return secrets;
}

bool secrets_locked(const struct secrets *secrets)
{
	return secrets->locked;
}

void *secrets_take(struct secrets *secrets, size_t len)
{
	size_t left = secrets->room - secrets->used;

	if (len > left)
		return NULL;
	/* left is a multiple of the alignment, so rounding up stays within it. */
	void *piece = secrets->bytes + secrets->used;

	secrets->used += (len + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
	return piece;
}

void secrets_free(struct secrets *secrets)
{
	if (secrets == NULL)
		return;
	sodium_memzero(secrets->bytes, secrets->used);
	sodium_free(secrets);
}

void secrets_harden_process(void)
{
	const struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};

	setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
