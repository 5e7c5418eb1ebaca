/* SPDX-License-Identifier: MIT */
/* Teeth in windows of equal time, and whether they become the windows. */
#include "series/period.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WINDOWS = 64, WINDOW_MS = 1000 };

static bool near(double a, double b, double within)
{
	return fabs(a - b) <= within;
}

struct saw {
	double level, tooth, rise; /* rise: of the floor, per window */
	int period;                /* windows; 0: a tooth of 4, then one of 8 */
	int setup;                 /* windows of steep rise before the first tooth */
};

static int phase(const struct saw *w, int i)
{
	return w->period ? i % w->period : i % 12 < 4 ? i % 12 : i % 12 - 4;
}

static int length(const struct saw *w, int i)
{
	return w->period ? w->period : i % 12 < 4 ? 4 : 8;
}

static void fill_windows(const struct saw *w, struct spans *a)
{
	a->n = WINDOWS;
	for (int i = 0; i < WINDOWS; i++) {
		double y = w->level * (i + 1) / (w->setup + 1);

		if (i >= w->setup)
			y = w->level + w->rise * i + w->tooth * phase(w, i) / (length(w, i) - 1);
		a->w[i] = (struct span){.lo = y - 0.01,
					.med = y,
					.hi = y + 0.01,
					.first_ms = i * WINDOW_MS,
					.last_ms = (i + 1) * WINDOW_MS - 1,
					.rows = 10};
	}
}

static const struct {
	struct saw saw;
	int setup; /* as it is told */
	bool found;
} cases[] = {
    {{.level = 400, .tooth = 80, .period = 6}, 0, true},
    {{.level = 400, .tooth = 80, .period = 6, .rise = 2}, 0, true},
    {{.level = 400, .tooth = 12, .period = 6}, 0, true},
    {{.level = 400, .tooth = 4, .period = 6}, 0, false},  /* fainter than 2 % of the level */
    {{.level = 400, .tooth = 80, .period = 8}, 0, false}, /* too few */
    {{.level = 400, .tooth = 80}, 0, false},              /* uneven */
    {{.level = 400, .rise = 5, .period = 6}, 0, false},
    {{.level = 400, .tooth = 80, .period = 5, .setup = 16}, 17, true},
    {{.level = 400, .tooth = 80, .period = 5, .setup = 16}, 60, false}, /* hardly anything but set-up */
};

static void six_even_teeth_are_a_period(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct spans a;

		fill_windows(&cases[i].saw, &a);
		if (period_group(&a, cases[i].setup) != cases[i].found)
			fail_msg("case %zu", i);
		if (!cases[i].found)
			assert_int_equal(a.n, WINDOWS);
	}
}

/* Each holds one floor, which is the lowest of its tooth; none is left out between them. */
static void a_window_is_one_tooth(void **state)
{
	static const struct saw saw = {.level = 400, .tooth = 80, .period = 6, .rise = 2};
	struct spans a;

	(void)state;
	fill_windows(&saw, &a);
	assert_true(period_group(&a, 0));
	assert_in_range(a.n, 8, 9);
	for (int i = 0; i < a.n; i++) {
		int64_t at = a.w[i].first_ms / WINDOW_MS;

		assert_int_equal(at % 6, 0);
		assert_true(near(a.w[i].lo, 400 + 2 * (double)at, 0.1));
		assert_true(near(a.w[i].hi, 480 + 2 * (double)(at + 5), 0.1));
		assert_int_equal(a.w[i].rows, 60);
		assert_true(i == 0 || a.w[i].first_ms == a.w[i - 1].last_ms + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(six_even_teeth_are_a_period),
	    cmocka_unit_test(a_window_is_one_tooth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
