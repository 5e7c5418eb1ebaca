/* SPDX-License-Identifier: MIT */
#include "draw/trace.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MI = 1 << 20, ROWS = 5000 };

static struct history *recorded(void)
{
	struct history *h = history_new(2048);
	struct sample s = {.n = CH_HOST_COUNT, .epoch = -1};

	for (int i = 0; i < ROWS; i++) {
		int mib = i == 1234 ? 900 : i == 4321 ? 3 : 100 + i % 7;
		uint64_t bytes = (uint64_t)mib * MI;

		s.elapsed_ms = 200 * i;
		history_push(h, &s, (struct reading){bytes, true});
	}
	return h;
}

static void floors_and_peaks_survive_any_thinning(void **state)
{
	struct history *h = recorded();

	(void)state;
	for (int most = 8; most <= 4096; most *= 2) {
		struct trace_piece *pieces;
		int n = trace_thin(&h->times, HISTORY_HELD, most, &pieces);
		double low = INFINITY, high = 0;

		assert_true(n > 0 && n <= most);
		for (int i = 0; i < n; i++) {
			low = fmin(low, pieces[i].low);
			high = fmax(high, pieces[i].high);
			assert_true(i == 0 || pieces[i].begin_ms > pieces[i - 1].end_ms);
		}
		assert_true(low == 3.0 * MI && high == 900.0 * MI);
		free(pieces);
	}
	history_free(h);
}

static void points_go_through_each_floor_and_peak_in_order_of_time(void **state)
{
	const struct trace_piece pieces[] = {
	    {0, 300, 10, 5, 90, 20}, {400, 400, 20, 20, 20, 20}, {500, 800, 20, 20, 20, 20}};
	struct trace_point p[12];
	int n = trace_points(pieces, 3, p);

	(void)state;
	assert_int_equal(n, 5); /* a level line has its two ends only */
	for (int i = 1; i < n; i++)
		assert_true(p[i].ms > p[i - 1].ms);
	assert_true(p[0].bytes == 10 && p[1].bytes == 5 && p[2].bytes == 90 && p[3].bytes == 20 &&
		    p[4].ms == 800);
}

static void between_readings_a_track_lies_on_a_straight_line(void **state)
{
	const struct trace_piece pieces[] = {{100, 200, 10, 10, 10, 10}, {400, 500, 30, 30, 30, 30}};

	(void)state;
	assert_float_equal(trace_at(pieces, 2, 0), 10, 1e-9);
	assert_float_equal(trace_at(pieces, 2, 300), 20, 1e-9);
	assert_float_equal(trace_at(pieces, 2, 900), 30, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(floors_and_peaks_survive_any_thinning),
	    cmocka_unit_test(points_go_through_each_floor_and_peak_in_order_of_time),
	    cmocka_unit_test(between_readings_a_track_lies_on_a_straight_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
