/* SPDX-License-Identifier: MIT */
#include "epochs/log_tail.c"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static char dir[64], path[96], other[96];
static char told[4096];

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/memwatch-test-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/log", dir);
	snprintf(other, sizeof(other), "%s/log.1", dir);
	told[0] = '\0';
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	unlink(other);
	return rmdir(dir);
}

static void note_line(void *ctx, const struct text_line *line)
{
	size_t at = strlen(told);

	(void)ctx;
	if (line->end != LINE_OPEN)
		snprintf(told + at, sizeof(told) - at, "%s%s;",
			 line->time_ns == LINE_TIME_UNKNOWN ? "old " : "", line->text);
}

static void write_to(const char *name, const char *text, int flags)
{
	int fd = open(name, O_WRONLY | O_CREAT | flags, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static bool is_ready(struct log_tail *t)
{
	struct pollfd p = {.fd = log_tail_fd(t), .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void what_is_appended_is_told(void **state)
{
	struct log_tail *t;

	(void)state;
	write_to(path, "before\n", 0);
	assert_int_equal(log_tail_open(&t, path, LOGTAIL_FROM_END), 0);
	assert_false(is_ready(t));
	write_to(path, "one\ntw", O_APPEND);
	assert_true(is_ready(t));
	assert_int_equal(log_tail_ready(t, 1, note_line, NULL), 0);
	assert_false(is_ready(t));
	write_to(path, "o\nlast", O_APPEND);
	log_tail_finish(t, 2, note_line, NULL);
	assert_string_equal(told, "one;two;last;");
	log_tail_close(t);
}

static void what_was_there_is_told_as_old(void **state)
{
	struct log_tail *t;

	(void)state;
	write_to(path, "before\nbegun ", 0);
	assert_int_equal(log_tail_open(&t, path, LOGTAIL_WITH_OLD), 0);
	write_to(path, "ended\nnew\n", O_APPEND);
	assert_int_equal(log_tail_ready(t, 1, note_line, NULL), 0);
	assert_string_equal(told, "old before;begun ended;new;");
	log_tail_close(t);
}

static void reading_begins_where_the_command_began(void **state)
{
	struct log_tail *t;

	(void)state;
	write_to(path, "before\nafter\n", 0);
	assert_int_equal(log_tail_open(&t, path, 7), 0);
	assert_int_equal(log_tail_ready(t, 1, note_line, NULL), 0);
	assert_string_equal(told, "after;");
	log_tail_close(t);
}

static void a_truncated_file_begins_anew(void **state)
{
	struct log_tail *t;

	(void)state;
	write_to(path, "a long first line\n", 0);
	assert_int_equal(log_tail_open(&t, path, 0), 0);
	log_tail_ready(t, 1, note_line, NULL);
	assert_int_equal(truncate(path, 0), 0);
	write_to(path, "new\n", O_APPEND);
	log_tail_ready(t, 2, note_line, NULL);
	assert_string_equal(told, "a long first line;new;");
	log_tail_close(t);
}

/* A program that was not opened for appending goes on at its old place and leaves a hole of zero bytes. */
static void a_hole_after_truncation_is_passed_over(void **state)
{
	struct log_tail *t;
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	(void)state;
	assert_int_equal(write(fd, "first\n", 6), 6);
	assert_int_equal(log_tail_open(&t, path, 0), 0);
	log_tail_ready(t, 1, note_line, NULL);
	assert_int_equal(ftruncate(fd, 0), 0);
	log_tail_ready(t, 2, note_line, NULL);
	assert_int_equal(write(fd, "second\n", 7), 7);
	log_tail_ready(t, 3, note_line, NULL);
	assert_string_equal(told, "first;second;");
	log_tail_close(t);
	close(fd);
}

static void a_followed_name_survives_rotation(void **state)
{
	struct log_tail *t;

	(void)state;
	write_to(path, "one\n", 0);
	assert_int_equal(log_tail_open_name(&t, path, 0), 0);
	log_tail_ready(t, 1, note_line, NULL);
	assert_int_equal(rename(path, other), 0);
	assert_true(is_ready(t));
	log_tail_ready(t, 2, note_line, NULL);
	write_to(other, "still the old\n", O_APPEND);
	log_tail_ready(t, 3, note_line, NULL);
	write_to(path, "two\n", 0);
	assert_true(is_ready(t));
	log_tail_ready(t, 4, note_line, NULL);
	write_to(path, "three\n", O_APPEND);
	assert_true(is_ready(t));
	log_tail_ready(t, 5, note_line, NULL);
	assert_string_equal(told, "one;still the old;two;three;");
	log_tail_close(t);
}

static void a_name_removed_and_made_anew_is_followed(void **state)
{
	struct log_tail *t;

	(void)state;
	write_to(path, "one\n", 0);
	assert_int_equal(log_tail_open_name(&t, path, 0), 0);
	log_tail_ready(t, 1, note_line, NULL);
	unlink(path);
	write_to(path, "two\n", 0);
	assert_true(is_ready(t));
	log_tail_ready(t, 2, note_line, NULL);
	assert_string_equal(told, "one;two;");
	log_tail_close(t);
}

static void a_followed_descriptor_stays_with_its_file(void **state)
{
	struct log_tail *t;
	char proc[64];
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	(void)state;
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	assert_int_equal(log_tail_open(&t, proc, 0), 0);
	assert_int_equal(rename(path, other), 0);
	write_to(path, "another file\n", 0);
	assert_int_equal(write(fd, "mine\n", 5), 5);
	assert_true(is_ready(t));
	log_tail_ready(t, 1, note_line, NULL);
	assert_string_equal(told, "mine;");
	log_tail_close(t);
	close(fd);
}

static void a_name_may_come_later(void **state)
{
	struct log_tail *t;

	(void)state;
	assert_int_equal(log_tail_open_name(&t, path, 0), 0);
	assert_int_equal(log_tail_ready(t, 1, note_line, NULL), 0);
	write_to(path, "here\n", 0);
	assert_true(is_ready(t));
	log_tail_ready(t, 2, note_line, NULL);
	assert_string_equal(told, "here;");
	log_tail_close(t);
}

static void much_is_read_in_pieces(void **state)
{
	enum { MIB_COUNT = 3 };
	static char block[1 << 20];
	struct log_tail *t;
	int calls = 1;

	(void)state;
	memset(block, 'x', sizeof(block) - 1);
	write_to(path, "", 0);
	assert_int_equal(log_tail_open(&t, path, 0), 0);
	for (int i = 0; i < MIB_COUNT; i++)
		write_to(path, block, O_APPEND);
	write_to(path, "\nend\n", O_APPEND);
	while (log_tail_ready(t, 1, note_line, NULL) > 0)
		calls++;
	assert_in_range(calls, MIB_COUNT, MIB_COUNT + 1);
	assert_non_null(strstr(told, ";end;"));
	log_tail_close(t);
}

static void what_is_no_regular_file_is_refused(void **state)
{
	struct log_tail *t;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(log_tail_open(&t, path, 0), -ENOTSUP);
	assert_int_equal(log_tail_open_name(&t, "/dev/null", 0), -ENOTSUP);
	assert_int_equal(log_tail_open_name(&t, dir, 0), -ENOTSUP);
	assert_int_equal(log_tail_open_name(&t, "/nonexistent/log", 0), -ENOENT);
}

#define WITH_DIR(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_DIR(what_is_appended_is_told),
	    WITH_DIR(what_was_there_is_told_as_old),
	    WITH_DIR(reading_begins_where_the_command_began),
	    WITH_DIR(a_truncated_file_begins_anew),
	    WITH_DIR(a_hole_after_truncation_is_passed_over),
	    WITH_DIR(a_followed_name_survives_rotation),
	    WITH_DIR(a_name_removed_and_made_anew_is_followed),
	    WITH_DIR(a_followed_descriptor_stays_with_its_file),
	    WITH_DIR(a_name_may_come_later),
	    WITH_DIR(much_is_read_in_pieces),
	    WITH_DIR(what_is_no_regular_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
