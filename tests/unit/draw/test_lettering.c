/* SPDX-License-Identifier: MIT */
#include "draw/lettering.c"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct lettering ten = {.size = 10};

static void lines_break_at_words_and_never_between_a_figure_and_its_unit(void **state)
{
	const char *text = "within 3.96 MiB now";
	size_t next, n = lettering_break(text, lettering_width("within 3.96 M", &ten), &ten, &next);

	(void)state;
	assert_int_equal(n, 6);
	assert_string_equal(text + next, "3.96 MiB now");
	n = lettering_break(text + next, lettering_width("3.96 MiB", &ten) + 1, &ten, &next);
	assert_int_equal(n, 8);
}

static void an_epoch_stays_with_its_number(void **state)
{
	const char *text = "by 1:00 (epoch 13), since";
	size_t next;

	(void)state;
	assert_int_equal(lettering_break(text, lettering_width("by 1:00 (epoch 1", &ten), &ten, &next), 7);
	assert_int_equal(
	    lettering_break("each epoch of it", lettering_width("each epoch o", &ten), &ten, &next), 10);
}

static void a_word_wider_than_the_line_is_cut_and_the_text_ends(void **state)
{
	const char *text = "abcdefghij\xff\xc3\xa9";
	int lines = 0;

	(void)state;
	for (size_t next; *text; text += next, lines++) {
		size_t n = lettering_break(text, 20, &ten, &next);

		assert_true(n > 0 && next >= n);
	}
	assert_true(lines >= 3);
}

static void the_box_lies_where_its_anchor_says(void **state)
{
	struct lettering how = ten;
	double w = lettering_width("memory", &how);

	(void)state;
	assert_true(fabs(lettering_box((struct point){100, 50}, "memory", &how).x - (100)) < 1e-9);
	how.anchor = ANCHOR_MIDDLE;
	assert_true(fabs(lettering_box((struct point){100, 50}, "memory", &how).x - (100 - w / 2)) < 1e-9);
	how.anchor = ANCHOR_END;
	assert_true(fabs(lettering_box((struct point){100, 50}, "memory", &how).x - (100 - w)) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_break_at_words_and_never_between_a_figure_and_its_unit),
	    cmocka_unit_test(an_epoch_stays_with_its_number),
	    cmocka_unit_test(a_word_wider_than_the_line_is_cut_and_the_text_ends),
	    cmocka_unit_test(the_box_lies_where_its_anchor_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
