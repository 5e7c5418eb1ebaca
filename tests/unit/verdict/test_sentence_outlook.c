/* SPDX-License-Identifier: MIT */
#include "verdict/sentence_outlook.c"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	enum outlook outlook;
	const char *text;
} planned_ends[] = {
    {OUTLOOK_FITS, "400 MiB (up to 420 MiB) at the planned end (epoch 100): a leak unless it is meant, but "
		   "it fits until then."},
    {OUTLOOK_TIGHT, "400 MiB (up to 420 MiB) at the planned end (epoch 100): tight."},
    {OUTLOOK_EXCEEDS, "400 MiB (up to 420 MiB) at the planned end (epoch 100): it does not fit."},
    {OUTLOOK_UNKNOWN, ""},
};

/* Who is woken by it must not read that all is well. */
static void growth_that_fits_is_still_called_a_leak(void **state)
{
	char text[SENTENCE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(planned_ends) / sizeof(planned_ends[0]); i++) {
		struct series_verdict s = {.end = {.known = true,
						   .outlook = planned_ends[i].outlook,
						   .epochs = 100,
						   .left = 60,
						   .bytes = 400 << 20,
						   .high = 420 << 20}};

		assert_string_equal(sentence_planned_end(text, &s), planned_ends[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(growth_that_fits_is_still_called_a_leak)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
