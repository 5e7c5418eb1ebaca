/* SPDX-License-Identifier: MIT */
#include "epochs/marks.c"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static char told[1024];

static void note_mark(void *ctx, const struct mark *mark)
{
	size_t at = strlen(told);

	(void)ctx;
	snprintf(told + at, sizeof(told) - at, "%s %ld %s@%ld;", mark->kind == MARK_EPOCH ? "epoch" : "mark",
		 (long)mark->number, mark->label, (long)mark->time_ns);
}

static void append(const char *path, const char *text, int flags)
{
	int fd = open(path, O_WRONLY | flags);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static bool is_ready(struct marks *m)
{
	struct pollfd p = {.fd = marks_fd(m), .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void appended_lines_are_told_when_they_come(void **state)
{
	struct marks *m;

	(void)state;
	told[0] = '\0';
	assert_int_equal(marks_open(&m), 0);
	assert_false(is_ready(m));
	append(marks_path(m), "epoch\n", O_APPEND);
	assert_true(is_ready(m));
	assert_int_equal(marks_ready(m, 1, note_mark, NULL), 0);
	assert_false(is_ready(m));
	append(marks_path(m), "epoch 3\nmark fold 2\nepo", O_APPEND);
	append(marks_path(m), "ch 4\nnonsense\nepochs 5\nepoch x\nmark\nmarker\n", O_APPEND);
	assert_int_equal(marks_ready(m, 2, note_mark, NULL), 0);
	assert_string_equal(told, "epoch -1 @1;epoch 3 @2;mark -1 fold 2@2;epoch 4 @2;mark -1 @2;");
	marks_close(m);
}

static void a_file_emptied_by_the_shell_goes_on(void **state)
{
	struct marks *m;

	(void)state;
	told[0] = '\0';
	assert_int_equal(marks_open(&m), 0);
	append(marks_path(m), "epoch 10\n", O_TRUNC);
	assert_int_equal(marks_ready(m, 1, note_mark, NULL), 0);
	append(marks_path(m), "epoch 2\n", O_TRUNC);
	assert_int_equal(marks_ready(m, 2, note_mark, NULL), 0);
	assert_string_equal(told, "epoch 10 @1;epoch 2 @2;");
	marks_close(m);
}

static void the_file_is_private_and_goes_at_the_end(void **state)
{
	struct marks *m;
	struct stat st;
	char path[512];

	(void)state;
	assert_int_equal(marks_open(&m), 0);
	snprintf(path, sizeof(path), "%s", marks_path(m));
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_mode & 0777, 0600);
	marks_close(m);
	assert_int_equal(stat(path, &st), -1);
}

static void a_useless_runtime_directory_is_passed_over(void **state)
{
	struct marks *m;

	(void)state;
	setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
	setenv("TMPDIR", "relative", 1);
	assert_int_equal(marks_open(&m), 0);
	assert_int_equal(strncmp(marks_path(m), "/tmp/", 5), 0);
	marks_close(m);
	unsetenv("XDG_RUNTIME_DIR");
	unsetenv("TMPDIR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(appended_lines_are_told_when_they_come),
	    cmocka_unit_test(a_file_emptied_by_the_shell_goes_on),
	    cmocka_unit_test(the_file_is_private_and_goes_at_the_end),
	    cmocka_unit_test(a_useless_runtime_directory_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
