/* SPDX-License-Identifier: MIT */
#include "watch/epochs.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct watch_epochs epochs;
static struct loop *loop;
static char words[512];

static void watch(const struct options *o)
{
	loop = loop_new();
	assert_int_equal(watch_epochs_open(&epochs, o, loop), 0);
}

static int stop(void **state)
{
	(void)state;
	watch_epochs_close(&epochs);
	loop_free(loop);
	return 0;
}

/* Whether anything is said on standard error then; it goes into words. */
static bool says(int64_t elapsed_ms)
{
	FILE *f = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t n;

	dup2(fileno(f), STDERR_FILENO);
	watch_epochs_now(&epochs, elapsed_ms);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	n = fread(words, 1, sizeof(words) - 1, f);
	words[n] = '\0';
	fclose(f);
	return n > 0;
}

static void a_log_that_does_not_appear_is_missed_once(void **state)
{
	static char path[64];
	char dir[] = "/tmp/memwatch-test-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/log", dir);
	watch(&(struct options){.epochs = EPOCHS_LOG, .epochs_log = path});
	assert_false(says(59000));
	assert_true(says(61000));
	assert_non_null(strstr(words, path));
	assert_false(says(63000));
	rmdir(dir);
}

static void a_log_that_came_is_not(void **state)
{
	static char path[] = "/tmp/memwatch-test-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	watch(&(struct options){.epochs = EPOCHS_LOG, .epochs_log = path});
	unlink(path);
	assert_false(says(61000));
	close(fd);
}

/* Said once, from 45 s on, unless an epoch was seen. */
static void lines_that_may_be_held_back(void **state)
{
	(void)state;
	watch(&(struct options){.epochs = EPOCHS_AUTO});
	watch_epochs_follow_own(&epochs, "a pipe");
	assert_false(says(44000));
	assert_true(says(45000));
	assert_non_null(strstr(words, "a pipe"));
	assert_non_null(strstr(words, "--unbuffered always"));
	assert_false(says(47000));
}

static void lines_that_come_in_time(void **state)
{
	(void)state;
	watch(&(struct options){.epochs = EPOCHS_AUTO});
	watch_epochs_follow_own(&epochs, NULL);
	assert_false(says(45000));
	epochs.writes_to = "a file";
	watch_epochs_bytes(&epochs, 1, "Epoch 1/3\n", 10, clock_mono_ns());
	assert_false(says(47000));
}

/* A process that writes to a pipe, which nobody else can read; it is asked to print in time next time or to be marked. */
static void what_cannot_be_read_from_outside(void **state)
{
	int fds[2], saved = dup(STDOUT_FILENO);

	(void)state;
	assert_int_equal(pipe(fds), 0);
	watch(&(struct options){.epochs = EPOCHS_AUTO, .pid_count = 1});
	fflush(stdout);
	dup2(fds[1], STDOUT_FILENO);
	watch_epochs_follow_pid(&epochs, getpid());
	dup2(saved, STDOUT_FILENO);
	assert_true(says(45000));
	assert_non_null(strstr(words, "SIGUSR1"));
	assert_false(says(47000));
	close(saved);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(a_log_that_does_not_appear_is_missed_once, stop),
	    cmocka_unit_test_teardown(a_log_that_came_is_not, stop),
	    cmocka_unit_test_teardown(lines_that_may_be_held_back, stop),
	    cmocka_unit_test_teardown(lines_that_come_in_time, stop),
	    cmocka_unit_test_teardown(what_cannot_be_read_from_outside, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
