/* SPDX-License-Identifier: MIT */
/* A set of stretches of memory: what was free when a heap was looked at. Pure; bounded, the largest stay. */
#ifndef HOST_HEAP_RANGES_H
#define HOST_HEAP_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct heap_range {
	uint64_t start, end;
};

enum { HEAP_RANGES_MAX = 2048 };

struct heap_ranges { /* zeros: none */
	size_t count;
	uint64_t least_bytes; /* smaller ones are not taken */
	struct heap_range list[HEAP_RANGES_MAX];
};

/* Adds n ranges, in any order; they may overlap what is there. In the end the set is in order and nothing stands in it
 * twice. Where there is no room, the smaller half goes. */
void heap_ranges_join(struct heap_ranges *set, const struct heap_range *more, size_t n);
/* How much of [start, end) is in the set. */
uint64_t heap_ranges_common(const struct heap_ranges *set, uint64_t start, uint64_t end);
/* What is in the set and in none of n others, which are in order. */
void heap_ranges_without(const struct heap_ranges *set, const struct heap_range *other, size_t n,
			 struct heap_ranges *out);
/* In order of their addresses. */
void heap_ranges_sort(struct heap_range *list, size_t n);

#endif
