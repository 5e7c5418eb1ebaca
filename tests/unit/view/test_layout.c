/* SPDX-License-Identifier: MIT */
#include "view/layout.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void one_row_for_each(const struct box *b, int *used, int rows, int columns)
{
	assert_true(b->rows >= 0);
	for (int i = b->row; i < b->row + b->rows; i++) {
		assert_in_range(i, 0, rows - 1);
		assert_int_equal(used[i], 0);
		used[i] = 1;
	}
	if (b->rows > 0) {
		assert_true(b->column >= 0);
		assert_true(b->column + b->columns <= columns);
	}
}

static void check(int rows, int columns, const struct layout_wants *wants)
{
	int used[256] = {0}, charted[256] = {0};
	struct layout l;

	layout_make(&l, rows, columns, wants);
	one_row_for_each(&l.head, used, rows, columns);
	one_row_for_each(&l.series, used, rows, columns);
	one_row_for_each(&l.verdict, used, rows, columns);
	one_row_for_each(&l.heap, used, rows, columns);
	one_row_for_each(&l.processes, used, rows, columns);
	one_row_for_each(&l.status, used, rows, columns);
	for (int i = 0; i < l.n_charts; i++) {
		const struct box *b = &l.charts[i];

		assert_in_range(b->rows, CHART_LEAST, rows);
		assert_true(b->column + b->columns <= columns);
		for (int k = b->row; k < b->row + b->rows; k++) {
			assert_in_range(k, 0, rows - 1);
			assert_int_equal(used[k], 0);
			charted[k] += b->columns;
			assert_true(charted[k] <= columns);
		}
	}
	if (rows >= 3)
		assert_true(l.verdict.rows > 0);
	if (rows >= LAYOUT_SMALL_ROWS)
		assert_true(l.n_charts > 0);
}

static void no_part_lies_on_another_at_any_size(void **state)
{
	(void)state;
	for (int rows = 1; rows <= 200; rows++)
		for (int columns = 1; columns <= 400; columns += columns < 160 ? 1 : 40)
			for (int series = 1; series <= 9; series += 4)
				check(rows, columns,
				      &(struct layout_wants){.series = series,
							     .verdict_lines = 1 + (rows + columns) % 9,
							     .heap = rows % 2,
							     .processes = columns % 70});
}

static void sizes_people_have(void **state)
{
	static const struct {
		int rows, columns;
		struct layout_wants wants;
		int series, charts, chart_rows, verdict, heap, processes;
	} rows[] = {
	    {6, 20, {1, 12, true, 1}, 1, 0, 0, 3, 0, 0},   {8, 30, {1, 8, true, 1}, 1, 1, 3, 2, 0, 0},
	    {11, 40, {4, 5, true, 9}, 1, 1, 4, 4, 0, 0},   {12, 40, {1, 5, true, 1}, 1, 1, 6, 3, 0, 0},
	    {24, 80, {1, 4, true, 1}, 1, 1, 11, 4, 1, 2},  {24, 80, {3, 2, false, 20}, 3, 1, 9, 2, 0, 5},
	    {40, 120, {3, 2, true, 5}, 3, 2, 11, 2, 1, 6}, {50, 200, {3, 2, true, 5}, 3, 3, 16, 2, 1, 6},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct layout l;

		layout_make(&l, rows[i].rows, rows[i].columns, &rows[i].wants);
		print_message("%d x %d\n", rows[i].columns, rows[i].rows);
		assert_int_equal(l.series.rows, rows[i].series);
		assert_int_equal(l.n_charts, rows[i].charts);
		assert_int_equal(l.charts[0].rows, rows[i].chart_rows);
		assert_int_equal(l.verdict.rows, rows[i].verdict);
		assert_int_equal(l.heap.rows, rows[i].heap);
		assert_int_equal(l.processes.rows, rows[i].processes);
	}
}

static void on_few_rows_the_verdict_stands_above_the_chart(void **state)
{
	struct layout_wants wants = {.series = 1, .verdict_lines = 2};
	struct layout l;

	(void)state;
	layout_make(&l, LAYOUT_SMALL_ROWS - 1, 40, &wants);
	assert_true(l.verdict.row < l.charts[0].row);
	layout_make(&l, LAYOUT_SMALL_ROWS, 40, &wants);
	assert_true(l.verdict.row > l.charts[0].row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_part_lies_on_another_at_any_size),
	    cmocka_unit_test(sizes_people_have),
	    cmocka_unit_test(on_few_rows_the_verdict_stands_above_the_chart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
