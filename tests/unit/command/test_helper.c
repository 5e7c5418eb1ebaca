/* SPDX-License-Identifier: MIT */
/* Answers that come late, helpers that do not end. */
#include "command/helper.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "command/group_witness.c"

struct packet {
	unsigned number;
	int value;
};

static void say(int fd, unsigned number, int value)
{
	struct packet p = {number, value};

	assert_int_equal(send(fd, &p, sizeof(p), 0), sizeof(p));
}

static bool is_empty(int fd)
{
	struct packet p;

	return recv(fd, &p, sizeof(p), MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

static void a_late_answer_is_not_the_next_one(void **state)
{
	struct packet got;
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	say(pair[1], 1, 10);
	say(pair[1], 2, 20);
	assert_true(helper_answer(getpid(), pair[0], 2, &got, sizeof(got), 1000));
	assert_int_equal(got.value, 20);
	say(pair[1], 2, 20);
	assert_false(helper_answer(getpid(), pair[0], 3, &got, sizeof(got), NUDGE_MS));
	assert_true(is_empty(pair[0]));
	close(pair[1]);
	assert_false(helper_answer(getpid(), pair[0], 4, &got, sizeof(got), 1000));
	close(pair[0]);
}

/* The first question was never answered in time: its "yes" must not make a signal to memwatch alone the group's. */
static void the_witness_is_not_misunderstood(void **state)
{
	struct group_witness w = {.pid = getpid()};
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	w.fd = pair[0];
	w.asked = 1;
	say(pair[1], 1, true);
	say(pair[1], 2, false);
	assert_false(group_witness_take_group_signal(&w, SIGTERM));
	assert_true(is_empty(pair[0]));
	close(pair[0]);
	close(pair[1]);
}

/* Somebody who is asked for the same signal twice says so once. */
static void a_real_witness_answers(void **state)
{
	struct group_witness w;
	sigset_t all, before;

	(void)state;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	assert_int_equal(group_witness_start(&w), 0);
	kill(w.pid, SIGUSR1); /* memwatch's own does not count */
	assert_false(group_witness_take_group_signal(&w, SIGUSR1));
	if (fork() == 0) {
		kill(w.pid, SIGUSR1);
		_exit(0);
	}
	wait(NULL);
	assert_true(group_witness_take_group_signal(&w, SIGUSR1));
	assert_false(group_witness_take_group_signal(&w, SIGUSR1));
	group_witness_stop(&w);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void a_helper_that_lives_on_is_not_waited_for_forever(void **state)
{
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		for (;;)
			pause();
	assert_false(helper_await_end(pid, &status));
	kill(pid, SIGTERM);
	assert_true(helper_await_end(pid, &status));
	assert_true(WIFSIGNALED(status));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_late_answer_is_not_the_next_one),
	    cmocka_unit_test(the_witness_is_not_misunderstood),
	    cmocka_unit_test(a_real_witness_answers),
	    cmocka_unit_test(a_helper_that_lives_on_is_not_waited_for_forever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
