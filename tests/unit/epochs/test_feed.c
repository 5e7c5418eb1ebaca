/* SPDX-License-Identifier: MIT */
#include "epochs/feed.c"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/timerfd.h>

#include <cmocka.h>

static char dir[64], path[96];

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/memwatch-test-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/log", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void put(int fd, const char *text)
{
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

struct until {
	struct loop *loop;
	struct epoch_feed *feed;
	int fd;
	int64_t epoch;
	int looks;
};

static void look(void *arg)
{
	struct until *u = arg;
	uint64_t ticks;

	assert_int_equal(read(u->fd, &ticks, sizeof(ticks)), sizeof(ticks));
	if (epoch_feed_epoch(u->feed) == u->epoch || ++u->looks > 5000)
		loop_stop(u->loop);
}

/* Runs the loop until the feed shows this epoch, looking every millisecond. */
static void run_until(struct loop *l, struct epoch_feed *f, int64_t epoch)
{
	struct itimerspec spec = {{0, 1000000}, {0, 1000000}};
	struct until u = {l, f, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), epoch, 0};

	assert_int_equal(timerfd_settime(u.fd, 0, &spec, NULL), 0);
	assert_int_equal(loop_add(l, u.fd, look, &u), 0);
	loop_run(l);
	loop_remove(l, u.fd);
	close(u.fd);
	assert_int_equal(epoch_feed_epoch(f), epoch);
}

static void our_own_output_file_is_read_from_here_on(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	int fd = open(path, O_WRONLY | O_CREAT, 0600), again = dup(fd);

	(void)state;
	put(fd, "Epoch 8/9\n");
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	assert_int_equal(epoch_feed_follow_own(f, fd), 0);
	assert_int_equal(epoch_feed_follow_own(f, again), 0);
	assert_int_equal(f->count, 1);
	assert_int_equal(epoch_feed_epoch(f), -1);
	put(fd, "Epoch 1/2\n");
	run_until(l, f, 0);
	put(again, "Epoch 2/2\n");
	run_until(l, f, 1);
	epoch_feed_finish(f, true);
	assert_int_equal(epoch_feed_epoch(f), 2);
	epoch_feed_free(f);
	loop_free(l);
	close(fd);
	close(again);
}

static void the_files_of_another_process_number_its_epoch(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	int fd = open(path, O_WRONLY | O_CREAT, 0600), out = dup(STDOUT_FILENO);

	(void)state;
	put(fd, "Epoch 1/9\nEpoch 2/9\nEpoch 3/9\n");
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	assert_int_equal(epoch_feed_follow_pid(f, getpid()), 0);
	dup2(out, STDOUT_FILENO);
	assert_int_equal(epoch_feed_epoch(f), 2);
	put(fd, "Epoch 4/9\n");
	run_until(l, f, 3);
	epoch_feed_free(f);
	loop_free(l);
	close(fd);
	close(out);
}

static void a_named_log_may_come_later(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	int fd;

	(void)state;
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	assert_int_equal(epoch_feed_follow_name(f, path, true), 0);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	put(fd, "Epoch 1/9\n");
	run_until(l, f, 0);
	epoch_feed_free(f);
	loop_free(l);
	close(fd);
}

static void marks_wake_the_loop(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	const char *marks;
	int fd;

	(void)state;
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	assert_int_equal(epoch_feed_open_marks(f, &marks), 0);
	fd = open(marks, O_WRONLY | O_APPEND);
	put(fd, "epoch 0\n");
	run_until(l, f, 0);
	put(fd, "epoch\n");
	run_until(l, f, 1);
	close(fd);
	epoch_feed_free(f);
	loop_free(l);
}

static void blocks_of_epochs_leave_the_samples_without(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	struct epochs_summary s;
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	(void)state;
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns() - 10 * NS_PER_S);
	assert_int_equal(epoch_feed_follow_own(f, fd), 0);
	put(fd, "epoch 1 loss 1\nepoch 2 loss 1\nepoch 3 loss 1\nepoch 4 loss 1\n");
	epoch_feed_poll(f);
	assert_int_equal(epoch_feed_epoch(f), -1);
	epochs_summarize(epoch_feed_tracker(f), &s);
	assert_int_equal(s.finished, 4);
	assert_true(s.buffered);
	epoch_feed_free(f);
	loop_free(l);
	close(fd);
}

static int make_file(int i)
{
	char name[128];

	snprintf(name, sizeof(name), "%s/found%d", dir, i);
	return open(name, O_WRONLY | O_CREAT, 0600);
}

static int find(struct epoch_feed *f, int i)
{
	char name[128];

	snprintf(name, sizeof(name), "%s/found%d", dir, i);
	return epoch_feed_follow_found(f, name, LOGTAIL_WITH_OLD);
}

static void remove_file(int i)
{
	char name[128];

	snprintf(name, sizeof(name), "%s/found%d", dir, i);
	unlink(name);
}

static void make_sparse(int fd)
{
	assert_int_equal(lseek(fd, EPOCH_FEED_FOUND_BYTES + 4096, SEEK_CUR) > 0, 1);
	put(fd, "x\n");
}

static void no_file_takes_the_place_of_another(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	int fds[FOUND_OPEN_MAX + 2];

	(void)state;
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	for (int i = 0; i < FOUND_OPEN_MAX + 2; i++) {
		fds[i] = make_file(i);
		assert_int_equal(find(f, i), i < FOUND_OPEN_MAX ? 0 : -EMFILE);
	}
	put(fds[0], "Epoch 1/9\nEpoch 2/9\n");
	make_sparse(fds[1]);
	epoch_feed_poll(f);
	assert_int_equal(epoch_feed_epoch(f), 1);
	assert_int_equal(find(f, FOUND_OPEN_MAX), 0);
	assert_int_equal(find(f, 1), -EMFILE);
	make_sparse(fds[2]);
	epoch_feed_poll(f);
	assert_int_equal(find(f, 1), 0);
	assert_null(f->tails[TAILS_MAX + 1].log);
	epoch_feed_free(f);
	loop_free(l);
	for (int i = 0; i < FOUND_OPEN_MAX + 2; i++) {
		close(fds[i]);
		remove_file(i);
	}
}

static void a_file_without_epochs_is_given_up_though_another_has_them(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	int log = make_file(0), data = make_file(1);

	(void)state;
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	assert_int_equal(find(f, 0), 0);
	assert_int_equal(find(f, 1), 0);
	put(log, "Epoch 1/9\nEpoch 2/9\n");
	epoch_feed_poll(f);
	make_sparse(data);
	make_sparse(log);
	epoch_feed_poll(f);
	assert_non_null(f->tails[TAILS_MAX].log);
	assert_null(f->tails[TAILS_MAX + 1].log);
	put(log, "Epoch 3/9\n");
	epoch_feed_poll(f);
	assert_int_equal(epoch_feed_epoch(f), 2);
	epoch_feed_free(f);
	loop_free(l);
	close(log);
	close(data);
	remove_file(0);
	remove_file(1);
}

static void a_deleted_file_is_read_to_its_end_and_let_go(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	int fd = make_file(0);
	char self[64];

	(void)state;
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	assert_int_equal(find(f, 0), 0);
	put(fd, "Epoch 1/9\nEpoch 2/9\n");
	remove_file(0);
	epoch_feed_poll(f);
	assert_int_equal(epoch_feed_epoch(f), 1);
	assert_null(f->tails[TAILS_MAX].log);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	assert_int_equal(epoch_feed_follow_found(f, self, LOGTAIL_WITH_OLD), -ENOENT);
	epoch_feed_free(f);
	loop_free(l);
	close(fd);
}

static void what_is_no_file_is_refused(void **state)
{
	struct loop *l;
	struct epoch_feed *f;
	int pipes[2];

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	l = loop_new();
	f = epoch_feed_new(l, clock_mono_ns());
	assert_int_equal(epoch_feed_follow_own(f, pipes[1]), -ENOTSUP);
	assert_int_equal(epoch_feed_follow_own(f, 999), -ENOTSUP);
	assert_int_equal(epoch_feed_follow_pid(f, 0x7ffffff0), -ENOTSUP);
	assert_int_equal(epoch_feed_follow_name(f, "/nonexistent/log", true), -ENOENT);
	epoch_feed_free(f);
	loop_free(l);
	close(pipes[0]);
	close(pipes[1]);
}

#define WITH_DIR(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_DIR(our_own_output_file_is_read_from_here_on),
	    WITH_DIR(the_files_of_another_process_number_its_epoch),
	    WITH_DIR(a_named_log_may_come_later),
	    WITH_DIR(marks_wake_the_loop),
	    WITH_DIR(blocks_of_epochs_leave_the_samples_without),
	    WITH_DIR(no_file_takes_the_place_of_another),
	    WITH_DIR(a_file_without_epochs_is_given_up_though_another_has_them),
	    WITH_DIR(a_deleted_file_is_read_to_its_end_and_let_go),
	    WITH_DIR(what_is_no_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
