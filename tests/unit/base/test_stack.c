/* SPDX-License-Identifier: MIT */
#include "base/stack.c"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* Where the mapping ends that holds this place; 0: it is not the stack that the kernel made, as under valgrind. */
static uint64_t end_of_stack(uint64_t here)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uint64_t start = 0, end = 0;
	char line[4096];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "[stack]"))
			assert_int_equal(sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end), 2);
	fclose(maps);
	return here >= start && here < end ? end : 0;
}

static void the_stack_is_counted_from_where_the_kernel_does(void **state)
{
	uint64_t here = (uintptr_t)__builtin_frame_address(0), end = end_of_stack(here);

	(void)state;
	if (!end)
		skip();
	assert_in_range(stack_used_bytes(), end - here, end - here + getauxval(AT_PAGESZ));
}

static void no_limit_is_the_largest(void **state)
{
	struct rlimit before, other;

	(void)state;
	getrlimit(RLIMIT_STACK, &before);
	other = before;
	other.rlim_cur = 300 << 10;
	assert_int_equal(setrlimit(RLIMIT_STACK, &other), 0);
	assert_int_equal(stack_limit_bytes(), 300 << 10);
	other.rlim_cur = RLIM_INFINITY;
	if (before.rlim_max == RLIM_INFINITY) {
		assert_int_equal(setrlimit(RLIMIT_STACK, &other), 0);
		assert_true(stack_limit_bytes() == UINT64_MAX);
	}
	setrlimit(RLIMIT_STACK, &before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_stack_is_counted_from_where_the_kernel_does),
	    cmocka_unit_test(no_limit_is_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
