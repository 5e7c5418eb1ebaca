/* SPDX-License-Identifier: MIT */
/* This process stands for one of the tree: its standard output and standard error are sent to a file. */
#include "epochs/log_search.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static char path[64];
static struct loop *loop;
static struct epoch_feed *feed;
static struct log_search seek;

static int begin(void **state)
{
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/memwatch-test-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || !(loop = loop_new()))
		return -1;
	close(fd);
	feed = epoch_feed_new(loop, clock_mono_ns());
	log_search_init(&seek, feed);
	return 0;
}

static int end(void **state)
{
	(void)state;
	epoch_feed_free(feed);
	loop_free(loop);
	return unlink(path);
}

static void put(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

/* One look while descriptors 1 and 2 are fd. */
static void look_with(int fd, int64_t elapsed_ms)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	pid_t self = getpid();

	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	log_search_look(&seek, &self, 1, elapsed_ms);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
}

static void what_was_written_since_the_start_counts(void **state)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	(void)state;
	put(fd, "Epoch 1/9\nEpoch 2/9\n");
	look_with(fd, 0);
	assert_int_equal(epoch_feed_epoch(feed), 1);
	put(fd, "Epoch 3/9\n");
	epoch_feed_poll(feed);
	assert_int_equal(epoch_feed_epoch(feed), 2);
	close(fd);
}

static void what_an_earlier_run_left_does_not(void **state)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	(void)state;
	put(fd, "Epoch 1/9\nEpoch 2/9\n");
	log_search_init(&seek, feed);
	look_with(fd, 0);
	assert_int_equal(epoch_feed_epoch(feed), -1);
	put(fd, "Epoch 1/3\nEpoch 2/3\n");
	epoch_feed_poll(feed);
	assert_int_equal(epoch_feed_epoch(feed), 1);
	close(fd);
}

static void what_is_appended_to_a_new_file_does(void **state)
{
	int fd = open(path, O_WRONLY | O_APPEND);
	struct statx sx;

	(void)state;
	assert_int_equal(statx(AT_FDCWD, path, 0, STATX_BTIME, &sx), 0);
	if (!(sx.stx_mask & STATX_BTIME))
		skip();
	seek.born_ns = sx.stx_btime.tv_sec * NS_PER_S + sx.stx_btime.tv_nsec - 1;
	put(fd, "Epoch 1/9\nEpoch 2/9\n");
	look_with(fd, 0);
	assert_int_equal(epoch_feed_epoch(feed), 1);
	close(fd);
}

/* "<log", and a file that was opened in the middle: it holds more than this descriptor has written. */
static void what_others_wrote_does_not(void **state)
{
	int fd = open(path, O_WRONLY), reads = open(path, O_RDONLY), again = open(path, O_WRONLY);

	(void)state;
	put(fd, "Epoch 1/9\nEpoch 2/9\n");
	look_with(reads, 0);
	assert_int_equal(epoch_feed_epoch(feed), -1);
	look_with(again, 1000);
	assert_int_equal(epoch_feed_epoch(feed), -1);
	close(again);
	close(reads);
	close(fd);
}

static void it_looks_no_more_often_than_it_may(void **state)
{
	int fd = open(path, O_WRONLY | O_TRUNC), null = open("/dev/null", O_WRONLY);

	(void)state;
	put(fd, "Epoch 1/9\nEpoch 2/9\n");
	look_with(null, 0);
	look_with(fd, LOOK_MS - 1);
	assert_int_equal(epoch_feed_epoch(feed), -1);
	look_with(fd, LOOK_MS);
	assert_int_equal(epoch_feed_epoch(feed), 1);
	close(null);
	close(fd);
}

static void it_looks_at_none_once_epochs_are_known(void **state)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	(void)state;
	put(fd, "Epoch 1/9\nEpoch 2/9\nEpoch 3/9\n");
	epochs_mark(epoch_feed_tracker(feed), 1, clock_mono_ns());
	look_with(fd, 0);
	assert_int_equal(epoch_feed_epoch(feed), 1);
	epochs_mark(epoch_feed_tracker(feed), 2, clock_mono_ns());
	assert_int_equal(epoch_feed_epoch(feed), 2);
	close(fd);
}

static void marks_are_no_output(void **state)
{
	const char *marks;
	int fd;

	(void)state;
	assert_int_equal(epoch_feed_open_marks(feed, &marks), 0);
	fd = open(marks, O_WRONLY | O_APPEND);
	put(fd, "epoch 4\n");
	look_with(fd, 0);
	assert_int_equal(epoch_feed_epoch(feed), -1);
	close(fd);
}

static void a_file_that_brings_data_is_given_up(void **state)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	(void)state;
	look_with(fd, 0);
	assert_int_equal(lseek(fd, EPOCH_FEED_FOUND_BYTES + 4096, SEEK_SET), EPOCH_FEED_FOUND_BYTES + 4096);
	put(fd, "x\n");
	epoch_feed_poll(feed);
	put(fd, "Epoch 1/9\n");
	look_with(fd, 1000);
	epoch_feed_poll(feed);
	assert_int_equal(epoch_feed_epoch(feed), -1);
	close(fd);
}

static void how_a_file_was_opened_is_read(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		int64_t pos;
		int flags;
	} cases[] = {
	    {"pos:\t1024\nflags:\t0102001\nmnt_id:\t30\n", true, 1024, O_WRONLY | O_APPEND | 0100000},
	    {"pos:\t0\nflags:\t02\n", true, 0, O_RDWR},
	    {"flags:\t02\n", false, 0, 0},
	    {"pos:\t12", false, 0, 0},
	    {"", false, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t pos = 0;
		int flags = 0;

		assert_int_equal(parse_fdinfo(cases[i].text, &pos, &flags), cases[i].ok);
		assert_int_equal(pos, cases[i].pos);
		assert_int_equal(flags, cases[i].flags);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_was_written_since_the_start_counts, begin, end),
	    cmocka_unit_test_setup_teardown(what_an_earlier_run_left_does_not, begin, end),
	    cmocka_unit_test_setup_teardown(what_is_appended_to_a_new_file_does, begin, end),
	    cmocka_unit_test_setup_teardown(what_others_wrote_does_not, begin, end),
	    cmocka_unit_test_setup_teardown(it_looks_no_more_often_than_it_may, begin, end),
	    cmocka_unit_test_setup_teardown(it_looks_at_none_once_epochs_are_known, begin, end),
	    cmocka_unit_test_setup_teardown(marks_are_no_output, begin, end),
	    cmocka_unit_test_setup_teardown(a_file_that_brings_data_is_given_up, begin, end),
	    cmocka_unit_test(how_a_file_was_opened_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
