/* SPDX-License-Identifier: MIT */
/* Live: real processes that this test forks, compared with what the kernel says of them in other files. */
#include "host/host.c"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MB (UINT64_C(1) << 20)

enum { WORKERS = 4 };

static struct sample sample;

/* A child that runs body and then waits until the other end of its pipe is closed. */
struct child {
	pid_t pid;
	int hold;
};

static struct child start(void (*body)(void))
{
	int hold[2], ready[2];
	struct child c;
	char byte;

	assert_int_equal(pipe2(hold, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	c.pid = fork();
	if (c.pid == 0) {
		alarm(60); /* nothing is left behind when an assertion fails */
		close(hold[1]);
		close(ready[0]);
		if (body)
			body();
		if (write(ready[1], "", 1) < 0 || read(hold[0], &byte, 1) < 0)
			_exit(1);
		_exit(0);
	}
	close(hold[0]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	c.hold = hold[1];
	return c;
}

static void stop(struct child *c)
{
	close(c->hold);
	waitpid(c->pid, NULL, 0);
}

static uint64_t value_kib(pid_t pid, const char *file, const char *key)
{
	char path[64], line[256];
	uint64_t v = UINT64_MAX;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, strlen(key)) == 0)
			v = strtoull(line + strlen(key), NULL, 10);
	}
	fclose(f);
	return v;
}

static struct host *watch(pid_t pid)
{
	struct host *h = host_new(&(struct host_conf){.children = true});

	assert_non_null(h);
	assert_int_equal(host_add_root(h, pid), pid);
	return h;
}

static int tick(struct host *h)
{
	memset(&sample, 0, sizeof(sample));
	return host_read(h, clock_mono_ns(), &sample);
}

/* A busy machine spreads a pass over several ticks. */
static void tick_until_pss(struct host *h)
{
	do
		assert_int_equal(tick(h), 0);
	while (!sample.v[CH_PSS].ok);
}

static void *map(size_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	memset(p, 1, bytes);
	return p;
}

static void fork_workers(void)
{
	map(64 * MB, MAP_PRIVATE);
	map(16 * MB, MAP_SHARED);
	for (int i = 0; i < WORKERS; i++) {
		if (fork() == 0) {
			alarm(60);
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
	}
}

static void close_to(uint64_t got, uint64_t want)
{
	uint64_t apart = got > want ? got - want : want - got;

	assert_true(apart <= MB || apart <= want / 100);
}

static void sums_are_the_kernels(void **state)
{
	struct child c = start(fork_workers);
	struct host *h = watch(c.pid);
	uint64_t rss = 0, pss = 0, anon = 0;
	const pid_t *pids;
	size_t n;

	(void)state;
	tick_until_pss(h);
	n = host_pids(h, &pids);
	assert_int_equal(n, WORKERS + 1);
	assert_int_equal(sample.procs, WORKERS + 1);
	for (size_t i = 0; i < n; i++) {
		rss += value_kib(pids[i], "smaps_rollup", "Rss:") * 1024;
		pss += value_kib(pids[i], "smaps_rollup", "Pss:") * 1024;
		anon += value_kib(pids[i], "smaps_rollup", "Anonymous:") * 1024;
	}
	close_to(sample.v[CH_RSS].bytes, rss);
	close_to(sample.v[CH_ANON].bytes, anon);
	close_to(sample.v[CH_PSS].bytes, pss);
	assert_int_equal(sample.v[CH_RSS].bytes,
			 sample.v[CH_ANON].bytes + sample.v[CH_FILE].bytes + sample.v[CH_SHMEM].bytes);
	host_free(h);
	stop(&c);
}

static pid_t forked;

static void map_only(void)
{
	map(64 * MB, MAP_PRIVATE);
}

/* Forked workers raise RSS five times and what is held not at all; neither do passes, nor their end. */
static void forked_workers_are_not_held_twice(void **state)
{
	struct child parent = start(map_only);
	struct host *h = watch(parent.pid);
	uint64_t before;

	(void)state;
	tick(h);
	before = sample.v[CH_HELD].bytes;
	assert_in_range(before, 64 * MB, 80 * MB);
	host_free(h);
	stop(&parent);

	parent = start(fork_workers);
	h = watch(parent.pid);
	tick_until_pss(h);
	tick(h);
	assert_true(sample.v[CH_ANON].bytes > 5 * 64 * MB);
	assert_true(sample.v[CH_HELD].bytes < before + 16 * MB + 8 * MB);
	host_free(h);
	stop(&parent);
}

static void the_end_is_esrch(void **state)
{
	struct child c = start(NULL);
	struct host *h = watch(c.pid);

	(void)state;
	assert_int_equal(tick(h), 0);
	close(c.hold);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)c.pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(tick(h), -ESRCH); /* a zombie */
	assert_int_equal(sample.procs, 0);
	assert_false(host_lives(h, c.pid));
	assert_int_equal(sample.v[CH_RSS].bytes, 0);
	waitpid(c.pid, NULL, 0);
	assert_int_equal(tick(h), -ESRCH); /* reaped */
	assert_int_equal(host_count(h), 0);
	host_free(h);
}

static void orphan(void)
{
	forked = fork();
	if (forked == 0) {
		if (fork() == 0) {
			alarm(60);
			pause();
			_exit(0);
		}
		_exit(0);
	}
	waitpid(forked, NULL, 0);
}

static bool is_child(void *ctx, pid_t pid)
{
	(void)ctx, (void)pid;
	return false;
}

/* A daemon that forked twice between two ticks comes to the subreaper. */
static void double_forks_are_adopted(void **state)
{
	struct child c;
	struct host *h;
	const pid_t *pids;
	size_t n;

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	c = start(orphan);
	h = watch(c.pid);
	assert_int_equal(host_adopt_children_of(h, getpid(), is_child, NULL), 0);
	tick(h);
	n = host_pids(h, &pids);
	assert_int_equal(n, 2);
	for (size_t i = 0; i < n; i++) {
		if (pids[i] != c.pid)
			kill(pids[i], SIGKILL);
	}
	stop(&c);
	while (wait(NULL) > 0)
		;
	assert_int_equal(tick(h), -ESRCH);
	host_free(h);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static void odd_roots(void **state)
{
	struct host *h = host_new(&(struct host_conf){.children = false});
	struct child c = start(NULL);

	(void)state;
	assert_int_equal(host_add_root(h, 0), -EINVAL);
	assert_int_equal(host_add_root(h, getpid()), getpid());
	assert_int_equal(host_add_root(h, 1), 1);
	close(c.hold);
	siginfo_t info;
	waitid(P_PID, (id_t)c.pid, &info, WEXITED | WNOWAIT);
	assert_int_equal(host_add_root(h, c.pid), -ENODATA);
	waitpid(c.pid, NULL, 0);
	assert_int_equal(host_add_root(h, c.pid), -ESRCH);
	assert_int_equal(tick(h), 0);
	assert_int_equal(sample.procs, 2);
	host_free(h);
	host_free(NULL);
	assert_null(host_new(&(struct host_conf){.proc_root = "/nonexistent"}));
}

static size_t open_descriptors(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void ticks_cost_no_descriptors(void **state)
{
	size_t before = open_descriptors(), steady;
	struct child c = start(fork_workers);
	struct host *h = watch(c.pid);

	(void)state;
	tick_until_pss(h);
	steady = open_descriptors();
	for (int i = 0; i < 1000; i++)
		assert_int_equal(tick(h), 0);
	assert_int_equal(open_descriptors(), steady);
	host_free(h);
	stop(&c);
	assert_int_equal(open_descriptors(), before);
}

static void each_process_can_be_asked_for(void **state)
{
	struct child c = start(map_only);
	struct host *h = watch(c.pid);
	struct host_process p;
	struct host_totals t;

	(void)state;
	tick(h);
	tick(h);
	assert_int_equal(host_count(h), 1);
	host_process(h, 0, &p);
	assert_int_equal(p.pid, c.pid);
	assert_int_equal(p.ppid, getpid());
	assert_true(p.root && p.live);
	assert_true(host_lives(h, c.pid));
	assert_false(host_lives(h, getpid()));
	assert_int_equal(p.seen_ticks, 2);
	assert_int_equal(p.held_bytes, sample.v[CH_HELD].bytes);
	assert_int_equal(p.rss, sample.v[CH_RSS].bytes);
	host_totals(h, &t);
	assert_int_equal(t.processes_seen, 1);
	assert_int_equal(t.pss_errno, 0);
	host_free(h);
	stop(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sums_are_the_kernels),
	    cmocka_unit_test(forked_workers_are_not_held_twice),
	    cmocka_unit_test(the_end_is_esrch),
	    cmocka_unit_test(double_forks_are_adopted),
	    cmocka_unit_test(odd_roots),
	    cmocka_unit_test(ticks_cost_no_descriptors),
	    cmocka_unit_test(each_process_can_be_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
