/* SPDX-License-Identifier: MIT */
/* What memwatch hears of a child that cannot become COMMAND. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "command/launch.c"

static const int as_they_are[3] = {-1, -1, -1};

/* A child that waits at its gate; `go`, if any, stands in for what it reads there. */
static struct launch_child at_gate(const struct launch_plan *plan, const int *go)
{
	struct launch_child child;
	struct launch_gate gate;

	assert_int_equal(launch_gate_open(&gate), 0);
	child.pid = fork();
	if (child.pid == 0) {
		if (go)
			dup2(*go, gate.go[0]);
		launch_become(plan, &gate);
	}
	launch_gate_keep(&gate, &child);
	return child;
}

static enum launch_outcome start(const struct launch_plan *plan, const int *go, int *err)
{
	struct launch_child child = at_gate(plan, go);

	return launch_exec(&child, err);
}

static void a_failed_read_at_the_gate_is_told(void **state)
{
	static struct launch_world world;
	struct launch_plan plan = {
	    .argv = (char *[]){(char *)"true", NULL}, .world = &world, .fds = as_they_are};
	int folder = open("/", O_RDONLY | O_CLOEXEC), err = 0;

	(void)state;
	assert_int_equal(start(&plan, &folder, &err), LAUNCH_NOT_STARTED);
	assert_int_equal(err, EISDIR);
	close(folder);
}

static void a_child_that_left_its_gate_has_told_why(void **state)
{
	static struct launch_world world;
	struct launch_plan plan = {
	    .argv = (char *[]){(char *)"true", NULL}, .world = &world, .fds = as_they_are};
	int folder = open("/", O_RDONLY | O_CLOEXEC), err = 0;
	struct launch_child child = at_gate(&plan, &folder);
	siginfo_t ended;

	(void)state;
	assert_int_equal(waitid(P_PID, (id_t)child.pid, &ended, WEXITED | WNOWAIT), 0);
	assert_int_equal(launch_exec(&child, &err), LAUNCH_NOT_STARTED);
	assert_int_equal(err, EISDIR);
	close(folder);
}

static void a_descriptor_that_cannot_be_given_is_told(void **state)
{
	static struct launch_world world;
	struct launch_plan plan = {
	    .argv = (char *[]){(char *)"true", NULL}, .world = &world, .fds = (int[]){-1, 1000, -1}};
	int err = 0;

	(void)state;
	assert_int_equal(start(&plan, NULL, &err), LAUNCH_NOT_STARTED);
	assert_int_equal(err, EBADF);
}

static void a_command_that_is_missing_is_told(void **state)
{
	static struct launch_world world;
	struct launch_plan plan = {
	    .argv = (char *[]){(char *)"/no/such/command", NULL}, .world = &world, .fds = as_they_are};
	int err = 0;

	(void)state;
	assert_int_equal(start(&plan, NULL, &err), LAUNCH_NOT_RUNNABLE);
	assert_int_equal(err, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_failed_read_at_the_gate_is_told),
	    cmocka_unit_test(a_child_that_left_its_gate_has_told_why),
	    cmocka_unit_test(a_descriptor_that_cannot_be_given_is_told),
	    cmocka_unit_test(a_command_that_is_missing_is_told),
	};

	signal(SIGPIPE, SIG_IGN); /* memwatch blocks it while it starts COMMAND */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
