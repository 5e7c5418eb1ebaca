/* SPDX-License-Identifier: MIT */
#include "series/series.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define MIB_BYTES (UINT64_C(1) << 20)

static struct series *settled(struct series *s)
{
	series_settle(s);
	return s;
}

/* Epoch k holds the rows 10 k, 10 k + 1, ...: its floor, median and top are known. */
static struct series *counted(int64_t epochs, int rows)
{
	struct series *s = series_new(SERIES_HOST);
	for (int64_t e = 0; e <= epochs; e++)
		for (int i = 0; i < rows; i++)
			series_push(s, (e * rows + i) * 100, e, (uint64_t)(1000 * e + i));
	return settled(s);
}

static void state_is_bounded(void **state)
{
	(void)state;
	assert_true(sizeof(struct series) <= 16384);
}

static void one_window_per_finished_epoch(void **state)
{
	struct series *s = counted(20, 5);
	(void)state;
	assert_int_equal(s->epoch_n, 20); /* the one that runs is not among them */
	assert_int_equal(s->window_epochs, 1);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(s->epochs[i].epoch0, i);
		assert_true(s->epochs[i].lo == 1000 * i);
		assert_true(s->epochs[i].med == 1000 * i + 2);
		assert_true(s->epochs[i].hi == 1000 * i + 4);
		assert_int_equal(s->epochs[i].rows, 5);
	}
	series_free(s);
}

static void full_windows_join_in_pairs(void **state)
{
	struct series *s = counted(1000, 3);
	uint64_t rows = 0, epochs = 0;
	(void)state;
	assert_in_range(s->epoch_n, SERIES_EPOCHS / 2, SERIES_EPOCHS);
	assert_int_equal(s->window_epochs, 16);
	for (int i = 0; i < s->epoch_n; i++) {
		const struct span *w = &s->epochs[i];
		rows += w->rows;
		epochs += w->epochs;
		assert_int_equal(w->epoch0 % 16, 0);
		assert_true(w->lo == 1000.0 * (double)w->epoch0);
		assert_true(w->hi == 1000.0 * (double)w->epoch1 + 2);
	}
	assert_int_equal(epochs, 1000);
	assert_int_equal(rows, 3000);
	series_free(s);
}

static void first_epochs_are_never_joined(void **state)
{
	struct series *s = counted(1000, 3);
	(void)state;
	assert_int_equal(s->early_n, SERIES_EARLY);
	for (int i = 0; i < SERIES_EARLY; i++)
		assert_int_equal(s->early[i].epoch0, i);
	series_free(s);
}

static void time_slots_cover_the_run(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	(void)state;
	for (int64_t i = 0; i < 100000; i++)
		series_push(s, i * 250, -1, MIB_BYTES);
	settled(s);
	uint64_t rows = s->open_slot.rows;
	for (int i = 0; i < s->slot_n; i++) {
		rows += s->slots[i].rows;
		assert_true(i == 0 || s->slots[i].first_ms > s->slots[i - 1].last_ms);
	}
	assert_int_equal(rows, 100000);
	assert_in_range(s->slot_n, SERIES_SLOTS / 2 - 1, SERIES_SLOTS);
	assert_int_equal(s->epoch_n, 0);
	series_free(s);
}

/* 10^7 rows leave the same state, byte for byte in size and in bounded counts, as 10^4 do. */
static void ten_million_rows_stay_in_bounds(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	(void)state;
	for (int64_t i = 0; i < 10000000; i++)
		series_push(s, i, i / 100, MIB_BYTES + (uint64_t)(i % 7));
	assert_int_equal(s->rows, 10000000);
	assert_in_range(s->epoch_n, 1, SERIES_EPOCHS);
	assert_in_range(s->slot_n, 1, SERIES_SLOTS);
	assert_true(s->open_epoch.picks <= SERIES_PICKS && s->open_slot.picks <= SERIES_PICKS);
	assert_true(s->epochs[0].lo == (double)MIB_BYTES);
	assert_true(s->epochs[s->epoch_n - 1].hi == (double)MIB_BYTES + 6);
	series_free(s);
}

static void median_of_many_rows_is_near(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	(void)state;
	for (int64_t i = 0; i < 100001; i++)
		series_push(s, i, 0, (uint64_t)((i * 7919) % 100001));
	series_push(s, 100001, 1, 0);
	settled(s);
	assert_int_equal(s->epoch_n, 1);
	assert_true(s->epochs[0].med > 40000 && s->epochs[0].med < 60000);
	series_free(s);
}

/* What the counter says, row by row, and the windows that must come of it. */
static const struct {
	int64_t epoch[8];
	int windows;
	int64_t last0, base;
} counters[] = {
    {{0, 0, 1, 1, 2, 2, 3, 3}, 3, 2, 0},
    {{-1, -1, 0, 0, 1, 1, 2, 2}, 2, 1, 0},         /* set-up rows belong to no epoch */
    {{12, 12, 13, 13, 14, 14, 15, 15}, 3, 14, 12}, /* attached late */
    {{0, 0, 1, 1, 0, 0, 1, 1}, 3, 2, 0},           /* a second training: counted on */
    {{0, 0, 1000, 1000, 1001, 1001, 1002, 1002}, 3, 1001, 0},
    {{5, 4, 3, 2, 1, 0, 0, 0}, 5, 9, 5},   /* going back again and again */
    {{0, 1, -1, -1, 1, 2, 2, 2}, 2, 1, 0}, /* holes in the column */
    {{-1, -1, -1, -1, -1, -1, -1, -1}, 0, 0, -1},
    {{0, INT64_MAX, INT64_MAX, 0, 1, 1, 1, 1}, 3, 2, 0},
};

static void counters_of_all_kinds(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(counters) / sizeof(counters[0]); c++) {
		struct series *s = series_new(SERIES_HOST);
		for (int i = 0; i < 8; i++)
			series_push(s, i * 100, counters[c].epoch[i], 4096);
		settled(s);
		assert_int_equal(s->epoch_n, counters[c].windows);
		assert_int_equal(s->epoch_base, counters[c].base);
		if (s->epoch_n > 0)
			assert_int_equal(s->epochs[s->epoch_n - 1].epoch0, counters[c].last0);
		series_free(s);
	}
}

static void clocks_that_stand_or_go_back(void **state)
{
	static const int64_t ms[] = {5, 5, 5, 3, -7, INT64_MIN, INT64_MAX, INT64_MAX, 0, 9};
	struct series *s = series_new(SERIES_HOST);
	(void)state;
	for (size_t i = 0; i < sizeof(ms) / sizeof(ms[0]); i++)
		series_push(s, ms[i], 0, UINT64_MAX);
	settled(s);
	assert_int_equal(s->first_ms, 5);
	assert_int_equal(s->last_ms, LATEST_MS);
	assert_int_equal(s->peak_bytes, UINT64_MAX);
	series_free(s);
}

/* The end of a process: falls row by row. It is left out where no epoch tells that it is the end. */
static void exit_is_no_data_without_epochs(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	double least = 1e18;
	(void)state;
	for (int64_t i = 0; i < 200; i++)
		series_push(s, i * 100, -1, 500 * MIB_BYTES);
	for (int64_t i = 0; i < 8; i++)
		series_push(s, 20000 + i * 100, -1, (uint64_t)(450 - 50 * i) * MIB_BYTES);
	settled(s);
	for (int i = 0; i < s->slot_n; i++)
		least = s->slots[i].lo < least ? s->slots[i].lo : least;
	assert_true(least == 500.0 * (double)MIB_BYTES);
	assert_int_equal(s->open_slot.lo, 500 * MIB_BYTES);
	series_free(s);
}

/* 30 s at 400 MiB, then the end of an interpreter: in steps, with rests between them. */
static struct series *torn_down(int64_t epoch)
{
	static const uint64_t end[] = {400, 392, 392, 380, 380, 380, 380, 375};
	struct series *s = series_new(SERIES_HOST);
	int64_t ms = 0;
	for (; ms < 30000; ms += 200)
		series_push(s, ms, epoch, 400 * MIB_BYTES);
	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++, ms += 200)
		series_push(s, ms, epoch, end[i] * MIB_BYTES);
	return settled(s);
}

static void the_end_of_an_interpreter_is_left_out(void **state)
{
	struct series *blind = torn_down(-1), *told = torn_down(3);
	(void)state;
	assert_int_equal(blind->last_bytes, 400 * MIB_BYTES);
	assert_int_equal(told->last_bytes, 400 * MIB_BYTES);
	for (int i = 0; i < blind->slot_n; i++)
		assert_true(blind->slots[i].lo == 400.0 * MIB_BYTES);
	assert_int_equal(blind->open_slot.lo, 400 * MIB_BYTES);
	series_free(blind);
	series_free(told);
}

/* What was given back for longer than an end takes is lower memory, and so is a dip that was made good. */
static void what_lasts_is_no_end(void **state)
{
	struct series *s = series_new(SERIES_HOST);
	(void)state;
	for (int64_t ms = 0; ms < 40000; ms += 200)
		series_push(s, ms, -1, (ms < 30000 ? 400 : 300) * MIB_BYTES);
	assert_int_equal(settled(s)->last_bytes, 300 * MIB_BYTES);
	series_free(s);
	s = series_new(SERIES_HOST);
	for (int64_t ms = 0; ms < 40000; ms += 200)
		series_push(s, ms, -1, (ms / 200 % 10 == 5 ? 300 : 400) * MIB_BYTES);
	assert_int_equal(settled(s)->last_bytes, 400 * MIB_BYTES);
	series_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_end_of_an_interpreter_is_left_out),
	    cmocka_unit_test(what_lasts_is_no_end),
	    cmocka_unit_test(state_is_bounded),
	    cmocka_unit_test(one_window_per_finished_epoch),
	    cmocka_unit_test(full_windows_join_in_pairs),
	    cmocka_unit_test(first_epochs_are_never_joined),
	    cmocka_unit_test(time_slots_cover_the_run),
	    cmocka_unit_test(ten_million_rows_stay_in_bounds),
	    cmocka_unit_test(median_of_many_rows_is_near),
	    cmocka_unit_test(counters_of_all_kinds),
	    cmocka_unit_test(clocks_that_stand_or_go_back),
	    cmocka_unit_test(exit_is_no_data_without_epochs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
