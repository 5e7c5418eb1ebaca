/* SPDX-License-Identifier: MIT */
#include "base/screen_cursor.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
	const char *written;
	bool mid_line;
} rows[] = {
    {"", false},
    {"loss 0.3\n", false},
    {"loss 0.3\r\n", false},
    {"loss", true},
    {"\r 10%|###      | 3/30", true},
    {" 10%|###      | 3/30\r", true}, /* the bar still stands there */
    {"\r", false},
    {"a\nb", true},
    {"a\nb\n", false},
    {"done\n\033[0m", false},
    {"\033[?25l\033[2K", false},
    {"bar 1\nbar 2\n\033[2A", true}, /* back up into the bars */
    {"\033[31mred", true},
    {"whole\n\033]0;title\a", false},
    {"whole\n\033]0;title\033\\", false},
    {"whole\n\033(B\033[m", false}, /* tput sgr0 on an xterm */
    {" 10%|###      | 3/30\r\033[K", false},
    {" 10%|###      | 3/30\r\033[Kdone", true},
    {"\a", false},
    {"\t", true},
    {"\303\251", true},
};

static void cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = strlen(rows[i].written);

		for (size_t cut = 1; cut <= (n ? n : 1); cut++) {
			struct screen_cursor c = {0};

			if (n > 0)
				screen_cursor_push(&c, rows[i].written, cut);
			if (cut < n)
				screen_cursor_push(&c, rows[i].written + cut, n - cut);
			if (c.mid_line != rows[i].mid_line)
				fail_msg("row %zu, cut at %zu", i, cut);
		}
	}
}

static void what_nobody_saw_counts_as_fresh(void **state)
{
	struct screen_cursor c = {0};

	(void)state;
	screen_cursor_push(&c, "half", 4);
	assert_true(c.mid_line);
	screen_cursor_push(&c, NULL, 0);
	assert_false(c.mid_line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(cut_anywhere),
	    cmocka_unit_test(what_nobody_saw_counts_as_fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
