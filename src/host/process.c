/* SPDX-License-Identifier: MIT */
/* Reads one process of the tree through descriptors that stay open. Each is opened below the process's own
 * /proc directory or checked against the kept status afterwards, so that a reused number is never taken for
 * it. */
#include "host/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { BUF_MIN = 16 * 1024 };

int procfs_open(struct procfs *p, const char *root, bool children, size_t fds_max)
{
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*p = (struct procfs){.root_fd = fd, .fds_max = fds_max, .no_children = !children, .cap = BUF_MIN};
	p->buf = xcalloc(p->cap, 1);
	return 0;
}

void procfs_close(struct procfs *p)
{
	close(p->root_fd);
	free(p->buf);
	p->buf = NULL;
}

/* A descriptor within the budget, else it is closed and -1. */
static int keep(struct procfs *p, int fd)
{
	if (fd < 0)
		return -1;
	if (p->fds >= p->fds_max) {
		close(fd);
		return -1;
	}
	p->fds++;
	return fd;
}

static void drop(struct procfs *p, int *fd)
{
	if (*fd < 0)
		return;
	close(*fd);
	*fd = -1;
	p->fds--;
}

static int open_dir(const struct procfs *p, pid_t pid)
{
	char path[PROC_PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%d", (int)pid);
	fd = openat(p->root_fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static bool is_gone(ssize_t n)
{
	return n == 0 || n == -ESRCH || n == -ENOENT;
}

/* Thousands of supplementary groups stand before the memory lines and may fill any buffer: grow it once. */
static ssize_t read_whole(struct procfs *p, int fd)
{
	ssize_t n = proc_pread(fd, p->buf, p->cap, 0);

	while (n == (ssize_t)p->cap && p->cap < (1U << 20)) {
		p->cap *= 2;
		p->buf = xrealloc(p->buf, p->cap, 1);
		n = proc_pread(fd, p->buf, p->cap, 0);
	}
	return n;
}

/* exec and prctl() change the name. */
static void take_name(struct procfs *p, struct process *m, size_t n)
{
	enum { AT = 6 }; /* after "Name:\t" */
	struct proc_identity id;

	if (n < AT + sizeof(m->name_seen) || memcmp(m->name_seen, p->buf + AT, sizeof(m->name_seen)) == 0)
		return;
	memcpy(m->name_seen, p->buf + AT, sizeof(m->name_seen));
	if (proc_parse_identity(p->buf, n, &id) == 0)
		memcpy(m->name, id.name, sizeof(m->name));
}

static int take_status(struct procfs *p, struct process *m, ssize_t n)
{
	struct proc_status now;

	if (is_gone(n))
		return -ESRCH;
	if (n < 0 || proc_parse_status(p->buf, (size_t)n, &m->hints, &now))
		return 0;
	m->now = now;
	take_name(p, m, (size_t)n);
	return 0;
}

static bool is_dead(char state)
{
	return state == 'Z' || state == 'X';
}

/* The main thread alone may have ended. */
static bool has_ended(const struct proc_status *now)
{
	return is_dead(now->state) && now->threads <= 1;
}

static int read_start(struct procfs *p, int dir, uint64_t *out)
{
	ssize_t n = proc_read_at(dir, "stat", p->buf, p->cap);

	return n < 0 ? (int)n : proc_parse_start(p->buf, (size_t)n, out);
}

/* Without a kept descriptor: three files opened and closed, the start time telling a reused number. */
static int refresh_by_path(struct procfs *p, struct process *m)
{
	int dir = open_dir(p, m->pid);
	uint64_t start;
	int err;

	if (dir < 0)
		return is_gone(dir) ? -ESRCH : 0;
	err = read_start(p, dir, &start);
	if (err == 0 && start != m->start_ticks)
		err = -ESRCH;
	if (err == 0)
		err = take_status(p, m, proc_read_at(dir, "status", p->buf, p->cap));
	close(dir);
	return is_gone(err) && err ? -ESRCH : 0;
}

static int read_identity(struct procfs *p, struct process *m, int fd)
{
	struct proc_identity id;
	ssize_t n = read_whole(p, fd);
	pid_t asked = m->pid;

	if (n <= 0)
		return is_gone(n) ? -ESRCH : (int)n;
	if (proc_parse_identity(p->buf, (size_t)n, &id) ||
	    proc_parse_status(p->buf, (size_t)n, &m->hints, &m->now))
		return -EPROTO;
	m->pid = id.tgid;
	m->ppid = id.ppid;
	memcpy(m->name, id.name, sizeof(m->name));
	return id.tgid == asked ? 0 : -ENODEV;
}

static void add_thread(struct process *m, pid_t tid, int children_fd)
{
	if (m->thread_count == m->thread_cap) {
		m->thread_cap = m->thread_cap ? m->thread_cap * 2 : 1;
		m->threads = xrealloc(m->threads, m->thread_cap, sizeof(*m->threads));
	}
	m->threads[m->thread_count++] = (struct process_thread){.tid = tid, .children_fd = children_fd};
}

/* A kept descriptor, or -1. Notices when this kernel has no such files. */
static int open_children(struct procfs *p, int dir, pid_t tid)
{
	char path[PROC_PATH_MAX];
	int fd;

	if (p->no_children)
		return -1;
	snprintf(path, sizeof(path), "task/%d/children", (int)tid);
	fd = proc_open_at(dir, path);
	*strrchr(path, '/') = '\0';
	if (fd == -ENOENT && faccessat(dir, path, F_OK, 0) == 0)
		p->no_children = true;
	return keep(p, fd);
}

static int open_below(struct procfs *p, struct process *m, int dir)
{
	int fd = proc_open_at(dir, "status");
	int err;

	if (fd < 0)
		return fd == -EPERM ? -EACCES : is_gone(fd) ? -ESRCH : fd;
	err = read_identity(p, m, fd);
	if (err) {
		close(fd);
		return err;
	}
	m->status_fd = keep(p, fd);
	if (m->status_fd < 0)
		err = read_start(p, dir, &m->start_ticks);
	add_thread(m, m->pid, open_children(p, dir, m->pid));
	return err;
}

/* hidepid makes other users' processes look absent; a signal check still tells them from those that are. */
static int why_absent(pid_t pid)
{
	return kill(pid, 0) == 0 || errno == EPERM ? -EACCES : -ESRCH;
}

void process_close(struct procfs *p, struct process *m)
{
	drop(p, &m->status_fd);
	drop(p, &m->thread_fd);
	drop(p, &m->rollup_fd);
	for (uint32_t i = 0; i < m->thread_count; i++)
		drop(p, &m->threads[i].children_fd);
	m->thread_count = 0;
}

/* Calls each() with the numbers below PID/task. 0 or -errno. */
static int each_thread(struct procfs *p, pid_t pid, void (*each)(void *ctx, pid_t tid), void *ctx)
{
	_Alignas(struct dirent64) char buf[4096];
	char path[PROC_PATH_MAX];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%d/task", (int)pid);
	fd = openat(p->root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while ((n = getdents64(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *d = (const void *)(buf + at);
			int tid = atoi(d->d_name);

			if (tid > 0)
				each(ctx, tid);
			at += d->d_reclen;
		}
	}
	close(fd);
	return 0;
}

struct listing {
	struct procfs *p;
	struct process *m;
	uint32_t kept; /* threads[0..kept) are confirmed */
	bool added;
};

/* The kernel lists threads in the order they are kept in here, so the first one looked at is mostly it. */
static void confirm_thread(void *ctx, pid_t tid)
{
	struct listing *l = ctx;
	struct process *m = l->m;
	struct process_thread found;
	char path[PROC_PATH_MAX];
	uint32_t i = l->kept;

	while (i < m->thread_count && m->threads[i].tid != tid)
		i++;
	if (i == m->thread_count) {
		l->added = true;
		add_thread(m, tid, -1);
		snprintf(path, sizeof(path), "%d/task/%d/children", (int)m->pid, (int)tid);
		if (l->p->fds < l->p->fds_max)
			m->threads[i].children_fd = keep(l->p, proc_open_at(l->p->root_fd, path));
	}
	found = m->threads[i];
	memmove(&m->threads[l->kept + 1], &m->threads[l->kept], (i - l->kept) * sizeof(found));
	m->threads[l->kept++] = found;
}

static void list_threads(struct procfs *p, struct process *m)
{
	struct listing l = {.p = p, .m = m};

	if (each_thread(p, m->pid, confirm_thread, &l) < 0 || l.kept == 0)
		return;
	if (m->relist && l.added && (int)l.kept == m->now.threads)
		p->replaced++;
	for (uint32_t i = l.kept; i < m->thread_count; i++)
		drop(p, &m->threads[i].children_fd);
	m->thread_count = l.kept;
	m->relist = false;
}

int procfs_children(struct procfs *p, int fd, const char *path, void (*each)(void *ctx, pid_t), void *ctx)
{
	int own = fd < 0 ? proc_open_at(p->root_fd, path) : -1;
	off_t offset = 0;
	ssize_t n;

	if (fd < 0 && own < 0)
		return own;
	do {
		char chunk[PROC_CHUNK];
		const char *at = chunk;
		pid_t pid;

		n = proc_pread(fd < 0 ? own : fd, chunk, sizeof(chunk), offset);
		while (n > 0 && proc_next_pid(&at, chunk + n, &pid))
			each(ctx, pid);
		offset += n > 0 ? n : 0;
		/* The kernel fills a page with whole numbers, so a page half empty is the last one. */
	} while (n > PROC_CHUNK / 2);
	if (own >= 0)
		close(own);
	return n < 0 ? (int)n : 0;
}

bool process_has_ended(struct procfs *p, const struct process *m)
{
	struct process probe = *m;

	if (m->status_fd < 0)
		return refresh_by_path(p, &probe) != 0 || has_ended(&probe.now);
	return take_status(p, &probe, proc_pread(m->status_fd, p->buf, p->cap, 0)) != 0 ||
	       has_ended(&probe.now);
}

void process_children(struct procfs *p, struct process *m, void (*each)(void *ctx, pid_t child), void *ctx)
{
	if (p->no_children)
		return;
	if (m->now.threads != (int)m->thread_count || m->relist) {
		list_threads(p, m);
		if (process_has_ended(p, m)) /* and another may have its number and have been listed */
			return;
	}
	for (uint32_t i = 0; i < m->thread_count; i++) {
		const struct process_thread *t = &m->threads[i];
		char path[PROC_PATH_MAX];

		if (t->children_fd < 0)
			snprintf(path, sizeof(path), "%d/task/%d/children", (int)m->pid, (int)t->tid);
		procfs_children(p, t->children_fd, path, each, ctx);
	}
}

struct seeking {
	struct procfs *p;
	struct process *m;
	bool found;
};

static void try_thread(void *ctx, pid_t tid)
{
	struct seeking *s = ctx;
	char path[PROC_PATH_MAX];
	struct proc_status now;
	struct proc_hints hints = {0};
	ssize_t n;
	int fd;

	if (s->found || tid == s->m->pid)
		return;
	snprintf(path, sizeof(path), "%d/task/%d/status", (int)s->m->pid, (int)tid);
	fd = proc_open_at(s->p->root_fd, path);
	n = fd < 0 ? fd : proc_pread(fd, s->p->buf, s->p->cap, 0);
	s->found = n > 0 && proc_parse_status(s->p->buf, (size_t)n, &hints, &now) == 0 && now.mm;
	if (s->found) {
		s->m->now = now;
		s->m->thread_fd = keep(s->p, fd);
	} else if (fd >= 0) {
		close(fd);
	}
}

/* A leader that called pthread_exit() shows as a zombie without memory while its threads live on with it
 * all. */
static void read_thread_instead(struct procfs *p, struct process *m)
{
	struct seeking s = {.p = p, .m = m};

	if (m->thread_fd >= 0) {
		if (take_status(p, m, proc_pread(m->thread_fd, p->buf, p->cap, 0)) == 0 && m->now.mm)
			return;
		drop(p, &m->thread_fd);
	}
	each_thread(p, m->pid, try_thread, &s);
}

static void see_through_leader(struct procfs *p, struct process *m)
{
	if (m->now.state == 'Z' && m->now.threads > 1)
		read_thread_instead(p, m);
}

int process_open(struct procfs *p, struct process *m, pid_t pid)
{
	struct process_thread *threads = m->threads;
	uint32_t thread_cap = m->thread_cap;
	int dir, err;

	*m = (struct process){.pid = pid, .status_fd = -1, .thread_fd = -1, .rollup_fd = -1};
	m->threads = threads;
	m->thread_cap = thread_cap;
	dir = open_dir(p, pid);
	if (dir < 0)
		return dir == -ENOENT ? why_absent(pid) : dir;
	err = open_below(p, m, dir);
	close(dir);
	if (err)
		process_close(p, m);
	else
		see_through_leader(p, m);
	m->live = err == 0 && !is_dead(m->now.state);
	return err;
}

int process_refresh(struct procfs *p, struct process *m)
{
	int err;

	if (m->now.mm)
		m->last = m->now;
	if (m->status_fd >= 0)
		err = take_status(p, m, proc_pread(m->status_fd, p->buf, p->cap, 0));
	else
		err = refresh_by_path(p, m);
	if (err == 0)
		see_through_leader(p, m);
	m->gone = err != 0;
	m->was_live = m->live;
	/* Without the memory it had: on its way out, though not a zombie yet. */
	m->live = !m->gone && !is_dead(m->now.state) && (m->now.mm || !m->last.mm);
	return err;
}

/* Opened by its path, so afterwards it must still be the same process that has it. */
static int open_rollup(struct procfs *p, const struct process *m)
{
	char path[PROC_PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%d/smaps_rollup", (int)m->pid);
	fd = proc_open_at(p->root_fd, path);
	if (!process_has_ended(p, m))
		return fd;
	if (fd >= 0)
		close(fd);
	return -ESRCH;
}

static ssize_t read_rollup(struct procfs *p, struct process *m)
{
	ssize_t n = m->rollup_fd < 0 ? 0 : proc_pread(m->rollup_fd, p->buf, p->cap, 0);
	int fd;

	if (n > 0)
		return n;
	drop(p, &m->rollup_fd); /* exec has replaced what it stood for */
	fd = open_rollup(p, m);
	if (fd < 0)
		return fd;
	n = proc_pread(fd, p->buf, p->cap, 0);
	/* Half the descriptors are enough for a file that is read seldom. */
	if (p->fds < p->fds_max / 2)
		m->rollup_fd = keep(p, fd);
	else
		close(fd);
	return n ? n : -ESRCH;
}

int process_rollup(struct procfs *p, struct process *m, struct proc_rollup *out)
{
	ssize_t n = read_rollup(p, m);

	return n < 0 ? (int)n : proc_parse_rollup(p->buf, (size_t)n, out);
}
