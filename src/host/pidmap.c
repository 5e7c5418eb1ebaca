/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing; removal closes the gap, so that churn leaves no tombstones behind. */
#include "host/pidmap.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum { PIDMAP_MIN = 16 };

static size_t home(const struct pidmap *map, pid_t pid)
{
	return ((uint32_t)pid * UINT32_C(2654435769)) & (map->cap - 1);
}

/* The slot that holds pid, or the free one where it belongs. */
static size_t probe(const struct pidmap *map, pid_t pid)
{
	size_t i = home(map, pid);

	while (map->slots[i].pid && map->slots[i].pid != pid)
		i = (i + 1) & (map->cap - 1);
	return i;
}

size_t pidmap_get(const struct pidmap *map, pid_t pid)
{
	size_t i;

	if (!map->cap)
		return PIDMAP_NONE;
	i = probe(map, pid);
	return map->slots[i].pid ? map->slots[i].index : PIDMAP_NONE;
}

static void grow(struct pidmap *map)
{
	struct pidmap old = *map;

	map->cap = old.cap ? old.cap * 2 : PIDMAP_MIN;
	map->slots = xcalloc(map->cap, sizeof(*map->slots));
	for (size_t i = 0; i < old.cap; i++) {
		if (old.slots[i].pid)
			map->slots[probe(map, old.slots[i].pid)] = old.slots[i];
	}
	free(old.slots);
}

void pidmap_set(struct pidmap *map, pid_t pid, size_t index)
{
	size_t i;

	if ((map->count + 1) * 2 > map->cap)
		grow(map);
	i = probe(map, pid);
	if (!map->slots[i].pid)
		map->count++;
	map->slots[i] = (struct pidmap_slot){.pid = pid, .index = index};
}

void pidmap_remove(struct pidmap *map, pid_t pid)
{
	size_t mask = map->cap - 1, gap, i;

	if (!map->cap || !map->slots[gap = probe(map, pid)].pid)
		return;
	map->count--;
	for (i = (gap + 1) & mask; map->slots[i].pid; i = (i + 1) & mask) {
		size_t from_home = (i - home(map, map->slots[i].pid)) & mask;

		if (from_home < ((i - gap) & mask))
			continue;
		map->slots[gap] = map->slots[i];
		gap = i;
	}
	map->slots[gap].pid = 0;
}

void pidmap_free(struct pidmap *map)
{
	free(map->slots);
	*map = (struct pidmap){0};
}
