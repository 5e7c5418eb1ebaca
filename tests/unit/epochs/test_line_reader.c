/* SPDX-License-Identifier: MIT */
#include "epochs/line_reader.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* What was told, one line each: its end (' ' open, 'r' redrawn, 'n' ended) and its text. */
struct told {
	char text[4096];
	uint64_t last_offset;
	size_t longest;
	bool with_open;
};

static void note_line(void *ctx, const struct text_line *line)
{
	struct told *t = ctx;
	size_t at = strlen(t->text);

	assert_int_equal(line->text[line->len], 0);
	assert_int_equal(strlen(line->text), line->len);
	if (line->len > t->longest)
		t->longest = line->len;
	if (line->end == LINE_OPEN && !t->with_open)
		return;
	t->last_offset = line->offset;
	snprintf(t->text + at, sizeof(t->text) - at, "%c%s\n", " rn"[line->end], line -> text);
}

static void push(struct line_reader *r, const char *bytes, size_t n, size_t step, struct told *t)
{
	for (size_t i = 0; i < n; i += step)
		line_reader_push(r, bytes + i, n - i < step ? n - i : step, 1, note_line, t);
}

static void lines_come_out_however_they_were_read(void **state)
{
	static const struct {
		const char *bytes, *told;
	} cases[] = {
	    {"one\ntwo\n", "none\nntwo\n"},
	    {"\n\n", ""},
	    {"dos\r\nunix\n", "ndos\nnunix\n"},
	    {"a\rb\rc\n", "ra\nrb\nnc\n"},
	    {"a\r\r\nb\n", "na\nnb\n"},
	    {"\ra\r\rb\n", "ra\nnb\n"},
	    {"\033[1m3/3\033[0m \033[32mok\033[0m\n", "n3/3 ok\n"},
	    {"\033[2K\033[?25lx\n", "nx\n"},
	    {"bar\033[A\nnext\n", "rbar\nnnext\n"},
	    {"a\033[3Cb\n", "na b\n"},
	    {"\033]0;title\007x\n", "nx\n"},
	    {"\033]8;;http://a\033\\link\033]8;;\033\\\n", "nlink\n"},
	    {"\033]never ended\nnext\n", "nnext\n"},
	    {"\033[12\nnext\n", "nnext\n"},
	    {"\033(Bx\033=y\n", "nxy\n"},
	    {"loss 1\b\b\b\b\b\b\rloss 2\n", "rloss 1\nnloss 2\n"},
	    {"1%\b\b2%\n", "n2%\n"},
	    {"\xe2\x94\x81\xe2\x94\x81\b-\n", "n\xe2\x94\x81-\n"},
	    {"\b\b\bx\n", "nx\n"},
	    {"a\tb\n", "na\tb\n"},
	    {"a\001\002\177b\n", "na\177b\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t step = 1; step <= 16; step += 5) {
			struct line_reader *r = line_reader_new();
			struct told t = {.with_open = false};

			push(r, cases[i].bytes, strlen(cases[i].bytes), step, &t);
			line_reader_finish(r, 1, note_line, &t);
			assert_string_equal(t.text, cases[i].told);
			line_reader_free(r);
		}
}

static void zero_bytes_are_left_out(void **state)
{
	struct line_reader *r = line_reader_new();
	struct told t = {.with_open = false};

	(void)state;
	push(r, "a\0b\n", 4, 4, &t);
	assert_string_equal(t.text, "nab\n");
	line_reader_free(r);
}

static void an_open_line_is_told_once_per_read(void **state)
{
	struct line_reader *r = line_reader_new();
	struct told t = {.with_open = true};

	(void)state;
	push(r, "Epoch 1: 5", 10, 10, &t);
	assert_string_equal(t.text, " Epoch 1: 5\n");
	push(r, "\033[0m", 4, 4, &t);
	assert_string_equal(t.text, " Epoch 1: 5\n");
	push(r, "0%\r", 3, 3, &t);
	assert_string_equal(t.text, " Epoch 1: 5\n Epoch 1: 50%\n");
	push(r, "\n", 1, 1, &t);
	assert_string_equal(t.text, " Epoch 1: 5\n Epoch 1: 50%\nnEpoch 1: 50%\n");
	line_reader_free(r);
}

static void the_offset_is_behind_the_line_end(void **state)
{
	struct line_reader *r = line_reader_new();
	struct told t = {.with_open = false};

	(void)state;
	push(r, "abc\r\n", 5, 1, &t);
	assert_int_equal(t.last_offset, 5);
	push(r, "abc\rd", 5, 5, &t);
	assert_int_equal(t.last_offset, 9);
	push(r, "ef\033[1A", 6, 6, &t);
	assert_int_equal(t.last_offset, 16);
	line_reader_free(r);
}

static void a_long_line_keeps_its_beginning(void **state)
{
	enum { CHUNK = 1000, CHUNKS = 5000 };
	struct line_reader *r = line_reader_new();
	struct told t = {.with_open = false};
	char chunk[CHUNK];

	(void)state;
	memset(chunk, 'x', sizeof(chunk));
	for (int i = 0; i < CHUNKS; i++)
		push(r, chunk, sizeof(chunk), sizeof(chunk), &t);
	push(r, "\nshort\n", 7, 7, &t);
	assert_int_equal(t.longest, LINE_KEPT_MAX);
	assert_string_equal(t.text + LINE_KEPT_MAX + 2, "nshort\n");
	line_reader_free(r);
}

static void backspaces_reach_back_over_what_was_not_kept(void **state)
{
	struct line_reader *r = line_reader_new();
	struct told t = {.with_open = false};
	char run[LINE_KEPT_MAX + 3];

	(void)state;
	memset(run, 'x', sizeof(run));
	push(r, run, sizeof(run), sizeof(run), &t);
	push(r, "\b\b\b\by\n", 6, 1, &t);
	assert_int_equal(t.longest, LINE_KEPT_MAX);
	assert_int_equal(t.text[LINE_KEPT_MAX], 'y');
	line_reader_free(r);
}

static void a_string_without_end_is_given_up(void **state)
{
	struct line_reader *r = line_reader_new();
	struct told t = {.with_open = false};

	(void)state;
	push(r, "\033]", 2, 2, &t);
	for (int i = 0; i < ESCAPES_STRING_MAX; i++)
		push(r, "x", 1, 1, &t);
	push(r, "seen\n", 5, 5, &t);
	assert_string_equal(t.text, "nseen\n");
	line_reader_free(r);
}

static void a_line_with_a_gap_is_not_told(void **state)
{
	struct line_reader *r = line_reader_new();
	struct told t = {.with_open = true};

	(void)state;
	push(r, "one\nEpoch 1", 11, 4, &t);
	line_reader_gap(r);
	push(r, "2/30\nEpoch 13/30\n", 17, 17, &t);
	assert_non_null(strstr(t.text, "nEpoch 13/30\n"));
	assert_null(strstr(t.text, "nEpoch 1\n"));
	assert_null(strstr(t.text, "2/30\n"));
	line_reader_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_come_out_however_they_were_read),
	    cmocka_unit_test(zero_bytes_are_left_out),
	    cmocka_unit_test(an_open_line_is_told_once_per_read),
	    cmocka_unit_test(the_offset_is_behind_the_line_end),
	    cmocka_unit_test(a_long_line_keeps_its_beginning),
	    cmocka_unit_test(backspaces_reach_back_over_what_was_not_kept),
	    cmocka_unit_test(a_string_without_end_is_given_up),
	    cmocka_unit_test(a_line_with_a_gap_is_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
