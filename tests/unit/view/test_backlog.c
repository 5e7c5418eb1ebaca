/* SPDX-License-Identifier: MIT */
/* A pipe stands for the terminal: it takes so much, and more when it is read. */
#include "view/backlog.c"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>

#include <cmocka.h>

enum { SCREEN_BYTES = 300000 }; /* more than a pipe holds, 64 KiB */

struct bench {
	struct backlog backlog;
	int memory;
	int ends[2];
	size_t seen;
};

static int set_up(void **state)
{
	struct bench *t = xcalloc(1, sizeof(*t));

	signal(SIGPIPE, SIG_IGN);
	t->memory = memfd_create("screen", MFD_CLOEXEC);
	assert_int_equal(0, pipe2(t->ends, O_NONBLOCK | O_CLOEXEC));
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *t = *state;

	backlog_free(&t->backlog);
	close(t->memory);
	close(t->ends[0]);
	close(t->ends[1]);
	free(t);
	return 0;
}

/* Bytes that tell where they stand, from the first on. */
static void draw(const struct bench *t, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		assert_int_equal(1, write(t->memory, &(char){(char)(i % 251)}, 1));
}

static void look(struct bench *t)
{
	unsigned char bytes[4096];
	ssize_t n;

	while ((n = read(t->ends[0], bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < n; i++)
			assert_int_equal(t->seen++ % 251, bytes[i]);
}

static void nothing_drawn_is_nothing_to_write(void **state)
{
	struct bench *t = *state;

	assert_false(backlog_take(&t->backlog, t->memory));
	backlog_write(&t->backlog, t->ends[1]);
	look(t);
	assert_int_equal(0, t->seen);
}

static void what_is_not_taken_comes_when_asked_again(void **state)
{
	struct bench *t = *state;

	draw(t, 0, SCREEN_BYTES);
	assert_true(backlog_take(&t->backlog, t->memory));
	backlog_write(&t->backlog, t->ends[1]);
	assert_true(t->backlog.len > 0);
	for (int i = 0; i < 100 && t->backlog.len > 0; i++) {
		look(t);
		backlog_write_now(&t->backlog, t->ends[1]);
	}
	look(t);
	assert_int_equal(SCREEN_BYTES, t->seen);
}

static void a_second_screen_goes_behind_the_first(void **state)
{
	struct bench *t = *state;

	draw(t, 0, SCREEN_BYTES);
	backlog_take(&t->backlog, t->memory);
	backlog_write(&t->backlog, t->ends[1]);
	draw(t, SCREEN_BYTES, 1000);
	assert_true(backlog_take(&t->backlog, t->memory));
	while (t->backlog.len > 0) {
		look(t);
		backlog_write(&t->backlog, t->ends[1]);
	}
	look(t);
	assert_int_equal(SCREEN_BYTES + 1000, t->seen);
}

static void a_terminal_that_is_gone_keeps_nothing_waiting(void **state)
{
	struct bench *t = *state;

	draw(t, 0, SCREEN_BYTES);
	backlog_take(&t->backlog, t->memory);
	close(t->ends[0]);
	t->ends[0] = -1;
	backlog_write_all(&t->backlog, t->ends[1]);
	assert_int_equal(0, t->backlog.len);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(nothing_drawn_is_nothing_to_write, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_is_not_taken_comes_when_asked_again, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_second_screen_goes_behind_the_first, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_terminal_that_is_gone_keeps_nothing_waiting, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
