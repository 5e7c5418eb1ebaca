/* SPDX-License-Identifier: MIT */
#include "series/history.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SPANS = 16 };

static struct sample row(int64_t ms, int64_t epoch, uint64_t bytes)
{
	struct sample s = {.elapsed_ms = ms, .epoch = epoch, .n = CH_HOST_COUNT};

	s.v[CH_RSS] = (struct reading){bytes, true};
	return s;
}

static void push(struct history *h, int64_t ms, int64_t epoch, uint64_t bytes)
{
	struct sample s = row(ms, epoch, bytes);

	history_push(h, &s, (struct reading){bytes, true});
}

static void few_rows_are_kept_as_they_are(void **state)
{
	struct history *h = history_new(SPANS);

	(void)state;
	for (int i = 0; i < SPANS; i++)
		push(h, 200 * i, -1, (uint64_t)i);
	assert_int_equal(h->times.n, SPANS);
	assert_int_equal(h->epochs.n, 0);
	for (int i = 0; i < SPANS; i++) {
		assert_int_equal(h->times.spans[i].begin_ms, 200 * i);
		assert_int_equal(history_cell(&h->times, i, HISTORY_HELD)->last, i);
		assert_int_equal(history_cell(&h->times, i, HISTORY_RSS)->last, i);
		assert_false(history_known(history_cell(&h->times, i, HISTORY_HEAP_FREE)));
		assert_false(history_known(history_cell(&h->times, i, HISTORY_HOST_TRACKS)));
	}
	history_free(h);
}

static void a_peak_and_a_floor_outlive_any_number_of_rows(void **state)
{
	struct history *h = history_new(SPANS);
	uint64_t low = UINT64_MAX, high = 0;
	int64_t last_ms = -1;

	(void)state;
	for (int i = 0; i < 100000; i++)
		push(h, 50 * i, i / 100, i == 777 ? 9000 : i == 77777 ? 5 : 100);
	assert_in_range(h->times.n, SPANS / 2, SPANS);
	assert_in_range(h->epochs.n, SPANS / 4, SPANS / 2);
	for (int i = 0; i < h->times.n; i++) {
		const struct history_cell *c = history_cell(&h->times, i, HISTORY_HELD);

		assert_true(h->times.spans[i].begin_ms > last_ms);
		last_ms = h->times.spans[i].end_ms;
		low = c->low < low ? c->low : low;
		high = c->high > high ? c->high : high;
		if (50 * 777 >= h->times.spans[i].begin_ms && 50 * 777 <= h->times.spans[i].end_ms)
			assert_int_equal(c->high, 9000);
	}
	assert_int_equal(low, 5);
	assert_int_equal(high, 9000);
	assert_int_equal(h->times.spans[h->times.n - 1].end_ms, 50 * 99999);
	history_free(h);
}

static void epochs_of_a_second_fit_are_counted_on(void **state)
{
	struct history *h = history_new(SPANS);

	(void)state;
	for (int64_t e = 0; e < 3; e++)
		push(h, 10 * e, e, 1);
	for (int64_t e = 0; e < 3; e++)
		push(h, 100 + 10 * e, e, 2);
	assert_int_equal(h->epochs.n, 5); /* the end of one fit is the beginning of the next */
	assert_int_equal(h->epochs.spans[4].epoch, 4);
	assert_int_equal(history_epochs_ended(h), 4);
	history_free(h);
}

static void a_gpu_found_later_has_no_past(void **state)
{
	struct history *h = history_new(SPANS);
	struct sample s = row(100, 0, 7);
	struct channel channels[CH_HOST_COUNT + 4] = {[CH_HOST_COUNT] = {"gpu0_bytes"},
						      [CH_HOST_COUNT + 2] = {"gpu1_bytes"}};

	(void)state;
	push(h, 0, 0, 5);
	history_channels(h, channels, CH_HOST_COUNT + 4);
	assert_int_equal(history_track(h, "gpu1"), HISTORY_HOST_TRACKS + 1);
	assert_int_equal(history_track(h, "gpu"), -1);
	s.n = CH_HOST_COUNT + 4;
	s.v[CH_HOST_COUNT + 2] = (struct reading){42, true};
	history_push(h, &s, (struct reading){7, true});
	assert_int_equal(history_cell(&h->times, 0, HISTORY_HELD)->last, 5);
	assert_false(history_known(history_cell(&h->times, 0, HISTORY_HOST_TRACKS + 1)));
	assert_false(history_known(history_cell(&h->times, 1, HISTORY_HOST_TRACKS)));
	assert_int_equal(history_cell(&h->times, 1, HISTORY_HOST_TRACKS + 1)->high, 42);
	assert_int_equal(history_cell(&h->epochs, 0, HISTORY_HELD)->low, 5);
	assert_int_equal(history_cell(&h->epochs, 0, HISTORY_HELD)->first, 5);
	history_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(few_rows_are_kept_as_they_are),
	    cmocka_unit_test(a_peak_and_a_floor_outlive_any_number_of_rows),
	    cmocka_unit_test(epochs_of_a_second_fit_are_counted_on),
	    cmocka_unit_test(a_gpu_found_later_has_no_past),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
