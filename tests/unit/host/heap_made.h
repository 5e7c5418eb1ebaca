/* SPDX-License-Identifier: MIT */
/* A made process with glibc heaps in it, for tests and the fuzzer: a few stretches of memory at the addresses a real
 * one would have, and an entry for each page. Blocks are laid one after the other into the main heap (MADE_MAIN) or into
 * a thread's arena, as malloc 2.36 lays them. */
#ifndef HEAP_MADE_H
#define HEAP_MADE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/heap_walk.h"

enum { MADE_PAGE = 4096, MADE_PARTS = 6, MADE_PART_PAGES = 8, MADE_MAIN = 0, MADE_LIBC = 5 };
enum { MADE_PART_BYTES = MADE_PAGE * MADE_PART_PAGES };
enum { MADE_BINS = 112, MADE_NEXT = 2160, MADE_SYSTEM = 2184, MADE_STATE = 2200, MADE_INFO = 48 };
enum { MADE_USED = 0, MADE_FREE = 1 };

struct made_part {
	uint64_t at, bytes; /* mapped */
	uint64_t fill;      /* where the next block goes, offset */
	bool last_free;
	unsigned char data[MADE_PART_BYTES];
	uint64_t pages[MADE_PART_PAGES];
};

struct made {
	struct made_part part[MADE_PARTS]; /* the main heap, heaps of threads, libc's data */
	struct heap_maps maps;
	long reads, reads_max; /* asked whether to go on, and how often it may */
	long rests;
	uint64_t absent_reads;              /* bytes read of pages that are not present */
	void (*on_read)(struct made *made); /* the program runs on; may be NULL */
};

static struct made_part *made_part(struct made *m, uint64_t at, uint64_t len)
{
	for (int i = 0; i < MADE_PARTS; i++) {
		struct made_part *p = &m->part[i];

		if (at >= p->at && at - p->at < p->bytes && p->bytes - (at - p->at) >= len)
			return p;
	}
	return NULL;
}

static int made_read(void *ctx, uint64_t at, void *buf, size_t len)
{
	struct made *m = ctx;
	struct made_part *p = made_part(m, at, len);

	if (m->on_read)
		m->on_read(m);
	if (!p)
		return -EFAULT;
	for (uint64_t page = (at - p->at) / MADE_PAGE; page * MADE_PAGE < at - p->at + len; page++)
		m->absent_reads += p->pages[page] & HEAP_PAGE_PRESENT ? 0 : MADE_PAGE;
	memcpy(buf, p->data + (at - p->at), len);
	return 0;
}

static ssize_t made_pages(void *ctx, uint64_t at, uint64_t *entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct made_part *p = made_part(ctx, at + i * MADE_PAGE, 1);

		entries[i] = p ? p->pages[(at + i * MADE_PAGE - p->at) / MADE_PAGE] : 0;
	}
	return (ssize_t)n;
}

static bool made_may_go_on(void *ctx)
{
	struct made *m = ctx;

	return ++m->reads <= m->reads_max;
}

static void made_rest(void *ctx)
{
	((struct made *)ctx)->rests++;
}

static struct heap_image made_image(struct made *m)
{
	return (struct heap_image){.ctx = m,
				   .page_bytes = MADE_PAGE,
				   .read = made_read,
				   .pages = made_pages,
				   .may_go_on = made_may_go_on,
				   .rest = made_rest};
}

static void made_put(struct made_part *p, uint64_t offset, uint64_t value)
{
	memcpy(p->data + offset, &value, sizeof(value));
}

/* Where the malloc_state of a part's arena is: that of the main heap in libc's data, a thread's in its own heap. */
static struct made_part *made_state(struct made *m, int part, uint64_t *out_offset)
{
	*out_offset = part == MADE_MAIN ? 0x460 : MADE_INFO;
	return &m->part[part == MADE_MAIN ? MADE_LIBC : part];
}

static void made_arena(struct made *m, int part, uint64_t next)
{
	uint64_t offset;
	struct made_part *p = made_state(m, part, &offset);

	for (uint64_t i = 0; i < 254; i++)
		made_put(p, offset + MADE_BINS + 8 * i, p->at + offset + MADE_BINS + 16 * (i / 2) - 16);
	made_put(p, offset + MADE_NEXT, next);
	made_put(p, offset + MADE_SYSTEM, m->part[part].bytes);
	made_put(p, offset + MADE_SYSTEM + 8, m->part[part].bytes);
}

/* Puts one block at the end of a part; size with its header. Returns its address. */
static uint64_t made_block(struct made *m, int part, uint64_t size, int kind)
{
	struct made_part *p = &m->part[part];
	uint64_t at = p->fill;

	made_put(p, at + 8, size | !p->last_free | (part != MADE_MAIN && kind == MADE_USED ? 4 : 0));
	if (kind == MADE_FREE)
		made_put(p, at + size, size);
	p->last_free = kind == MADE_FREE;
	p->fill += size;
	return p->at + at;
}

/* Puts a free block at the end of a bin of its arena. */
static void made_link(struct made *m, int part, uint64_t at, uint64_t bin)
{
	uint64_t offset, head, last;
	struct made_part *arena = made_state(m, part, &offset), *p = &m->part[part];

	offset += MADE_BINS + 16 * bin;
	head = arena->at + offset - 16;
	memcpy(&last, arena->data + offset + 8, sizeof(last));
	made_put(p, at - p->at + 16, head);
	made_put(p, at - p->at + 24, last);
	made_put(arena, offset + 8, at);
	if (last == head)
		made_put(arena, offset, at);
	else
		made_put(p, last - p->at + 16, at);
}

/* What is left of a part becomes top. */
static void made_top(struct made *m, int part)
{
	struct made_part *p = &m->part[part], *state;
	uint64_t offset;

	made_put(p, p->fill + 8, (p->bytes - p->fill) | 1);
	state = made_state(m, part, &offset);
	made_put(state, offset + 96, p->at + p->fill);
}

/* A main heap of 8 pages and threads arenas of one heap each, without blocks. */
static void made_init(struct made *m, int threads)
{
	uint64_t offset, main_at;

	memset(m, 0, sizeof(*m));
	m->reads_max = 100000;
	for (int i = 0; i < MADE_PARTS; i++) {
		m->part[i].at = i == MADE_MAIN ? UINT64_C(0x555555800000)
				: i == MADE_LIBC
				    ? UINT64_C(0x7ffff7000000)
				    : UINT64_C(0x7f0000000000) + (uint64_t)i * 2 * HEAP_MAX_BYTES;
		m->part[i].bytes = i <= threads || i == MADE_LIBC ? MADE_PART_BYTES : 0;
		for (int k = 0; k < MADE_PART_PAGES; k++)
			m->part[i].pages[k] = HEAP_PAGE_PRESENT | HEAP_PAGE_ALONE;
	}
	m->maps.brk = (struct heap_range){m->part[0].at, m->part[0].at + m->part[0].bytes};
	m->maps.libc[0] = (struct heap_range){m->part[MADE_LIBC].at, m->part[MADE_LIBC].at + 4 * MADE_PAGE};
	m->maps.libc_count = 1;
	main_at = made_state(m, MADE_MAIN, &offset)->at + offset;
	made_arena(m, MADE_MAIN, threads ? m->part[1].at + MADE_INFO : main_at);
	for (int i = 1; i <= threads; i++) {
		struct made_part *p = &m->part[i];

		made_put(p, 0, p->at + MADE_INFO);
		made_put(p, 16, p->bytes);
		made_put(p, 24, p->bytes);
		made_arena(m, i, i == threads ? main_at : m->part[i + 1].at + MADE_INFO);
		p->fill = (MADE_INFO + MADE_STATE + 15) & ~15;
	}
}

#endif
