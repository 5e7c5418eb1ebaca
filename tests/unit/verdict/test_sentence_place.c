/* SPDX-License-Identifier: MIT */
#include "verdict/sentence_place.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void growth_is_somewhere(void **state)
{
	struct growth_place_findings one = {
	    .n_processes = 1,
	    .processes = {{.pid = 11, .name = "python3", .root = true, .share = 0.99}},
	    .n_mappings = 1,
	    .mappings_pid = 11,
	    .mappings_from_ms = 2500,
	    .mappings_to_ms = 64000,
	    .mappings = {{.name = "anonymous", .change = 5 * INT64_C(1048576)}}};
	struct growth_place_findings three = one;
	char text[SENTENCE_MAX];

	(void)state;
	assert_string_equal(sentence_process(text, &one),
			    "mostly in the main process, 11 (python3): 99 % of what grows");
	assert_string_equal(
	    sentence_mappings(text, &one),
	    "in its memory, from 2.5 s to 1:04: mapped blocks (large arrays, Python objects) +5.00 MiB");
	three.n_processes = 3;
	for (int i = 0; i < 3; i++)
		three.processes[i] =
		    (struct growing_process){.pid = 12 + i, .name = "python3", .share = 0.33};
	three.mappings_pid = 12;
	assert_string_equal(sentence_process(text, &three),
			    "spread over processes, most of it in: 12 (python3) 33 %, 13 (python3) 33 %, 14 "
			    "(python3) 33 %");
	assert_string_equal(sentence_mappings(text, &three),
			    "in the memory of 12, from 2.5 s to 1:04: mapped blocks (large arrays, Python "
			    "objects) +5.00 MiB");
	three.n_processes = 0;
	assert_string_equal(sentence_process(text, &three), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(growth_is_somewhere)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
