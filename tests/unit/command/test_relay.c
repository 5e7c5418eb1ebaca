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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_failed_call_is_not_its_end)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
