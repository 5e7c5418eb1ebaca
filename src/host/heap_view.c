/* SPDX-License-Identifier: MIT */
/* Moves the window and asks for pages. Knows nothing of blocks and arenas. */
#include "host/heap_view.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

void heap_view_init(struct heap_view *v, const struct heap_image *image)
{
	v->image = image;
	v->reads = v->read_bytes = 0;
	v->copy = NULL;
	heap_view_reset(v, HEAP_VIEW_BYTES, HEAP_VIEW_PAGES);
}

void heap_view_reset(struct heap_view *v, size_t read_max, size_t pages_max)
{
	v->read_max = read_max;
	v->pages_max = pages_max;
	v->len = v->pages_len = 0;
}

static enum heap_state from_errno(ssize_t err)
{
	switch (-err) {
	case EPERM:
	case EACCES:
		return HEAP_DENIED;
	case ESRCH:
		return HEAP_GONE;
	default:
		return HEAP_CHANGING; /* EFAULT and EIO: unmapped since */
	}
}

static uint64_t page_of(const struct heap_view *v, uint64_t at)
{
	return at & ~(v->image->page_bytes - 1);
}

/* Twice as many as last time when these follow, few when something was stepped over: a heap of large blocks is
 * read by the pages of its headers. */
static size_t pages_ahead(const struct heap_view *v, uint64_t page)
{
	size_t n =
	    v->pages_len && page == v->pages_at + v->pages_len * v->image->page_bytes ? 2 * v->pages_len : 16;

	return n < v->pages_max ? n : v->pages_max;
}

static size_t bytes_ahead(const struct heap_view *v, uint64_t page)
{
	size_t n = v->len && page == v->at + v->len ? 2 * v->len : (size_t)v->image->page_bytes;

	return n < v->read_max ? n : v->read_max;
}

enum heap_state heap_view_page(struct heap_view *v, uint64_t at, uint64_t *out_entry)
{
	uint64_t page = page_of(v, at);
	uint64_t index = (page - v->pages_at) / v->image->page_bytes;
	ssize_t n;

	if (page < v->pages_at || index >= v->pages_len) {
		if (!v->image->may_go_on(v->image->ctx))
			return HEAP_OVER_BUDGET;
		n = v->image->pages(v->image->ctx, page, v->pages, pages_ahead(v, page));
		v->pages_len = 0;
		if (n <= 0)
			return from_errno(n);
		v->pages_at = page;
		v->pages_len = (size_t)n;
		index = 0;
	}
	*out_entry = v->pages[index];
	return HEAP_KNOWN;
}

/* Bytes from the page on that are present and whose entries are at hand, at most max. */
static size_t present_run(const struct heap_view *v, uint64_t page, size_t max)
{
	uint64_t index = (page - v->pages_at) / v->image->page_bytes;
	size_t bytes = 0;

	while (index < v->pages_len && bytes < max && v->pages[index] & HEAP_PAGE_PRESENT) {
		bytes += (size_t)v->image->page_bytes;
		index++;
	}
	return bytes < max ? bytes : max;
}

enum heap_state heap_view_get(struct heap_view *v, uint64_t at, size_t len)
{
	uint64_t page = page_of(v, at), entry;
	enum heap_state state;
	int err;

	if (heap_view_has(v, at, len))
		return HEAP_KNOWN;
	state = heap_view_page(v, page, &entry);
	if (state)
		return state;
	if (!(entry & HEAP_PAGE_PRESENT))
		return entry & HEAP_PAGE_SWAPPED ? HEAP_SWAPPED : HEAP_CHANGING;
	if (!v->image->may_go_on(v->image->ctx))
		return HEAP_OVER_BUDGET;
	/* With pages larger than the window only a part of the page is read. */
	v->len = present_run(v, page, bytes_ahead(v, page));
	v->at = v->image->page_bytes > v->read_max ? at & ~(uint64_t)(v->read_max - 1) : page;
	v->reads++;
	v->read_bytes += v->len;
	err = v->image->read(v->image->ctx, v->at, v->data, v->len);
	if (err) {
		v->len = 0;
		return from_errno(err);
	}
	return heap_view_has(v, at, len) ? HEAP_KNOWN : HEAP_CHANGING;
}

/* Not by malloc, which would keep what is freed. */
void heap_view_drop_copy(struct heap_view *v)
{
	if (v->copy)
		munmap(v->copy, v->copy_len);
	v->copy = NULL;
}

/* The window moves over it, in its own pieces. */
static enum heap_state fill_copy(struct heap_view *v)
{
	for (size_t done = 0; done < v->copy_len;) {
		uint64_t at = v->copy_at + done;
		enum heap_state state = heap_view_get(v, at, 1);
		size_t n;

		if (state)
			return state;
		n = v->len - (size_t)(at - v->at);
		if (n > v->copy_len - done)
			n = v->copy_len - done;
		memcpy(v->copy + done, heap_view_at(v, at), n);
		done += n;
	}
	return HEAP_KNOWN;
}

enum heap_state heap_view_take_copy(struct heap_view *v, uint64_t at, uint64_t end)
{
	enum heap_state state;
	void *copy;

	heap_view_drop_copy(v);
	if (at >= end || end - at > HEAP_COPY_BYTES)
		return HEAP_KNOWN;
	copy = mmap(NULL, (size_t)(end - at), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return HEAP_KNOWN;
	v->copy = copy;
	v->copy_at = at;
	v->copy_len = (size_t)(end - at);
	state = fill_copy(v);
	if (state)
		heap_view_drop_copy(v);
	return state == HEAP_CHANGING || state == HEAP_SWAPPED ? HEAP_KNOWN : state;
}

enum heap_state heap_view_copy(struct heap_view *v, uint64_t at, void *buf, size_t len)
{
	unsigned char *out = buf;
	enum heap_state state;

	if (heap_view_has_copy(v, at, len)) {
		memcpy(buf, v->copy + (at - v->copy_at), len);
		return HEAP_KNOWN;
	}
	while (len > 0) {
		size_t n = (size_t)(4096 - at % 4096); /* no page is smaller */

		if (n > len)
			n = len;
		state = heap_view_get(v, at, n);
		if (state)
			return state;
		memcpy(out, heap_view_at(v, at), n);
		out += n;
		at += n;
		len -= n;
	}
	return HEAP_KNOWN;
}
