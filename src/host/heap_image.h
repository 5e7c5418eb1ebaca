/* SPDX-License-Identifier: MIT */
/* How a walk sees a process: its memory by address and which of its pages are there. A live process
 * (heap_process.h), a made one or a fuzzer's stands behind it. */
#ifndef HOST_HEAP_IMAGE_H
#define HOST_HEAP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Why a heap is known or not. A walk that did not end well gives no number. */
enum heap_state {
	HEAP_KNOWN,
	HEAP_GONE,       /* the process ended or called exec meanwhile */
	HEAP_DENIED,     /* not ours to read */
	HEAP_ALLOCATOR,  /* another allocator than glibc's is mapped */
	HEAP_UNUSED,     /* glibc's malloc is not there or has not been called */
	HEAP_SCATTERED,  /* the main arena is not one piece: brk was blocked, or others call sbrk */
	HEAP_SWAPPED,    /* a block's header is swapped out; reading it would bring it back */
	HEAP_CHANGING,   /* it changed faster than it could be read, or is no sound heap */
	HEAP_OVER_BUDGET /* it takes more time than it may */
};

/* Bits of an entry, as in /proc/PID/pagemap. */
#define HEAP_PAGE_PRESENT (UINT64_C(1) << 63)
#define HEAP_PAGE_SWAPPED (UINT64_C(1) << 62)
#define HEAP_PAGE_ALONE   (UINT64_C(1) << 56) /* no other process maps it */

struct heap_image {
	void *ctx;
	uint64_t page_bytes;
	/* len bytes at an address, all on pages that pages() called present. 0 or -errno. */
	int (*read)(void *ctx, uint64_t at, void *buf, size_t len);
	/* Entries of up to n pages from the page at on, zero where nothing is mapped: how many, 0 beyond the
	 * end of the address space, or -errno. */
	ssize_t (*pages)(void *ctx, uint64_t at, uint64_t *entries, size_t n);
	/* Asked before every read: whether the walk may go on. */
	bool (*may_go_on)(void *ctx);
	/* Lets some time pass: a thread that was interrupted in the midst of a change may finish it. */
	void (*rest)(void *ctx);
	/* What changes fastest is counted: this is the moment that the figures are of. NULL: nobody asks. */
	void (*counted)(void *ctx);
};

#endif
