/* SPDX-License-Identifier: MIT */
/* Which steps of a series are told as jumps, how large, when, and what they come to. */
#include "series/jumps.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MIB_BYTES 1048576.0

enum { ROW_MS = 100, ROWS = 400, EPOCH_ROWS = 10, STEPS = 4 };

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within;
}

struct step {
	int row; /* 0: no further one */
	double mib;
};

/* 400 MiB, with these steps. */
static struct series *stepped(const struct step *steps, bool epochs)
{
	struct series *s = series_new(SERIES_HOST);

	for (int i = 0; i < ROWS; i++) {
		double mib = 400;

		for (int k = 0; k < STEPS && steps[k].row > 0; k++)
			mib += i >= steps[k].row ? steps[k].mib : 0;
		series_push(s, i * ROW_MS, epochs ? i / EPOCH_ROWS : -1, (uint64_t)(mib * MIB_BYTES));
	}
	series_settle(s);
	return s;
}

static const struct {
	struct step steps[STEPS];
	double level_mib; /* at the end */
	double largest_mib;
	int row, count; /* of the largest; how many */
	double all_mib;
} jumps[] = {
    {{{200, 100}}, 500, 100, 200, 1, 100},
    {{{200, 80}, {211, 20}}, 500, 100, 200, 1, 100}, /* one, in two parts */
    {{{40, 60}, {120, 90}, {300, 70}}, 620, 90, 120, 3, 220},
    {{{40, 60}, {120, 90}, {200, 20}}, 570, 90, 120, 2, 150}, /* the small one is not counted */
    {{{200, 100}, {204, -40}}, 460, 60, 200, 1, 60},          /* a copy was held for a moment */
};

static void a_step_that_is_kept_is_a_jump(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		struct series *s = stepped(jumps[i].steps, true);
		struct jumps j;

		assert_true(
		    jumps_find(s, (struct slots){0, s->slot_n}, jumps[i].level_mib * MIB_BYTES, 0.3, &j));
		assert_true(near(j.largest_bytes / MIB_BYTES, jumps[i].largest_mib, 1));
		assert_in_range(j.ms, jumps[i].row * ROW_MS - 1000, jumps[i].row * ROW_MS);
		assert_in_range(j.epoch, jumps[i].row / EPOCH_ROWS, jumps[i].row / EPOCH_ROWS + 1);
		assert_int_equal(j.count, jumps[i].count);
		assert_true(near(j.all_bytes / MIB_BYTES, jumps[i].all_mib, 1));
		series_free(s);
	}
}

static const struct {
	struct step steps[STEPS];
	double level_mib;
} none[] = {
    {{{0}}, 400},
    {{{200, 100}, {220, -100}}, 400}, /* given back */
    {{{200, 3}}, 403},                /* less than a hundredth of the level */
    {{{200, -100}}, 300},
};

static void what_is_no_jump_leaves_the_answer_as_it_was(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct series *s = stepped(none[i].steps, true);
		struct jumps j = {.count = 77};

		assert_false(
		    jumps_find(s, (struct slots){0, s->slot_n}, none[i].level_mib * MIB_BYTES, 0.3, &j));
		assert_int_equal(j.count, 77);
		series_free(s);
	}
}

/* 100 MiB more over the whole run, a fifth of it at once. */
static void a_step_counts_by_its_share_of_all_that_was_gained(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	struct jumps j;
	struct slots all;

	(void)state;
	for (int i = 0; i < ROWS; i++)
		series_push(s, i * ROW_MS, -1, (uint64_t)((400 + 0.2 * i + (i >= 200 ? 20 : 0)) * MIB_BYTES));
	series_settle(s);
	all = (struct slots){0, s->slot_n};
	assert_false(jumps_find(s, all, 500 * MIB_BYTES, 0.3, &j));
	assert_true(jumps_find(s, all, 500 * MIB_BYTES, 0.1, &j));
	assert_true(near(j.largest_bytes / MIB_BYTES, 23, 4)); /* with what the ramp adds there */
	assert_int_equal(j.epoch, -1);                         /* there are none */
	series_free(s);
}

/* Rows of set-up, then 30 epochs; the last has not ended. */
static void finished_epochs_are_what_was_trained(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	struct slots r;

	(void)state;
	for (int i = 0; i < ROWS; i++)
		series_push(s, i * ROW_MS, i < 100 ? -1 : (i - 100) / EPOCH_ROWS,
			    (uint64_t)(400 * MIB_BYTES));
	series_settle(s);
	r = slots_trained(s);
	assert_true(r.from > 0 && r.from < r.to && r.to < s->slot_n);
	assert_true(s->slots[r.from].first_ms >= 100 * ROW_MS &&
		    s->slots[r.from - 1].first_ms < 100 * ROW_MS);
	assert_true(s->slots[r.to - 1].epoch1 < 29 && s->slots[r.to].epoch1 == 29);
	series_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_step_that_is_kept_is_a_jump),
	    cmocka_unit_test(what_is_no_jump_leaves_the_answer_as_it_was),
	    cmocka_unit_test(a_step_counts_by_its_share_of_all_that_was_gained),
	    cmocka_unit_test(finished_epochs_are_what_was_trained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
