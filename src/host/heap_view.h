/* SPDX-License-Identifier: MIT */
/* A window on a process image that moves along with what is looked at. It reads pages that are present and no
 * others: an absent page would be made, a swapped one brought back. */
#ifndef HOST_HEAP_VIEW_H
#define HOST_HEAP_VIEW_H

#include "host/heap_image.h"

/* One read is 16 pages of 4 KiB at most: as many as the kernel pins in one go under the lock of the process's
 * mappings, without memory of its own. */
enum { HEAP_VIEW_BYTES = 64 * 1024, HEAP_VIEW_PAGES = 512 };

/* A copy is this large at most: what a thread's arena of small blocks comes to, and no more than memwatch may take for some
 * milliseconds. */
enum { HEAP_COPY_BYTES = 16 * 1024 * 1024 };

struct heap_view {
	const struct heap_image *image;
	size_t read_max, pages_max; /* bytes read and entries asked for at once, at most */
	uint64_t at;                /* address of data[0] */
	size_t len;
	uint64_t pages_at; /* address of the first page with an entry */
	size_t pages_len;
	uint64_t reads, read_bytes;
	unsigned char data[HEAP_VIEW_BYTES];
	uint64_t pages[HEAP_VIEW_PAGES];
	unsigned char *copy; /* NULL there is none */
	uint64_t copy_at;
	size_t copy_len;
};

void heap_view_init(struct heap_view *v, const struct heap_image *image);
/* Forgets what was read, so that it is read again; from now on in such pieces. */
void heap_view_reset(struct heap_view *v, size_t read_max, size_t pages_max);

/* Makes [at, at + len) readable through heap_view_at(); len at most what is left of its page. */
enum heap_state heap_view_get(struct heap_view *v, uint64_t at, size_t len);
/* Copies a stretch that may lie on several pages. */
enum heap_state heap_view_copy(struct heap_view *v, uint64_t at, void *buf, size_t len);
/* Reads a stretch of whole pages at once, for what is looked at in no order: heap_view_copy() takes it from there. There is no
 * copy where it would be too large or a page is not there; only what ends a walk is told. */
enum heap_state heap_view_take_copy(struct heap_view *v, uint64_t at, uint64_t end);
void heap_view_drop_copy(struct heap_view *v);

/* The entry of the page at an address. */
enum heap_state heap_view_page(struct heap_view *v, uint64_t at, uint64_t *out_entry);

static inline bool heap_view_has(const struct heap_view *v, uint64_t at, size_t len)
{
	return at >= v->at && at - v->at <= v->len && v->len - (at - v->at) >= len;
}

static inline bool heap_view_has_copy(const struct heap_view *v, uint64_t at, size_t len)
{
	return v->copy && at >= v->copy_at && at - v->copy_at <= v->copy_len &&
	       v->copy_len - (at - v->copy_at) >= len;
}

static inline const void *heap_view_at(const struct heap_view *v, uint64_t at)
{
	return v->data + (at - v->at);
}

#endif
