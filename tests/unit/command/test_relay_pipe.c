/* SPDX-License-Identifier: MIT */
/* COMMAND's bytes where calls fail now and then. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static int until_success; /* so many writes are still to fail */

static ssize_t scarce_write(int fd, const void *bytes, size_t n)
{
	if (until_success-- <= 0)
		return write(fd, bytes, n);
	errno = ENOMEM;
	return -1;
}

#define write scarce_write
#include "command/relay_pipe.c"
#undef write

enum { RUN_OF_FAILURES = 3 };

static struct relay_pipe relayed;
static int in[2], out[2];

static void open_relay(void)
{
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
	relay_pipe_init(&relayed, in[0], out[1], STDOUT_FILENO);
	relayed.by_write = true;
}

static void close_relay(void)
{
	if (relayed.in >= 0)
		end(&relayed);
	close(in[1]);
	close(out[0]);
}

static void turn(void)
{
	static const struct pollfd ready[] = {{.revents = POLLIN}, {.revents = POLLOUT}};
	struct output_copy_writer copy = {.fd = -1};

	relay_pipe_ready(&relayed, ready, &copy);
}

static void failures_that_pass_end_nothing_however_long_the_run(void **state)
{
	char byte;

	(void)state;
	open_relay();
	for (int i = 0; i < FAILURES_MAX; i++) {
		assert_int_equal(write(in[1], "x", 1), 1);
		until_success = RUN_OF_FAILURES;
		for (int k = 0; k <= RUN_OF_FAILURES; k++)
			turn();
		assert_int_equal(read(out[0], &byte, 1), 1);
	}
	assert_true(relayed.in >= 0);
	close_relay();
}

static void failures_without_an_end_are_one(void **state)
{
	(void)state;
	open_relay();
	assert_int_equal(write(in[1], "x", 1), 1);
	until_success = INT_MAX;
	for (int i = 0; i <= FAILURES_MAX; i++)
		turn();
	assert_int_equal(relayed.in, -1);
	close_relay();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(failures_that_pass_end_nothing_however_long_the_run),
	    cmocka_unit_test(failures_without_an_end_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
