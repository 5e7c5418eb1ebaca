/* SPDX-License-Identifier: MIT */
/* Which device files a tree has open, and how often that is looked up. */
#include "gpu/open_files.c"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "gpu_world.h"

static void uses_follow_the_links(void **state)
{
	const pid_t pids[] = {100, 200};
	struct gpu_open_files *f;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	world_file(&w, "", "dev/nvidia0");
	world_file(&w, "", "dev/nvidia12");
	world_link(&w, "/dev/nvidiactl", "proc/100/fd/3");
	world_link(&w, "/dev/nvidia12", "proc/100/fd/4");
	world_link(&w, "/tmp/nvidia0", "proc/100/fd/5");
	world_link(&w, "/dev/null", "proc/200/fd/0");
	f = gpu_open_files_new(w.proc, w.dev);
	gpu_open_files_update(f, pids, 2, NS_PER_S);
	assert_true(gpu_open_files_uses(f, 12));
	assert_false(gpu_open_files_uses(f, 0));
	assert_true(gpu_open_files_may_use(f, 12));
	assert_false(gpu_open_files_may_use(f, 0));
	assert_true(gpu_open_files_may_use(f, 1)); /* no such node: nothing can be told */
	gpu_open_files_free(f);
	world_close(&w);
}

/* A process that opens the GPU later is found at its next turn; the gaps between turns double up to 30 s. */
static void looks_get_rarer(void **state)
{
	const pid_t pids[] = {100};
	struct gpu_open_files *f;
	struct world w;
	int looks = 0;

	(void)state;
	world_open(&w, INITIAL_NS);
	world_file(&w, "", "dev/nvidia0");
	world_link(&w, "/dev/null", "proc/100/fd/0");
	f = gpu_open_files_new(w.proc, w.dev);
	for (int64_t s = 1; s <= 600; s++) {
		int64_t due_ns = f->n ? f->pid[0].due_ns : 0;

		gpu_open_files_update(f, pids, 1, s * NS_PER_S);
		looks += f->pid[0].due_ns != due_ns;
	}
	assert_in_range(looks, 20, 25);
	gpu_open_files_free(f);
	world_close(&w);
}

static void somebody_opening_a_gpu_is_noticed_at_once(void **state)
{
	const pid_t pids[] = {100};
	struct gpu_open_files *f;
	char path[128];
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	world_file(&w, "", "dev/nvidia0");
	world_link(&w, "/dev/null", "proc/100/fd/0");
	f = gpu_open_files_new(w.proc, w.dev);
	if (f->inotify < 0)
		skip(); /* no inotify instance left for this user */
	gpu_open_files_update(f, pids, 1, NS_PER_S);
	world_link(&w, "/dev/nvidia0", "proc/100/fd/1");
	gpu_open_files_update(f, pids, 1, NS_PER_S + 1);
	assert_false(gpu_open_files_uses(f, 0));
	snprintf(path, sizeof(path), "%s/nvidia0", w.dev);
	close(open(path, O_RDONLY | O_CLOEXEC));
	assert_int_equal(poll(&(struct pollfd){.fd = gpu_open_files_watch(f), .events = POLLIN}, 1, 0), 1);
	gpu_open_files_opened(f);
	gpu_open_files_update(f, pids, 1, NS_PER_S + 2);
	assert_true(gpu_open_files_uses(f, 0));
	gpu_open_files_free(f);
	world_close(&w);
}

static void processes_come_and_go(void **state)
{
	const pid_t first[] = {100, 200, 300}, second[] = {50, 200, 400};
	struct gpu_open_files *f;
	struct world w;

	(void)state;
	world_open(&w, INITIAL_NS);
	world_file(&w, "", "dev/nvidia0");
	world_link(&w, "/dev/nvidia0", "proc/100/fd/3");
	world_link(&w, "/dev/dri/renderD128", "proc/200/fd/9");
	world_link(&w, "/dev/kfd", "proc/400/fd/3");
	f = gpu_open_files_new(w.proc, w.dev);
	gpu_open_files_update(f, first, 3, NS_PER_S);
	assert_true(gpu_open_files_uses(f, 0));
	gpu_open_files_update(f, second, 3, 2 * NS_PER_S);
	assert_false(gpu_open_files_uses(f, 0));
	assert_int_equal(gpu_open_files_count(f), 3);
	assert_int_equal(gpu_open_files_at(f, 1)->n_drm, 1);
	assert_int_equal(gpu_open_files_at(f, 1)->drm[0], 9);
	assert_true(gpu_open_files_at(f, 2)->kfd);
	assert_int_equal(gpu_open_files_others(f, 0), 1);
	gpu_open_files_update(f, NULL, 0, 3 * NS_PER_S);
	assert_int_equal(gpu_open_files_count(f), 0);
	gpu_open_files_free(f);
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(uses_follow_the_links),
	    cmocka_unit_test(looks_get_rarer),
	    cmocka_unit_test(somebody_opening_a_gpu_is_noticed_at_once),
	    cmocka_unit_test(processes_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
