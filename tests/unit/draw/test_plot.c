/* SPDX-License-Identifier: MIT */
#include "draw/plot.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "verdict/judge.h"

enum { MI = 1 << 20, EPOCHS = 20, ROWS = 10 };

struct run {
	struct judge *judge;
	struct history *history;
	const struct run_verdict *verdict;
};

static uint64_t leak(int64_t epoch)
{
	return (uint64_t)(100 + 4 * epoch) * MI;
}

static uint64_t step(int64_t epoch)
{
	return (epoch < 3 ? 100 : 300) * (uint64_t)MI;
}

static bool free_in_heaps;

static void add_heaps(struct sample *s, bool read)
{
	uint64_t unused = (uint64_t)(40 + s->epoch) * MI;

	s->v[CH_HEAP_USED] = (struct reading){s->v[CH_HELD].bytes - unused - 20 * MI, read};
	s->v[CH_HEAP_FREE] = (struct reading){unused, read};
}

/* Epochs of ten rows, a second each; every other row 3 MiB above its floor. */
static void judge_levels(struct run *r, uint64_t (*level)(int64_t epoch), int64_t planned)
{
	struct sample s = {.n = CH_HOST_COUNT, .procs = 1};

	r->judge = judge_new();
	r->history = history_new(512);
	judge_planned(r->judge, planned);
	for (int i = 0; i < EPOCHS * ROWS; i++) {
		s.elapsed_ms = 100 * i;
		s.epoch = i / ROWS;
		s.v[CH_HELD] = (struct reading){level(s.epoch) + (uint64_t)(i % 2) * 3 * MI, true};
		add_heaps(&s, free_in_heaps && i % ROWS == 0);
		judge_push(r->judge, &s);
		history_push(r->history, &s, s.v[CH_HELD]);
	}
	r->verdict = judge_run(r->judge);
}

static void close_run(struct run *r)
{
	judge_free(r->judge);
	history_free(r->history);
}

static void the_line_of_growth_lies_on_the_floors(void **state)
{
	struct run r;
	struct plot p;

	(void)state;
	judge_levels(&r, leak, 100);
	assert_true(plot_series(&p, r.history, &r.verdict->series[0]));
	assert_true(p.growth.known && !p.plateau.known && !p.heap);
	assert_float_equal(p.growth.to_ms, 19000.0, 0.5); /* the last epoch runs still */
	assert_float_equal(plot_line_at(&p.growth, 10500.0) / MI, 140.0, 1.0);
	assert_true(p.growth.to_low <= p.growth.to_bytes && p.growth.to_high >= p.growth.to_bytes);
	assert_float_equal(p.low / MI, 100.0, 1e-6);
	assert_float_equal(p.high / MI, 179.0, 1e-6);
	assert_true(p.outlook.known);
	assert_float_equal(p.outlook.to_ms, 100000.0, 2500.0);
	assert_float_equal(p.outlook.to_bytes / MI, 500.0, 15.0);
	close_run(&r);
}

/* Of 100 MiB and more, 40 are free in the heaps; what is freed as well rises by a MiB per epoch. */
static void where_the_program_keeps_what_grows_the_line_lies_on_the_edge_of_that(void **state)
{
	struct run r;
	struct plot p;

	(void)state;
	free_in_heaps = true;
	judge_levels(&r, leak, -1);
	free_in_heaps = false;
	assert_true(plot_series(&p, r.history, &r.verdict->series[0]));
	assert_true(r.verdict->series[0].heap.kept);
	assert_true(p.heap && p.kept.known);
	assert_float_equal(plot_line_at(&p.kept, 10000.0) / MI, 140.0 - 40.0 - 10.0, 1.0);
	assert_float_equal(plot_line_at(&p.kept, 18000.0) / MI, 172.0 - 40.0 - 18.0, 1.0);
	assert_float_equal(plot_line_at(&p.growth, 10500.0) / MI, 140.0, 3.0); /* for who draws floors */
	close_run(&r);
}

static void a_reservation_has_its_jump_and_its_plateau(void **state)
{
	struct run r;
	struct plot p;

	(void)state;
	judge_levels(&r, step, -1);
	assert_true(plot_series(&p, r.history, &r.verdict->series[0]));
	assert_true(p.jump && p.plateau.known && !p.growth.known && !p.outlook.known);
	assert_in_range((int)p.jump_ms, 2500, 3500);
	assert_in_range((int)(p.plateau.bytes / MI), 300, 303);
	assert_true(p.plateau.from_ms >= 2500 && p.plateau.to_ms > p.plateau.from_ms);
	close_run(&r);
}

static void a_series_without_rows_has_no_plot(void **state)
{
	struct history *h = history_new(16);
	struct series_verdict s = {.name = "gpu3", .kind = SERIES_GPU};
	struct plot p;

	(void)state;
	assert_false(plot_series(&p, h, &s));
	strcpy(s.name, "host");
	assert_false(plot_series(&p, h, &s));
	history_free(h);
}

static bool has_peak(const struct series_verdict *s)
{
	return s->v.peak_bytes > 0;
}

/* The host is the last here, so that its place does not come from the order. */
static void of_many_series_the_host_and_what_grows_are_drawn(void **state)
{
	struct series_verdict series[] = {
	    {.kind = SERIES_GPU, .v = {.shape = SHAPE_FLAT, .peak_bytes = MI}},
	    {.kind = SERIES_GPU, .v = {.shape = SHAPE_RESERVATION}},
	    {.kind = SERIES_GPU, .v = {.shape = SHAPE_FLAT, .peak_bytes = MI}},
	    {.kind = SERIES_GPU, .v = {.shape = SHAPE_GROWTH, .peak_bytes = MI}},
	    {.kind = SERIES_HOST, .v = {.shape = SHAPE_FLAT, .peak_bytes = MI}},
	};
	struct run_verdict run = {.n = 5, .series = series};
	static const bool of_two[] = {false, false, false, true, true},
			  of_three[] = {true, false, false, true, true};

	(void)state;
	for (int i = 0; i < run.n; i++) {
		assert_int_equal(plot_chosen(&run, i, 2, has_peak), of_two[i]);
		assert_int_equal(plot_chosen(&run, i, 3, has_peak), of_three[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_line_of_growth_lies_on_the_floors),
	    cmocka_unit_test(where_the_program_keeps_what_grows_the_line_lies_on_the_edge_of_that),
	    cmocka_unit_test(a_reservation_has_its_jump_and_its_plateau),
	    cmocka_unit_test(a_series_without_rows_has_no_plot),
	    cmocka_unit_test(of_many_series_the_host_and_what_grows_are_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
