/* SPDX-License-Identifier: MIT */
#include "draw/scale.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MI 1048576.0

/* Labels of all ticks in one line. */
static char *labels(const struct scale *s, char *(*label)(char *, const struct scale *, double))
{
	static char text[1024];
	char one[UNITS_TEXT_MAX];

	text[0] = '\0';
	for (int i = 0; i < scale_ticks(s); i++) {
		strcat(text, i ? ", " : "");
		strcat(text, label(one, s, scale_tick(s, i)));
	}
	return text;
}

static void ticks_of_bytes_are_round_in_their_unit(void **state)
{
	static const struct {
		double low, high;
		int most;
		const char *labels;
	} rows[] = {
	    {0, 100, 5, "0 B, 25 B, 50 B, 75 B, 100 B"},
	    {0, 1000 * MI, 5, "0 MiB, 250 MiB, 500 MiB, 750 MiB, 1000 MiB"},
	    {0, 1536 * MI, 4, "0.0 GiB, 0.5 GiB, 1.0 GiB, 1.5 GiB"},
	    {0, 1100 * MI, 6, "0.00 GiB, 0.25 GiB, 0.50 GiB, 0.75 GiB, 1.00 GiB, 1.25 GiB"},
	    {400 * MI, 1400 * MI, 8, "0.25 GiB, 0.50 GiB, 0.75 GiB, 1.00 GiB, 1.25 GiB, 1.50 GiB"},
	    {1300 * MI, 1500 * MI, 5, "1300 MiB, 1350 MiB, 1400 MiB, 1450 MiB, 1500 MiB"},
	    {410 * MI, 433 * MI, 5, "408 MiB, 416 MiB, 424 MiB, 432 MiB, 440 MiB"},
	    {3 * 1024 * MI, 9 * 1024 * MI, 4, "0 GiB, 4 GiB, 8 GiB, 12 GiB"},
	    {5, 5, 3, "5 B, 6 B"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scale s = scale_bytes(rows[i].low, rows[i].high, rows[i].most);

		assert_string_equal(labels(&s, scale_label_bytes), rows[i].labels);
	}
}

static void ends_enclose_what_is_shown_and_ticks_are_few(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double low, high;
		int most = 2 + i % 9;
		struct scale s;

		seed = seed * 1103515245 + 12345;
		low = pow(2.0, seed % 40000 / 1000.0);
		seed = seed * 1103515245 + 12345;
		high = low + pow(2.0, seed % 40000 / 1000.0);
		s = scale_bytes(low, high, most);
		assert_true(s.low <= low && s.high >= high);
		assert_in_range(scale_ticks(&s), 2, most + 1);
		s = scale_time(0, high, most);
		assert_true(scale_ticks(&s) >= 1 && scale_ticks(&s) <= most + 1);
		s = scale_count(1, 1 + floor(high), most);
		assert_true(scale_ticks(&s) <= most + 1);
	}
}

static void time_is_told_in_seconds_then_as_a_clock(void **state)
{
	struct scale s = scale_time(0, 61500, 5);

	(void)state;
	assert_string_equal(labels(&s, scale_label_time), "0 s, 30 s, 60 s");
	s = scale_time(0, 1900, 5);
	assert_string_equal(labels(&s, scale_label_time), "0.0 s, 0.5 s, 1.0 s, 1.5 s");
	s = scale_time(0, 3000e3, 5);
	assert_string_equal(labels(&s, scale_label_time), "0:00, 15:00, 30:00, 45:00");
	s = scale_time(0, 3 * 3600e3, 4);
	assert_string_equal(labels(&s, scale_label_time), "0:00:00, 1:00:00, 2:00:00, 3:00:00");
}

static void epochs_are_whole(void **state)
{
	struct scale s = scale_count(1, 12, 5);

	(void)state;
	assert_string_equal(labels(&s, scale_label_count), "5, 10");
	s = scale_count(1, 3, 8);
	assert_string_equal(labels(&s, scale_label_count), "1, 2, 3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ticks_of_bytes_are_round_in_their_unit),
	    cmocka_unit_test(ends_enclose_what_is_shown_and_ticks_are_few),
	    cmocka_unit_test(time_is_told_in_seconds_then_as_a_clock),
	    cmocka_unit_test(epochs_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
