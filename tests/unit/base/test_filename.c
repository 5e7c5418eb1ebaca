/* SPDX-License-Identifier: MIT */
#include "base/filename.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void expands_to(const char *pattern, const char *expected)
{
	char *name;

	assert_int_equal(filename_expand(pattern, 4711, &name), 0);
	assert_string_equal(name, expected);
	free(name);
}

static void clear_ranks(void)
{
	unsetenv("RANK");
	unsetenv("OMPI_COMM_WORLD_RANK");
	unsetenv("PMI_RANK");
	unsetenv("SLURM_PROCID");
}

static void pid_host_and_percent(void **state)
{
	char host[256], expected[300];

	(void)state;
	gethostname(host, sizeof(host));
	snprintf(expected, sizeof(expected), "run-4711-%s-50%%.csv", host);
	expands_to("run-%p-%h-50%%.csv", expected);
	expands_to("plain.csv", "plain.csv");
	expands_to("", "");
}

static void rank_comes_from_the_launcher(void **state)
{
	(void)state;
	clear_ranks();
	expands_to("r%r.csv", "r.csv");
	setenv("SLURM_PROCID", "7", 1);
	expands_to("r%r.csv", "r7.csv");
	setenv("RANK", "3", 1);
	expands_to("r%r.csv", "r3.csv");
	setenv("RANK", "../../etc", 1);
	expands_to("r%r.csv", "r7.csv");
	clear_ranks();
}

static void other_letters_are_refused(void **state)
{
	static const char *const bad[] = {"%", "a%", "%x", "%d%p", "100%"};
	char *name;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(filename_expand(bad[i], 1, &name), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pid_host_and_percent),
	    cmocka_unit_test(rank_comes_from_the_launcher),
	    cmocka_unit_test(other_letters_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
