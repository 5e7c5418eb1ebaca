/* SPDX-License-Identifier: MIT */
/* The reading side of a walk: maps, pagemap and mem. The latter two belong to the memory that the process had when they
 * were opened, and read nothing once that is gone: pagemap tells an exec or an exit. Unlike process_vm_readv() a read of
 * mem that waits for the process's mappings can be killed, so memwatch can end. */
#include "host/heap_process.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/xalloc.h"
#include "host/heap_passing.h"

enum { MAPS_BYTES = 16 * 1024, ASKS_PER_CLOCK = 8 }; /* the clock is a system call as a read is */
enum { WALKS_PER_TRY = 8 }; /* of the lists: one that changed may have seemed long, and heaps change */
/* An epoch has a window of looks. What is in use three quarters of the time is seen unused at one of sixteen looks in 99 of
 * 100 epochs; where an epoch has fewer, the two before it help: more of them would show growth too late. */
enum { WINDOWS = 3, LOOKS_WANTED = 16, LOOKS_ENOUGH = 8, LOOKS_LEAST = 6 };

struct window {
	unsigned looks;
	struct heap_ranges unused; /* at one of them */
};

/* A process that was walked. What its maps say is good for as long as its pagemap answers: to write a thousand lines of
 * maps takes the kernel long. */
struct known {
	pid_t pid; /* 0: none */
	int pagemap_fd, mem_fd;
	struct heap_maps maps;
	enum heap_way way; /* the shorter one, as the last walk found */
	unsigned walks;
	bool small_known; /* the next two, from the last walk */
	uint64_t small_bytes, small_seen_bytes;
	unsigned newest; /* window */
	unsigned joined; /* windows that count together */
	struct window window[WINDOWS];
};

struct heap_reader {
	struct heap_walk walk;
	struct known known[HEAP_PROCESSES_MAX];
	unsigned next_known; /* which makes room */
	struct known *at;    /* the process that is being walked */
	struct window before;
	char text[MAPS_BYTES];
	const struct heap_limits *limits;
	unsigned asks;    /* whether to go on */
	bool counted;     /* in this walk */
	int64_t until_ns; /* CPU time of this thread at which the budget is spent */
	int64_t turn_end_ns;
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
	for (int i = 0; r && i < HEAP_PROCESSES_MAX; i++)
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

static void begin_turn(struct heap_reader *r, int64_t now_ns)
{
	r->turn_end_ns = r->limits->turn_ns ? now_ns + r->limits->turn_ns : INT64_MAX;
}

static void give_way(struct heap_reader *r, int64_t now_ns)
{
	sched_yield();
	begin_turn(r, now_ns);
}

static bool may_go_on(void *ctx)
{
	struct heap_reader *r = ctx;
	int64_t now_ns;

	if (r->limits->stop && r->limits->stop(r->limits->ctx))
		return false;
	if (r->asks++ % ASKS_PER_CLOCK)
		return true;
	now_ns = clock_thread_cpu_ns();
	if (now_ns >= r->turn_end_ns)
		give_way(r, now_ns);
	return now_ns < r->until_ns;
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

static void clear(struct window *w)
{
	w->looks = 0;
	w->unused.count = 0;
	w->unused.least_bytes = 0;
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
	k->small_known = false;
	k->joined = 1;
	k->way = HEAP_BY_LISTS;
	for (int i = 0; i < WINDOWS; i++)
		clear(&k->window[i]);
	return HEAP_KNOWN;
}

static struct known *find_known(struct heap_reader *r, pid_t pid)
{
	for (struct known *k = r->known; k < r->known + HEAP_PROCESSES_MAX; k++)
		if (k->pid == pid)
			return k;
	return NULL;
}

/* The one that is looked at has a place of its own: with many processes the others make room for each other. */
static struct known *make_room(struct heap_reader *r)
{
	return r->limits->looks ? &r->known[0] : &r->known[1 + r->next_known++ % (HEAP_PROCESSES_MAX - 1)];
}

/* Chooses the process that was walked before, if its memory is still the same, or opens it. */
static enum heap_state meet(struct heap_reader *r, int dir_fd, pid_t pid)
{
	enum heap_state state;
	int err;

	r->at = find_known(r, pid);
	if (r->at && is_same_memory(r->at))
		return HEAP_KNOWN;
	if (!r->at)
		r->at = make_room(r);
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

/* There is no hurry any more. */
static void counted(void *ctx)
{
	struct heap_reader *r = ctx;

	if (r->counted)
		return;
	r->counted = true;
	if (r->limits->counted)
		r->limits->counted(r->limits->ctx);
	if (r->limits->turn_ns)
		give_way(r, clock_thread_cpu_ns());
}

static struct heap_image image_of(struct heap_reader *r)
{
	return (struct heap_image){.ctx = r,
				   .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
				   .read = read_memory,
				   .pages = read_pages,
				   .may_go_on = may_go_on,
				   .rest = rest,
				   .counted = counted};
}

static void note_look(struct heap_reader *r)
{
	struct window *w = &r->at->window[r->at->newest];
	size_t n = heap_passing_unused(&r->walk);

	heap_ranges_join(&w->unused, r->walk.unused, n);
	w->looks += n > 0;
}

static const struct window *window_ago(const struct known *k, unsigned epochs)
{
	return &k->window[(k->newest + WINDOWS - epochs) % WINDOWS];
}

static unsigned looks_of(const struct known *k, unsigned windows)
{
	unsigned looks = 0;

	for (unsigned i = 0; i < windows; i++)
		looks += window_ago(k, i)->looks;
	return looks;
}

/* What the program begins to keep is seen as many epochs later as windows are joined. If that number followed each look more
 * or less, what lasts would move by all that is kept in an epoch. */
static void choose_windows(struct known *k)
{
	while (k->joined > 1 && looks_of(k, k->joined - 1) >= LOOKS_WANTED)
		k->joined--;
	while (k->joined < WINDOWS && looks_of(k, k->joined) < LOOKS_ENOUGH)
		k->joined++;
}

/* What was not in use at some look of late; NULL where there were too few. */
static const struct heap_ranges *unused_before(struct heap_reader *r)
{
	struct window *all = &r->before;

	clear(all);
	choose_windows(r->at);
	for (unsigned i = 0; i < r->at->joined; i++) {
		const struct window *w = window_ago(r->at, i);

		heap_ranges_join(&all->unused, w->unused.list, w->unused.count);
		all->looks += w->looks;
	}
	return r->limits->looks && all->looks >= LOOKS_LEAST ? &all->unused : NULL;
}

/* Adds the small free blocks to what heap_walk_large() found. */
static bool add_small(const struct known *k, struct heap_sizes *s)
{
	if (!k->small_known || s->used_bytes < k->small_bytes)
		return false;
	s->used_bytes -= k->small_bytes;
	s->free_bytes += k->small_bytes;
	s->kept_bytes += k->small_bytes;
	if (s->passing_bytes > s->used_bytes)
		s->passing_bytes = s->used_bytes;
	if (s->untouched_bytes > s->passing_bytes)
		s->untouched_bytes = s->passing_bytes;
	return true;
}

static enum heap_state read_large(struct heap_reader *r, struct heap_sizes *out)
{
	const struct heap_image image = image_of(r);
	struct known *k = r->at;

	return heap_walk_large(&r->walk, &image, &k->maps, unused_before(r), k->small_seen_bytes, out);
}

static enum heap_state read_quickly(struct heap_reader *r, struct heap_sizes *out)
{
	enum heap_state state = read_large(r, out);

	return !state && !add_small(r->at, out) ? HEAP_CHANGING : state;
}

static void note_small(struct known *k, const struct heap_sizes *s)
{
	k->small_known = true;
	k->small_bytes = s->small_bytes;
	k->small_seen_bytes = s->small_seen_bytes;
}

static enum heap_state walk_met(struct heap_reader *r, bool own_pages, struct heap_sizes *out)
{
	const struct heap_image image = image_of(r);
	struct heap_sizes large;
	bool large_first;
	enum heap_state state;

	/* From block to block takes long: large ones are counted before. */
	large_first = r->at->way == HEAP_BY_BLOCKS && !own_pages && !read_large(r, &large);
	if (r->at->walks++ % WALKS_PER_TRY == 0)
		r->at->way = HEAP_BY_LISTS;
	state = heap_walk(&r->walk, &image, &r->at->maps, r->at->way, own_pages, unused_before(r), out);
	r->at->way = r->walk.way;
	if (!state)
		note_small(r->at, out);
	if (!state && large_first && add_small(r->at, &large))
		*out = large;
	if (state == HEAP_DENIED || is_same_memory(r->at))
		return state;
	return HEAP_GONE;
}

static int64_t start_clock(struct heap_reader *r, const struct heap_limits *limits)
{
	int64_t now = clock_thread_cpu_ns();

	r->limits = limits;
	r->asks = 0;
	r->counted = false;
	r->until_ns = now + limits->cpu_ns;
	begin_turn(r, now);
	r->walk.view.reads = r->walk.view.read_bytes = 0;
	return now;
}

static struct heap_cost cost_since(const struct heap_reader *r, int64_t began)
{
	return (struct heap_cost){clock_thread_cpu_ns() - began, r->walk.view.reads, r->walk.view.read_bytes};
}

enum heap_state heap_process_walk(struct heap_reader *r, int dir_fd, pid_t pid, bool own_pages,
				  const struct heap_limits *limits, struct heap_sizes *out,
				  struct heap_cost *cost)
{
	int64_t began = start_clock(r, limits);
	enum heap_state state = meet(r, dir_fd, pid);

	if (!state)
		state = limits->quick && r->at->small_known && !own_pages ? read_quickly(r, out)
									  : walk_met(r, own_pages, out);
	if (!has_come_up(r->at, state))
		forget(r->at);
	*cost = cost_since(r, began);
	return state;
}

enum heap_state heap_process_look(struct heap_reader *r, pid_t pid, const struct heap_limits *limits,
				  struct heap_cost *cost)
{
	int64_t began = start_clock(r, limits);
	const struct heap_image image = image_of(r);
	enum heap_state state = HEAP_GONE;

	r->at = find_known(r, pid);
	if (r->at)
		state = heap_walk_look(&r->walk, &image, &r->at->maps);
	if (!state)
		note_look(r);
	*cost = cost_since(r, began);
	return state;
}

void heap_process_end_epoch(struct heap_reader *r, pid_t pid)
{
	struct known *k = find_known(r, pid);

	if (!k)
		return;
	k->newest = (k->newest + 1) % WINDOWS;
	clear(&k->window[k->newest]);
}
