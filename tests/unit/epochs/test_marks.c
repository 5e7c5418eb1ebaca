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
	snprintf(told + at, sizeof(told) - at, "%s %ld @%ld;", mark->kind == MARK_EPOCH ? "epoch" : "mark",
		 (long)mark->number, (long)mark->time_ns);
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
	assert_string_equal(told, "epoch -1 @1;epoch 3 @2;mark -1 @2;epoch 4 @2;mark -1 @2;");
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

static void only_who_has_the_name_can_append_and_all_goes_at_the_end(void **state)
{
	struct marks *m;
	struct stat st;
	char path[512], dir[512];

	(void)state;
	assert_int_equal(marks_open(&m), 0);
	snprintf(path, sizeof(path), "%s", marks_path(m));
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_mode & 0777, 0622);
	snprintf(dir, sizeof(dir), "%s", path);
	*strrchr(dir, '/') = '\0';
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0711);
	assert_true(strlen(path) - strlen(dir) > 32);
	marks_close(m);
	assert_int_equal(stat(path, &st), -1);
	assert_int_equal(stat(dir, &st), -1);
}

static void who_outlives_the_run_can_go_on(void **state)
{
	struct marks *m;
	char path[512];

	(void)state;
	assert_int_equal(marks_open(&m), 0);
	snprintf(path, sizeof(path), "%s", marks_path(m));
	append(path, "epoch\n", O_APPEND);
	assert_int_equal(marks_ready(m, 1, note_mark, NULL), 0);
	marks_leave(m);
	marks_close(m);
	append(path, "epoch\n", O_APPEND);
	assert_int_equal(unlink(path), 0);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);
}

static void a_directory_closed_to_others_comes_last(void **state)
{
	char home[] = "/tmp/memwatch-test-XXXXXX";
	struct marks *m;

	(void)state;
	assert_non_null(mkdtemp(home));
	setenv("TMPDIR", home, 1);
	assert_int_equal(marks_open(&m), 0);
	assert_int_not_equal(strncmp(marks_path(m), home, strlen(home)), 0);
	marks_close(m);
	assert_int_equal(chmod(home, 0711), 0);
	assert_int_equal(marks_open(&m), 0);
	assert_int_equal(strncmp(marks_path(m), home, strlen(home)), 0);
	marks_close(m);
	unsetenv("TMPDIR");
	assert_int_equal(rmdir(home), 0);
}

static void where_no_mark_would_fit_there_is_no_file(void **state)
{
	struct rlimit before, little;
	struct marks *m = NULL;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = (struct rlimit){.rlim_cur = 1024, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	assert_int_equal(marks_open(&m), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void what_was_read_takes_no_room(void **state)
{
	static char many[64 * 1024];
	struct marks *m;
	struct stat st;
	int pieces = 0;

	(void)state;
	memset(many, 'x', sizeof(many));
	many[sizeof(many) - 1] = '\n';
	assert_int_equal(marks_open(&m), 0);
	for (int i = 0; i < 3 * PIECE_BYTES / (int)sizeof(many); i++)
		assert_int_equal(write(m->fd, many, sizeof(many)), sizeof(many));
	while (marks_ready(m, 1, note_mark, NULL) > 0)
		pieces++;
	assert_int_equal(pieces, 3);
	assert_int_equal(fstat(m->fd, &st), 0);
	assert_int_equal(st.st_size, 3 * PIECE_BYTES);
	assert_true(st.st_blocks * 512 < PIECE_BYTES);
	marks_close(m);
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
	    cmocka_unit_test(only_who_has_the_name_can_append_and_all_goes_at_the_end),
	    cmocka_unit_test(who_outlives_the_run_can_go_on),
	    cmocka_unit_test(a_directory_closed_to_others_comes_last),
	    cmocka_unit_test(where_no_mark_would_fit_there_is_no_file),
	    cmocka_unit_test(what_was_read_takes_no_room),
	    cmocka_unit_test(a_useless_runtime_directory_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
