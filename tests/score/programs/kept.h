/* SPDX-License-Identifier: MIT */
/* What the C programs share: blocks that are really there, some of them kept for ever; and waiting. */
#ifndef PROGRAMS_KEPT_H
#define PROGRAMS_KEPT_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEPT_SMALL = 64, KEPT_OVERHEAD = 16 }; /* bytes; malloc adds the latter to each block */

static void *filled(size_t size)
{
	void *p = malloc(size);
	if (!p)
		abort();
	return memset(p, 1, size);
}

/* In one block (array), in small ones (small), in twenty pieces (batches), or five epochs' worth in every fifth (every5). */
static void keep(const char *kind, size_t size, int epoch)
{
	static void **kept;
	static size_t n;
	size_t each = size;
	if (strcmp(kind, "small") == 0)
		each = KEPT_SMALL;
	else if (strcmp(kind, "batches") == 0)
		each = size / 20;
	size_t wanted = size / each;
	if (strcmp(kind, "every5") == 0) {
		each = 5 * size;
		wanted = epoch % 5 == 4;
	}
	kept = realloc(kept, (n + wanted + 1) * sizeof(*kept));
	for (size_t i = 0; i < wanted; i++)
		kept[n++] = filled(each - KEPT_OVERHEAD);
}

static void sleep_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

#endif
