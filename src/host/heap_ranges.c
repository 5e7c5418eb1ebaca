/* SPDX-License-Identifier: MIT */
/* Ranges in an array, in the order of their addresses. Knows nothing of heaps. */
#include "host/heap_ranges.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
	const struct heap_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

void heap_ranges_sort(struct heap_range *list, size_t n)
{
	qsort(list, n, sizeof(list[0]), by_start);
}

/* In order, and those that touch as one. */
static void settle(struct heap_ranges *set)
{
	struct heap_range *to = set->list;

	if (set->count == 0)
		return;
	heap_ranges_sort(set->list, set->count);
	for (size_t i = 1; i < set->count; i++) {
		const struct heap_range *r = &set->list[i];

		if (r->start > to->end)
			*++to = *r;
		else if (r->end > to->end)
			to->end = r->end;
	}
	set->count = (size_t)(to - set->list) + 1;
}

static void drop_small(struct heap_ranges *set)
{
	size_t left = 0;

	for (size_t i = 0; i < set->count; i++)
		if (set->list[i].end - set->list[i].start >= set->least_bytes)
			set->list[left++] = set->list[i];
	set->count = left;
}

static void make_room(struct heap_ranges *set)
{
	settle(set);
	while (set->count > HEAP_RANGES_MAX / 2) {
		set->least_bytes = set->least_bytes ? 2 * set->least_bytes : 1024;
		drop_small(set);
	}
}

void heap_ranges_join(struct heap_ranges *set, const struct heap_range *more, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (set->count == HEAP_RANGES_MAX)
			make_room(set);
		if (more[i].start < more[i].end && more[i].end - more[i].start >= set->least_bytes)
			set->list[set->count++] = more[i];
	}
	settle(set);
}

/* The first range that ends after an address. */
static size_t first_after(const struct heap_ranges *set, uint64_t at)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->list[middle].end > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

uint64_t heap_ranges_common(const struct heap_ranges *set, uint64_t start, uint64_t end)
{
	uint64_t bytes = 0;

	for (size_t i = first_after(set, start); i < set->count && set->list[i].start < end; i++) {
		const struct heap_range *r = &set->list[i];

		bytes += (r->end < end ? r->end : end) - (r->start > start ? r->start : start);
	}
	return bytes;
}

static void put(struct heap_ranges *set, uint64_t start, uint64_t end)
{
	if (start < end && set->count < HEAP_RANGES_MAX)
		set->list[set->count++] = (struct heap_range){start, end};
}

void heap_ranges_without(const struct heap_ranges *set, const struct heap_range *other, size_t n,
			 struct heap_ranges *out)
{
	size_t k = 0;

	out->count = 0;
	for (size_t i = 0; i < set->count; i++) {
		uint64_t at = set->list[i].start, end = set->list[i].end;

		while (k < n && other[k].end <= at)
			k++;
		for (size_t j = k; j < n && other[j].start < end; j++) {
			put(out, at, other[j].start);
			at = other[j].end > at ? other[j].end : at;
		}
		put(out, at, end);
	}
}
