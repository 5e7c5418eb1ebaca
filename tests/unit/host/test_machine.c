/* SPDX-License-Identifier: MIT */
#include "host/machine.c"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fakeproc.h"

#define MB (UINT64_C(1) << 20)

static struct sample sample;

static uint64_t physical(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void the_machine_is_read(void **state)
{
	struct machine *s = machine_new(NULL);

	(void)state;
	assert_int_equal(machine_read(s, 1, &sample), 0);
	assert_true(sample.v[CH_AVAILABLE].ok);
	assert_in_range(sample.v[CH_AVAILABLE].bytes, 1, physical());
	assert_true(sample.v[CH_LIMIT].ok);
	assert_int_equal(sample.v[CH_LIMIT].bytes, physical());
	machine_free(s);
	machine_free(NULL);
}

static void nothing_is_left_for_a_command_to_inherit(void **state)
{
	struct machine *s = machine_new(NULL);

	(void)state;
	machine_read(s, 1, &sample);
	for (int fd = 3; fd < 100; fd++) {
		int flags = fcntl(fd, F_GETFD);
		char link[64], path[64] = "";

		if (flags < 0 || flags & FD_CLOEXEC)
			continue;
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		assert_true(readlink(link, path, sizeof(path) - 1) > 0);
		assert_null(strstr(path, "/proc"));
	}
	machine_free(s);
}

static void fake_target(int pid, const char *as, const char *group)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/limits", pid);
	fake_write(path, "Max cpu time unlimited unlimited seconds\nMax address space %s unlimited bytes\n",
		   as);
	snprintf(path, sizeof(path), "%d/cgroup", pid);
	fake_write(path, "0::%s\n", group);
}

static int setup(void **state)
{
	(void)state;
	fake_new();
	fake_write("self/mountinfo", "30 23 0:26 / %s/cg rw - cgroup2 cgroup2 rw\n", fake_root);
	fake_write("cg/tight/memory.max", "%s", "52428800\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_remove("");
	return 0;
}

static void the_tightest_limit_wins(void **state)
{
	static const struct {
		const char *as, *group;
		uint64_t want; /* 0: physical memory */
	} cases[] = {
	    {"unlimited", "/tight", 50 * MB},    {"10485760", "/tight", 10 * MB},
	    {"10485760", "/", 10 * MB},          {"unlimited", "/", 0},
	    {"9223372036854771712", "/none", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct machine *s = machine_new(fake_root);

		fake_target(FAKE, cases[i].as, cases[i].group);
		machine_add_target(s, FAKE);
		machine_read(s, 1, &sample);
		assert_int_equal(sample.v[CH_LIMIT].bytes, cases[i].want ? cases[i].want : physical());
		machine_free(s);
	}
}

static void limits_are_read_again_every_ten_seconds(void **state)
{
	struct machine *s = machine_new(fake_root);

	(void)state;
	fake_target(FAKE, "10485760", "/");
	machine_add_target(s, FAKE);
	machine_read(s, NS_PER_S, &sample);
	fake_target(FAKE, "20971520", "/");
	machine_read(s, 10 * NS_PER_S, &sample);
	assert_int_equal(sample.v[CH_LIMIT].bytes, 10 * MB);
	machine_read(s, 12 * NS_PER_S, &sample);
	assert_int_equal(sample.v[CH_LIMIT].bytes, 20 * MB);
	fake_remove("5000000");
	machine_read(s, 30 * NS_PER_S, &sample); /* it has ended: the last limit stays */
	assert_int_equal(sample.v[CH_LIMIT].bytes, 20 * MB);
	machine_free(s);
}

static void several_targets_share_the_tightest(void **state)
{
	struct machine *s = machine_new(fake_root);

	(void)state;
	fake_target(FAKE, "unlimited", "/");
	fake_target(FAKE + 1, "unlimited", "/tight");
	machine_add_target(s, FAKE);
	machine_read(s, 1, &sample);
	assert_int_equal(sample.v[CH_LIMIT].bytes, physical());
	machine_add_target(s, FAKE + 1); /* takes effect at once */
	machine_read(s, 2, &sample);
	assert_int_equal(sample.v[CH_LIMIT].bytes, 50 * MB);
	machine_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_machine_is_read),
	    cmocka_unit_test(nothing_is_left_for_a_command_to_inherit),
	    cmocka_unit_test_setup_teardown(the_tightest_limit_wins, setup, teardown),
	    cmocka_unit_test_setup_teardown(limits_are_read_again_every_ten_seconds, setup, teardown),
	    cmocka_unit_test_setup_teardown(several_targets_share_the_tightest, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
