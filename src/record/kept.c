/* SPDX-License-Identifier: MIT */
/* Whether a run goes on is told by the lock of its file, which goes with whoever writes it. */
#include "record/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"

/* More than this in one folder are not ours, and are not looked at. */
enum { NAME_BYTES = 48, ENTRIES_MAX = 256, NAME_TRIES = 8 };

struct entry {
	char name[NAME_BYTES];
	struct timespec changed;
	bool runs;
};

char *kept_folder(char *(*env)(const char *name))
{
	const char *state = env("XDG_STATE_HOME"), *home = env("HOME");

	if (state && state[0] == '/')
		return xasprintf("%s/memwatch", state);
	return home && home[0] == '/' && home[1] ? xasprintf("%s/.local/state/memwatch", home) : NULL;
}

/* Root with the home of another user would leave folders there that this one cannot use. */
static int make_folder(const char *path)
{
	char *prefix = xstrdup(path);
	bool own = false;
	int err = 0;

	for (char *slash = prefix + 1; !err && slash;) {
		struct stat st;

		slash = strchr(slash, '/');
		if (slash)
			*slash = '\0';
		if (stat(prefix, &st) == 0)
			own = st.st_uid == geteuid();
		else if (errno != ENOENT || !own)
			err = errno == ENOENT ? -EPERM : -errno;
		else if (mkdir(prefix, 0700) != 0 && errno != EEXIST)
			err = -errno;
		if (slash)
			*slash++ = '/';
	}
	free(prefix);
	return err;
}

static int open_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int open_own_folder(const char *path)
{
	int err = make_folder(path), fd;
	struct stat st;

	if (err)
		return err;
	fd = open_folder(path);
	if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_uid != geteuid())) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

/* "20261118T020501Z-4711.csv", and "-2" behind the number where containers that share a home have the same ones. */
static bool is_ours(const char *name)
{
	static const char form[] = "dddddddd"
				   "T"
				   "dddddd"
				   "Z-";
	size_t i = 0;

	for (; form[i]; i++)
		if (form[i] == 'd' ? name[i] < '0' || name[i] > '9' : name[i] != form[i])
			return false;
	i += strspn(name + i, "0123456789-");
	return strcmp(name + i, ".csv") == 0 && strlen(name) < NAME_BYTES;
}

static bool goes_on(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool locked;

	if (fd < 0)
		return false;
	locked = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	close(fd);
	return locked;
}

static bool take_entry(int folder, const char *name, struct entry *e)
{
	struct stat st;

	if (!is_ours(name) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size == 0)
		return false;
	memcpy(e->name, name, strlen(name) + 1); /* short enough, being ours */
	e->changed = st.st_mtim;
	e->runs = goes_on(folder, name);
	return true;
}

/* Those that ended first, the newest of each kind first. */
static int by_age(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->runs != y->runs)
		return x->runs ? 1 : -1;
	if (x->changed.tv_sec != y->changed.tv_sec)
		return x->changed.tv_sec < y->changed.tv_sec ? 1 : -1;
	if (x->changed.tv_nsec != y->changed.tv_nsec)
		return x->changed.tv_nsec < y->changed.tv_nsec ? 1 : -1;
	return strcmp(y->name, x->name);
}

/* In order; to be freed. NULL: nothing can be read. */
static struct entry *list(int folder, size_t *n)
{
	int fd = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct entry *entries;
	struct dirent *d;

	*n = 0;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	entries = xcalloc(ENTRIES_MAX, sizeof(*entries));
	rewinddir(dir);
	while (*n < ENTRIES_MAX && (d = readdir(dir)))
		*n += take_entry(folder, d->d_name, &entries[*n]);
	closedir(dir);
	qsort(entries, *n, sizeof(*entries), by_age);
	return entries;
}

/* One place is for the run that begins. */
static void remove_old(int folder)
{
	size_t n;
	struct entry *entries = list(folder, &n);

	for (size_t i = KEPT_RUNS - 1; i < n; i++)
		if (!entries[i].runs)
			unlinkat(folder, entries[i].name, 0);
	free(entries);
}

static int create_named(int folder, const char *name)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	flock(fd, LOCK_EX | LOCK_NB); /* where there are no locks it counts as ended */
	return fd;
}

static int create_in(int folder, int64_t began_s, pid_t pid)
{
	time_t at = (time_t)began_s;
	char began[24] = "", name[NAME_BYTES];
	struct tm tm;
	int fd = -EEXIST;

	if (gmtime_r(&at, &tm))
		strftime(began, sizeof(began), "%Y%m%dT%H%M%SZ", &tm);
	for (int i = 1; fd == -EEXIST && i <= NAME_TRIES; i++) {
		int n = snprintf(name, sizeof(name), "%s-%d", began, (int)pid);

		if (i > 1)
			n += snprintf(name + n, sizeof(name) - (size_t)n, "-%d", i);
		snprintf(name + n, sizeof(name) - (size_t)n, ".csv");
		fd = create_named(folder, name);
	}
	return fd;
}

int kept_create(const char *path, int64_t began_s, pid_t pid)
{
	int folder = open_own_folder(path), fd;

	if (folder < 0)
		return folder;
	remove_old(folder);
	fd = create_in(folder, began_s, pid);
	close(folder);
	return fd;
}

size_t kept_newest(const char *path, char **paths, size_t most)
{
	int folder = open_folder(path);
	struct entry *entries;
	size_t n, taken = 0;

	if (folder < 0)
		return 0;
	entries = list(folder, &n);
	while (taken < n && taken < most && (taken == 0 || !entries[taken].runs)) {
		paths[taken] = xasprintf("%s/%s", path, entries[taken].name);
		taken++;
	}
	free(entries);
	close(folder);
	return taken;
}

static bool is_of_process(const char *name, pid_t pid, int64_t from_s, int64_t to_s)
{
	struct tm tm = {0};
	const char *behind = strptime(name, "%Y%m%dT%H%M%SZ-", &tm);
	int64_t began_s = behind ? (int64_t)timegm(&tm) : -1;

	return behind && atol(behind) == (long)pid && began_s >= from_s && began_s < to_s;
}

/* Names begin with the time. */
static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

size_t kept_of_process(const char *path, pid_t pid, int64_t from_s, int64_t to_s, char *paths[KEPT_RUNS])
{
	int folder = open_folder(path);
	struct entry *entries;
	size_t n = 0, taken = 0;

	if (folder < 0)
		return 0;
	entries = list(folder, &n);
	if (n > 0)
		qsort(entries, n, sizeof(*entries), by_name);
	for (size_t i = 0; i < n && taken < KEPT_RUNS; i++)
		if (is_of_process(entries[i].name, pid, from_s, to_s))
			paths[taken++] = xasprintf("%s/%s", path, entries[i].name);
	free(entries);
	close(folder);
	return taken;
}
