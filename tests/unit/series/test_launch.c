/* SPDX-License-Identifier: MIT */
/* Where a program that was watched from its start has come up, and when a rise may be no more than that. */
#include "series/launch.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MIB_BYTES 1048576.0

enum { WINDOWS = 60, WINDOW_MS = 500, ROW_MS = 100 };

/* Comes up from 2 MiB to 300 in so many windows, then rises by so much in each. */
static void fill_windows(int up, double later_mib, struct spans *a)
{
	a->n = WINDOWS;
	for (int i = 0; i < WINDOWS; i++) {
		double mib = i < up ? 2 + 298.0 * i / up : 300 + later_mib * (i - up);

		a->w[i] = (struct span){.lo = mib * MIB_BYTES,
					.med = mib * MIB_BYTES,
					.hi = mib * MIB_BYTES,
					.first_ms = (int64_t)i * WINDOW_MS,
					.last_ms = (int64_t)(i + 1) * WINDOW_MS - 1,
					.rows = 5};
	}
}

static const struct {
	int up; /* windows */
	double later_mib, start_mib;
	int64_t setup_ms;
	int from, to; /* where it may be said to end; 0: not seen */
} ends[] = {
    {10, 0, 2, -1, 9, 11},
    {10, 1, 2, -1, 9, 11},                   /* a leak since is no set-up */
    {20, 0, 2, -1, 19, 21},                  /* slow imports */
    {10, 0, 200, -1, 0, 0},                  /* attached to: it had most of its level */
    {WINDOWS, 0, 2, -1, 0, 0},               /* it never stops */
    {1, 1, 2, -1, 0, 0},                     /* over at once */
    {10, 0, 2, 15 * WINDOW_MS, 16, 16},      /* code was mapped for longer */
    {WINDOWS, 0, 2, 15 * WINDOW_MS, 16, 16}, /* the memory does not tell */
    {10, 0, 2, 3 * WINDOW_MS, 9, 11},        /* or for less long than memory rose */
};

static void set_up_ends_where_the_steep_rise_does(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct spans a;
		int end;

		fill_windows(ends[i].up, ends[i].later_mib, &a);
		end = launch_end(&a, ends[i].start_mib * MIB_BYTES, ends[i].setup_ms);
		if (end < ends[i].from || end > ends[i].to)
			fail_msg("case %zu: %d", i, end);
	}
}

/* It goes on as steeply after that: but imports give nothing back. */
static void a_fall_ends_set_up(void **state)
{
	struct spans a;

	(void)state;
	fill_windows(40, 0, &a);
	for (int i = 3; i < WINDOWS; i++)
		a.w[i].med -= 10 * MIB_BYTES;
	assert_int_equal(launch_end(&a, 2 * MIB_BYTES, -1), 2);
}

static void what_rises_once_most_is_there_is_no_set_up(void **state)
{
	struct spans a;

	(void)state;
	fill_windows(1, 0, &a);
	for (int i = 2; i < WINDOWS; i++)
		a.w[i].med += 3 * MIB_BYTES * (i < 12 ? i : 12);
	assert_int_equal(launch_end(&a, 2 * MIB_BYTES, -1), 0);
}

static void every_program_maps_code_in_its_first_half_second(void **state)
{
	struct spans a;

	(void)state;
	fill_windows(1, 0, &a);
	for (int i = 0; i < WINDOWS; i++)
		a.w[i].first_ms = (int64_t)i * ROW_MS;
	assert_int_equal(launch_end(&a, 2 * MIB_BYTES, 499), 0);
	assert_int_equal(launch_end(&a, 2 * MIB_BYTES, 500), 6);
}

struct run {
	enum series_kind kind;
	double first_mib; /* then 300 more */
	double up_s, all_s;
	double setup_s; /* as others saw it; 0 unknown */
	bool epochs;
};

enum { RECENT = 1, GOES_ON = 2, WAS_ALL = 4 };

static int answers(const struct run *r)
{
	struct series *s = series_new(r->kind);
	struct view v;
	int found = 0;

	for (int i = 0; i * ROW_MS < r->all_s * 1000; i++) {
		double up = fmin(1, i * ROW_MS / (r->up_s * 1000));

		series_push(s, i * ROW_MS, r->epochs ? i / 10 : -1,
			    (uint64_t)((r->first_mib + 300 * up) * MIB_BYTES));
	}
	if (r->setup_s > 0)
		series_set_up_until(s, (int64_t)(r->setup_s * 1000));
	series_settle(s);
	view_build(s, GRAIN_JOINED, &v);
	found += launch_is_recent(s, &v) ? RECENT : 0;
	found += launch_goes_on(s, &v) ? GOES_ON : 0;
	found += launch_was_all(s, &v) ? WAS_ALL : 0;
	series_free(s);
	return found;
}

static const struct {
	struct run run;
	int answers;
} runs[] = {
    {{SERIES_HOST, 2, 4, 4, 0, false}, RECENT | GOES_ON},
    {{SERIES_HOST, 2, 15, 15, 0, false}, RECENT | GOES_ON}, /* no end of set-up in sight */
    {{SERIES_HOST, 2, 3, 12, 0, false}, RECENT | WAS_ALL},
    {{SERIES_HOST, 2, 30, 30, 0, false}, 0},
    {{SERIES_HOST, 2, 30, 30, 10, false}, RECENT}, /* slow imports: four times as long */
    {{SERIES_HOST, 2, 14, 14, 10, false}, RECENT | GOES_ON},
    {{SERIES_HOST, 20, 4, 4, 0, false}, RECENT},           /* attached to: it may be coming up, or not */
    {{SERIES_HOST, 20, 4, 4, 2, false}, RECENT | GOES_ON}, /* code was mapped */
    {{SERIES_HOST, 2000, 4, 4, 0, false}, 0},              /* it had most at once */
    {{SERIES_HOST, 2, 4, 4, 0, true}, 0},                  /* epochs tell */
    {{SERIES_GPU, 2, 1.5, 1.5, 0, false}, RECENT},         /* no part in imports */
    {{SERIES_GPU, 2, 4, 4, 0, false}, 0},
};

static void a_rise_may_be_no_more_than_a_program_that_comes_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		int found = answers(&runs[i].run);

		if (found != runs[i].answers)
			fail_msg("case %zu: %d", i, found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(set_up_ends_where_the_steep_rise_does),
	    cmocka_unit_test(a_fall_ends_set_up),
	    cmocka_unit_test(what_rises_once_most_is_there_is_no_set_up),
	    cmocka_unit_test(every_program_maps_code_in_its_first_half_second),
	    cmocka_unit_test(a_rise_may_be_no_more_than_a_program_that_comes_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
