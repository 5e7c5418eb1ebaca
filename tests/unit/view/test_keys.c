/* SPDX-License-Identifier: MIT */
#include "view/keys.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Keys as people name them: + - l(eft) r(ight) u(p) d(own) H(ome) E(nd) p ? x(another). */
static enum view_key key_named(char name)
{
	switch (name) {
	case '+':
		return VIEW_KEY_CLOSER;
	case '-':
		return VIEW_KEY_WIDER;
	case 'l':
		return VIEW_KEY_LEFT;
	case 'r':
		return VIEW_KEY_RIGHT;
	case 'u':
		return VIEW_KEY_UP;
	case 'd':
		return VIEW_KEY_DOWN;
	case 'H':
		return VIEW_KEY_HOME;
	case 'E':
		return VIEW_KEY_END;
	case 'p':
		return VIEW_KEY_PAUSE;
	case '?':
		return VIEW_KEY_HELP;
	default:
		return VIEW_KEY_OTHER;
	}
}

static void keys_choose_the_stretch_of_time(void **state)
{
	static const struct {
		const char *keys;
		double from, to; /* of 1000 to 9000 */
	} rows[] = {
	    {"", 1000, 9000},       {"-", 1000, 9000},     {"+", 5000, 9000},   {"++", 7000, 9000},
	    {"++-", 5000, 9000},    {"+l", 4000, 8000},    {"+lr", 5000, 9000}, {"+r", 5000, 9000},
	    {"+lllll", 1000, 5000}, {"+H", 1000, 5000},    {"+HE", 5000, 9000}, {"l", 1000, 9000},
	    {"+H+", 2000, 4000},    {"+H+--", 1000, 9000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct view_state s = {0};
		double from = 1000, to = 9000;

		for (const char *key = rows[i].keys; *key; key++)
			assert_int_equal(view_key(&s, key_named(*key), 1), VIEW_WISH_DRAW);
		view_range(&s, &from, &to);
		print_message("%s: %g to %g\n", rows[i].keys, from, to);
		assert_float_equal(from, rows[i].from, 0.5);
		assert_float_equal(to, rows[i].to, 0.5);
	}
}

static void zoom_has_an_end(void **state)
{
	struct view_state s = {0};

	(void)state;
	for (int i = 0; i < 100; i++)
		view_key(&s, VIEW_KEY_CLOSER, 1);
	assert_int_equal(s.zoom, VIEW_ZOOM_MOST);
	for (int i = 0; i < 100; i++)
		view_key(&s, VIEW_KEY_WIDER, 1);
	assert_int_equal(s.zoom, 0);
}

static void up_and_down_go_round_the_series(void **state)
{
	struct view_state s = {0};

	(void)state;
	view_key(&s, VIEW_KEY_UP, 3);
	assert_int_equal(s.chosen, 2);
	view_key(&s, VIEW_KEY_DOWN, 3);
	assert_int_equal(s.chosen, 0);
	view_key(&s, VIEW_KEY_DOWN, 0);
	assert_int_equal(s.chosen, 0);
}

static void any_key_leaves_the_help_and_q_does_no_more_than_that(void **state)
{
	struct view_state s = {0};

	(void)state;
	view_key(&s, VIEW_KEY_HELP, 1);
	assert_true(s.help);
	assert_int_equal(view_key(&s, VIEW_KEY_QUIT, 1), VIEW_WISH_DRAW);
	assert_false(s.help);
	assert_int_equal(view_key(&s, VIEW_KEY_QUIT, 1), VIEW_WISH_QUIT);
	view_key(&s, VIEW_KEY_HELP, 1);
	view_key(&s, VIEW_KEY_OTHER, 1);
	assert_false(s.help);
}

static void what_is_asked_of_the_run(void **state)
{
	struct view_state s = {0};

	(void)state;
	assert_int_equal(view_key(&s, VIEW_KEY_MARK, 1), VIEW_WISH_MARK);
	assert_int_equal(view_key(&s, VIEW_KEY_SAVE, 1), VIEW_WISH_SAVE);
	assert_int_equal(view_key(&s, VIEW_KEY_REDRAW, 1), VIEW_WISH_REDRAW);
	assert_int_equal(view_key(&s, VIEW_KEY_NONE, 1), VIEW_WISH_NOTHING);
	view_key(&s, VIEW_KEY_PAUSE, 1);
	assert_true(s.paused);
	view_key(&s, VIEW_KEY_PAUSE, 1);
	assert_false(s.paused);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keys_choose_the_stretch_of_time),
	    cmocka_unit_test(zoom_has_an_end),
	    cmocka_unit_test(up_and_down_go_round_the_series),
	    cmocka_unit_test(any_key_leaves_the_help_and_q_does_no_more_than_that),
	    cmocka_unit_test(what_is_asked_of_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
