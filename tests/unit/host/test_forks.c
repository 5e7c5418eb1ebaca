/* SPDX-License-Identifier: MIT */
#include "host/forks.c"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "fakeproc.h"

static void says(uint64_t pid)
{
	fake_write("loadavg", "0.58 0.29 0.13 3/97 %llu\n", (unsigned long long)pid);
}

static void quiet_only_after_two_equal_looks(void **state)
{
	struct forks f = {.fd = -1, .moved = true};
	char path[128];

	(void)state;
	fake_new();
	says(100);
	snprintf(path, sizeof(path), "%s/loadavg", fake_root);
	f.fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(forks_possible(&f, 1));
	assert_true(forks_possible(&f, 2)); /* the look before still saw a change */
	assert_false(forks_possible(&f, 3));
	says(101);
	assert_true(forks_possible(&f, 4));
	assert_true(forks_possible(&f, 5));
	assert_false(forks_possible(&f, 6));
	assert_true(forks_possible(&f, 7 + NS_PER_S)); /* the numbers may have come round */
	says(0);
	assert_true(forks_possible(&f, 8 + NS_PER_S));
	fake_write("loadavg", "%s", "rubbish");
	assert_true(forks_possible(&f, 9 + NS_PER_S));
	forks_close(&f);
	assert_true(forks_possible(&f, 10 + NS_PER_S));
	fake_remove("");
}

static void a_made_file_is_not_trusted(void **state)
{
	struct forks f;
	int dir;

	(void)state;
	fake_new();
	says(100);
	dir = open(fake_root, O_PATH | O_DIRECTORY);
	forks_open(&f, dir);
	assert_int_equal(f.fd, -1);
	close(dir);
	fake_remove("");
}

static void a_real_fork_is_seen(void **state)
{
	int dir = open("/proc", O_PATH | O_DIRECTORY);
	struct forks f;
	pid_t pid;

	(void)state;
	forks_open(&f, dir);
	if (f.fd < 0)
		skip();
	forks_possible(&f, 1);
	forks_possible(&f, 2);
	pid = fork();
	if (pid == 0)
		_exit(0);
	assert_true(forks_possible(&f, 3));
	waitpid(pid, NULL, 0);
	forks_close(&f);
	close(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(quiet_only_after_two_equal_looks),
	    cmocka_unit_test(a_made_file_is_not_trusted),
	    cmocka_unit_test(a_real_fork_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
