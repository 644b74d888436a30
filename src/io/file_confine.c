/* SPDX-License-Identifier: ISC */
/*
 * file_confine.c - Landlock: a list of rules that a process gives itself and never gets rid of.
 *
 * System calls and numbers are those of the kernel's userspace-api/landlock.rst, written down here
 * since headers and libraries are often older than the kernel that a program meets.
 */
#include "io/file_confine.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "io/file_descriptor.h"

/* Rights to files, with the version that brought them, where it is not the first. */
#define WRITE_FILE  (UINT64_C(1) << 1)
#define READ_FILE   (UINT64_C(1) << 2)
#define READ_DIR    (UINT64_C(1) << 3)
#define REMOVE_FILE (UINT64_C(1) << 5)
#define MAKE_REG    (UINT64_C(1) << 8)
#define ALL_OF_1    ((UINT64_C(1) << 13) - 1) /* these; exec; all that can be made or removed */
#define REFER       (UINT64_C(1) << 13)       /* 2: link and rename between folders */
#define TRUNCATE    (UINT64_C(1) << 14)       /* 3 */
#define IOCTL_DEV   (UINT64_C(1) << 15)       /* 5 */

#define BIND_TCP    (UINT64_C(1) << 0) /* 4 */
#define CONNECT_TCP (UINT64_C(1) << 1) /* 4 */

/* Of processes outside: their abstract sockets, and signals to them. */
#define SCOPE_ABSTRACT_SOCKET (UINT64_C(1) << 0) /* 6 */
#define SCOPE_SIGNAL          (UINT64_C(1) << 1) /* 6 */

#define ASK_VERSION  1u /* LANDLOCK_CREATE_RULESET_VERSION */
#define PATH_BENEATH 1  /* LANDLOCK_RULE_PATH_BENEATH */

/* An older kernel takes a longer one, if it is zero where that kernel knows nothing. */
struct ruleset {
	uint64_t files;
	uint64_t net;
	uint64_t scoped;
};

struct path_rule {
	uint64_t rights;
	int32_t fd;
} __attribute__((packed));

#ifdef __linux__
/* The same numbers on all machines but Alpha, where they name no system call. */
#define CREATE_RULESET 444
#define ADD_RULE       445
#define RESTRICT_SELF  446

static int create_ruleset(const struct ruleset *ruleset, size_t len, unsigned flags)
{
	return (int)syscall(CREATE_RULESET, ruleset, len, flags);
}

/* EBADFD: a pipe or the like, reached by way of /proc, which needs no rule. */
static bool add_rule(int rules, const struct path_rule *rule)
{
	return syscall(ADD_RULE, rules, PATH_BENEATH, rule, 0u) == 0 || errno == EBADFD;
}

/* The system wants the promise first that no exec will ever give this process more rights. */
static bool restrict_self(int rules)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(RESTRICT_SELF, rules, 0u) == 0;
}
#else
static int create_ruleset(const struct ruleset *ruleset, size_t len, unsigned flags)
{
	(void)ruleset, (void)len, (void)flags;
	errno = ENOSYS;
	return -1;
}

static bool add_rule(int rules, const struct path_rule *rule)
{
	(void)rules, (void)rule;
	return false;
}

static bool restrict_self(int rules)
{
	(void)rules;
	return false;
}
#endif

bool file_confine_tcp(const struct file_confine *confine)
{
	return confine->version >= 4;
}

static struct ruleset all_of(int version, bool has_child)
{
	struct ruleset all = {.files = ALL_OF_1};

	if (version >= 2)
		all.files |= REFER;
	if (version >= 3)
		all.files |= TRUNCATE;
	if (version >= 4)
		all.net = BIND_TCP | CONNECT_TCP;
	if (version >= 5)
		all.files |= IOCTL_DEV;
	if (version >= 6)
		all.scoped = SCOPE_ABSTRACT_SOCKET | (has_child ? 0 : SCOPE_SIGNAL);
	return all;
}

void file_confine_begin(struct file_confine *confine, bool has_child)
{
	int version = create_ruleset(NULL, 0, ASK_VERSION);

	*confine = (struct file_confine){.rules = -1};
	if (version > 0) {
		struct ruleset all = all_of(version, has_child);

		confine->version = version;
		confine->handled = all.files;
		confine->rules = create_ruleset(&all, sizeof all, 0);
	}
	if (confine->rules < 0)
		confine->error = errno;
}

/* Opens what the rule is about: the file, or the folder that the name is in. */
static int open_place(const char *path, enum file_confine_use use)
{
	bool is_name = use == FILE_CONFINE_CREATE || use == FILE_CONFINE_NAME ||
		       use == FILE_CONFINE_REMOVE;

	return is_name ? file_open_folder_of(path, FILE_SEARCH_ONLY)
		       : file_open_at(AT_FDCWD, path, FILE_SEARCH_ONLY);
}

static uint64_t rights_for(enum file_confine_use use, bool is_folder)
{
	switch (use) {
	case FILE_CONFINE_READ:
		return is_folder ? READ_DIR : READ_FILE;
	case FILE_CONFINE_READ_BELOW:
		return is_folder ? READ_FILE | READ_DIR : READ_FILE;
	case FILE_CONFINE_REWRITE:
		return is_folder ? READ_DIR : READ_FILE | WRITE_FILE;
	case FILE_CONFINE_WRITE:
		return is_folder ? READ_DIR : WRITE_FILE;
	case FILE_CONFINE_CREATE:
		/* The folder is opened too, and what was reserved and not needed is cut off. */
		return READ_DIR | WRITE_FILE | TRUNCATE | MAKE_REG | REMOVE_FILE;
	case FILE_CONFINE_NAME:
		return MAKE_REG | REMOVE_FILE;
	case FILE_CONFINE_REMOVE:
		return REMOVE_FILE;
	}
	return 0;
}

static bool is_folder(int fd)
{
	struct stat found;

	return fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);
}

void file_confine_allow(struct file_confine *confine, const char *path, enum file_confine_use use)
{
	if (confine->error != 0)
		return;
	int fd = open_place(path, use);

	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EINTR)
			confine->error = errno;
		return;
	}
	const struct path_rule rule = {
		.rights = rights_for(use, is_folder(fd)) & confine->handled,
		.fd = fd,
	};

	if (!add_rule(confine->rules, &rule))
		confine->error = errno;
	file_close(&fd);
}

bool file_confine_enforce(struct file_confine *confine)
{
	if (confine->error == 0 && !restrict_self(confine->rules))
		confine->error = errno;
	if (confine->rules >= 0)
		file_close(&confine->rules);
	return confine->error == 0;
}
