/* SPDX-License-Identifier: MIT */
#include "compare/stretch.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { EPOCHS = 24 };

static const struct view all = {.by_epoch = true, .from = 1, .to = EPOCHS};
static uint32_t seed = 1;

static double noise(void)
{
	seed = seed * 1664525 + 1013904223;
	return (double)(seed >> 8) / (1 << 24) - 0.5;
}

/* mib(epoch) in every epoch. */
static struct series_figures run_of(double (*mib)(int epoch))
{
	struct series_figures f = {0};

	for (int e = 1; e <= EPOCHS; e++) {
		f.by_epoch.x[f.by_epoch.n] = e;
		f.by_epoch.low[f.by_epoch.n++] = mib(e) * MIB;
	}
	return f;
}

static double white(int epoch)
{
	(void)epoch;
	return 100 + noise();
}

static double walking(int epoch)
{
	static double at;

	at = epoch == 1 ? 100 : at + noise();
	return at;
}

static double small_step(int epoch)
{
	return epoch > 14 ? 100.5 : 100;
}

static double large_step(int epoch)
{
	return epoch > 14 ? 150 : 100;
}

static double rising(int epoch)
{
	return 100 + 2 * epoch + noise() / 10;
}

static void level_and_slope(void **state)
{
	struct series_figures f = run_of(rising);
	struct stretch s = stretch_of(&f, &all);

	(void)state;
	assert_true(s.ok && s.sloped);
	assert_true(fabs(s.slope - 2.0 * MIB) < 0.05 * MIB);
	assert_true(fabs(s.level - 140.5 * MIB) < 2 * MIB);
	assert_true(sqrt(s.level_var) < 0.1 * MIB);
}

/* The points rise by 2 MiB; the report, which knows what of it is kept, says 1.5 (1.0 to 2.0). */
static void the_slope_of_growth_is_that_of_its_verdict(void **state)
{
	struct series_figures f = run_of(rising);
	struct stretch s;

	(void)state;
	f.v = (struct verdict){.shape = SHAPE_GROWTH,
			       .slope_known = true,
			       .per_epoch = true,
			       .slope_bytes_per_epoch = 1.5 * MIB,
			       .slope_low = 1.0 * MIB,
			       .slope_high = 2.0 * MIB};
	s = stretch_of(&f, &all);
	assert_true(fabs(s.slope - 1.5 * MIB) < 1);
	assert_true(sqrt(s.slope_var) > 0.25 * MIB);
	f.v.per_epoch = false; /* it is per second, and no figure of epochs */
	assert_true(fabs(stretch_of(&f, &all).slope - 2.0 * MIB) < 0.05 * MIB);
}

static void noise_with_a_memory_is_more(void **state)
{
	double whites = 0, walks = 0;

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct series_figures a = run_of(white), b = run_of(walking);

		whites += stretch_of(&a, &all).level_var;
		walks += stretch_of(&b, &all).level_var;
	}
	assert_true(sqrt(whites / 50) < 0.2 * MIB); /* 0.29 MiB is the noise of one epoch */
	assert_true(walks > 4 * whites);
}

static void a_step_that_is_alone_is_no_noise(void **state)
{
	struct series_figures small = run_of(small_step), large = run_of(large_step);

	(void)state;
	assert_true(sqrt(stretch_of(&large, &all).level_var) < 0.01 * MIB);
	assert_true(fabs(stretch_of(&large, &all).piece - PIECE_BYTES) < 1);
	assert_true(fabs(stretch_of(&small, &all).piece - 0.5 * MIB) < 1);
	assert_true(stretch_of(&small, &all).slope < 1); /* nor a slope */
}

static void what_both_do_alike_cancels(void **state)
{
	struct series_figures a = run_of(small_step), b = run_of(small_step);

	(void)state;
	assert_true(stretch_of_difference(&a, &b, &all).piece < 1);
	assert_true(fabs(stretch_of_difference(&a, &b, &all).level) < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(level_and_slope),
	    cmocka_unit_test(the_slope_of_growth_is_that_of_its_verdict),
	    cmocka_unit_test(noise_with_a_memory_is_more),
	    cmocka_unit_test(a_step_that_is_alone_is_no_noise),
	    cmocka_unit_test(what_both_do_alike_cancels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
