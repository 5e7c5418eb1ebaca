/* SPDX-License-Identifier: MIT */
/* The reading side of a walk: maps, pagemap and process_vm_readv(). pagemap belongs to the memory that the process
 * had when it was opened, and reads nothing once that is gone: it tells an exec or an exit. */
#include "host/heap_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/xalloc.h"

enum { MAPS_BYTES = 16 * 1024, ASKS_PER_LOOK = 16 }; /* the clock is a system call as a read is */

struct heap_reader {
	struct heap_walk walk;
	struct heap_maps maps;
	char text[MAPS_BYTES];
	pid_t pid;
	int pagemap_fd;
	const struct heap_limits *limits;
	unsigned asks;    /* whether to go on */
	int64_t until_ns; /* CPU time of this thread at which the budget is spent */
};

struct heap_reader *heap_reader_new(void)
{
	return xcalloc(1, sizeof(struct heap_reader));
}

void heap_reader_free(struct heap_reader *r)
{
	free(r);
}

const char *heap_reader_allocator(const struct heap_reader *r)
{
	return r->maps.allocator;
}

static int read_memory(void *ctx, uint64_t at, void *buf, size_t len)
{
	const struct heap_reader *r = ctx;
	struct iovec local = {buf, len},
		     remote = {(void *)(uintptr_t)at, len}; /* NOLINT(performance-no-int-to-ptr) */
	ssize_t n = process_vm_readv(r->pid, &local, 1, &remote, 1, 0);

	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EFAULT;
}

static ssize_t read_pages(void *ctx, uint64_t at, uint64_t *entries, size_t n)
{
	const struct heap_reader *r = ctx;
	uint64_t page = at / r->walk.view.image->page_bytes;
	ssize_t got;

	if (page > INT64_MAX / sizeof(*entries))
		return 0;
	got = proc_pread(r->pagemap_fd, (char *)entries, n * sizeof(*entries),
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
		heap_maps_line(&r->maps, at);
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

	memset(&r->maps, 0, sizeof(r->maps));
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
static bool is_same_memory(struct heap_reader *r)
{
	uint64_t entry;

	return proc_pread(r->pagemap_fd, (char *)&entry, sizeof(entry), 0) == sizeof(entry);
}

static enum heap_state from_errno(int err)
{
	return err == -EACCES || err == -EPERM ? HEAP_DENIED : HEAP_GONE;
}

static enum heap_state walk_opened(struct heap_reader *r, int dir_fd, bool own_pages, struct heap_sizes *out)
{
	const struct heap_image image = {.ctx = r,
					 .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
					 .read = read_memory,
					 .pages = read_pages,
					 .may_go_on = may_go_on,
					 .rest = rest};
	int err = read_maps(r, dir_fd);
	enum heap_state state;

	if (err)
		return from_errno(err);
	state = heap_walk(&r->walk, &image, &r->maps, HEAP_BY_LISTS, own_pages, out);
	if (state == HEAP_DENIED || is_same_memory(r))
		return state;
	return HEAP_GONE;
}

enum heap_state heap_process_walk(struct heap_reader *r, int dir_fd, pid_t pid, bool own_pages,
				  const struct heap_limits *limits, struct heap_sizes *out,
				  struct heap_cost *cost)
{
	int64_t began = clock_thread_cpu_ns();
	enum heap_state state;

	r->pid = pid;
	r->limits = limits;
	r->asks = 0;
	r->until_ns = began + limits->cpu_ns;
	r->walk.view.reads = r->walk.view.read_bytes = 0;
	r->pagemap_fd = proc_open_at(dir_fd, "pagemap");
	if (r->pagemap_fd < 0) {
		state = from_errno(r->pagemap_fd);
	} else {
		state = walk_opened(r, dir_fd, own_pages, out);
		close(r->pagemap_fd);
	}
	*cost =
	    (struct heap_cost){clock_thread_cpu_ns() - began, r->walk.view.reads, r->walk.view.read_bytes};
	return state;
}
