/* SPDX-License-Identifier: MIT */
/* Runs with readings of the heaps through the whole judge: what rises is kept by the program, or by its allocator. */
#include "verdict/heap_share.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/units.h"
#include "verdict/judge.h"
#include "verdict/sentences.h"

enum { ROWS = 10 }; /* of an epoch */

struct run {
	double used_kib, free_kib, outside_kib; /* more in every epoch */
	int epochs;
	int read_from, read_until; /* epochs whose beginning is a reading */
	double late_kib;           /* more in use at every other reading: it came late */
	double moved_kib;          /* of every other epoch: in the heaps then, else outside of them */
	double batch_kib;          /* at most: a batch has begun, and looks before tell that */
	double untouched;          /* the part of it that is not there yet */
	double elsewhere_kib;      /* at most: what the program has put elsewhere within an epoch */
};

static struct reading kib(double n)
{
	return (struct reading){(uint64_t)(n * 1024), true};
}

/* Odd from row to row as in a real run, and the same in every test. */
static double wobble(int i)
{
	return (double)(i * 7919 % 64);
}

static double batch_of(const struct run *r, int epoch)
{
	return r->batch_kib * wobble(epoch) / 64;
}

static void put_looks(struct sample *s, const struct run *r, int epoch)
{
	if (r->batch_kib <= 0 && r->elsewhere_kib <= 0)
		return;
	s->v[CH_HEAP_PASSING] = kib(batch_of(r, epoch) + r->elsewhere_kib * wobble(epoch) / 64);
	s->v[CH_HEAP_UNTOUCHED] = kib(batch_of(r, epoch) * r->untouched);
}

static struct series_verdict judged(struct run r)
{
	struct judge *j = judge_new();
	struct series_verdict host;

	for (int i = 0; i <= r.epochs * ROWS; i++) {
		int e = i / ROWS;
		double used = 80000 + r.used_kib * e, unused = 6000 + r.free_kib * e,
		       outside = 140000 + r.outside_kib * e;
		struct sample s = {
		    .elapsed_ms = i * 200, .wall_ms = -1, .epoch = e, .procs = 1, .n = CH_HOST_COUNT};

		s.v[CH_HELD] = kib(used + unused + outside + wobble(i));
		s.v[CH_ANON] = s.v[CH_RSS] = s.v[CH_HELD];
		if (i % ROWS == 1 && e >= r.read_from && e < r.read_until) {
			used += e % 2 ? r.late_kib + r.moved_kib : 0;
			outside -= e % 2 ? r.moved_kib : 0;
			put_looks(&s, &r, e);
			used += batch_of(&r, e);
			outside -= batch_of(&r, e) * r.untouched;
			s.v[CH_HEAP_USED] = kib(used + wobble(i) / 8);
			s.v[CH_HEAP_FREE] = kib(unused);
			s.v[CH_HELD] = kib(used + unused + outside + wobble(i) / 4);
		}
		judge_push(j, &s);
	}
	host = judge_run(j)->series[0];
	judge_free(j);
	return host;
}

static bool says(const struct series_verdict *s, const char *words)
{
	char text[SENTENCE_MAX];

	return strstr(sentence_reason(text, s, TENSE_ANY), words) != NULL;
}

static void what_the_allocator_keeps_is_no_growth(void **state)
{
	struct series_verdict s = judged((struct run){0, 338, 2, 24, 0, 99, 0, 0, 0, 0, 0});

	(void)state;
	assert_true(s.heap.known && s.heap.freed);
	assert_int_equal(s.v.shape, SHAPE_WARMUP);
	assert_true(says(&s, "+338 KiB per epoch were freed by the program and kept by its allocator"));
	assert_true(says(&s, "not a leak"));
}

static void what_the_program_keeps_is_growth(void **state)
{
	struct series_verdict s = judged((struct run){298, 284, 2, 24, 0, 99, 0, 0, 0, 0, 0});

	(void)state;
	assert_true(s.heap.kept);
	assert_int_equal(s.v.shape, SHAPE_GROWTH);
	assert_true(s.v.firm);
	assert_in_range((uint64_t)s.v.slope_bytes_per_epoch, 283 * KIB, 313 * KIB);
	assert_true(says(&s, "kept by the program"));
	assert_true(says(&s, "KiB were freed, and stay with its allocator)"));
}

/* Small Python objects are outside malloc's heaps. */
static void growth_outside_the_heaps_is_kept_too(void **state)
{
	struct series_verdict s = judged((struct run){0, 0, 290, 24, 0, 99, 0, 0, 0, 0, 0});

	(void)state;
	assert_true(s.heap.kept);
	assert_in_range((uint64_t)s.v.slope_bytes_per_epoch, 275 * KIB, 305 * KIB);
}

static void growth_of_both_is_added(void **state)
{
	struct series_verdict s = judged((struct run){200, 0, 300, 24, 0, 99, 0, 0, 0, 0, 0});

	(void)state;
	assert_in_range((uint64_t)s.v.slope_bytes_per_epoch, 475 * KIB, 525 * KIB);
}

static void without_readings_what_is_held_is_judged(void **state)
{
	struct series_verdict s = judged((struct run){300, 0, 0, 24, 99, 99, 0, 0, 0, 0, 0});

	(void)state;
	assert_false(s.heap.known);
	assert_int_equal(s.v.shape, SHAPE_GROWTH);
	assert_false(says(&s, "kept by the program"));
}

/* Known from the twelfth epoch on, or until then: neither makes a step. */
static void becoming_known_or_unknown_makes_no_step(void **state)
{
	struct series_verdict late = judged((struct run){0, 0, 0, 30, 12, 99, 0, 0, 0, 0, 0});
	struct series_verdict early = judged((struct run){0, 0, 0, 30, 0, 12, 0, 0, 0, 0, 0});

	(void)state;
	assert_true(late.heap.known);
	assert_int_equal(late.v.shape, SHAPE_FLAT);
	assert_int_equal((int64_t)late.v.jump_bytes, 0);
	assert_false(early.heap.known);
	assert_int_equal(early.v.shape, SHAPE_FLAT);
	assert_int_equal((int64_t)early.v.jump_bytes, 0);
}

static void readings_that_come_late_change_nothing(void **state)
{
	struct series_verdict ordinary = judged((struct run){0, 100, 0, 24, 0, 99, 1000, 0, 0, 0, 0});
	struct series_verdict leak = judged((struct run){300, 0, 0, 24, 0, 99, 1000, 0, 0, 0, 0});

	(void)state;
	assert_int_not_equal(ordinary.v.shape, SHAPE_GROWTH);
	assert_true(ordinary.heap.used.slope < 8 * KIB);
	assert_int_equal(leak.v.shape, SHAPE_GROWTH);
	assert_false(leak.heap.freed);
	assert_in_range((uint64_t)leak.heap.used.slope, 270 * KIB, 330 * KIB);
}

static void a_leak_of_300_kib_is_certain_after_eight_epochs(void **state)
{
	struct series_verdict in_heap = judged((struct run){300, 0, 0, 8, 0, 99, 0, 0, 0, 0, 0});
	struct series_verdict outside = judged((struct run){0, 0, 300, 8, 0, 99, 0, 0, 0, 0, 0});

	(void)state;
	assert_true(in_heap.v.shape == SHAPE_GROWTH && in_heap.v.firm && in_heap.heap.kept);
	assert_true(outside.v.shape == SHAPE_GROWTH && outside.v.firm && outside.heap.kept);
	assert_in_range((uint64_t)in_heap.v.slope_bytes_per_epoch, 285 * KIB, 315 * KIB);
}

/* 300 KiB in each epoch; three rows without what is held, while snapshots take 2 MiB that stay. */
static void what_snapshots_take_is_no_part_of_the_rate(void **state)
{
	struct heap_share *h = heap_share_new();
	struct heap_evidence e;

	(void)state;
	for (int i = 1; i <= 18; i++) {
		uint64_t used = 50 * MIB + (uint64_t)i * 300 * KIB + (i > 10 ? 2 * MIB : 0);
		struct sample s = {.elapsed_ms = 1000 * i, .epoch = i};
		bool disturbed = i > 10 && i <= 13;

		s.v[CH_ANON] = (struct reading){used + 9 * MIB, true};
		s.v[CH_HELD] = (struct reading){used + 9 * MIB, !disturbed};
		s.v[CH_HEAP_USED] = (struct reading){used, !disturbed};
		s.v[CH_HEAP_FREE] = (struct reading){4 * MIB, !disturbed};
		heap_share_push(h, &s);
	}
	heap_share_judge(h, 18, &e);
	assert_in_range((uint64_t)e.rate.used, 299 * KIB, 301 * KIB);
	assert_in_range((uint64_t)e.rate.kept, 299 * KIB, 301 * KIB);
	heap_share_free(h);
}

/* Few readings, as of short epochs: 3 MiB more in each epoch, and 40 MiB as the model was built. */
static void a_reading_as_the_program_comes_up_is_no_part_of_the_rate(void **state)
{
	static const int read_at[] = {0, 1, 2, 7};
	struct heap_share *h = heap_share_new();
	struct heap_evidence e;

	(void)state;
	for (size_t i = 0; i < sizeof(read_at) / sizeof(read_at[0]); i++) {
		int epoch = read_at[i];
		uint64_t used = 50 * MIB + (uint64_t)epoch * 3 * MIB + (epoch > 0 ? 40 * MIB : 0);
		struct sample s = {.elapsed_ms = 1000 * epoch, .epoch = epoch};

		s.v[CH_HEAP_USED] = (struct reading){used, true};
		s.v[CH_HEAP_FREE] = (struct reading){4 * MIB, true};
		s.v[CH_HELD] = (struct reading){used + 9 * MIB, true};
		heap_share_push(h, &s);
	}
	heap_share_judge(h, 8, &e);
	assert_true(e.split.slope_known);
	assert_in_range((uint64_t)e.split.kept_slope, 3 * MIB - 1, 3 * MIB + 1);
	heap_share_free(h);
}

/* Blocks of 10 MiB that are once in the heaps and once mapped by themselves. */
static void what_moves_out_of_the_heaps_and_back_hides_nothing(void **state)
{
	struct series_verdict ordinary =
	    judged((struct run){.free_kib = 50, .epochs = 24, .read_until = 99, .moved_kib = 10000});
	struct series_verdict leak =
	    judged((struct run){.outside_kib = 300, .epochs = 24, .read_until = 99, .moved_kib = 10000});

	(void)state;
	assert_int_not_equal(ordinary.v.shape, SHAPE_GROWTH);
	assert_true(leak.v.shape == SHAPE_GROWTH && leak.v.firm && leak.heap.kept);
	assert_in_range((uint64_t)leak.v.slope_bytes_per_epoch, 285 * KIB, 315 * KIB);
}

static void a_level_run_says_what_of_it_is_free(void **state)
{
	struct series_verdict s = {.kind = SERIES_HOST, .name = "host"};

	(void)state;
	s.v.shape = SHAPE_FLAT;
	s.v.firm = true;
	s.heap =
	    (struct heap_split){.known = true, .used.last_bytes = 700 * MIB, .unused.last_bytes = 400 * MIB};
	s.heap.outside.last_bytes = 100 * MIB;
	assert_true(says(&s, "Of 1.17 GiB, 400 MiB is free inside the heap."));
	s.heap.unused.last_bytes = 10 * MIB;
	assert_false(says(&s, "free inside the heap"));
}

static void a_second_reading_in_an_epoch_is_left_out(void **state)
{
	struct heap_share *h = heap_share_new();
	struct sample s = {.epoch = 3, .n = CH_HOST_COUNT};

	(void)state;
	s.v[CH_HELD] = kib(300);
	s.v[CH_HEAP_USED] = kib(100);
	s.v[CH_HEAP_FREE] = kib(50);
	heap_share_push(h, &s);
	s.v[CH_HEAP_USED] = kib(500);
	heap_share_push(h, &s);
	assert_int_equal(h->readings, 1);
	assert_int_equal(h->last.outside, 150 * KIB);
	s.epoch = 4;
	heap_share_push(h, &s);
	assert_int_equal(h->readings, 2);
	assert_int_equal(h->last.outside, 0); /* not touched yet, so not held */
	heap_share_free(h);
}

/* As in PyTorch's loops, whose next batch begins sooner than the heap can be read. */
static void the_batch_that_has_begun_hides_no_leak(void **state)
{
	struct run r = {.used_kib = 300, .epochs = 10, .read_until = 99, .batch_kib = 4000, .untouched = 0.5};
	struct series_verdict s = judged(r);

	(void)state;
	assert_true(s.heap.kept && s.v.firm);
	assert_int_equal(s.v.shape, SHAPE_GROWTH);
	assert_true(s.v.slope_bytes_per_epoch > 285 * KIB && s.v.slope_bytes_per_epoch < 315 * KIB);
}

static void the_batch_that_has_begun_is_no_growth(void **state)
{
	struct run r = {.epochs = 24, .read_until = 99, .batch_kib = 4000, .untouched = 0.5};

	(void)state;
	for (; r.epochs >= 4; r.epochs--)
		assert_false(judged(r).v.firm && judged(r).v.shape == SHAPE_GROWTH);
}

/* What was freed here and taken there looks as if it passed through, though as much is in use as before. */
static void what_the_program_puts_elsewhere_hides_no_leak(void **state)
{
	struct run r = {.used_kib = 300, .epochs = 10, .read_until = 99, .elsewhere_kib = 4000};
	struct series_verdict s = judged(r);

	(void)state;
	assert_true(s.heap.kept && s.v.firm);
	assert_int_equal(s.v.shape, SHAPE_GROWTH);
}

static void readings_without_end_take_the_same_memory(void **state)
{
	struct heap_share *h = heap_share_new();
	struct sample s = {.n = CH_HOST_COUNT};
	struct heap_split split_of = {0};

	(void)state;
	for (int e = 0; e < 10000; e++) {
		s.epoch = e;
		s.elapsed_ms = e * 1000;
		s.v[CH_HELD] = kib(100000 + 3 * e);
		s.v[CH_HEAP_USED] = kib(50000 + 2 * e);
		s.v[CH_HEAP_FREE] = kib(10000 + e);
		heap_share_push(h, &s);
	}
	assert_true(h->n <= POINTS_MAX);
	split(h, &split_of);
	assert_int_equal((int64_t)split_of.used.slope, 2 * KIB);
	assert_int_equal((int64_t)split_of.unused.slope, 1 * KIB);
	heap_share_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_the_allocator_keeps_is_no_growth),
	    cmocka_unit_test(what_the_program_keeps_is_growth),
	    cmocka_unit_test(growth_outside_the_heaps_is_kept_too),
	    cmocka_unit_test(growth_of_both_is_added),
	    cmocka_unit_test(without_readings_what_is_held_is_judged),
	    cmocka_unit_test(becoming_known_or_unknown_makes_no_step),
	    cmocka_unit_test(readings_that_come_late_change_nothing),
	    cmocka_unit_test(a_leak_of_300_kib_is_certain_after_eight_epochs),
	    cmocka_unit_test(what_snapshots_take_is_no_part_of_the_rate),
	    cmocka_unit_test(a_reading_as_the_program_comes_up_is_no_part_of_the_rate),
	    cmocka_unit_test(what_moves_out_of_the_heaps_and_back_hides_nothing),
	    cmocka_unit_test(a_level_run_says_what_of_it_is_free),
	    cmocka_unit_test(a_second_reading_in_an_epoch_is_left_out),
	    cmocka_unit_test(the_batch_that_has_begun_hides_no_leak),
	    cmocka_unit_test(the_batch_that_has_begun_is_no_growth),
	    cmocka_unit_test(what_the_program_puts_elsewhere_hides_no_leak),
	    cmocka_unit_test(readings_without_end_take_the_same_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
