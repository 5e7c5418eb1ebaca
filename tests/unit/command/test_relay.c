/* SPDX-License-Identifier: MIT */
/* What memwatch hears of its relay. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <cmocka.h>

static bool scarce; /* the next call fails */

static ssize_t scarce_recv(int fd, void *buf, size_t size, int flags)
{
	if (!scarce)
		return recv(fd, buf, size, flags);
	scarce = false;
	errno = ENOMEM;
	return -1;
}

#define recv scarce_recv
#include "command/relay.c"
#undef recv

static void a_failed_call_is_not_its_end(void **state)
{
	struct loop *loop = loop_new();
	struct relay r;
	int pair[2];

	(void)state;
	relay_none(&r);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	r.fd = pair[0];
	r.loop = loop;
	scarce = true;
	relay_ready(&r);
	assert_int_equal(r.fd, pair[0]);
	close(pair[1]);
	relay_ready(&r);
	assert_int_equal(r.fd, -1);
	loop_free(loop);
}

/* "Taken" as the late answer to a question of before, then the answer to the one that is asked now. */
static void a_late_answer_is_not_the_next_one(void **state)
{
	struct relay_message late = {.question = 2, .word = RELAY_TAKEN},
			     now = {.question = 3, .word = RELAY_NOT_TAKEN};
	struct relay r;
	int pair[2];

	(void)state;
	relay_none(&r);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	r.pid = getpid();
	r.fd = pair[0];
	r.terminal = true;
	r.asked = 2;
	assert_int_equal(send(pair[1], &late, sizeof(late), 0), sizeof(late));
	assert_int_equal(send(pair[1], &now, sizeof(now), 0), sizeof(now));
	relay_release_terminal(&r);
	assert_false(r.taken);
	close(pair[0]);
	close(pair[1]);
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

/* It ends by SIGTERM, which only comes when memwatch has gone on. */
static void one_that_closes_its_socket_and_lives_on_is_left(void **state)
{
	struct relay r;
	int pair[2], status;
	pid_t pid;

	(void)state;
	relay_none(&r);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	pid = r.pid = fork();
	if (pid == 0) {
		close(pair[0]);
		close(pair[1]);
		for (;;)
			pause();
	}
	close(pair[1]);
	r.fd = pair[0];
	r.terminal = false;
	is_done(&r);
	assert_false(r.killed);
	relay_finish(&r, -1, never, NULL);
	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_failed_call_is_not_its_end),
	    cmocka_unit_test(a_late_answer_is_not_the_next_one),
	    cmocka_unit_test(one_that_closes_its_socket_and_lives_on_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
