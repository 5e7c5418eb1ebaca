/* SPDX-License-Identifier: MIT */
/* The GPU thread seen from the main thread: never waits for a driver, hands over each snapshot once, ends at once. */
/* Times that a busy machine cannot pass by itself; where the driver hangs they are short. */
#include <stdint.h>

static int64_t deadline_ns, stop_wait_ns;
#define DEADLINE_NS  deadline_ns
#define STOP_WAIT_NS stop_wait_ns
#include "gpu/gpu.c"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "gpu/nvml_load.h"
#include "gpu_world.h"

#define GPU0 "gpu 0 24000 GPU-aaaa-0 Fake A\n"
#define GPU1 "gpu 1 24000 GPU-bbbb-1 Fake B\n"

static int64_t interval_ns = NS_PER_MS, tick_ns;

static struct gpu *begin(struct world *w, const char *variant, const char *scenario, const char *which)
{
	static struct gpu_conf conf;

	deadline_ns = stop_wait_ns = strstr(scenario, "delay") ? 20 * NS_PER_MS : 60 * NS_PER_S;
	world_open(w, INITIAL_NS);
	world_driver(w, variant, scenario);
	setenv("MEMWATCH_NVML", w->nvml, 1);
	conf = (struct gpu_conf){.which = which,
				 .interval_ns = interval_ns,
				 .tick_ns = tick_ns,
				 .proc_root = w->proc,
				 .dev_root = w->dev,
				 .sys_root = w->sys};
	return gpu_start(&conf);
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = NS_PER_MS}, NULL);
}

/* The next fresh snapshot. */
static void await(struct gpu *g, struct reading *out, int n)
{
	do {
		nap();
		gpu_read(g, out, n);
	} while (!out[1].ok);
}

static void await_bytes(struct gpu *g, struct reading *out, int n, uint64_t bytes)
{
	do
		await(g, out, n);
	while (!out[0].ok || out[0].bytes != bytes);
}

static void figures_reach_the_columns(void **state)
{
	const pid_t tree[] = {300, 100};
	struct channel channel[8];
	struct reading v[4];
	struct world w;
	struct gpu *g = begin(&w, "r550", GPU0 GPU1 "used 0 0 70\nat 3 0 100 50 C\nat 1 1 300 70 C\n", NULL);

	(void)state;
	assert_int_equal(gpu_wait(g, 60 * NS_PER_S), GPU_READY);
	assert_int_equal(gpu_channels(g, channel, 8), 4);
	assert_string_equal(channel[0].name, "gpu0_bytes");
	assert_string_equal(channel[1].name, "gpu0_total_bytes");
	assert_string_equal(channel[3].name, "gpu1_total_bytes");
	gpu_read(g, v, 4);
	assert_false(v[0].ok || v[1].ok || v[2].ok || v[3].ok);
	gpu_set_pids(g, tree, 2);
	await_bytes(g, v, 4, 50);
	assert_int_equal(v[1].bytes, 24000);
	assert_int_equal(v[2].bytes, 70);
	assert_string_equal(gpu_device(g, 1)->uuid, "GPU-bbbb-1");
	assert_string_equal(gpu_device(g, 1)->pci, "0000:02:00.0");
	assert_string_equal(gpu_basis_name(gpu_device(g, 0)->basis), "exact");
	assert_int_equal(gpu_device(g, 0)->used_bytes, 70);
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void a_snapshot_is_read_once(void **state)
{
	const pid_t tree[] = {100};
	struct reading v[2];
	struct world w;
	struct gpu *g;

	(void)state;
	interval_ns = 3600 * NS_PER_S;
	g = begin(&w, "r550", GPU0 "at 1 0 100 50 C\n", "0");
	interval_ns = NS_PER_MS;
	assert_int_equal(gpu_wait(g, 60 * NS_PER_S), GPU_READY);
	gpu_set_pids(g, tree, 1);
	await(g, v, 2);
	assert_int_equal(v[0].bytes, 50);
	gpu_read(g, v, 2);
	assert_false(v[0].ok);
	assert_false(v[1].ok);
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void samples_go_on_where_ticks_fail_to_come(void **state)
{
	const pid_t tree[] = {100};
	struct reading v[2];
	struct world w;
	struct gpu *g;

	(void)state;
	tick_ns = interval_ns / 2;
	g = begin(&w, "r550", GPU0 "at 1 0 100 50 C\nat 2 0 100 60 C\n", "0");
	tick_ns = 0;
	assert_int_equal(gpu_wait(g, 60 * NS_PER_S), GPU_READY);
	gpu_set_pids(g, tree, 1);
	await_bytes(g, v, 2, 60);
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void the_tree_may_change(void **state)
{
	const pid_t one[] = {100}, two[] = {100, 101}, other[] = {101};
	struct reading v[2];
	struct world w;
	struct gpu *g = begin(&w, "r550", GPU0 "at 1 0 100 50 C\nat 1 0 101 7 C\n", "auto");

	(void)state;
	assert_int_equal(gpu_wait(g, 60 * NS_PER_S), GPU_READY);
	gpu_set_pids(g, one, 1);
	await_bytes(g, v, 2, 50);
	gpu_set_pids(g, two, 2);
	await_bytes(g, v, 2, 57);
	gpu_set_pids(g, other, 1);
	await_bytes(g, v, 2, 7);
	gpu_set_pids(g, other, 0);
	await_bytes(g, v, 2, 0);
	assert_null(gpu_take_note(g));
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void no_driver_is_quiet(void **state)
{
	const pid_t tree[] = {100};
	struct world w;
	struct gpu *g;

	(void)state;
	world_open(&w, INITIAL_NS);
	unsetenv("MEMWATCH_NVML");
	unsetenv("LD_LIBRARY_PATH");
	if (nvml_load_possible(NULL))
		skip(); /* there is a driver here */
	g = gpu_start(&(struct gpu_conf){.proc_root = w.proc, .dev_root = w.dev, .sys_root = w.sys});
	assert_int_equal(gpu_state(g), GPU_ABSENT);
	assert_false(g->started);
	gpu_set_pids(g, tree, 1);
	assert_int_equal(gpu_channels(g, NULL, 0), 0);
	assert_null(gpu_take_note(g));
	assert_string_equal(gpu_why(g), "no driver of a GPU here");
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void none_starts_nothing(void **state)
{
	struct world w;
	struct gpu *g = begin(&w, "r550", GPU0, "none");

	(void)state;
	assert_int_equal(gpu_state(g), GPU_ABSENT);
	assert_false(g->started);
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void a_hanging_start_holds_up_nothing(void **state)
{
	const pid_t tree[] = {100};
	struct reading v[2] = {{.ok = true}};
	const char *note;
	struct world w;
	struct gpu *g = begin(&w, "r550", GPU0 "delay Init -1\n", NULL);

	(void)state;
	gpu_set_pids(g, tree, 1);
	assert_int_equal(gpu_wait(g, NS_PER_MS), GPU_PENDING);
	assert_int_equal(gpu_channels(g, NULL, 0), 0);
	gpu_read(g, v, 2);
	assert_false(v[0].ok);
	while (!(note = gpu_take_note(g)))
		nap();
	assert_non_null(strstr(note, "has not answered"));
	assert_null(gpu_take_note(g));
	assert_int_equal(gpu_stop(g), -EBUSY);
	world_close(&w);
}

static void a_hang_in_mid_run_holds_up_nothing(void **state)
{
	const pid_t tree[] = {100};
	struct reading v[2];
	struct world w;
	struct gpu *g =
	    begin(&w, "r470", GPU0 "at 1 0 100 50 C\ndelay GetGraphicsRunningProcesses -1\n", NULL);

	(void)state;
	gpu_set_pids(g, tree, 1);
	assert_int_equal(gpu_wait(g, 60 * NS_PER_S), GPU_READY);
	while (!gpu_take_note(g)) {
		gpu_read(g, v, 2);
		assert_false(v[0].ok);
		nap();
	}
	assert_int_equal(gpu_retained(g, NULL, 0, NS_PER_MS), -ETIMEDOUT);
	assert_int_equal(gpu_stop(g), -EBUSY);
	world_close(&w);
}

static void a_slow_start_gives_figures_later(void **state)
{
	const pid_t tree[] = {100};
	char slow[] = "/tmp/memwatch-test-XXXXXX", scenario[256];
	struct reading v[2];
	struct world w;
	struct gpu *g;

	(void)state;
	close(mkstemp(slow));
	snprintf(scenario, sizeof(scenario), GPU0 "at 1 0 100 50 C\nawait Init %s 1\n", slow);
	g = begin(&w, "r550", scenario, NULL);
	gpu_set_pids(g, tree, 1);
	nap();
	assert_int_equal(gpu_state(g), GPU_PENDING);
	unlink(slow);
	await_bytes(g, v, 2, 50);
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void a_thousand_samples_leave_no_descriptor(void **state)
{
	const pid_t tree[] = {100};
	struct reading v[2];
	struct world w;
	struct gpu *g;
	int before;

	(void)state;
	interval_ns = NS_PER_US;
	g = begin(&w, "r550", GPU0 "at 1 0 100 1 C\nat 1000 0 100 50 C\n", NULL);
	interval_ns = NS_PER_MS;
	gpu_set_pids(g, tree, 1);
	do /* on a busy machine the thousandth may be the first that is seen */
		await(g, v, 2);
	while (!v[0].ok);
	before = open_descriptors();
	await_bytes(g, v, 2, 50);
	assert_int_equal(open_descriptors(), before);
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void stat_line(const struct world *w, int pid, const char *name, int start)
{
	char line[256];

	snprintf(line, sizeof(line), "%d (%s) S 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 %d 1 1\n", pid,
		 name, start);
	world_file(w, line, "proc/%d/stat", pid);
}

/* 100 ended and is still listed, 101 was left behind, 102's number belongs to somebody else now, 103 gave all back. */
static void what_is_retained_after_the_end(void **state)
{
	const pid_t tree[] = {100, 101, 102, 103};
	struct gpu_leftover held[8];
	struct reading v[2];
	char path[128];
	struct world w;
	struct gpu *g = begin(
	    &w, "r550",
	    GPU0 "at 1 0 100 50 C\nat 1 0 101 60 C\nat 1 0 102 70 C\nat 1 0 103 80 C\nat 2 0 103 gone C\n",
	    NULL);

	(void)state;
	stat_line(&w, 100, "python", 1000);
	stat_line(&w, 101, "worker (a) b", 1001);
	stat_line(&w, 102, "helper", 1002);
	stat_line(&w, 103, "other", 1003);
	gpu_set_pids(g, tree, 4);
	await_bytes(g, v, 2, 180);
	snprintf(path, sizeof(path), "%s/proc/100/stat", w.root);
	unlink(path);
	stat_line(&w, 102, "stranger", 9999);
	gpu_set_pids(g, tree, 0);
	assert_int_equal(gpu_retained(g, held, 8, 60 * NS_PER_S), 2);
	assert_int_equal(held[0].pid, 100);
	assert_int_equal(held[0].bytes, 50);
	assert_false(held[0].alive);
	assert_int_equal(held[1].pid, 101);
	assert_int_equal(held[1].bytes, 60);
	assert_true(held[1].alive);
	assert_string_equal(held[1].name, "worker (a) b");
	assert_int_equal(gpu_stop(g), 0);
	world_close(&w);
}

static void devices_asked_for_are_checked_first(void **state)
{
	static const struct {
		const char *variant, *scenario, *which;
		int err;
		const char *why;
	} cases[] = {
	    {"r550", GPU0, "0", 0, ""},
	    {"r550", GPU0, "GPU-aaaa", 0, ""},
	    {"r550", GPU0, "1", -ENODEV, "no GPU 1 here, only 0"},
	    {"r550", GPU0 "err Init 1 9 9\n", "0", -ENODEV, "the NVIDIA kernel module is not loaded"},
	    {"r550", GPU0 "delay Init -1\n", "0", -ETIMEDOUT, "the GPU driver has not answered within 0 s"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t patience_ns = cases[i].err == -ETIMEDOUT ? 50 * NS_PER_MS : 60 * NS_PER_S;
		char why[GPU_WHY_MAX] = "";
		struct world w;

		world_open(&w, INITIAL_NS);
		world_driver(&w, cases[i].variant, cases[i].scenario);
		setenv("MEMWATCH_NVML", w.nvml, 1);
		assert_int_equal(
		    gpu_preflight(
			&(struct gpu_conf){.which = cases[i].which, .proc_root = w.proc, .sys_root = w.sys},
			patience_ns, why, sizeof(why)),
		    cases[i].err);
		assert_string_equal(why, cases[i].why);
		world_close(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(devices_asked_for_are_checked_first),
	    cmocka_unit_test(figures_reach_the_columns),
	    cmocka_unit_test(a_snapshot_is_read_once),
	    cmocka_unit_test(samples_go_on_where_ticks_fail_to_come),
	    cmocka_unit_test(the_tree_may_change),
	    cmocka_unit_test(no_driver_is_quiet),
	    cmocka_unit_test(none_starts_nothing),
	    cmocka_unit_test(a_slow_start_gives_figures_later),
	    cmocka_unit_test(a_thousand_samples_leave_no_descriptor),
	    cmocka_unit_test(what_is_retained_after_the_end),
	    cmocka_unit_test(a_hanging_start_holds_up_nothing),
	    cmocka_unit_test(a_hang_in_mid_run_holds_up_nothing),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fflush(NULL);
	_exit(failed); /* two threads are left in the driver for good */
}
