/* SPDX-License-Identifier: MIT */
#include "host/shared_once.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MB (UINT64_C(1) << 20)

enum { PASS_S = 10 }; /* between two passes */

static struct proc_status maps(uint64_t anon_mb, uint64_t shmem_mb, uint64_t swap_mb)
{
	struct proc_status s = {.mm = true, .split = true, .state = 'S', .threads = 1};

	s.anon = anon_mb * MB;
	s.shmem = shmem_mb * MB;
	s.swap = swap_mb * MB;
	s.rss = s.anon + s.shmem;
	return s;
}

static struct proc_rollup shares(uint64_t anon_mb, uint64_t pss_anon_mb, uint64_t private_mb)
{
	return (struct proc_rollup){.parts = true,
				    .anonymous = anon_mb * MB,
				    .pss_anon = pss_anon_mb * MB,
				    .private_dirty = private_mb * MB};
}

struct family { /* a few processes and what they have mapped */
	struct shared_once_tree tree;
	struct shared_once_process p[8];
	struct proc_status now[8];
	int n;
	int64_t s; /* time */
};

static uint64_t total_mb(struct family *f)
{
	shared_once_sum_begin(&f->tree, f->s * NS_PER_S);
	for (int i = 0; i < f->n; i++)
		shared_once_sum_add(&f->tree, &f->p[i], &f->now[i]);
	shared_once_sum_end(&f->tree);
	return shared_once_sum_total(&f->tree, f->n) / MB;
}

static void pass(struct family *f, const struct proc_rollup *rollup, bool steady)
{
	bool believed;

	f->s += PASS_S;
	for (int i = 0; i < f->n; i++)
		shared_once_stage(&f->p[i], &f->now[i], &rollup[i]);
	total_mb(f);
	believed = shared_once_pass_end(&f->tree, steady, f->n);
	for (int i = 0; i < f->n; i++)
		shared_once_commit(&f->tree, &f->p[i], &f->now[i], believed, f->n);
}

/* A parent of 1000 MB, alone. */
static struct family lone(void)
{
	struct family f = {.n = 1};

	shared_once_tree_init(&f.tree);
	f.now[0] = maps(1000, 0, 0);
	shared_once_born(&f.tree, &f.p[0], &f.now[0], NULL);
	return f;
}

static void fork_workers(struct family *f, int workers)
{
	for (int i = 0; i < workers; i++, f->n++) {
		f->now[f->n] = f->now[0];
		shared_once_born(&f->tree, &f->p[f->n], &f->now[f->n], &f->now[0]);
	}
}

/* A parent of 1000 MB and its worker, which has copied nothing in its first second. */
static struct family with_a_worker(void)
{
	struct proc_rollup both[2] = {shares(1000, 500, 0), shares(1000, 500, 0)};
	struct proc_rollup alone = shares(1000, 1000, 1000);
	struct family f = lone();

	pass(&f, &alone, true);
	fork_workers(&f, 1);
	pass(&f, both, true);
	pass(&f, both, true);
	assert_false(shared_once_unsure(&f.tree));
	return f;
}

static void leave(struct family *f)
{
	f->n--;
	shared_once_left(&f->tree, &f->p[f->n], &f->now[f->n]);
}

static void a_lone_process_counts_all_it_maps(void **state)
{
	struct family f = lone();
	struct proc_rollup half = shares(1000, 500, 500); /* shares with somebody who is not watched */

	(void)state;
	f.now[0] = maps(1000, 50, 7);
	assert_int_equal(total_mb(&f), 1057);
	pass(&f, &half, true);
	pass(&f, &half, true);
	assert_int_equal(total_mb(&f), 1057);
}

static void forked_workers_add_only_what_they_gain(void **state)
{
	struct family f = lone();

	(void)state;
	fork_workers(&f, 4);
	assert_int_equal(total_mb(&f), 1000);
	f.now[1] = maps(1030, 0, 0);
	f.now[2] = maps(1005, 0, 0);
	assert_int_equal(total_mb(&f), 1035);
}

static void one_larger_than_its_parent_counts_what_is_beyond(void **state)
{
	struct family f = lone();

	(void)state;
	f.now[1] = maps(1500, 0, 0);
	shared_once_born(&f.tree, &f.p[1], &f.now[1], &f.now[0]);
	f.n = 2;
	assert_int_equal(total_mb(&f), 1500);
}

/* Passes that find what was thought anyway move nothing at all. */
static void passes_come_and_go_unseen(void **state)
{
	struct family f = lone();
	struct proc_rollup fifth[5];

	(void)state;
	fork_workers(&f, 4);
	for (int i = 0; i < 5; i++)
		fifth[i] = shares(1000, 200, 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(total_mb(&f), 1000);
		pass(&f, fifth, true);
	}
	assert_int_equal(f.p[0].view.shared, 800 * MB);
	assert_int_equal(total_mb(&f), 1000);
}

static void a_leaver_takes_only_what_was_its_own(void **state)
{
	struct family f = lone();
	struct proc_rollup r[5];

	(void)state;
	fork_workers(&f, 4);
	for (int i = 0; i < 5; i++)
		r[i] = shares(1000, 200, 0);
	f.now[4] = maps(1030, 0, 0); /* 30 MB of its own */
	r[4] = shares(1030, 230, 30);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1030);
	leave(&f);
	assert_int_equal(total_mb(&f), 1000);
	leave(&f);
	assert_int_equal(total_mb(&f), 1000);
	leave(&f);
	leave(&f);
	assert_int_equal(total_mb(&f), 1000);
}

static void what_is_carried_over_never_exceeds_what_is_mapped(void **state)
{
	struct family f = lone();
	struct proc_rollup r[4] = {shares(10, 10, 10), shares(1000, 500, 0), shares(1000, 500, 0),
				   shares(1, 1, 1)};

	(void)state;
	f.now[0] = maps(10, 0, 0);
	f.now[1] = f.now[2] = maps(1000, 0, 0);
	f.now[3] = maps(1, 0, 0);
	for (int i = 1; i < 4; i++)
		shared_once_born(&f.tree, &f.p[i], &f.now[i], NULL);
	f.n = 4;
	pass(&f, r, true);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1011);
	f.p[1] = f.p[3]; /* the two that shared with each other alone end at once */
	f.now[1] = f.now[3];
	f.tree.carried = 1000 * MB;
	f.n = 2;
	assert_int_equal(total_mb(&f), 11);
}

/* Pages written by a worker become its own without any change in what it maps: only a pass can tell. That it was
 * read again is no moment of its own: the sum gets there in the time that it took to come about, without a step. */
static void copies_on_write_show_after_two_passes(void **state)
{
	struct proc_rollup r[2] = {shares(1000, 700, 400), shares(1000, 700, 400)};
	struct family f = with_a_worker();

	(void)state;
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1000);
	pass(&f, r, true);
	for (int i = 0; i <= 2 * PASS_S; i++, f.s++)
		assert_int_equal(total_mb(&f), 1000 + 400 * i / (2 * PASS_S));
	f.s += 100;
	assert_int_equal(total_mb(&f), 1400);
}

/* What a worker has copied before it was read first did not come about when it was read: no slide, and no doubt. */
static void what_a_fork_shares_is_in_force_as_soon_as_it_is_known(void **state)
{
	struct proc_rollup r[2] = {shares(1000, 600, 200), shares(1000, 600, 200)};
	struct proc_rollup more[2] = {shares(1000, 700, 400), shares(1000, 700, 400)};
	struct proc_rollup alone = shares(1000, 1000, 1000);
	struct family f = lone();

	(void)state;
	pass(&f, &alone, true);
	assert_false(shared_once_unsure(&f.tree));
	fork_workers(&f, 1);
	assert_int_equal(total_mb(&f), 1000);
	assert_false(shared_once_unsure(&f.tree)); /* may call exec at once, as most do */
	f.s++;
	assert_int_equal(total_mb(&f), 1000);
	assert_true(shared_once_unsure(&f.tree));
	pass(&f, r, false); /* another fork in the midst of it */
	assert_int_equal(total_mb(&f), 1000);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1200);
	assert_true(shared_once_unsure(&f.tree)); /* copies most in its first second */
	pass(&f, more, true);
	for (int i = 0; i <= PASS_S; i++, f.s++)
		assert_int_equal(total_mb(&f), 1200 + 200 * i / PASS_S);
	assert_false(shared_once_unsure(&f.tree));
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1400);
}

/* A small program that is started now and then, and one that cannot be read, are no reason to hurry. */
static void only_what_matters_and_can_be_read_is_hurried_for(void **state)
{
	struct proc_rollup none[3] = {{0}, {0}, {0}};
	struct family f = lone();

	(void)state;
	f.s = 1;
	f.now[1] = maps(3, 0, 0);
	shared_once_born(&f.tree, &f.p[1], &f.now[1], &f.now[0]);
	f.n = 2;
	total_mb(&f);
	assert_false(shared_once_unsure(&f.tree));
	fork_workers(&f, 1);
	total_mb(&f);
	f.s++;
	total_mb(&f);
	assert_true(shared_once_unsure(&f.tree));
	pass(&f, none, true);
	pass(&f, none, true);
	assert_false(shared_once_unsure(&f.tree));
}

/* It is held against the whole sum, in whatever order the processes are listed. */
static void a_small_fork_listed_before_a_large_process_is_no_reason_to_hurry(void **state)
{
	struct family f = {.n = 2};
	struct proc_status parent = maps(3, 0, 0);

	(void)state;
	shared_once_tree_init(&f.tree);
	f.now[0] = maps(3, 0, 0);
	f.now[1] = maps(1000, 0, 0);
	shared_once_born(&f.tree, &f.p[0], &f.now[0], &parent);
	shared_once_born(&f.tree, &f.p[1], &f.now[1], NULL);
	for (f.s = 1; f.s < 4; f.s++)
		total_mb(&f);
	assert_false(shared_once_unsure(&f.tree));
}

/* Mapped 1000 MB as it was forked and 2 when its pages were read: it has called exec, and what it shares is not
 * known. */
static void a_reading_across_exec_is_left_out(void **state)
{
	struct proc_rollup r[2] = {shares(1000, 1000, 1000), shares(2, 2, 2)};
	struct family f = lone();

	(void)state;
	pass(&f, r, true);
	fork_workers(&f, 1);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1000);
	f.now[1] = maps(2, 0, 0);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1002);
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* A worker that copies 2 MB in each second, read every ten: row by row it rises by that, ten seconds late. */
static void a_lasting_rise_stays_one(void **state)
{
	struct family f = with_a_worker();
	struct proc_rollup r[2];
	uint64_t last = 1000;

	(void)state;
	for (int s = 1; s <= 300; s++) {
		uint64_t copied = (uint64_t)s * 2;

		f.s++;
		r[0] = r[1] = shares(1000, 500 + copied / 2, copied);
		if (s % PASS_S == 0) {
			f.s -= PASS_S;
			pass(&f, r, true);
		}
		assert_true(apart(total_mb(&f), last) <= 4);
		last = total_mb(&f);
		if (s > 2 * PASS_S)
			assert_true(apart(last, 1000 + copied) <= 4 * PASS_S);
	}
}

/* On the slide a process leaves to the others what it shared, as far as it had counted, and takes its own. */
static void a_leaver_on_the_slide_makes_no_step(void **state)
{
	struct family f = lone();
	struct proc_rollup r[3], alone = shares(1200, 1200, 1200);

	(void)state;
	f.now[0] = maps(1200, 0, 0);
	pass(&f, &alone, true);
	fork_workers(&f, 2);
	r[0] = r[1] = r[2] = shares(1200, 400, 0);
	pass(&f, r, true);
	pass(&f, r, true);
	r[2] = shares(1200, 410, 20); /* has written to 20 */
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1200);
	f.s += PASS_S / 2;
	assert_int_equal(total_mb(&f), 1205);
	leave(&f);
	assert_in_range(total_mb(&f), 1185, 1195);
	f.s += PASS_S;
	assert_int_equal(total_mb(&f), 1190);
}

/* A fork in the midst of a pass halves what one process seems to have: never believed, however often. */
static void a_pass_disturbed_by_a_fork_is_not_believed(void **state)
{
	struct family f = lone();
	struct proc_rollup good[2] = {shares(1000, 500, 0), shares(1000, 500, 0)};
	struct proc_rollup bad[2] = {shares(1000, 333, 0), shares(1000, 500, 0)};

	(void)state;
	fork_workers(&f, 1);
	pass(&f, good, true);
	pass(&f, good, true);
	for (int i = 0; i < 5; i++) {
		pass(&f, bad, false);
		assert_int_equal(total_mb(&f), 1000);
	}
	pass(&f, bad, true); /* unseen fork and exit: one is not enough */
	pass(&f, good, true);
	pass(&f, bad, true);
	assert_int_equal(total_mb(&f), 1000);
}

static void swapping_out_is_no_release(void **state)
{
	struct family f = lone();

	(void)state;
	fork_workers(&f, 1);
	f.now[1] = maps(1100, 0, 0);
	assert_int_equal(total_mb(&f), 1100);
	f.now[0] = maps(300, 0, 700);
	f.now[1] = maps(600, 0, 500);
	assert_int_equal(total_mb(&f), 1100);
}

static void exec_makes_all_of_it_its_own(void **state)
{
	struct family f = lone();

	(void)state;
	fork_workers(&f, 1);
	f.now[1] = maps(2, 0, 0);
	assert_int_equal(total_mb(&f), 1002);
	f.now[1] = maps(600, 0, 0);
	assert_int_equal(total_mb(&f), 1600);
}

/* Batches in shared memory, mapped by worker and parent, come and go between passes. */
static void shared_memory_stays_as_shared_as_it_was(void **state)
{
	struct family f = lone();
	struct proc_rollup r[2] = {shares(1000, 500, 0), shares(1000, 500, 0)};

	(void)state;
	fork_workers(&f, 1);
	f.now[0].shmem = f.now[1].shmem = 100 * MB;
	r[0].pss_shmem = r[1].pss_shmem = 50 * MB;
	pass(&f, r, true);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1100);
	f.now[0].shmem = f.now[1].shmem = 40 * MB;
	assert_int_equal(total_mb(&f), 1040);
	f.now[2] = maps(1000, 40, 0); /* a new worker is taken to share as the others do */
	shared_once_born(&f.tree, &f.p[2], &f.now[2], &f.now[0]);
	f.n = 3;
	assert_int_equal(total_mb(&f), 1060);
	f.n = 2;
	f.now[0].shmem = f.now[1].shmem = 0;
	assert_int_equal(total_mb(&f), 1000);
}

/* A tree found running: everything counts until the first pass says what is shared. */
static void the_first_pass_is_believed(void **state)
{
	struct family f = lone();
	struct proc_rollup r[2] = {shares(1000, 500, 0), shares(1000, 500, 0)};

	(void)state;
	f.now[1] = f.now[0];
	shared_once_born(&f.tree, &f.p[1], &f.now[1], NULL);
	f.n = 2;
	assert_int_equal(total_mb(&f), 2000);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1000);
}

/* Forked by somebody who is not watched, it starts a program now and then: that changes nothing of its own. */
static void what_outsiders_share_stays_its_own(void **state)
{
	struct family f = lone();
	struct proc_rollup r[2] = {shares(1000, 500, 500), shares(3, 3, 3)};

	(void)state;
	pass(&f, r, true);
	f.now[1] = maps(3, 0, 0);
	shared_once_born(&f.tree, &f.p[1], &f.now[1], NULL);
	f.n = 2;
	assert_int_equal(total_mb(&f), 1003);
	pass(&f, r, true);
	pass(&f, r, true);
	assert_int_equal(total_mb(&f), 1003);
	leave(&f);
	assert_int_equal(total_mb(&f), 1000);
}

static void kernels_without_the_parts_change_nothing(void **state)
{
	struct family f = lone();
	struct proc_rollup old[3] = {{.pss = 5}, {.pss = 5}, {.pss = 5}};

	(void)state;
	fork_workers(&f, 2);
	pass(&f, old, true);
	pass(&f, old, true);
	assert_int_equal(total_mb(&f), 1000);
}

static void rss_stands_in_where_parts_are_unknown(void **state)
{
	struct family f = {.n = 1};

	(void)state;
	shared_once_tree_init(&f.tree);
	f.now[0] = (struct proc_status){.mm = true, .rss = 80 * MB, .swap = 5 * MB};
	shared_once_born(&f.tree, &f.p[0], &f.now[0], NULL);
	assert_int_equal(total_mb(&f), 85);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_lone_process_counts_all_it_maps),
	    cmocka_unit_test(forked_workers_add_only_what_they_gain),
	    cmocka_unit_test(one_larger_than_its_parent_counts_what_is_beyond),
	    cmocka_unit_test(passes_come_and_go_unseen),
	    cmocka_unit_test(a_leaver_takes_only_what_was_its_own),
	    cmocka_unit_test(what_is_carried_over_never_exceeds_what_is_mapped),
	    cmocka_unit_test(copies_on_write_show_after_two_passes),
	    cmocka_unit_test(what_a_fork_shares_is_in_force_as_soon_as_it_is_known),
	    cmocka_unit_test(only_what_matters_and_can_be_read_is_hurried_for),
	    cmocka_unit_test(a_small_fork_listed_before_a_large_process_is_no_reason_to_hurry),
	    cmocka_unit_test(a_reading_across_exec_is_left_out),
	    cmocka_unit_test(a_lasting_rise_stays_one),
	    cmocka_unit_test(a_leaver_on_the_slide_makes_no_step),
	    cmocka_unit_test(a_pass_disturbed_by_a_fork_is_not_believed),
	    cmocka_unit_test(swapping_out_is_no_release),
	    cmocka_unit_test(exec_makes_all_of_it_its_own),
	    cmocka_unit_test(shared_memory_stays_as_shared_as_it_was),
	    cmocka_unit_test(the_first_pass_is_believed),
	    cmocka_unit_test(what_outsiders_share_stays_its_own),
	    cmocka_unit_test(kernels_without_the_parts_change_nothing),
	    cmocka_unit_test(rss_stands_in_where_parts_are_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
