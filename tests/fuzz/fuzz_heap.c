/* SPDX-License-Identifier: MIT */
/* Made processes with broken heaps through the walk: words, sizes, links and pages overwritten, before it and while it
 * reads. Checks what must hold for any contents: it ends within the reads it is given, reads no page that is not
 * there, and what it gives is no more than what is mapped. Built with ASan and UBSan (make fuzz-heap).
 *
 *     fuzz_heap [RUNS [SEED]] */
#include <inttypes.h>
#include <stdio.h>

#include "../unit/host/heap_made.h"
#include "host/heap_passing.h"
#include "lot.h"

enum { TEMPLATES = 16, READS_MAX = 400 };

static struct made templates[TEMPLATES], made;
static struct heap_walk walk;
static struct heap_ranges before;
static uint64_t ended[HEAP_OVER_BUDGET + 1]; /* walks, by how they ended */

static void fill(struct made *m, int part)
{
	struct made_part *p = &m->part[part];
	uint64_t size;

	while (p->fill + (size = 32 + 16 * (uint64_t)rnd(rnd(8) ? 16 : 700)) + 64 < p->bytes && rnd(200)) {
		if (p->last_free || rnd(3))
			made_block(m, part, size, MADE_USED);
		else
			made_link(m, part, made_block(m, part, size, MADE_FREE), rnd(4) ? rnd(8) : rnd(126));
	}
	if (p->last_free)
		made_block(m, part, 32, MADE_USED);
	made_top(m, part);
}

/* Some small used blocks hang on the list of the freed ones, linked as glibc links them. */
static void hang(struct made *m)
{
	uint64_t list = 0, offset;
	struct made_part *p = &m->part[MADE_MAIN], *state = made_state(m, MADE_MAIN, &offset);

	for (int i = 0; i < 5; i++) {
		uint64_t at = made_block(m, MADE_MAIN, 48, MADE_USED);

		made_put(p, at - p->at + 16, list ^ ((at + 16) >> 12));
		list = at;
	}
	made_put(state, offset + 24, list);
}

static void make_templates(void)
{
	for (int i = 0; i < TEMPLATES; i++) {
		made_init(&templates[i], i % 4);
		hang(&templates[i]);
		for (int part = 0; part <= i % 4; part++)
			fill(&templates[i], part);
	}
}

static uint64_t any_word(void)
{
	static const uint64_t odd[] = {
	    0, 1, 8, 16, 17, 31, 32, 33, UINT64_MAX, UINT64_MAX - 15, UINT64_C(1) << 63};
	const struct made_part *p = &made.part[rnd(MADE_PARTS)];

	switch (rnd(5)) {
	case 0:
		return odd[rnd(sizeof(odd) / sizeof(odd[0]))];
	case 1:
		return p->at + rnd(MADE_PART_BYTES);
	case 2:
		return p->at + 16 * (uint64_t)rnd(MADE_PART_BYTES / 16);
	case 3:
		return rng;
	default:
		return (uint64_t)rnd(1 << 20) & ~UINT64_C(6);
	}
}

static void mutate(struct made *m)
{
	struct made_part *p = &m->part[rnd(4) ? rnd(4) : MADE_LIBC];
	uint32_t last = p == &m->part[MADE_LIBC] ? 0x460 + MADE_STATE : MADE_PART_BYTES;

	switch (rnd(8)) {
	case 0:
		p->pages[rnd(MADE_PART_PAGES)] = (uint64_t)rnd(4) << 62 | (uint64_t)rnd(2) << 56;
		break;
	case 1:
		p->data[rnd(last)] ^= (unsigned char)(1 << rnd(8));
		break;
	case 2: /* a word from elsewhere */
		memmove(p->data + rnd(last / 8) * 8, p->data + rnd(last / 8) * 8, 8);
		break;
	case 3:
		made_put(p, rnd(320) * 8, any_word());
		break;
	default:
		made_put(p, rnd(last / 8) * 8, any_word());
	}
}

static void mutate_sometimes(struct made *m)
{
	if (rnd(16) == 0)
		mutate(m);
}

static void run(void)
{
	const struct heap_image image = made_image(&made);
	struct heap_sizes sizes;
	enum heap_state state;

	made = templates[rnd(TEMPLATES)];
	made.reads_max = 1 + rnd(READS_MAX);
	made.on_read = rnd(2) ? mutate_sometimes : NULL;
	for (uint32_t k = rnd(8); k > 0; k--)
		mutate(&made);
	if (rnd(8) == 0)
		before = (struct heap_ranges){0};
	if (rnd(2) && heap_walk_look(&walk, &image, &made.maps) == HEAP_KNOWN)
		heap_ranges_join(&before, walk.unused, heap_passing_unused(&walk));
	if (made.reads > made.reads_max + 1)
		abort();
	made.reads = 0;
	if (rnd(4) == 0 &&
	    heap_walk_large(&walk, &image, &made.maps, &before, rnd(4096), &sizes) == HEAP_KNOWN &&
	    (sizes.kept_bytes > sizes.free_bytes || sizes.passing_bytes > sizes.used_bytes ||
	     sizes.untouched_bytes > sizes.passing_bytes))
		abort();
	made.reads = 0;
	state = heap_walk(&walk, &image, &made.maps, rnd(2) ? HEAP_BY_LISTS : HEAP_BY_BLOCKS, rnd(2), &before,
			  &sizes);
	ended[state]++;
	if (made.reads > made.reads_max + 1 || (made.absent_reads && !made.on_read))
		abort();
	if (state == HEAP_KNOWN &&
	    (sizes.kept_bytes > sizes.free_bytes || sizes.passing_bytes > sizes.used_bytes ||
	     sizes.untouched_bytes > sizes.passing_bytes))
		abort();
}

int main(int argc, char **argv)
{
	uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;

	rng = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : UINT64_C(0x9e3779b97f4a7c15);
	make_templates();
	for (uint64_t i = 1; i <= runs; i++) {
		run();
		if (i % 1000000 == 0 || i == runs) {
			printf("%" PRIu64 " walks, %" PRIu64 " known, %" PRIu64 " changing, %" PRIu64
			       " over budget\n",
			       i, ended[HEAP_KNOWN], ended[HEAP_CHANGING], ended[HEAP_OVER_BUDGET]);
			fflush(stdout);
		}
	}
	return 0;
}
