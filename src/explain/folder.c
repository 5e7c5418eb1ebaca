/* SPDX-License-Identifier: MIT */
/* Files and FIFOs of the folder. Knows nothing of what is asked and answered. */
#include "explain/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/procfile.h"
#include "base/xalloc.h"
#include "command/python.h"
#include "explain/scripts.h"

enum {
	ANSWER_MOST_BYTES = 64 * 1024,
	NAME_BYTES = 32,
	ENTRIES_BYTES = 4096,
	LEFT_MOST = 256,
	ENDING_MOST_MS = 1000, /* that memwatch's end waits for processes whose last threads are ending */
};

#define ASK_PREFIX    "ask-"
#define ANSWER_PREFIX "answer-"
#define CLAIM_PREFIX  "asked-" /* a file that is locked by who asks */

struct explain_folder {
	char *path, *python_path;
	int fd, inotify;
	bool shared;   /* the user's, with processes that others ask */
	pid_t claimed; /* by us, of a shared one; 0 none */
	int claim;     /* the descriptor that is locked then */
};

static int write_text(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t n = write(fd, text, left);

		if (n < 0)
			return -errno;
		left -= (size_t)n;
		text += n;
	}
	return 0;
}

/* One text after the other. */
static int write_file(int dir, const char *name, const char *text, const char *more)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), err = fd < 0 ? -errno : 0;

	if (!err)
		err = write_text(fd, text);
	if (!err)
		err = write_text(fd, more);
	fds_close(&fd);
	return err;
}

/* Where Python would write what it has compiled stands a file: it takes that for "not here", as on a full disk. */
static int fill(int dir)
{
	int err = write_file(dir, "__pycache__", "", "");

	if (!err)
		err = write_file(dir, "agent.py", explain_agent_py, "");
	return err ? err : write_file(dir, "sitecustomize.py", explain_thread_py, explain_sitecustomize_py);
}

/* systemd-tmpfiles removes what is old, but not from a directory that is locked, by several if need be. */
static void keep_from_cleaners(int fd)
{
	if (fd >= 0)
		flock(fd, LOCK_SH | LOCK_NB);
}

static int create_below(const char *parent, struct explain_folder *f)
{
	int err;

	f->path = xasprintf("%s/memwatch-XXXXXX", parent);
	if (!mkdtemp(f->path)) {
		err = -errno;
		free(f->path);
		f->path = NULL;
		return err;
	}
	f->fd = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	keep_from_cleaners(f->fd);
	err = f->fd < 0 ? -errno : fill(f->fd);
	if (err) {
		explain_folder_remove(f->path);
		fds_close(&f->fd);
		free(f->path);
		f->path = NULL;
	}
	return err;
}

/* A colon would end the entry of PYTHONPATH. */
static int create(struct explain_folder *f)
{
	const char *const dirs[] = {getenv("TMPDIR"), "/tmp", "/dev/shm", getenv("XDG_RUNTIME_DIR")};
	int err = -ENOENT;

	for (size_t i = 0; err && i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (dirs[i] && dirs[i][0] == '/' && !strchr(dirs[i], ':'))
			err = create_below(dirs[i], f);
	return err;
}

static int watch_folder(const char *path)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd >= 0 && inotify_add_watch(fd, path, IN_MOVED_TO) < 0)
		fds_close(&fd);
	return fd;
}

int explain_folder_open(struct explain_folder **out)
{
	struct explain_folder *f = xcalloc(1, sizeof(*f));
	const char *had = getenv(PYTHON_PATH);
	int err = create(f);

	f->claim = -1;
	if (err) {
		free(f);
		return err;
	}
	f->python_path = xasprintf("%s%s%s", f->path, had && *had ? ":" : "", had ? had : "");
	f->inotify = watch_folder(f->path);
	*out = f;
	return 0;
}

/* Of that user and nobody else's: others could lay files there. */
static int open_owned(const char *path, uid_t owner)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && st.st_uid == owner && !(st.st_mode & (S_IRWXG | S_IRWXO)))
		return fd;
	close(fd);
	return -EPERM;
}

int explain_folder_open_shared(struct explain_folder **out, uid_t owner)
{
	struct explain_folder *f = xcalloc(1, sizeof(*f));

	f->path = xasprintf(EXPLAIN_SHARED_FOLDER, (unsigned)owner);
	f->fd = open_owned(f->path, owner);
	if (f->fd < 0) {
		int err = f->fd;

		free(f->path);
		free(f);
		return err;
	}
	f->shared = true;
	f->claim = -1;
	keep_from_cleaners(f->fd);
	f->inotify = watch_folder(f->path);
	*out = f;
	return 0;
}

/* By the bare system call: no memory is needed. */
void explain_folder_remove(const char *path)
{
	char entries[ENTRIES_BYTES] __attribute__((aligned(8)));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && (n = getdents64(fd, entries, sizeof(entries))) > 0)
		for (ssize_t at = 0; at < n;) {
			struct dirent64 *e = (struct dirent64 *)(void *)(entries + at);

			unlinkat(fd, e->d_name, 0);
			at += e->d_reclen;
		}
	fds_close(&fd);
	rmdir(path);
}

static void remove_of(const struct explain_folder *f, const char *prefix, pid_t pid)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%s%d", prefix, (int)pid);
	unlinkat(f->fd, name, 0);
}

/* In another process namespace a number may mean nobody here. */
static bool sleeps_there(const struct explain_folder *f, pid_t pid)
{
	char name[NAME_BYTES];
	int fd;

	snprintf(name, sizeof(name), ASK_PREFIX "%d", (int)pid);
	fd = openat(f->fd, name, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool is_zombie(pid_t pid)
{
	char path[PROC_PATH_MAX];
	struct proc_status status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	return proc_status_at(AT_FDCWD, path, &status) == 0 && status.state == 'Z';
}

/* A process that has ended keeps its number until its parent has asked how, which may take as long as the parent likes. Its
   first thread can be gone a moment before the one that sleeps in the FIFO: a pidfd tells when all are. */
static bool has_ended(pid_t pid, int64_t until_ns)
{
	struct pollfd gone = {.fd = -1, .events = POLLIN};
	int64_t left_ns = until_ns - clock_mono_ns();
	bool ended;

	if (kill(pid, 0) < 0)
		return errno == ESRCH;
	if (!is_zombie(pid))
		return false;
	gone.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	ended =
	    gone.fd < 0 ? errno == ESRCH : poll(&gone, 1, left_ns > 0 ? (int)(left_ns / NS_PER_MS) : 0) > 0;
	fds_close(&gone.fd);
	return ended;
}

/* What processes have left that are no more. */
static void remove_left(const struct explain_folder *f)
{
	pid_t pids[LEFT_MOST];
	size_t count = explain_folder_pids(f, pids, LEFT_MOST);
	int64_t until_ns = clock_mono_ns() + ENDING_MOST_MS * (int64_t)NS_PER_MS;

	for (size_t i = 0; i < count; i++)
		if (has_ended(pids[i], until_ns) && !sleeps_there(f, pids[i])) {
			remove_of(f, ASK_PREFIX, pids[i]);
			remove_of(f, ANSWER_PREFIX, pids[i]);
			remove_of(f, CLAIM_PREFIX, pids[i]);
		}
}

void explain_folder_close(struct explain_folder *f)
{
	if (!f)
		return;
	if (f->shared)
		remove_left(f);
	else
		explain_folder_remove(f->path);
	fds_close(&f->fd);
	fds_close(&f->claim);
	fds_close(&f->inotify);
	free(f->python_path);
	free(f->path);
	free(f);
}

const char *explain_folder_path(const struct explain_folder *f)
{
	return f->path;
}

const char *explain_folder_python_path(const struct explain_folder *f)
{
	return f->python_path;
}

int explain_folder_fd(const struct explain_folder *f)
{
	return f->inotify;
}

static pid_t pid_of(const char *name)
{
	size_t n = strlen(ASK_PREFIX);
	char *end;
	long pid;

	if (strncmp(name, ASK_PREFIX, n) != 0)
		return 0;
	pid = strtol(name + n, &end, 10);
	return *end || pid <= 0 || pid > INT32_MAX ? 0 : (pid_t)pid;
}

size_t explain_folder_pids(const struct explain_folder *f, pid_t *pids, size_t max)
{
	DIR *dir = opendir(f->path);
	size_t count = 0;
	struct dirent *e;

	while (dir && count < max && (e = readdir(dir))) {
		pid_t pid = pid_of(e->d_name);

		if (pid > 0)
			pids[count++] = pid;
	}
	if (dir)
		closedir(dir);
	return count;
}

static int write_word(int fd, const char *word)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode))
		return -ENXIO;
	return write(fd, word, strlen(word)) == (ssize_t)strlen(word) ? 0 : -EIO;
}

bool explain_folder_has(const struct explain_folder *f, pid_t pid)
{
	char name[NAME_BYTES];
	struct stat st;

	snprintf(name, sizeof(name), ASK_PREFIX "%d", (int)pid);
	return fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISFIFO(st.st_mode);
}

/* The file stays when it is given up: another may have opened it already. It goes with the process. */
int explain_folder_claim(struct explain_folder *f, pid_t pid)
{
	char name[NAME_BYTES];

	if (!f->shared || f->claimed == pid)
		return 0;
	fds_close(&f->claim);
	f->claimed = 0;
	snprintf(name, sizeof(name), CLAIM_PREFIX "%d", (int)pid);
	f->claim = openat(f->fd, name, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (f->claim < 0)
		return -errno;
	if (flock(f->claim, LOCK_EX | LOCK_NB) != 0) {
		fds_close(&f->claim);
		return -EBUSY;
	}
	f->claimed = pid;
	return 0;
}

int explain_folder_ask(const struct explain_folder *f, pid_t pid, const char *word)
{
	char name[NAME_BYTES];
	int fd, err;

	snprintf(name, sizeof(name), ASK_PREFIX "%d", (int)pid);
	fd = openat(f->fd, name, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write_word(fd, word);
	close(fd);
	return err;
}

static int read_whole(int fd, char **text)
{
	char *buf = xcalloc(1, ANSWER_MOST_BYTES + 2);
	struct stat st;
	ssize_t n = -1;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, buf, ANSWER_MOST_BYTES + 1);
	if (n >= 0 && n <= ANSWER_MOST_BYTES && strlen(buf) == (size_t)n) {
		*text = buf;
		return 0;
	}
	free(buf);
	return n > ANSWER_MOST_BYTES ? -EFBIG : -EINVAL;
}

static void drain(int fd)
{
	char events[4096];

	while (fd >= 0 && read(fd, events, sizeof(events)) > 0)
		;
}

int explain_folder_answer(struct explain_folder *f, pid_t pid, char **text)
{
	char name[NAME_BYTES];
	int fd, err;

	drain(f->inotify);
	snprintf(name, sizeof(name), ANSWER_PREFIX "%d", (int)pid);
	fd = openat(f->fd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = read_whole(fd, text);
	close(fd);
	unlinkat(f->fd, name, 0);
	return err;
}
