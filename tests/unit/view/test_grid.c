/* SPDX-License-Identifier: MIT */
#include "view/grid.c"

#include <setjmp.h>
#include <stddef.h>

#include <cmocka.h>

#include "grid_text.h"

static const char *row_of(const struct grid *g, int row)
{
	static char text[1024];

	text[row_text(g, row, text)] = '\0';
	return text;
}

static void text_is_cut_at_its_columns_and_at_the_row(void **state)
{
	static const struct {
		const char *text;
		int column, columns;
		bool ascii;
		const char *row;
		int taken;
	} rows[] = {
	    {"host", 0, 10, false, "host", 4},
	    {"host", 2, 2, false, "  ho", 2},
	    {"undetermined", 4, 99, false, "    undete", 6},
	    {"±3 MiB", 0, 10, false, "±3 MiB", 6},
	    {"±3 MiB", 0, 10, true, "~3 MiB", 6},
	    {"学習.py", 0, 10, false, "学習.py", 7},
	    {"学習.py", 0, 3, false, "学", 2}, /* no half of a wide one */
	    {"学習.py", 0, 10, true, "??.py", 5},
	    {"e\xcc\x81t\xc3\xa9", 0, 10, false, "eté", 3}, /* an accent of its own is left out */
	    {"a\033[31mb\nc", 0, 10, false, "a?[31mb?c", 9},
	    {"\xff\xfe", 0, 10, false, "??", 2},
	    {"x", 10, 5, false, "", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct grid g = {.ascii = rows[i].ascii};

		grid_clear(&g, 1, 10);
		assert_int_equal(grid_text(&g, 0, rows[i].column, rows[i].columns, TONE_PLAIN, rows[i].text),
				 rows[i].taken);
		assert_string_equal(row_of(&g, 0), rows[i].row);
		grid_free(&g);
	}
}

static void what_does_not_fit_on_the_right_is_left_out(void **state)
{
	struct grid g = {0};

	(void)state;
	grid_clear(&g, 2, 12);
	grid_text_right(&g, 0, 4, 12, TONE_PLAIN, "12345678");
	grid_text_right(&g, 1, 5, 12, TONE_PLAIN, "12345678");
	assert_string_equal(row_of(&g, 0), "    12345678");
	assert_string_equal(row_of(&g, 1), "");
	grid_free(&g);
}

static void a_grid_is_empty_at_each_size(void **state)
{
	struct grid g = {0};

	(void)state;
	for (int i = 0; i < 3; i++) {
		static const struct {
			int rows, columns;
		} sizes[] = {{24, 80}, {6, 20}, {100, 400}};

		grid_clear(&g, sizes[i].rows, sizes[i].columns);
		assert_string_equal(row_of(&g, g.rows - 1), "");
		grid_text(&g, g.rows - 1, 0, g.columns, TONE_BAD, "last");
		assert_string_equal(row_of(&g, g.rows - 1), "last");
		assert_int_equal(grid_at(&g, g.rows - 1, 3)->tone, TONE_BAD);
		assert_int_equal(grid_at(&g, g.rows - 1, 4)->tone, TONE_PLAIN);
	}
	grid_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_is_cut_at_its_columns_and_at_the_row),
	    cmocka_unit_test(what_does_not_fit_on_the_right_is_left_out),
	    cmocka_unit_test(a_grid_is_empty_at_each_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
