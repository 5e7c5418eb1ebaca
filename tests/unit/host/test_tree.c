/* SPDX-License-Identifier: MIT */
#include "host/tree.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "fakeproc.h"

enum { ROOT = FAKE, CHILD = FAKE + 1, GRANDCHILD = FAKE + 2, OTHER = FAKE + 50, SELF = FAKE + 90 };

static struct tree tree;
static int64_t now_ns;

/* Every test runs with plenty of descriptors to keep, with few, and with none. */
static const size_t budgets[] = {1000, 5, 0};
static size_t fds_max;

static ssize_t list_of_all(struct proc_link **list, size_t *cap)
{
	static const struct proc_link all[] = {
	    {1, 0}, {GRANDCHILD, CHILD}, {OTHER, 1}, {CHILD, ROOT}, {ROOT, 1}};

	*cap = sizeof(all) / sizeof(*all);
	*list = xrealloc(*list, *cap, sizeof(**list));
	memcpy(*list, all, sizeof(all));
	return (ssize_t)*cap;
}

static int setup(void **state)
{
	fds_max = *(const size_t *)*state;
	fake_new();
	now_ns = NS_PER_S;
	return tree_init(&tree, fake_root, true, fds_max, NULL);
}

static int teardown(void **state)
{
	(void)state;
	tree_free(&tree);
	assert_int_equal(tree.fs.fds, 0);
	fake_remove("");
	return 0;
}

static void tick(void)
{
	now_ns += NS_PER_S;
	tree_refresh(&tree);
	tree_sweep(&tree);
	tree_discover(&tree, now_ns);
	assert_true(tree.fs.fds <= tree.fs.fds_max);
}

static bool has(pid_t pid)
{
	return tree_find(&tree, pid) != NULL;
}

static void children_at_any_depth_are_members(void **state)
{
	(void)state;
	fake_live(ROOT, 1, 100, "5000001 ");
	fake_live(CHILD, ROOT, 50, "5000002 ");
	fake_live(GRANDCHILD, CHILD, 25, "");
	fake_live(OTHER, 1, 25, "");
	assert_int_equal(tree_add_root(&tree, ROOT), ROOT);
	tick();
	assert_int_equal(tree.count, 3);
	assert_true(has(CHILD) && has(GRANDCHILD) && !has(OTHER));
	assert_int_equal(tree_find(&tree, GRANDCHILD)->now.anon, 25 * 1024);
	assert_int_equal(tree_find(&tree, GRANDCHILD)->ppid, CHILD);
}

static void an_orphan_stays_a_member(void **state)
{
	(void)state;
	fake_live(ROOT, 1, 100, "5000001 ");
	fake_live(CHILD, ROOT, 50, "5000002 ");
	fake_live(GRANDCHILD, CHILD, 25, "");
	tree_add_root(&tree, ROOT);
	tick();
	fake_gone(CHILD);
	fake_children(ROOT, "");
	fake_live(GRANDCHILD, 1, 26, "");
	tick();
	assert_true(has(ROOT) && !has(CHILD) && has(GRANDCHILD));
	assert_int_equal(tree_find(&tree, GRANDCHILD)->now.anon, 26 * 1024);
	fake_gone(ROOT);
	tick();
	assert_int_equal(tree.count, 1);
	fake_gone(GRANDCHILD);
	tick();
	assert_int_equal(tree.count, 0);
}

static void a_reused_number_is_not_followed(void **state)
{
	(void)state;
	fake_live(ROOT, 1, 100, "5000001 ");
	fake_live(CHILD, ROOT, 50, "");
	tree_add_root(&tree, ROOT);
	tick();
	fake_gone(CHILD);
	fake_status(
	    &(struct fake_process){.pid = CHILD, .ppid = 1, .threads = 1, .state = 'S', .start = 777});
	fake_children(CHILD, "");
	tick(); /* ROOT still lists the number, but the process has another parent */
	assert_false(has(CHILD));
	fake_status(
	    &(struct fake_process){.pid = CHILD, .ppid = ROOT, .threads = 1, .state = 'S', .start = 778});
	tick(); /* now it is ROOT's child again: a new process with an old number */
	assert_true(has(CHILD));
	assert_int_equal(tree.seen, 3);
}

static void a_child_of_a_parent_that_just_ended_is_taken_in(void **state)
{
	(void)state;
	fake_live(ROOT, 1, 100, "5000001 ");
	fake_live(CHILD, 1, 50, "");
	tree_add_root(&tree, ROOT);
	tree_refresh(&tree);
	fake_status(&(struct fake_process){.pid = ROOT, .ppid = 1, .threads = 1, .state = 'Z', .start = 100});
	tree_discover(&tree, now_ns);
	assert_true(has(CHILD));
}

static void zombies_are_members_but_not_alive(void **state)
{
	(void)state;
	fake_live(ROOT, 1, 100, "5000001 ");
	fake_status(
	    &(struct fake_process){.pid = CHILD, .ppid = ROOT, .threads = 1, .state = 'Z', .start = 5});
	fake_children(CHILD, "");
	tree_add_root(&tree, ROOT);
	tick();
	tick();
	assert_int_equal(tree.count, 2);
	assert_int_equal(tree.seen, 2);
	assert_false(tree_find(&tree, CHILD)->live);
	assert_false(tree_find(&tree, CHILD)->now.mm);
}

static void a_leader_that_ended_before_its_threads_still_counts(void **state)
{
	char path[64];

	(void)state;
	fake_status(&(struct fake_process){
	    .pid = ROOT, .ppid = 1, .threads = 2, .state = 'S', .anon_kib = 100, .start = 100});
	fake_children(ROOT, "");
	tree_add_root(&tree, ROOT);
	tick();
	fake_status(&(struct fake_process){.pid = ROOT, .ppid = 1, .threads = 2, .state = 'Z', .start = 100});
	snprintf(path, sizeof(path), "%d/task/%d/status", ROOT, OTHER);
	fake_write(
	    path,
	    "Name:\tthread\nState:\tS (made)\nTgid:\t%d\nPPid:\t1\nVmRSS:\t 300 kB\nRssAnon:\t 300 kB\n"
	    "RssFile:\t 0 kB\nRssShmem:\t 0 kB\nVmSwap:\t 0 kB\nThreads:\t2\n",
	    ROOT);
	tick();
	assert_true(tree_find(&tree, ROOT)->live);
	assert_int_equal(tree_find(&tree, ROOT)->now.anon, 300 * 1024);
	tick();
	assert_int_equal(tree_find(&tree, ROOT)->now.anon, 300 * 1024);
}

static void any_thread_may_have_children(void **state)
{
	char path[64];

	(void)state;
	fake_status(&(struct fake_process){.pid = ROOT, .ppid = 1, .threads = 3, .state = 'S', .start = 100});
	fake_children(ROOT, "");
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%d/task/%d/children", ROOT, OTHER + i);
		fake_write(path, "%s", i ? "5000001" : "");
	}
	fake_live(CHILD, ROOT, 50, "");
	tree_add_root(&tree, ROOT);
	tick();
	assert_true(has(CHILD));
	assert_int_equal(tree_find(&tree, ROOT)->thread_count, 3);

	/* one thread ends: its descriptor goes with it */
	snprintf(path, sizeof(path), "%d/task/%d", ROOT, OTHER);
	fake_remove(path);
	fake_status(&(struct fake_process){.pid = ROOT, .ppid = 1, .threads = 2, .state = 'S', .start = 100});
	tick();
	assert_int_equal(tree_find(&tree, ROOT)->thread_count, 2);
	for (int i = 0; i < 2; i++)
		assert_int_not_equal(tree_find(&tree, ROOT)->threads[i].tid, OTHER);
}

/* Same number of threads, but one is another: found within the pause between listings. */
static void a_replaced_thread_is_noticed(void **state)
{
	char path[64];

	(void)state;
	fake_status(&(struct fake_process){.pid = ROOT, .ppid = 1, .threads = 2, .state = 'S', .start = 100});
	fake_children(ROOT, "");
	snprintf(path, sizeof(path), "%d/task/%d/children", ROOT, OTHER);
	fake_write(path, "%s", "");
	fake_live(CHILD, ROOT, 50, "");
	tree_add_root(&tree, ROOT);
	tick();
	assert_false(has(CHILD));
	*strrchr(path, '/') = '\0';
	fake_remove(path);
	snprintf(path, sizeof(path), "%d/task/%d/children", ROOT, OTHER + 1);
	fake_write(path, "%s", "5000001 ");
	for (int i = 0; i < RELIST_MAX_S && !has(CHILD); i++)
		tick();
	assert_true(has(CHILD));
}

/* The kernel hands out whole numbers, at most a page of them at once; so does this file: 512 of eight bytes each.
 * Only the last few of them are still there when they are looked at. */
static void long_lists_are_read_to_the_end(void **state)
{
	enum { MANY = 1500, THERE = 5 };
	char list[MANY * 8 + 1], *p = list;

	(void)state;
	for (int i = 0; i < MANY; i++)
		p += sprintf(p, "%d ", FAKE + 100 + i);
	for (int i = MANY - THERE; i < MANY; i++)
		fake_live(FAKE + 100 + i, ROOT, 1, "");
	fake_live(ROOT, 1, 1, list);
	tree_add_root(&tree, ROOT);
	tick();
	assert_int_equal(tree.count, THERE + 1);
	assert_true(has(FAKE + 100 + MANY - 1));
}

static bool is_helper(void *ctx, pid_t pid)
{
	return pid == *(pid_t *)ctx;
}

static void a_subreaper_adopts_all_but_its_helpers(void **state)
{
	pid_t helper = OTHER;

	(void)state;
	fake_live(SELF, 1, 1, "5000000 5000050 ");
	fake_live(ROOT, SELF, 10, "");
	fake_live(OTHER, SELF, 10, "");
	tree_add_root(&tree, ROOT);
	assert_int_equal(tree_adopt(&tree, SELF, is_helper, &helper), 0);
	tick();
	assert_int_equal(tree.count, 1);
	fake_children(SELF, "5000000 5000050 5000002 ");
	fake_live(GRANDCHILD, SELF, 10, ""); /* of a daemon that forked twice */
	tick();
	assert_true(has(GRANDCHILD) && !has(OTHER) && !has(SELF));
}

static void without_children_files_all_processes_are_listed(void **state)
{
	char path[64];

	(void)state;
	tree.list = list_of_all;
	fake_live(ROOT, 1, 100, "");
	fake_live(CHILD, ROOT, 50, "");
	fake_live(GRANDCHILD, CHILD, 25, "");
	fake_live(OTHER, 1, 25, "");
	for (int pid = ROOT; pid <= GRANDCHILD; pid++) {
		snprintf(path, sizeof(path), "%d/task/%d/children", pid, pid);
		fake_remove(path);
	}
	tree_add_root(&tree, ROOT);
	tick();
	assert_true(tree.fs.no_children);
	assert_int_equal(tree.count, 3);
	assert_true(has(GRANDCHILD) && !has(OTHER));
}

/* Of a thread that came and went unseen: its process has threads. */
static void a_resync_finds_what_children_files_missed(void **state)
{
	char path[64];

	(void)state;
	tree.list = list_of_all;
	fake_status(&(struct fake_process){.pid = ROOT, .ppid = 1, .threads = 2, .state = 'S', .start = 100});
	fake_children(ROOT, "");
	snprintf(path, sizeof(path), "%d/task/%d/children", ROOT, OTHER);
	fake_write(path, "%s", "");
	fake_live(CHILD, ROOT, 50, "");
	fake_live(GRANDCHILD, CHILD, 25, "");
	tree_add_root(&tree, ROOT);
	tick();
	assert_int_equal(tree.count, 1);
	for (int i = 0; i < RESYNC_S + 1; i++)
		tick();
	assert_int_equal(tree.count, 3);
}

static void the_process_alone(void **state)
{
	(void)state;
	tree_free(&tree);
	tree_init(&tree, fake_root, false, fds_max, list_of_all);
	fake_live(ROOT, 1, 100, "5000001 ");
	fake_live(CHILD, ROOT, 50, "");
	tree_add_root(&tree, ROOT);
	for (int i = 0; i < RESYNC_S + 2; i++)
		tick();
	assert_int_equal(tree.count, 1);
	assert_true(tree.fs.fds <= 1);
}

static void roots_that_cannot_be_watched(void **state)
{
	char path[64];

	(void)state;
	assert_int_equal(tree_add_root(&tree, 0), -EINVAL);
	assert_int_equal(tree_add_root(&tree, -5), -EINVAL);
	assert_int_equal(tree_add_root(&tree, ROOT), -ESRCH);
	fake_status(&(struct fake_process){.pid = ROOT, .ppid = 1, .threads = 1, .state = 'Z', .start = 1});
	assert_int_equal(tree_add_root(&tree, ROOT), -ENODATA);
	snprintf(path, sizeof(path), "%d/status", OTHER);
	fake_write(path, "rubbish\n");
	assert_int_equal(tree_add_root(&tree, OTHER), -EPROTO);
	/* our own process is not in the made /proc: hidden, not absent */
	assert_int_equal(tree_add_root(&tree, getpid()), -EACCES);
	assert_int_equal(tree.count, 0);
	assert_int_equal(tree.fs.fds, 0);
}

static void a_threads_id_stands_for_its_leader(void **state)
{
	char path[64];

	(void)state;
	fake_live(ROOT, 1, 100, "");
	snprintf(path, sizeof(path), "%d/status", OTHER);
	fake_write(path, "Name:\tx\nState:\tS (made)\nTgid:\t%d\nPPid:\t1\nThreads:\t2\n", ROOT);
	assert_int_equal(tree_add_root(&tree, OTHER), ROOT);
	assert_int_equal(tree_add_root(&tree, ROOT), ROOT); /* twice is once */
	assert_int_equal(tree.count, 1);
}

static void names_follow_exec(void **state)
{
	struct fake_process p = {
	    .pid = ROOT, .ppid = 1, .threads = 1, .state = 'S', .start = 1, .name = "memwatch"};

	(void)state;
	fake_status(&p);
	fake_children(ROOT, "");
	tree_add_root(&tree, ROOT);
	assert_string_equal(tree_find(&tree, ROOT)->name, "memwatch");
	p.name = "foo) Z";
	fake_status(&p);
	tick();
	assert_string_equal(tree_find(&tree, ROOT)->name, "foo) Z");
}

/* Processes come and go at random: members, descriptors and memory stay in step with what there is. */
static void churn_leaves_nothing_behind(void **state)
{
	enum { NUMBERS = 20, TICKS = 60 };
	bool alive[NUMBERS] = {false};
	size_t cap = 0, fds = 0;

	(void)state;
	srand(7);
	fake_live(ROOT, 1, 1, "");
	tree_add_root(&tree, ROOT);
	for (int t = 0; t < TICKS; t++) {
		char list[NUMBERS * 9] = "";
		size_t living = 1;

		for (int i = 0; i < NUMBERS; i++) {
			if (rand() % 3 == 0) {
				if (alive[i])
					fake_gone(FAKE + 100 + i);
				else
					fake_live(FAKE + 100 + i, ROOT, 1, "");
				alive[i] = !alive[i];
			}
			if (alive[i])
				sprintf(list + strlen(list), "%d ", FAKE + 100 + i);
			living += alive[i];
		}
		fake_children(ROOT, list);
		tick();
		assert_int_equal(tree.count, living);
		assert_true(tree.fs.fds <= 2 * living);
		for (int i = 0; i < NUMBERS; i++)
			assert_int_equal(has(FAKE + 100 + i), alive[i]);
		if (t == TICKS / 2) {
			cap = tree.cap;
			fds = tree.map.cap;
		}
	}
	assert_int_equal(tree.cap, cap);
	assert_int_equal(tree.map.cap, fds);
}

int main(void)
{
#define WITH_PROC(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    WITH_PROC(children_at_any_depth_are_members),
	    WITH_PROC(an_orphan_stays_a_member),
	    WITH_PROC(a_reused_number_is_not_followed),
	    WITH_PROC(a_child_of_a_parent_that_just_ended_is_taken_in),
	    WITH_PROC(zombies_are_members_but_not_alive),
	    WITH_PROC(a_leader_that_ended_before_its_threads_still_counts),
	    WITH_PROC(any_thread_may_have_children),
	    WITH_PROC(a_replaced_thread_is_noticed),
	    WITH_PROC(long_lists_are_read_to_the_end),
	    WITH_PROC(a_subreaper_adopts_all_but_its_helpers),
	    WITH_PROC(without_children_files_all_processes_are_listed),
	    WITH_PROC(a_resync_finds_what_children_files_missed),
	    WITH_PROC(the_process_alone),
	    WITH_PROC(roots_that_cannot_be_watched),
	    WITH_PROC(a_threads_id_stands_for_its_leader),
	    WITH_PROC(names_follow_exec),
	    WITH_PROC(churn_leaves_nothing_behind),
	};
	enum { COUNT = sizeof(tests) / sizeof(*tests), BUDGETS = sizeof(budgets) / sizeof(*budgets) };
	struct CMUnitTest all[COUNT * BUDGETS];

	for (size_t i = 0; i < COUNT * BUDGETS; i++) {
		all[i] = tests[i % COUNT];
		all[i].initial_state = (void *)(uintptr_t)&budgets[i / COUNT];
	}
	return cmocka_run_group_tests(all, NULL, NULL);
}
