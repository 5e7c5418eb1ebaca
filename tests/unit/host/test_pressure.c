/* SPDX-License-Identifier: MIT */
#include "host/pressure.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "fakeproc.h"

static struct sample sample;

static int make_root(void **state)
{
	(void)state;
	fake_new();
	fake_write("self/mountinfo", "30 23 0:26 / %s/cg rw - cgroup2 cgroup2 rw\n", fake_root);
	fake_write("pressure/memory", "some avg10=1.00 avg60=0.50 avg300=0.10 total=7000\n"
				      "full avg10=0.00 avg60=0.00 avg300=0.00 total=100\n");
	return 0;
}

static int remove_root(void **state)
{
	(void)state;
	fake_remove("");
	return 0;
}

static void fake_group(int pid, const char *group)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/cgroup", pid);
	fake_write(path, "4:memory:/other\n0::%s\n", group);
}

static void fake_faults(int pid, unsigned faults)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/stat", pid);
	fake_write(path, "%d (a) b) S 1 1 1 0 -1 0 900 901 %u 902 0 0 0 0 20 0 1 0 1 0 0\n", pid, faults);
}

static void the_targets_cgroup_is_asked(void **state)
{
	struct pressure *p = pressure_new(fake_root);

	(void)state;
	fake_group(FAKE, "/a/b");
	fake_write("cg/a/b/memory.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=123456\n");
	pressure_add_target(p, FAKE);
	pressure_add_target(p, FAKE + 1); /* the first one counts */
	pressure_read(p, NULL, 0, 1, &sample);
	assert_int_equal(sample.pressure_us, 123456);
	assert_int_equal(sample.major_faults, -1);
	fake_write("cg/a/b/memory.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=200000\n");
	pressure_read(p, NULL, 0, NS_PER_S, &sample); /* not yet due */
	assert_int_equal(sample.pressure_us, -1);
	pressure_read(p, NULL, 0, 3 * NS_PER_S, &sample);
	assert_int_equal(sample.pressure_us, 200000);
	pressure_free(p);
}

static void else_the_machine(void **state)
{
	static const char *const groups[] = {"/", "/no/such", "/../outside"};

	(void)state;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		struct pressure *p = pressure_new(fake_root);

		fake_group(FAKE, groups[i]);
		pressure_add_target(p, FAKE);
		pressure_read(p, NULL, 0, 1, &sample);
		assert_int_equal(sample.pressure_us, 7000);
		pressure_free(p);
	}
	pressure_free(NULL);
}

/* Without it in the kernel, and with a file that cannot be understood. */
static void unknown_is_not_zero(void **state)
{
	struct pressure *p = pressure_new("/no/such/proc");

	(void)state;
	pressure_add_target(p, FAKE);
	pressure_read(p, &(pid_t){FAKE}, 1, 1, &sample);
	assert_int_equal(sample.pressure_us, -1);
	assert_int_equal(sample.major_faults, -1);
	pressure_free(p);
	fake_write("pressure/memory", "full total=100\n");
	p = pressure_new(fake_root);
	fake_group(FAKE, "/");
	pressure_add_target(p, FAKE);
	pressure_read(p, NULL, 0, 1, &sample);
	assert_int_equal(sample.pressure_us, -1);
	pressure_free(p);
}

/* What a process had before it was first seen does not count; what a new one has does; one that goes takes nothing
 * with it; a number that is used again is another process. */
static void faults_are_those_since_the_start(void **state)
{
	const pid_t tree[] = {FAKE, FAKE + 1};
	struct pressure *p = pressure_new(fake_root);

	(void)state;
	fake_faults(FAKE, 1000);
	fake_faults(FAKE + 1, 30);
	pressure_read(p, tree, 1, 1, &sample);
	assert_int_equal(sample.major_faults, 0);
	fake_faults(FAKE, 1007);
	pressure_read(p, tree, 2, 3 * NS_PER_S, &sample);
	assert_int_equal(sample.major_faults, 37);
	pressure_read(p, tree + 1, 1, 6 * NS_PER_S, &sample);
	assert_int_equal(sample.major_faults, 37);
	fake_faults(FAKE + 1, 4);
	pressure_read(p, tree + 1, 1, 9 * NS_PER_S, &sample);
	assert_int_equal(sample.major_faults, 41);
	pressure_free(p);
}

static void a_crowd_is_asked_in_part(void **state)
{
	struct pressure *p = pressure_new(fake_root);
	pid_t tree[ASKED_MAX + 10];

	(void)state;
	for (int i = 0; i < ASKED_MAX + 10; i++) {
		tree[i] = FAKE + i;
		fake_faults(tree[i], 0);
	}
	pressure_read(p, tree, ASKED_MAX + 10, 1, &sample);
	for (int i = 0; i < ASKED_MAX + 10; i++)
		fake_faults(tree[i], 2);
	pressure_read(p, tree, ASKED_MAX + 10, 3 * NS_PER_S, &sample);
	assert_int_equal(sample.major_faults, 2 * ASKED_MAX);
	pressure_free(p);
}

/* Of a large tree some are asked. One that comes into their number has faults of its past, and may have been counted. */
static void a_large_tree_counts_no_fault_twice(void **state)
{
	pid_t tree[ASKED_MAX + 2];
	struct pressure *p = pressure_new(fake_root);

	(void)state;
	for (int i = 0; i < ASKED_MAX + 2; i++) {
		tree[i] = FAKE + i;
		fake_faults(tree[i], 100);
	}
	pressure_read(p, tree, ASKED_MAX + 2, 1, &sample);
	fake_faults(tree[0], 105);
	pressure_read(p, tree, ASKED_MAX + 2, 3 * NS_PER_S, &sample);
	assert_int_equal(sample.major_faults, 5);
	pressure_read(p, tree + 1, ASKED_MAX + 1, 6 * NS_PER_S, &sample); /* one more is asked */
	assert_int_equal(sample.major_faults, 5);
	pressure_read(p, tree, ASKED_MAX + 2, 9 * NS_PER_S, &sample); /* and the first one again */
	assert_int_equal(sample.major_faults, 5);
	pressure_free(p);
}

static void a_process_that_cannot_be_read_for_once_is_not_new(void **state)
{
	struct pressure *p = pressure_new(fake_root);
	const pid_t tree[] = {FAKE, FAKE + 1};
	char unread[64];

	(void)state;
	snprintf(unread, sizeof(unread), "%d/stat", FAKE + 1);
	fake_faults(FAKE, 100);
	fake_faults(FAKE + 1, 100);
	pressure_read(p, tree, 2, 1, &sample);
	fake_write(unread, "-");
	pressure_read(p, tree, 2, 3 * NS_PER_S, &sample);
	fake_faults(FAKE + 1, 101);
	pressure_read(p, tree, 2, 6 * NS_PER_S, &sample);
	assert_int_equal(sample.major_faults, 1);
	pressure_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_targets_cgroup_is_asked, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(else_the_machine, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(unknown_is_not_zero, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(faults_are_those_since_the_start, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(a_crowd_is_asked_in_part, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(a_large_tree_counts_no_fault_twice, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(a_process_that_cannot_be_read_for_once_is_not_new, make_root,
					    remove_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
