/* SPDX-License-Identifier: MIT */
/* A format that memwatch does not know is one row more, and nothing else. */
#define EPOCH_FORMAT_OF_A_TEST                                                                               \
	{                                                                                                    \
		"passes", .base = 1, .trust = 4, .when = EPOCH_START, .patterns = {                          \
			"pass # of @ begins",                                                                \
			"pass # ~"                                                                           \
		}                                                                                            \
	}
#include "epochs/formats.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "epochs/epochs.h"

static void say(struct epochs *e, const char *text, int64_t time_ns)
{
	const struct text_line line = {text, strlen(text), LINE_ENDED, time_ns, 0};

	epochs_line(e, &line);
}

static void a_row_is_all_that_a_format_needs(void **state)
{
	struct epochs *e = epochs_new(0);
	struct epochs_summary s;

	(void)state;
	say(e, "pass 1 of 3 begins", 1);
	say(e, "loss 0.5", 2);
	say(e, "pass   2 of 3 begins", 3);
	say(e, "pass 3 with a new schedule", 4);
	assert_int_equal(epochs_finished(e), 2);
	epochs_end_of_output(e, true);
	epochs_summarize(e, &s);
	assert_string_equal(s.format, "passes");
	assert_int_equal(s.finished, 3);
	epochs_free(e);
}

static void what_is_not_to_the_letter_is_none(void **state)
{
	static const char *const texts[] = {"Pass 1 of 3 begins", "pass of 3 begins", "a pass 1 of 3 begins",
					    "pass 1of 3 begins",  "pass 1",           "pass"};
	struct epochs *e = epochs_new(0);

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		say(e, texts[i], (int64_t)i);
	assert_int_equal(epochs_finished(e), -1);
	epochs_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_row_is_all_that_a_format_needs),
	    cmocka_unit_test(what_is_not_to_the_letter_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
