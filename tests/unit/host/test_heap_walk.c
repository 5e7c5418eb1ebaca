/* SPDX-License-Identifier: MIT */
#include "host/heap_walk.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "heap_made.h"

static struct made made;
static struct heap_walk walker;
static struct heap_sizes sizes;
static struct heap_ranges before;

static enum heap_state walk_by(enum heap_way way, bool own_pages)
{
	const struct heap_image image = made_image(&made);
	enum heap_state state;

	memset(&sizes, 0xff, sizeof(sizes));
	state = heap_walk(&walker, &image, &made.maps, way, own_pages, &before, &sizes);
	if (!made.on_read)
		assert_int_equal(made.absent_reads, 0);
	return state;
}

static enum heap_state walk(bool own_pages)
{
	return walk_by(HEAP_BY_BLOCKS, own_pages);
}

static void assert_sizes(uint64_t system_bytes, uint64_t free_bytes, uint64_t kept_bytes)
{
	assert_int_equal(sizes.used_bytes, system_bytes - free_bytes);
	assert_int_equal(sizes.free_bytes, free_bytes);
	assert_int_equal(sizes.kept_bytes, kept_bytes);
}

static uint64_t lay_main(void)
{
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	made_block(&made, MADE_MAIN, 1024, MADE_FREE);
	made_block(&made, MADE_MAIN, 4096, MADE_USED);
	made_block(&made, MADE_MAIN, 32, MADE_FREE);
	made_block(&made, MADE_MAIN, 32, MADE_USED);
	made_top(&made, MADE_MAIN);
	return MADE_PART_BYTES - 64 - 4096 - 32; /* free, with top */
}

static void blocks_in_use_and_free_are_told_apart(void **state)
{
	uint64_t free_bytes;

	(void)state;
	made_init(&made, 0);
	free_bytes = lay_main();
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
	assert_int_equal(sizes.blocks, 5);
	assert_int_equal(sizes.arenas, 1);
}

static void arenas_of_threads_are_added(void **state)
{
	uint64_t free_bytes;

	(void)state;
	made_init(&made, 3);
	free_bytes = lay_main();
	for (int i = 1; i <= 3; i++) {
		made_block(&made, i, 4000, MADE_USED);
		made_block(&made, i, 4000, MADE_FREE);
		made_block(&made, i, 4000, MADE_USED);
		made_top(&made, i);
		free_bytes += 4000 + MADE_PART_BYTES - made.part[i].fill;
	}
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(4 * MADE_PART_BYTES, free_bytes, free_bytes);
	assert_int_equal(sizes.arenas, 4);
}

/* The arena's first heap is full and ends in fence posts; a second one holds top. */
static void an_arena_of_two_heaps_is_walked_through_both(void **state)
{
	struct made_part *first = &made.part[1], *second = &made.part[2];
	uint64_t free_bytes;

	(void)state;
	made_init(&made, 1);
	free_bytes = lay_main();
	made_block(&made, 1, MADE_PART_BYTES - first->fill - 32 - 512, MADE_USED);
	made_block(&made, 1, 512, MADE_FREE);
	made_put(first, MADE_PART_BYTES - 32 + 8, 16);
	made_put(first, MADE_PART_BYTES - 16 + 8, 1);
	second->bytes = MADE_PART_BYTES;
	made_put(second, 0, first->at + MADE_INFO);
	made_put(second, 8, first->at);
	made_put(second, 16, second->bytes);
	made_put(second, 24, second->bytes);
	second->fill = MADE_INFO;
	made_block(&made, 2, 2048, MADE_USED);
	made_put(second, second->fill + 8, (second->bytes - second->fill) | 1);
	made_put(first, MADE_INFO + 96, second->at + second->fill);
	made_put(first, MADE_INFO + MADE_SYSTEM, 2 * MADE_PART_BYTES);
	made_put(first, MADE_INFO + MADE_SYSTEM + 8, 2 * MADE_PART_BYTES);
	assert_int_equal(walk(false), HEAP_KNOWN);
	free_bytes += 512 + MADE_PART_BYTES - second->fill;
	assert_sizes(3 * MADE_PART_BYTES, free_bytes, free_bytes);
}

static void check_list(bool mangled)
{
	uint64_t offset, list = 0, free_bytes;
	struct made_part *p = &made.part[MADE_MAIN], *arena;

	made_init(&made, 0);
	for (int i = 0; i < 3; i++) {
		uint64_t at = made_block(&made, MADE_MAIN, 64, MADE_USED);

		made_put(p, at - p->at + 16, mangled ? list ^ ((at + 16) >> 12) : list);
		list = at;
	}
	arena = made_state(&made, MADE_MAIN, &offset);
	made_put(arena, offset + 16 + 2 * 8, list);
	free_bytes = lay_main(); /* top is smaller by as much */
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
}

static void small_blocks_freed_last_count_as_free(void **state)
{
	(void)state;
	check_list(true);
	check_list(false);
}

enum { BUSY_LISTS = 7 };

static uint64_t listed[BUSY_LISTS]; /* one block in each list, each on a page of its own */

/* The program has one of three lists in hand, ever another one. */
static void take_from_lists(struct made *m)
{
	static uint64_t reads;
	struct made_part *p = &m->part[MADE_MAIN];

	reads++;
	for (uint64_t i = 0; i < BUSY_LISTS; i++)
		made_put(p, listed[i] - p->at + 16, (reads + i) % 3 ? (listed[i] + 16) >> 12 : 0x4141);
}

static void lay_busy_lists(void)
{
	uint64_t offset;
	struct made_part *arena = made_state(&made, MADE_MAIN, &offset);

	for (uint64_t i = 0; i < BUSY_LISTS; i++) {
		listed[i] = made_block(&made, MADE_MAIN, 32 + 16 * i, MADE_USED);
		made_put(arena, offset + 16 + 8 * i, listed[i]);
		made_block(&made, MADE_MAIN, MADE_PAGE - 32 - 16 * i, MADE_USED);
	}
	made_top(&made, MADE_MAIN);
}

/* They are never all at rest; each is at some moment. */
static void lists_in_use_are_counted_one_by_one(void **state)
{
	uint64_t free_bytes = MADE_PAGE;

	(void)state;
	made_init(&made, 0);
	lay_busy_lists();
	for (uint64_t i = 0; i < BUSY_LISTS; i++)
		free_bytes += 32 + 16 * i;
	made.on_read = take_from_lists;
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
	assert_int_equal(made.rests, 0); /* and the blocks were walked only once */
}

static unsigned busy_reads;

/* The program has the last list in hand at every other try: a try reads the list's head and its block. */
static void take_from_last_list(struct made *m)
{
	struct made_part *p = &m->part[MADE_MAIN];
	uint64_t at = listed[BUSY_LISTS - 1];

	made_put(p, at - p->at + 16, busy_reads++ / 2 % 2 ? (at + 16) >> 12 : 0x4141);
}

/* The first list has two blocks and is at rest. */
static void lay_telling_list(void)
{
	uint64_t offset, second = made_block(&made, MADE_MAIN, 32, MADE_USED);
	struct made_part *arena = made_state(&made, MADE_MAIN, &offset), *p = &made.part[MADE_MAIN];

	made_put(p, second - p->at + 16, (second + 16) >> 12);
	lay_busy_lists();
	for (uint64_t i = 0; i < BUSY_LISTS - 1; i++)
		made_put(arena, offset + 16 + 8 * i, i ? 0 : listed[0]);
	made_put(p, listed[0] - p->at + 16, second ^ ((listed[0] + 16) >> 12));
}

/* Else a list that is at rest whenever it is read the other way would never be counted. */
static void links_that_one_list_has_told_are_kept_for_the_others(void **state)
{
	(void)state;
	for (unsigned phase = 0; phase < 4; phase++) {
		uint64_t free_bytes = 2 * 32 + 32 + 16 * (BUSY_LISTS - 1);

		made_init(&made, 0);
		lay_telling_list();
		free_bytes += MADE_PART_BYTES - BUSY_LISTS * MADE_PAGE - 32;
		busy_reads = phase;
		made.on_read = take_from_last_list;
		assert_int_equal(walk(false), HEAP_KNOWN);
		assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
		assert_int_equal(made.rests, 0);
	}
}

/* Two blocks in one bin, one in another. */
static uint64_t lay_lists(uint64_t block[3])
{
	made_init(&made, 0);
	for (int i = 0; i < 3; i++) {
		made_block(&made, MADE_MAIN, 64, MADE_USED);
		block[i] = made_block(&made, MADE_MAIN, 2048, MADE_FREE);
	}
	made_link(&made, MADE_MAIN, block[0], 0);
	made_link(&made, MADE_MAIN, block[2], 0);
	made_link(&made, MADE_MAIN, block[1], 90);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	made_top(&made, MADE_MAIN);
	return MADE_PART_BYTES - 4 * 64;
}

static void lists_of_free_blocks_tell_the_same(void **state)
{
	uint64_t block[3], free_bytes = lay_lists(block);

	(void)state;
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
	assert_int_equal(sizes.blocks, 0);
	assert_int_equal(walk_by(HEAP_BY_BLOCKS, false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
	assert_int_equal(sizes.blocks, 7);
}

static void where_a_list_does_not_hold_the_blocks_are_walked(void **state)
{
	uint64_t block[3], free_bytes = lay_lists(block);

	(void)state;
	made_put(&made.part[MADE_MAIN], block[2] - made.part[MADE_MAIN].at + 24, block[1]);
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
	assert_int_equal(sizes.blocks, 7);
}

/* A bin whose every block is on another page than the one before it. */
static void lay_long_list(int part)
{
	enum { PAGES = 4, BLOCKS = 24, FIRST = 2 };
	uint64_t block[BLOCKS][PAGES];

	made_block(&made, part, FIRST * MADE_PAGE - made.part[part].fill, MADE_USED);
	for (int page = 0; page < PAGES; page++) {
		for (int i = 0; i < BLOCKS; i++) {
			block[i][page] = made_block(&made, part, 64, MADE_FREE);
			made_block(&made, part, i < BLOCKS - 1 ? 64 : (uint64_t)(MADE_PAGE - 128 * i - 64),
				   MADE_USED);
		}
	}
	for (int i = 0; i < BLOCKS; i++)
		for (int page = 0; page < PAGES; page++)
			made_link(&made, part, block[i][page], 3);
	made_top(&made, part);
}

static void lay_short_list(int part)
{
	made_block(&made, part, 64, MADE_USED);
	made_link(&made, part, made_block(&made, part, 64, MADE_FREE), 3);
	made_block(&made, part, 64, MADE_USED);
	made_top(&made, part);
}

static void the_blocks_of_an_arena_with_long_lists_are_walked_and_no_others(void **state)
{
	(void)state;
	made_init(&made, 2);
	lay_short_list(MADE_MAIN);
	lay_long_list(1);
	lay_short_list(2);
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	assert_int_equal(sizes.arenas, 3);
	assert_int_equal(sizes.blocks, 1 + 4 * 2 * 24);
	assert_int_equal(walker.way, HEAP_BY_LISTS);
}

static void where_the_lists_of_most_of_the_heap_are_long_the_next_walk_goes_by_blocks(void **state)
{
	(void)state;
	made_init(&made, 0);
	lay_long_list(MADE_MAIN);
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	assert_int_equal(sizes.blocks, 1 + 4 * 2 * 24);
	assert_int_equal(walker.way, HEAP_BY_BLOCKS);
}

/* When the small block is looked at, the program has long taken the large one. */
static void take_the_large_block(struct made *m)
{
	struct made_part *p = &m->part[MADE_MAIN];
	uint64_t small = p->at + 64, large = p->at + 3 * MADE_PAGE;
	struct made_part *arena;
	uint64_t offset;

	if (walker.view.at != (small & ~(uint64_t)(MADE_PAGE - 1)))
		return;
	arena = made_state(m, MADE_MAIN, &offset);
	offset += MADE_BINS + 16 * 90;
	made_put(arena, offset, arena->at + offset - 16);
	made_put(arena, offset + 8, arena->at + offset - 16);
	made_put(p, large - p->at + 8, 64);
}

static void large_blocks_are_counted_before_small_ones(void **state)
{
	uint64_t small, large;

	(void)state;
	made_init(&made, 0);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	small = made_block(&made, MADE_MAIN, 64, MADE_FREE);
	made_block(&made, MADE_MAIN, 3 * MADE_PAGE - 128, MADE_USED);
	large = made_block(&made, MADE_MAIN, 2048, MADE_FREE);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	made_top(&made, MADE_MAIN);
	made_link(&made, MADE_MAIN, small, 3);
	made_link(&made, MADE_MAIN, large, 90);
	made.on_read = take_the_large_block;
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	assert_int_equal(sizes.used_bytes, 3 * MADE_PAGE - 128 + 128);
	assert_int_equal(sizes.blocks, 0);
}

/* Of three blocks that were free before, one is free still, one is in use and one is in use and was never there. */
static void lay_passing(void)
{
	struct made_part *p = &made.part[MADE_MAIN];
	uint64_t still;

	made_init(&made, 0);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	still = made_block(&made, MADE_MAIN, 2048, MADE_FREE);
	made_block(&made, MADE_MAIN, 4096, MADE_USED);
	made_block(&made, MADE_MAIN, 4 * MADE_PAGE, MADE_USED);
	made_top(&made, MADE_MAIN);
	made_link(&made, MADE_MAIN, still, 90);
	heap_ranges_join(&before,
			 (struct heap_range[]){{still, still + 2048 + 1024},
					       {p->at + 3 * MADE_PAGE, p->at + 4 * MADE_PAGE}},
			 2);
	p->pages[3] = 0;
}

static void check_passing(enum heap_way way)
{
	before = (struct heap_ranges){0};
	lay_passing();
	assert_int_equal(walk_by(way, false), HEAP_KNOWN);
	assert_int_equal(sizes.used_bytes, 64 + 4096 + 4 * MADE_PAGE);
	assert_true(sizes.passing_known);
	assert_int_equal(sizes.passing_bytes, 1024 + MADE_PAGE);
	assert_int_equal(sizes.untouched_bytes, MADE_PAGE);
	before = (struct heap_ranges){0};
	assert_int_equal(walk_by(way, false), HEAP_KNOWN);
	assert_int_equal(sizes.passing_bytes, 0);
}

static void what_was_free_at_an_earlier_look_is_passing(void **state)
{
	(void)state;
	check_passing(HEAP_BY_LISTS);
	check_passing(HEAP_BY_BLOCKS);
}

/* At the look the heap ended in its midst, and what lies behind its end now is nobody's. */
static void check_ends(enum heap_way way)
{
	struct made_part *p = &made.part[MADE_MAIN];
	uint64_t last;

	made_init(&made, 0);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	last = made_block(&made, MADE_MAIN, 2 * MADE_PAGE, MADE_USED);
	made_top(&made, MADE_MAIN);
	before = (struct heap_ranges){0};
	heap_ranges_join(&before, (struct heap_range[]){{0, p->at}, {last + MADE_PAGE, UINT64_MAX}}, 2);
	assert_int_equal(walk_by(way, false), HEAP_KNOWN);
	before = (struct heap_ranges){0};
	assert_int_equal(sizes.passing_bytes, MADE_PAGE);
}

static void what_was_beyond_the_end_of_a_heap_is_passing(void **state)
{
	(void)state;
	check_ends(HEAP_BY_LISTS);
	check_ends(HEAP_BY_BLOCKS);
}

/* It has been split since, and its second half lies in a list of small blocks. */
static void what_is_free_in_a_small_block_now_is_not_passing(void **state)
{
	uint64_t small;

	(void)state;
	made_init(&made, 0);
	made_block(&made, MADE_MAIN, 1024, MADE_USED);
	small = made_block(&made, MADE_MAIN, 512, MADE_FREE);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	made_top(&made, MADE_MAIN);
	made_link(&made, MADE_MAIN, small, 31);
	heap_ranges_join(&before, &(struct heap_range){small - 1024, small + 512}, 1);
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	before = (struct heap_ranges){0};
	assert_int_equal(sizes.passing_bytes, 1024);
}

static void a_look_finds_large_free_blocks(void **state)
{
	const struct heap_image image = made_image(&made);
	uint64_t block[3];

	(void)state;
	lay_lists(block);
	assert_int_equal(heap_walk_look(&walker, &image, &made.maps), HEAP_KNOWN);
	assert_true(walker.found_count >= 2); /* one in a bin of large blocks, and top */
	heap_ranges_join(&before, walker.found, walker.found_count);
	assert_true(heap_ranges_common(&before, block[1], block[1] + 1024) > 0);
	before = (struct heap_ranges){0};
}

static void large_blocks_alone_are_quick_to_count(void **state)
{
	const struct heap_image image = made_image(&made);
	uint64_t block[3], free_bytes = lay_lists(block);
	struct heap_sizes large;

	(void)state;
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	assert_int_equal(heap_walk_large(&walker, &image, &made.maps, &before, 0, &large), HEAP_KNOWN);
	assert_int_equal(large.free_bytes + sizes.small_bytes, free_bytes);
	assert_int_equal(large.used_bytes - sizes.small_bytes, sizes.used_bytes);
	assert_int_equal(large.kept_bytes + sizes.small_bytes, sizes.kept_bytes);
}

/* When the other large block is looked at, the one that was freed last has been put behind it. */
static void sort_the_freed_block(struct made *m)
{
	struct made_part *p = &m->part[MADE_MAIN], *arena;
	uint64_t freed = p->at + 64, other = p->at + 4 * MADE_PAGE, offset, head;

	if (walker.view.at != other)
		return;
	arena = made_state(m, MADE_MAIN, &offset);
	offset += MADE_BINS + 16 * 90;
	head = arena->at + offset - 16;
	made_put(p, other - p->at + 16, freed);
	made_put(p, freed - p->at + 16, head);
	made_put(p, freed - p->at + 24, other);
	made_put(arena, offset + 8, freed);
}

static void a_block_that_is_found_twice_counts_once(void **state)
{
	uint64_t freed, other;

	(void)state;
	made_init(&made, 0);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	freed = made_block(&made, MADE_MAIN, 2048, MADE_FREE);
	made_block(&made, MADE_MAIN, 4 * MADE_PAGE - 2048 - 64, MADE_USED);
	other = made_block(&made, MADE_MAIN, 4096, MADE_FREE);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	made_top(&made, MADE_MAIN);
	made_link(&made, MADE_MAIN, freed, 0);
	made_link(&made, MADE_MAIN, other, 90);
	made.on_read = sort_the_freed_block;
	assert_int_equal(walk_by(HEAP_BY_LISTS, false), HEAP_KNOWN);
	assert_int_equal(sizes.blocks, 0);
	assert_int_equal(sizes.used_bytes, 4 * MADE_PAGE - 2048 + 64);
}

static void memory_that_was_given_back_is_free_and_not_kept(void **state)
{
	uint64_t free_bytes;

	(void)state;
	made_init(&made, 0);
	free_bytes = lay_main();
	made.part[MADE_MAIN].pages[5] = made.part[MADE_MAIN].pages[6] = 0;
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes - 2 * MADE_PAGE);
}

static void swapped_free_pages_are_kept_and_stay_swapped(void **state)
{
	uint64_t free_bytes;

	(void)state;
	made_init(&made, 0);
	free_bytes = lay_main();
	made.part[MADE_MAIN].pages[3] = made.part[MADE_MAIN].pages[4] = HEAP_PAGE_SWAPPED;
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
}

static void a_swapped_header_is_not_read(void **state)
{
	(void)state;
	made_init(&made, 0);
	lay_main();
	made.part[MADE_MAIN].pages[1] = HEAP_PAGE_SWAPPED;
	assert_int_equal(walk(false), HEAP_SWAPPED);
}

/* A forked worker that has written to half of what it inherited. */
static void what_others_map_too_is_theirs(void **state)
{
	uint64_t free_bytes;

	(void)state;
	made_init(&made, 0);
	made_block(&made, MADE_MAIN, 5 * MADE_PAGE, MADE_USED);
	made_block(&made, MADE_MAIN, MADE_PAGE, MADE_FREE);
	made_block(&made, MADE_MAIN, 32, MADE_USED);
	made_top(&made, MADE_MAIN);
	free_bytes = MADE_PART_BYTES - 5 * MADE_PAGE - 32;
	for (int i = 0; i < 4; i++)
		made.part[MADE_MAIN].pages[i] = HEAP_PAGE_PRESENT;
	made.part[MADE_MAIN].pages[7] = HEAP_PAGE_PRESENT;
	assert_int_equal(walk(true), HEAP_KNOWN);
	assert_int_equal(sizes.used_bytes, MADE_PAGE + 32);
	assert_int_equal(sizes.kept_bytes, free_bytes - MADE_PAGE);
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
}

static void contents_that_fit_nothing_are_no_number(void **state)
{
	static const uint64_t bad[] = {0, 16, 24, 33 + 8, 1 << 30, UINT64_MAX, UINT64_C(1) << 63, 64 + 2};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		made_init(&made, 0);
		lay_main();
		made_put(&made.part[MADE_MAIN], 64 + 1024 + 8, bad[i]);
		assert_int_equal(walk(false), HEAP_CHANGING);
		assert_true(made.rests > 0);
	}
}

static void a_free_block_that_its_neighbour_denies_is_no_number(void **state)
{
	(void)state;
	made_init(&made, 0);
	lay_main();
	made_put(&made.part[MADE_MAIN], 64 + 1024, 1008);
	assert_int_equal(walk(false), HEAP_CHANGING);
}

/* The size is wrong until there have been ten reads. */
static void finish_change(struct made *m)
{
	if (m->reads == 10)
		made_put(&m->part[MADE_MAIN], 64 + 8, 1024 | 1);
}

static void an_arena_that_changed_is_taken_again(void **state)
{
	uint64_t free_bytes;

	(void)state;
	made_init(&made, 0);
	free_bytes = lay_main();
	made_put(&made.part[MADE_MAIN], 64 + 8, 1040 | 1);
	made.on_read = finish_change;
	assert_int_equal(walk(false), HEAP_KNOWN);
	assert_sizes(MADE_PART_BYTES, free_bytes, free_bytes);
}

static void a_ring_of_freed_blocks_ends(void **state)
{
	uint64_t offset, at;
	struct made_part *p = &made.part[MADE_MAIN], *arena;

	(void)state;
	made_init(&made, 0);
	at = made_block(&made, MADE_MAIN, 32, MADE_USED);
	made_put(p, at - p->at + 16, at ^ ((at + 16) >> 12));
	arena = made_state(&made, MADE_MAIN, &offset);
	made_put(arena, offset + 16, at);
	lay_main();
	assert_int_equal(walk(false), HEAP_CHANGING);
}

static void reasons_have_their_names(void **state)
{
	uint64_t offset;
	struct made_part *arena;

	(void)state;
	made_init(&made, 0);
	lay_main();
	made.reads_max = 3;
	assert_int_equal(walk(false), HEAP_OVER_BUDGET);
	made.reads_max = 100000;
	strcpy(made.maps.allocator, "jemalloc");
	assert_int_equal(walk(false), HEAP_ALLOCATOR);
	made.maps.allocator[0] = '\0';
	made.maps.libc_count = 0;
	made.maps.main_bins = 0;
	assert_int_equal(walk(false), HEAP_UNUSED);
	made.maps.libc_count = 1;
	arena = made_state(&made, MADE_MAIN, &offset);
	made_put(arena, offset, UINT64_C(2) << 32); /* flags: grown by mmap */
	assert_int_equal(walk(false), HEAP_SCATTERED);
	for (enum heap_state i = HEAP_GONE; i <= HEAP_OVER_BUDGET; i++)
		assert_true(strlen(heap_state_text(i)) > 0);
}

/* Somebody else moved the break: two fence posts, and then what is not malloc's. */
static void a_break_that_others_move_is_not_walked(void **state)
{
	(void)state;
	made_init(&made, 0);
	made_block(&made, MADE_MAIN, 64, MADE_USED);
	made_block(&made, MADE_MAIN, 16, MADE_USED);
	made_block(&made, MADE_MAIN, 16, MADE_USED);
	made.part[MADE_MAIN].fill += 64;
	made_top(&made, MADE_MAIN);
	assert_int_equal(walk(false), HEAP_SCATTERED);
}

static void maps_name_heap_libc_and_allocator(void **state)
{
	static const char *const lines[] = {
	    "55d0c0000000-55d0c0001000 rw-p 00003000 fe:00 77   /opt/python 3/bin/python3.11",
	    "55d0c1000000-55d0c1100000 rw-p 00000000 00:00 0                          [heap]",
	    "55d0c1100000-55d0c1200000 rw-p 00000000 00:00 0                          [heap]",
	    "7f0000000000-7f0000021000 rw-p 00000000 00:00 0 ",
	    "7f45b0259000-7f45b03af000 r-xp 00026000 fe:00 332835  /usr/lib/x86_64-linux-gnu/libc.so.6",
	    "7f45b0406000-7f45b0408000 rw-p 001d3000 fe:00 332835  /usr/lib/x86_64-linux-gnu/libc.so.6",
	    "7f45b0506000-7f45b0508000 rw-p 001d3000 fe:00 332835  /lib/libcrypt.so.1",
	};
	struct heap_maps m = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		heap_maps_line(&m, lines[i]);
	assert_int_equal(m.brk.start, 0x55d0c1000000);
	assert_int_equal(m.brk.end, 0x55d0c1200000);
	assert_int_equal(m.libc_count, 1);
	assert_int_equal(m.libc[0].start, 0x7f45b0406000);
	assert_int_equal(m.program_count, 1);
	assert_string_equal(m.allocator, "");
	heap_maps_line(&m, "7f45b0506000-7f45b0508000 r--p 00000000 fe:00 1 /usr/lib/libjemalloc.so.2");
	assert_string_equal(m.allocator, "jemalloc");
	heap_maps_line(&m, "");
	heap_maps_line(&m, "no such line / at all");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(blocks_in_use_and_free_are_told_apart),
	    cmocka_unit_test(arenas_of_threads_are_added),
	    cmocka_unit_test(an_arena_of_two_heaps_is_walked_through_both),
	    cmocka_unit_test(small_blocks_freed_last_count_as_free),
	    cmocka_unit_test(lists_in_use_are_counted_one_by_one),
	    cmocka_unit_test(links_that_one_list_has_told_are_kept_for_the_others),
	    cmocka_unit_test(lists_of_free_blocks_tell_the_same),
	    cmocka_unit_test(where_a_list_does_not_hold_the_blocks_are_walked),
	    cmocka_unit_test(the_blocks_of_an_arena_with_long_lists_are_walked_and_no_others),
	    cmocka_unit_test(where_the_lists_of_most_of_the_heap_are_long_the_next_walk_goes_by_blocks),
	    cmocka_unit_test(large_blocks_are_counted_before_small_ones),
	    cmocka_unit_test(what_was_free_at_an_earlier_look_is_passing),
	    cmocka_unit_test(what_was_beyond_the_end_of_a_heap_is_passing),
	    cmocka_unit_test(what_is_free_in_a_small_block_now_is_not_passing),
	    cmocka_unit_test(a_look_finds_large_free_blocks),
	    cmocka_unit_test(large_blocks_alone_are_quick_to_count),
	    cmocka_unit_test(a_block_that_is_found_twice_counts_once),
	    cmocka_unit_test(memory_that_was_given_back_is_free_and_not_kept),
	    cmocka_unit_test(swapped_free_pages_are_kept_and_stay_swapped),
	    cmocka_unit_test(a_swapped_header_is_not_read),
	    cmocka_unit_test(what_others_map_too_is_theirs),
	    cmocka_unit_test(contents_that_fit_nothing_are_no_number),
	    cmocka_unit_test(a_free_block_that_its_neighbour_denies_is_no_number),
	    cmocka_unit_test(an_arena_that_changed_is_taken_again),
	    cmocka_unit_test(a_ring_of_freed_blocks_ends),
	    cmocka_unit_test(reasons_have_their_names),
	    cmocka_unit_test(a_break_that_others_move_is_not_walked),
	    cmocka_unit_test(maps_name_heap_libc_and_allocator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
