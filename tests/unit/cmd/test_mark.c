/* SPDX-License-Identifier: MIT */
#include "cmd/mark.c"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>

#include <cmocka.h>

static char path[64];

static int make_file(void **state)
{
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/memwatch-test-XXXXXX");
	fd = mkstemp(path);
	msg_init(MSG_QUIET, MSG_COLOUR_NEVER);
	return fd < 0 || close(fd) || setenv(MARKS_VARIABLE, path, 1);
}

static int remove_file(void **state)
{
	(void)state;
	unlink(path);
	return 0;
}

static void assert_file_holds(const char *expected)
{
	char text[1024];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	assert_string_equal(text, expected);
}

static void each_mark_is_one_line(void **state)
{
	(void)state;
	assert_int_equal(cmd_mark(NULL), 0);
	assert_int_equal(cmd_mark("fold 2"), 0);
	assert_int_equal(cmd_mark("two\nlines\r"), 0);
	assert_file_holds("epoch\nmark fold 2\nmark two lines \n");
}

static void a_long_label_is_cut(void **state)
{
	char label[1000], expected[LABEL_MAX + 7];

	(void)state;
	memset(label, 'x', sizeof(label));
	label[sizeof(label) - 1] = '\0';
	assert_int_equal(cmd_mark(label), 0);
	snprintf(expected, sizeof(expected), "mark %.*s\n", LABEL_MAX, label);
	assert_file_holds(expected);
}

static void a_run_that_is_over_is_no_failure(void **state)
{
	(void)state;
	unlink(path);
	assert_int_equal(cmd_mark(NULL), 0);
	assert_int_equal(access(path, F_OK), -1);
}

static void half_a_mark_is_a_failure(void **state)
{
	struct rlimit before, little;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = (struct rlimit){.rlim_cur = 8, .rlim_max = before.rlim_max};
	signal(SIGXFSZ, SIG_IGN); /* standard error may be a file too */
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	assert_int_equal(cmd_mark("fold 2"), STATUS_OWN_FAILURE);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void outside_of_a_run_it_fails(void **state)
{
	(void)state;
	unsetenv(MARKS_VARIABLE);
	assert_int_equal(cmd_mark(NULL), STATUS_OWN_FAILURE);
	setenv(MARKS_VARIABLE, "", 1);
	assert_int_equal(cmd_mark(NULL), STATUS_OWN_FAILURE);
}

static void what_is_no_marks_file_is_left_alone(void **state)
{
	(void)state;
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(cmd_mark(NULL), STATUS_OWN_FAILURE);
	setenv(MARKS_VARIABLE, "/dev/null", 1);
	assert_int_equal(cmd_mark(NULL), STATUS_OWN_FAILURE);
	setenv(MARKS_VARIABLE, "/tmp", 1);
	assert_int_equal(cmd_mark(NULL), STATUS_OWN_FAILURE);
}

#define WITH_FILE(f) cmocka_unit_test_setup_teardown(f, make_file, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_FILE(each_mark_is_one_line),
	    WITH_FILE(a_long_label_is_cut),
	    WITH_FILE(a_run_that_is_over_is_no_failure),
	    WITH_FILE(half_a_mark_is_a_failure),
	    WITH_FILE(outside_of_a_run_it_fails),
	    WITH_FILE(what_is_no_marks_file_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
