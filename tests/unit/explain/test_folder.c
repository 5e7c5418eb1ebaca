/* SPDX-License-Identifier: MIT */
/* Whose files may go: of processes that have ended with all their threads. */
#include "explain/folder.c"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>

#include <cmocka.h>

static int stay[2]; /* the second thread ends when this is closed */

static void *stay_behind(void *arg)
{
	char byte;

	(void)arg;
	close(stay[1]);
	(void)!read(stay[0], &byte, 1);
	_exit(0);
}

/* A process whose first thread has ended and whose second has not. */
static pid_t start_without_leader(void)
{
	pid_t pid;

	assert_int_equal(pipe(stay), 0);
	pid = fork();
	if (pid == 0) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, stay_behind, NULL) == 0)
			syscall(SYS_exit, 0); /* this thread alone */
		_exit(1);
	}
	assert_true(pid > 0);
	close(stay[0]);
	while (!is_zombie(pid))
		sched_yield();
	return pid;
}

static void ended_when_the_last_thread_is_gone(void **state)
{
	pid_t pid = start_without_leader();

	(void)state;
	assert_false(has_ended(pid, clock_mono_ns()));
	close(stay[1]);
	assert_true(has_ended(pid, clock_mono_ns() + 60 * NS_PER_S));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(has_ended(pid, clock_mono_ns()));
}

static void one_that_runs_has_not_ended(void **state)
{
	(void)state;
	assert_false(has_ended(getpid(), clock_mono_ns() + 60 * NS_PER_S));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ended_when_the_last_thread_is_gone),
	    cmocka_unit_test(one_that_runs_has_not_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
