/* SPDX-License-Identifier: MIT */
/* The reading side of a walk: maps, pagemap and mem. The latter two belong to the memory that the process had when they
 * were opened, and read nothing once that is gone: pagemap tells an exec or an exit. Unlike process_vm_readv() a read of
 * mem that waits for the process's mappings can be killed, so memwatch can end. */
#include "host/heap_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/xalloc.h"

enum { MAPS_BYTES = 16 * 1024, ASKS_PER_LOOK = 16 }; /* the clock is a system call as a read is */
enum { KNOWN_MAX = 4, WALKS_PER_TRY = 8 };

/* A process that was walked. What its maps say is good for as long as its pagemap answers: to write a thousand lines of
 * maps takes the kernel as long as a third of a walk. */
struct known {
	pid_t pid; /* 0: none */
	int pagemap_fd, mem_fd;
	struct heap_maps maps;
	enum heap_way way; /* the shorter one, as the last walk found */
	unsigned walks;
};

struct heap_reader {
	struct heap_walk walk;
	struct known known[KNOWN_MAX];
	unsigned next_known; /* which makes room */
	struct known *at;    /* the process that is being walked */
	char text[MAPS_BYTES];
	const struct heap_limits *limits;
	unsigned asks;    /* whether to go on */
	int64_t until_ns; /* CPU time of this thread at which the budget is spent */
};

struct heap_reader *heap_reader_new(void)
{
	return xcalloc(1, sizeof(struct heap_reader));
}

static void forget(struct known *k)
{
	if (!k->pid)
		return;
	close(k->pagemap_fd);
	close(k->mem_fd);
	k->pid = 0;
}

void heap_reader_free(struct heap_reader *r)
{
	for (int i = 0; r && i < KNOWN_MAX; i++)
		forget(&r->known[i]);
	free(r);
}

const char *heap_reader_allocator(const struct heap_reader *r)
{
	return r->at->maps.allocator;
}

static int read_memory(void *ctx, uint64_t at, void *buf, size_t len)
{
	const struct heap_reader *r = ctx;
	ssize_t n = proc_pread(r->at->mem_fd, buf, len, (off_t)at);

	if (n < 0)
		return (int)n;
	return (size_t)n == len ? 0 : -EFAULT;
}

static ssize_t read_pages(void *ctx, uint64_t at, uint64_t *entries, size_t n)
{
	const struct heap_reader *r = ctx;
	uint64_t page = at / r->walk.view.image->page_bytes;
	ssize_t got;

	if (page > INT64_MAX / sizeof(*entries))
		return 0;
	got = proc_pread(r->at->pagemap_fd, (char *)entries, n * sizeof(*entries),
			 (off_t)(page * sizeof(*entries)));
	return got < 0 ? got : got / (ssize_t)sizeof(*entries);
}

static bool may_go_on(void *ctx)
{
	struct heap_reader *r = ctx;

	if (r->limits->stop && r->limits->stop(r->limits->ctx))
		return false;
	return r->asks++ % ASKS_PER_LOOK || clock_thread_cpu_ns() < r->until_ns;
}

static void rest(void *ctx)
{
	(void)ctx;
	nanosleep(&(struct timespec){.tv_nsec = 4 * NS_PER_MS}, NULL);
}

/* Hands the whole lines of text to the parser; returns how much is left of the last one. */
static size_t take_lines(struct heap_reader *r, size_t len)
{
	char *at = r->text, *end = r->text + len, *stop;

	while ((stop = memchr(at, '\n', (size_t)(end - at)))) {
		*stop = '\0';
		heap_maps_line(&r->at->maps, at);
		at = stop + 1;
	}
	if (at == r->text && len == sizeof(r->text)) /* no path is that long: 4 KiB, escaped */
		return 0;
	memmove(r->text, at, (size_t)(end - at));
	return (size_t)(end - at);
}

static int read_maps(struct heap_reader *r, int dir_fd)
{
	int fd = proc_open_at(dir_fd, "maps");
	size_t left = 0;
	ssize_t n;

	memset(&r->at->maps, 0, sizeof(r->at->maps));
	if (fd < 0)
		return fd;
	do {
		n = read(fd, r->text + left, sizeof(r->text) - left);
		if (n > 0)
			left = take_lines(r, left + (size_t)n);
	} while (n > 0 || (n < 0 && errno == EINTR));
	n = n < 0 ? -errno : 0;
	close(fd);
	return (int)n;
}

/* Any page will do: what counts is whether pagemap still answers. */
static bool is_same_memory(const struct known *k)
{
	uint64_t entry;

	return proc_pread(k->pagemap_fd, (char *)&entry, sizeof(entry), 0) == sizeof(entry);
}

static enum heap_state from_errno(int err)
{
	return err == -EACCES || err == -EPERM ? HEAP_DENIED : HEAP_GONE;
}

static enum heap_state open_files(struct known *k, int dir_fd, pid_t pid)
{
	k->pagemap_fd = proc_open_at(dir_fd, "pagemap");
	if (k->pagemap_fd < 0)
		return from_errno(k->pagemap_fd);
	k->mem_fd = proc_open_at(dir_fd, "mem");
	if (k->mem_fd < 0) {
		close(k->pagemap_fd);
		return from_errno(k->mem_fd);
	}
	k->pid = pid;
	k->walks = 0;
	return HEAP_KNOWN;
}

/* Chooses the process that was walked before, if its memory is still the same, or opens it. */
static enum heap_state meet(struct heap_reader *r, int dir_fd, pid_t pid)
{
	enum heap_state state;
	int err;

	for (r->at = r->known; r->at < r->known + KNOWN_MAX; r->at++)
		if (r->at->pid == pid && is_same_memory(r->at))
			return HEAP_KNOWN;
	r->at = &r->known[r->next_known++ % KNOWN_MAX];
	forget(r->at);
	state = open_files(r->at, dir_fd, pid);
	err = state ? 0 : read_maps(r, dir_fd);
	return err ? from_errno(err) : state;
}

/* A program that has not come up yet, or has no heap yet, is met anew. */
static bool has_come_up(const struct known *k, enum heap_state state)
{
	return state != HEAP_UNUSED && state != HEAP_GONE && (k->maps.brk.start || k->maps.allocator[0]);
}

static enum heap_state walk_met(struct heap_reader *r, bool own_pages, struct heap_sizes *out)
{
	const struct heap_image image = {.ctx = r,
					 .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
					 .read = read_memory,
					 .pages = read_pages,
					 .may_go_on = may_go_on,
					 .rest = rest};
	enum heap_state state;

	if (r->at->walks++ % WALKS_PER_TRY ==
	    0) /* a list that changed may have seemed long, and heaps change */
		r->at->way = HEAP_BY_LISTS;
	state = heap_walk(&r->walk, &image, &r->at->maps, r->at->way, own_pages, out);
	r->at->way = r->walk.way;
	if (state == HEAP_DENIED || is_same_memory(r->at))
		return state;
	return HEAP_GONE;
}

enum heap_state heap_process_walk(struct heap_reader *r, int dir_fd, pid_t pid, bool own_pages,
				  const struct heap_limits *limits, struct heap_sizes *out,
				  struct heap_cost *cost)
{
	int64_t began = clock_thread_cpu_ns();
	enum heap_state state;

	r->limits = limits;
	r->asks = 0;
	r->until_ns = began + limits->cpu_ns;
	r->walk.view.reads = r->walk.view.read_bytes = 0;
	state = meet(r, dir_fd, pid);
	if (!state)
		state = walk_met(r, own_pages, out);
	if (!has_come_up(r->at, state))
		forget(r->at);
	*cost =
	    (struct heap_cost){clock_thread_cpu_ns() - began, r->walk.view.reads, r->walk.view.read_bytes};
	return state;
}
