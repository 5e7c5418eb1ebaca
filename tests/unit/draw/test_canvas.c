/* SPDX-License-Identifier: MIT */
#include "draw/canvas.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { PICTURE_MAX = 1 << 18 };

static char *picture(const struct canvas *c)
{
	static char text[PICTURE_MAX];
	enum canvas_role role;
	char *at = text;

	for (int row = 0; row < c->rows; row++) {
		for (int column = 0; column < c->columns; column++)
			at += canvas_utf8(at, canvas_glyph(c, column, row, &role));
		*at++ = '\n';
	}
	*at = '\0';
	return text;
}

/* A curve that rises from corner to corner, and a line that falls across it. */
static void draw(struct canvas *c)
{
	int x_max = canvas_dots_across(c) - 1, y_max = canvas_dots_up(c) - 1;

	for (int x = 0; x <= x_max; x++)
		canvas_column(c, x, 0, x * y_max / x_max, CANVAS_CURVE);
	canvas_line(c, 0, y_max, x_max, 0, 0, CANVAS_FIT);
}

static void each_kind_of_symbols_has_its_picture(void **state)
{
	static const struct {
		enum symbols symbols;
		const char *picture;
	} cases[] = {
	    {SYMBOLS_BRAILLE, "⠑⠤⡀⣠⣾\n"
			      "⣀⣴⣿⣿⣿\n"},
	    {SYMBOLS_BLOCK, "▔▔▁▄█\n"
			    "▁▄▔▔▁\n"},
	    {SYMBOLS_ASCII, "---.:\n"
			    "..:--\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct canvas *c = canvas_new(5, 2, cases[i].symbols);

		draw(c);
		assert_string_equal(picture(c), cases[i].picture);
		canvas_free(c);
	}
}

static void a_canvas_of_any_size_is_drawn_on_within_its_cells(void **state)
{
	static const int sizes[] = {0, 1, 2, 20, 400};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int symbols = SYMBOLS_BRAILLE; symbols <= SYMBOLS_ASCII; symbols++) {
			struct canvas *c = canvas_new(sizes[i], sizes[i] / 4, (enum symbols)symbols);

			canvas_line(c, -1e12, -1e9, 1e12, 1e9, 0, CANVAS_FIT);
			canvas_line(c, 3, NAN, 5, 7, 0, CANVAS_FIT);
			canvas_column(c, 0, -100, 100000, CANVAS_CURVE);
			canvas_column(c, 100000, 0, 5, CANVAS_CURVE);
			canvas_point(c, -1, -1, CANVAS_CURVE);
			canvas_text(c, -2, 0, "abcd", CANVAS_TEXT);
			canvas_text(c, 0, 1000, "abcd", CANVAS_TEXT);
			assert_int_equal(picture(c)[0], 'c');
			canvas_free(c);
		}
}

static void dots_stay_within_the_window(void **state)
{
	struct canvas *c = canvas_new(6, 3, SYMBOLS_BRAILLE);

	(void)state;
	canvas_window(c, 2, 1, 3, 1);
	assert_int_equal(canvas_dots_across(c), 6);
	assert_int_equal(canvas_dots_up(c), 4);
	for (int x = -10; x < 20; x++)
		canvas_column(c, x, -10, 20, CANVAS_CURVE);
	canvas_text(c, 0, 0, "12", CANVAS_TEXT);
	assert_string_equal(picture(c), "12    \n"
					"  ⣿⣿⣿ \n"
					"      \n");
	assert_int_equal(canvas_cell_column(c, 5), 4);
	assert_int_equal(canvas_cell_row(c, 3), 1);
	canvas_free(c);
}

static void a_line_leaves_the_window_where_it_would(void **state)
{
	struct canvas *c = canvas_new(4, 4, SYMBOLS_ASCII);

	(void)state;
	canvas_line(c, 0, 0, 8, 16, 0, CANVAS_FIT); /* half of it lies above */
	assert_string_equal(picture(c), "   -\n"
					"  --\n"
					" -- \n"
					"--  \n");
	canvas_free(c);
}

static void a_dashed_line_has_gaps_as_long_as_its_dashes(void **state)
{
	struct canvas *c = canvas_new(10, 1, SYMBOLS_ASCII);

	(void)state;
	canvas_line(c, 0, 0, 9, 0, 2, CANVAS_FIT);
	assert_string_equal(picture(c), "--  --  --\n");
	canvas_free(c);
}

static void what_matters_more_gives_the_colour(void **state)
{
	struct canvas *c = canvas_new(1, 1, SYMBOLS_BRAILLE);
	enum canvas_role role;

	(void)state;
	canvas_glyph(c, 0, 0, &role);
	assert_int_equal(role, CANVAS_NONE);
	canvas_point(c, 0, 0, CANVAS_FIT);
	canvas_point(c, 0, 0, CANVAS_CURVE);
	canvas_glyph(c, 0, 0, &role);
	assert_int_equal(role, CANVAS_FIT);
	canvas_mark(c, 0, 0, 0x25b2, '^', CANVAS_JUMP);
	assert_int_equal(canvas_glyph(c, 0, 0, &role), 0x25b2);
	assert_int_equal(role, CANVAS_JUMP);
	canvas_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_kind_of_symbols_has_its_picture),
	    cmocka_unit_test(a_canvas_of_any_size_is_drawn_on_within_its_cells),
	    cmocka_unit_test(dots_stay_within_the_window),
	    cmocka_unit_test(a_line_leaves_the_window_where_it_would),
	    cmocka_unit_test(a_dashed_line_has_gaps_as_long_as_its_dashes),
	    cmocka_unit_test(what_matters_more_gives_the_colour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
