/* SPDX-License-Identifier: MIT */
/* Real processes: who was forked from whom, and who has called exec since. */
#include "host/heap_targets.c"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { READY = 'r', STARTED_MAX = 8 };
#define ASK_PERSONALITY 0xffffffff

static int ready[2]; /* each process writes a byte once it is what it shall be */
static int hold[2];  /* and reads, until this process closes it or ends */
static pid_t started[STARTED_MAX];
static size_t started_count;

static void say_ready(void)
{
	if (write(ready[1], &(char){READY}, 1) != 1)
		_exit(1);
}

/* What it says, it says after its exec. */
static void exec_shell(const char *script)
{
	char both[256];

	dup2(hold[0], 0);
	dup2(ready[1], 1);
	snprintf(both, sizeof(both), "printf r; %s", script);
	execlp("sh", "sh", "-c", both, NULL);
	_exit(127);
}

static _Noreturn void await_end(void)
{
	char byte;

	_exit(read(hold[0], &byte, 1) != 0);
}

static void wait_alone(void)
{
	say_ready();
	await_end();
}

static void fork_and_wait(void)
{
	if (fork() == 0)
		wait_alone();
	wait_alone();
}

static void exec_and_wait(void)
{
	exec_shell("read -r line");
}

static void await_ready(int count)
{
	char byte;

	for (int i = 0; i < count; i++)
		assert_int_equal(read(ready[0], &byte, 1), 1);
}

static pid_t start(void (*body)(void), int processes)
{
	pid_t pid = fork();

	if (pid == 0) {
		close(hold[1]);
		body();
		_exit(1);
	}
	started[started_count++] = pid;
	await_ready(processes);
	return pid;
}

static void wait_named(void)
{
	pid_t pid = getpid();

	if (write(ready[1], &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	await_end();
}

/* Forks of a fork that has ended; this process becomes their parent, to wait for them. */
static void start_orphans(pid_t *pids, int count)
{
	pid_t middle = fork();

	if (middle == 0) {
		close(hold[1]);
		for (int i = 0; i < count; i++)
			if (fork() == 0)
				wait_named();
		_exit(0);
	}
	assert_int_equal(waitpid(middle, NULL, 0), middle);
	for (int i = 0; i < count; i++) {
		assert_int_equal(read(ready[0], &pids[i], sizeof(pids[i])), sizeof(pids[i]));
		started[started_count++] = pids[i];
	}
}

static pid_t child_of(pid_t parent)
{
	char path[PROC_PATH_MAX], buf[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent, (int)parent);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf) - 1);
	assert_true(n > 0);
	buf[n] = '\0';
	return (pid_t)atoi(buf);
}

static int setup(void **state)
{
	(void)state;
	return prctl(PR_SET_CHILD_SUBREAPER, 1) || pipe2(ready, O_CLOEXEC) || pipe2(hold, O_CLOEXEC);
}

static int teardown(void **state)
{
	(void)state;
	close(hold[0]);
	close(hold[1]);
	while (started_count > 0)
		waitpid(started[--started_count], NULL, 0);
	close(ready[0]);
	close(ready[1]);
	return 0;
}

/* This process and what it has started, as heap_targets_list() would give them. */
static struct heap_targets family(pid_t child, pid_t grandchild)
{
	struct heap_targets t = {.count = grandchild ? 3 : 2};

	t.list[0] = (struct heap_target){.pid = child, .ppid = getpid(), .parent_alive = true};
	t.list[1] = (struct heap_target){.pid = getpid()};
	t.list[2] = (struct heap_target){.pid = grandchild, .ppid = child, .parent_alive = true};
	heap_targets_relate(&t);
	assert_false(t.list[1].own_pages);
	return t;
}

static void a_fork_has_its_parents_pages(void **state)
{
	struct heap_targets t = family(start(wait_alone, 1), 0);

	(void)state;
	assert_true(t.list[0].own_pages);
	assert_true(t.forks);
	assert_false(t.list[0].looked_at);
}

static void the_fork_of_a_fork_has_them_too(void **state)
{
	pid_t child = start(fork_and_wait, 2);
	struct heap_targets t = family(child, child_of(child));

	(void)state;
	assert_true(t.list[0].own_pages);
	assert_true(t.list[2].own_pages);
}

/* Whoever has become its parent is not asked: the tree may not even hold that one. */
static void the_fork_of_a_fork_that_has_ended_has_them_too(void **state)
{
	struct heap_targets t = {.count = 2, .list = {[1] = {.pid = getpid()}}};

	(void)state;
	start_orphans(&t.list[0].pid, 1);
	heap_targets_relate(&t);
	assert_true(t.list[0].own_pages);
	assert_false(t.list[1].own_pages);
}

static void a_program_that_a_shell_or_a_launcher_starts_has_its_own(void **state)
{
	struct heap_targets t = family(start(exec_and_wait, 1), 0);

	(void)state;
	assert_false(t.list[0].own_pages);
	assert_false(t.forks);
	assert_true(t.list[0].looked_at);
}

static void start_same_program(void)
{
	exec_shell("sh -c 'printf r; read -r line'; true");
}

static void start_subshell(void)
{
	exec_shell("(printf r; read -r line); true");
}

/* A shell that starts something: whether that shares with the shell. */
static bool shares_with_its_shell(void (*shell)(void))
{
	pid_t pid = start(shell, 2);
	struct heap_targets t = family(pid, child_of(pid));

	assert_false(t.list[0].own_pages);
	return t.list[2].own_pages;
}

static void the_same_program_once_more_has_its_own(void **state)
{
	(void)state;
	assert_false(shares_with_its_shell(start_same_program));
}

static void what_a_program_forks_after_its_exec_shares_with_that_one(void **state)
{
	(void)state;
	assert_true(shares_with_its_shell(start_subshell));
}

/* Two forks of which the parent has ended: one of them is counted in full. */
static void of_two_orphans_one_is_counted_in_full(void **state)
{
	pid_t pids[2];
	struct heap_targets t = {.count = 2};

	(void)state;
	start_orphans(pids, 2);
	t.list[0].pid = pids[0];
	t.list[1].pid = pids[1];
	heap_targets_relate(&t);
	assert_int_equal(t.list[0].own_pages + t.list[1].own_pages, 1);
}

/* Containers may forbid it. It is for programs that are started from then on, so this one can ask and take it back. */
static bool can_do_without_drawing(void)
{
	int before = personality(ASK_PERSONALITY);

	if (before < 0 || personality((unsigned long)before | ADDR_NO_RANDOMIZE) < 0)
		return false;
	personality((unsigned long)before);
	return true;
}

static void exec_without_drawing(void)
{
	personality(ADDR_NO_RANDOMIZE);
	exec_and_wait();
}

/* They share nothing and look as if they did: each page is its own, so both are counted. */
static void where_layouts_are_not_drawn_the_same_program_passes_for_a_fork(void **state)
{
	struct heap_targets t;
	pid_t first, second;

	(void)state;
	if (!can_do_without_drawing()) {
		print_message("# layouts are always drawn here: personality: %s\n", strerror(errno));
		skip();
	}
	first = start(exec_without_drawing, 1);
	second = start(exec_without_drawing, 1);
	t = family(first, second);
	assert_false(t.list[0].own_pages);
	assert_true(t.list[2].own_pages);
}

static void where_layouts_are_not_told_who_has_a_parent_is_a_fork(void **state)
{
	struct heap_targets t = family(INT_MAX, 0);

	(void)state;
	assert_true(t.list[0].own_pages);
}

static void one_process_is_nobodys_fork(void **state)
{
	struct heap_targets t = {.count = 1, .list = {{.pid = getpid(), .ppid = 1, .parent_alive = true}}};

	(void)state;
	heap_targets_relate(&t);
	assert_false(t.list[0].own_pages);
	assert_true(t.list[0].looked_at);
	t.count = 0;
	heap_targets_relate(&t);
	assert_false(t.forks);
}

#define LIVE_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    LIVE_TEST(a_fork_has_its_parents_pages),
	    LIVE_TEST(the_fork_of_a_fork_has_them_too),
	    LIVE_TEST(the_fork_of_a_fork_that_has_ended_has_them_too),
	    LIVE_TEST(a_program_that_a_shell_or_a_launcher_starts_has_its_own),
	    LIVE_TEST(the_same_program_once_more_has_its_own),
	    LIVE_TEST(what_a_program_forks_after_its_exec_shares_with_that_one),
	    LIVE_TEST(of_two_orphans_one_is_counted_in_full),
	    LIVE_TEST(where_layouts_are_not_drawn_the_same_program_passes_for_a_fork),
	    LIVE_TEST(where_layouts_are_not_told_who_has_a_parent_is_a_fork),
	    cmocka_unit_test(one_process_is_nobodys_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
