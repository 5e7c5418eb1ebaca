/* SPDX-License-Identifier: MIT */
#include "watch/epochs.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* What one call says on standard error. */
static size_t words_of(struct watch_epochs *e, int64_t elapsed_ms, char *buf, size_t size)
{
	FILE *f = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t n;

	dup2(fileno(f), STDERR_FILENO);
	watch_epochs_now(e, elapsed_ms);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	n = fread(buf, 1, size - 1, f);
	buf[n] = '\0';
	fclose(f);
	return n;
}

static void a_log_that_does_not_appear_is_missed_once(void **state)
{
	char dir[] = "/tmp/memwatch-test-XXXXXX", path[64], words[512];
	struct options o = {.epochs = EPOCHS_LOG, .epochs_log = path};
	struct watch_epochs e;
	struct loop *loop;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/log", dir);
	loop = loop_new();
	assert_int_equal(watch_epochs_open(&e, &o, loop), 0);
	assert_int_equal(words_of(&e, 59000, words, sizeof(words)), 0);
	assert_int_not_equal(words_of(&e, 61000, words, sizeof(words)), 0);
	assert_non_null(strstr(words, path));
	assert_int_equal(words_of(&e, 63000, words, sizeof(words)), 0);
	watch_epochs_close(&e);
	loop_free(loop);
	rmdir(dir);
}

static void a_log_that_came_is_not(void **state)
{
	char path[] = "/tmp/memwatch-test-XXXXXX", words[512];
	struct options o = {.epochs = EPOCHS_LOG, .epochs_log = path};
	struct watch_epochs e;
	struct loop *loop;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	loop = loop_new();
	assert_int_equal(watch_epochs_open(&e, &o, loop), 0);
	unlink(path);
	assert_int_equal(words_of(&e, 61000, words, sizeof(words)), 0);
	watch_epochs_close(&e);
	loop_free(loop);
	close(fd);
}

/* Said once, from 45 s on, unless an epoch was seen. */
static void lines_that_may_be_held_back(void **state)
{
	struct options o = {.epochs = EPOCHS_AUTO};
	struct watch_epochs e;
	struct loop *loop;
	char words[512];

	(void)state;
	loop = loop_new();
	assert_int_equal(watch_epochs_open(&e, &o, loop), 0);
	watch_epochs_follow_own(&e, "a pipe");
	assert_int_equal(words_of(&e, 44000, words, sizeof(words)), 0);
	assert_int_not_equal(words_of(&e, 45000, words, sizeof(words)), 0);
	assert_non_null(strstr(words, "a pipe"));
	assert_non_null(strstr(words, "--unbuffered always"));
	assert_int_equal(words_of(&e, 47000, words, sizeof(words)), 0);
	watch_epochs_close(&e);
	loop_free(loop);
}

static void lines_that_come_in_time(void **state)
{
	struct options o = {.epochs = EPOCHS_AUTO};
	struct watch_epochs e;
	struct loop *loop;
	char words[512];

	(void)state;
	loop = loop_new();
	assert_int_equal(watch_epochs_open(&e, &o, loop), 0);
	watch_epochs_follow_own(&e, NULL);
	assert_int_equal(words_of(&e, 45000, words, sizeof(words)), 0);
	e.writes_to = "a file";
	watch_epochs_bytes(&e, 1, "Epoch 1/3\n", 10, clock_mono_ns());
	assert_int_equal(words_of(&e, 47000, words, sizeof(words)), 0);
	watch_epochs_close(&e);
	loop_free(loop);
}

/* A process that writes to a pipe, which nobody else can read; it is asked to print in time next time or to be marked. */
static void what_cannot_be_read_from_outside(void **state)
{
	struct options o = {.epochs = EPOCHS_AUTO, .pid_count = 1};
	int fds[2], saved = dup(STDOUT_FILENO);
	struct watch_epochs e;
	struct loop *loop;
	char words[512];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	loop = loop_new();
	assert_int_equal(watch_epochs_open(&e, &o, loop), 0);
	fflush(stdout);
	dup2(fds[1], STDOUT_FILENO);
	watch_epochs_follow_pid(&e, getpid());
	dup2(saved, STDOUT_FILENO);
	assert_int_not_equal(words_of(&e, 45000, words, sizeof(words)), 0);
	assert_non_null(strstr(words, "SIGUSR1"));
	assert_int_equal(words_of(&e, 47000, words, sizeof(words)), 0);
	watch_epochs_close(&e);
	loop_free(loop);
	close(saved);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_log_that_does_not_appear_is_missed_once),
	    cmocka_unit_test(a_log_that_came_is_not),
	    cmocka_unit_test(lines_that_may_be_held_back),
	    cmocka_unit_test(lines_that_come_in_time),
	    cmocka_unit_test(what_cannot_be_read_from_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
