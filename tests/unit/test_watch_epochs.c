/* SPDX-License-Identifier: MIT */
#include "../../src/watch_epochs.c"

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
	assert_int_equal(loop_new(&loop), 0);
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
	assert_int_equal(loop_new(&loop), 0);
	assert_int_equal(watch_epochs_open(&e, &o, loop), 0);
	unlink(path);
	assert_int_equal(words_of(&e, 61000, words, sizeof(words)), 0);
	watch_epochs_close(&e);
	loop_free(loop);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_log_that_does_not_appear_is_missed_once),
	    cmocka_unit_test(a_log_that_came_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
