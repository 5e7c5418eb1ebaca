/* SPDX-License-Identifier: MIT */
#include "base/msg.c"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>

#include <cmocka.h>

enum { LINES = 400 };

/* A terminal and somebody who reads what it shows, not as fast as it comes. */
struct reader {
	int master;
	char text[LINES * 200];
	size_t n;
};

static void *read_slowly(void *arg)
{
	struct reader *r = arg;
	ssize_t n;

	do {
		usleep(500);
		n = read(r->master, r->text + r->n, 300 < sizeof(r->text) - r->n ? 300 : 0);
		r->n += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	return NULL;
}

static int open_terminal(struct reader *r)
{
	struct termios plain;
	int slave;

	r->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(r->master >= 0);
	assert_int_equal(unlockpt(r->master), 0);
	slave = tty_open_slave(r->master, O_WRONLY | O_NONBLOCK);
	assert_true(slave >= 0);
	assert_int_equal(tty_get_modes(slave, &plain), 0);
	plain.c_oflag = 0;
	assert_int_equal(tty_set_modes(slave, &plain), 0);
	return slave;
}

static void a_slow_terminal_gets_all_of_the_copy(void **state)
{
	static struct reader r;
	int errors = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
	const char *at;
	pthread_t thread;

	(void)state;
	msg_init(MSG_NORMAL, MSG_COLOUR_NEVER);
	msg_copy_to(open_terminal(&r));
	assert_int_equal(pthread_create(&thread, NULL, read_slowly, &r), 0);
	dup2(nowhere, STDERR_FILENO);
	for (int i = 0; i < LINES; i++)
		say("line %03d of a report that is longer than what a terminal takes at one go, to be sure",
		    i);
	dup2(errors, STDERR_FILENO);
	assert_true(copy_fd >= 0);
	fds_close(&copy_fd);
	pthread_join(thread, NULL);
	at = r.text;
	for (int i = 0; i < LINES; i++) {
		char want[32];

		snprintf(want, sizeof(want), "line %03d of ", i);
		assert_memory_equal(at, want, strlen(want));
		at = strchr(at, '\n') + 1;
	}
	close(errors);
	close(nowhere);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_slow_terminal_gets_all_of_the_copy)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
