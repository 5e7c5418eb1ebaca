/* SPDX-License-Identifier: MIT */
/* What walks and looks take of a core, by walks that are only told of. */
#include "host/heap_budget.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "host/heap_looks.h"

struct costs {
	int64_t walk_ns, quick_ns, look_ns;
};

struct run {
	struct heap_budget budget;
	struct heap_looks looks;
	int walks, quick; /* that gave a number */
	int64_t first_ns; /* after so long; 0 none */
	int64_t spent_ns;
	int64_t now_ns;
};

static void end_walk(struct run *r, struct heap_outcome *o, int64_t limit_ns)
{
	if (o->cpu_ns > limit_ns) {
		o->state = HEAP_OVER_BUDGET;
		o->cpu_ns = limit_ns;
	}
	heap_budget_spend_walk(&r->budget, o);
	r->walks += !o->state && !o->quick;
	r->quick += !o->state && o->quick;
	r->spent_ns += o->cpu_ns;
	if (r->walks && !r->first_ns)
		r->first_ns = r->now_ns;
}

/* As heap_ask() does: looks are planned while the walk is under way. Where a whole one is not due, a quick one may be. */
static void end_epoch(struct run *r, int64_t epoch_ns, const struct costs *c)
{
	int64_t look_ns = r->looks.left * c->look_ns, limit_ns = 0;
	struct heap_outcome o = {.quick_next = true};
	bool due;

	heap_budget_spend_looks(&r->budget, look_ns);
	r->spent_ns += look_ns;
	heap_budget_pass(&r->budget, r->now_ns, HEAP_AT_EPOCH_END);
	o.quick = !heap_budget_is_due(&r->budget, r->now_ns, HEAP_AT_EPOCH_END);
	due = !o.quick || heap_budget_is_quick_due(&r->budget, HEAP_AT_EPOCH_END);
	if (due)
		limit_ns = heap_budget_ask(&r->budget, r->now_ns);
	heap_looks_plan(&r->looks, r->now_ns, epoch_ns, heap_budget_spare_ns(&r->budget, epoch_ns));
	r->looks.cost_ns = c->look_ns;
	o.cpu_ns = o.quick ? c->quick_ns : c->walk_ns;
	if (due)
		end_walk(r, &o, limit_ns);
}

/* Ends of epochs all the time, each walk and each look as dear as the last. */
static struct run watch(int64_t duration_ns, int64_t epoch_ns, struct costs c)
{
	struct run r = {.now_ns = NS_PER_S};

	heap_budget_init(&r.budget);
	heap_looks_init(&r.looks);
	r.looks.cost_ns = c.look_ns;
	for (; r.now_ns <= NS_PER_S + duration_ns; r.now_ns += epoch_ns)
		end_epoch(&r, epoch_ns, &c);
	return r;
}

/* A quick walk takes long too where much is free. */
static void walks_take_at_most_a_hundredth_of_a_core(void **state)
{
	(void)state;
	for (int64_t ms = 1; ms <= 400; ms++)
		for (int64_t epoch_ns = 30 * NS_PER_MS; epoch_ns <= 5 * NS_PER_S; epoch_ns += epoch_ns / 4)
			for (int64_t part = 1; part <= 64; part *= 4) {
				struct costs c = {ms * NS_PER_MS, ms * NS_PER_MS / part, NS_PER_MS / part};

				assert_true(watch(30 * NS_PER_S, epoch_ns, c).spent_ns <=
					    30 * NS_PER_S / 100);
				assert_true(watch(60 * NS_PER_S, epoch_ns, c).spent_ns <=
					    60 * NS_PER_S / 100);
			}
}

static void what_may_be_taken_is_used(void **state)
{
	(void)state;
	for (int64_t ms = 1; ms < 100; ms += 3) {
		int64_t walk_ns = (100 - ms) * NS_PER_MS;
		struct run r = watch(60 * NS_PER_S, 30 * ms * NS_PER_MS,
				     (struct costs){walk_ns, walk_ns / 4, ms * NS_PER_MS / 40});

		assert_true(r.spent_ns >= 60 * NS_PER_S / 500);
	}
}

static void the_first_end_of_an_epoch_is_read(void **state)
{
	(void)state;
	for (int64_t ms = 1; ms <= 60; ms++)
		assert_int_equal(
		    watch(NS_PER_S / 2, NS_PER_S, (struct costs){ms * NS_PER_MS, NS_PER_MS, NS_PER_MS}).walks,
		    1);
}

/* What it takes must be found out first, and earned. */
static void a_walk_that_takes_long_is_made_later(void **state)
{
	static const struct {
		int64_t walk_ms, within_s;
	} rows[] = {{100, 10}, {155, 45}, {240, 45}, {400, 120}, {1000, 600}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct costs c = {rows[i].walk_ms * NS_PER_MS, rows[i].walk_ms * NS_PER_MS / 4,
				  NS_PER_MS / 5};

		assert_in_range(watch(700 * NS_PER_S, NS_PER_S, c).first_ns, 1, rows[i].within_s * NS_PER_S);
	}
}

static void a_heap_may_be_nearly_twice_as_dear_as_at_the_last_walk(void **state)
{
	struct costs c = {50 * NS_PER_MS, 12 * NS_PER_MS, NS_PER_MS / 5};
	struct run r = watch(120 * NS_PER_S, 5 * NS_PER_S, c);
	int before = r.walks + r.quick;

	(void)state;
	c.walk_ns = 95 * NS_PER_MS;
	for (int i = 0; i < 10; i++, r.now_ns += 5 * NS_PER_S)
		end_epoch(&r, 5 * NS_PER_S, &c);
	assert_int_equal(r.walks + r.quick - before, 10);
	assert_false(r.budget.given_up);
}

/* A whole walk takes what ten ends of epochs earn. */
static void where_a_walk_is_too_dear_large_blocks_are_read(void **state)
{
	struct run r = watch(40 * NS_PER_S, 400 * NS_PER_MS,
			     (struct costs){32 * NS_PER_MS, NS_PER_MS / 2, NS_PER_MS / 5});

	(void)state;
	assert_true(r.walks >= 3);
	assert_true(r.quick >= 80);
}

static void an_epoch_that_can_pay_for_them_has_all_looks(void **state)
{
	struct heap_budget b;
	struct heap_looks l;

	(void)state;
	heap_budget_init(&b);
	heap_looks_init(&l);
	heap_looks_plan(&l, NS_PER_S, NS_PER_S, heap_budget_spare_ns(&b, NS_PER_S));
	assert_int_equal(l.left, HEAP_LOOKS_MAX);
	assert_false(heap_looks_are_due(&l, NS_PER_S));
	assert_true(heap_looks_are_due(&l, 2 * NS_PER_S));
}

/* An epoch of 120 ms earns less than two of them; a reading needs six, of three epochs. */
static void in_the_first_short_epochs_looks_are_paid_from_what_is_saved(void **state)
{
	(void)state;
	for (int64_t epochs = 2; epochs <= 12; epochs++) {
		struct run r = watch(epochs * 120 * NS_PER_MS, 120 * NS_PER_MS,
				     (struct costs){5 * NS_PER_MS / 2, 4 * NS_PER_MS / 5, 3 * NS_PER_MS / 5});

		assert_true(r.walks >= epochs);
		assert_true(r.looks.left >= 2);
	}
}

static void looks_that_turn_out_dear_end(void **state)
{
	struct heap_looks l;

	(void)state;
	heap_looks_init(&l);
	heap_looks_plan(&l, NS_PER_S, NS_PER_S, 10 * NS_PER_MS);
	heap_looks_begin(&l, 2 * NS_PER_S);
	heap_looks_end(&l, 6 * NS_PER_MS, true);
	assert_int_equal(l.left, 0);
	assert_int_equal(l.spent_ns, 6 * NS_PER_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(walks_take_at_most_a_hundredth_of_a_core),
	    cmocka_unit_test(what_may_be_taken_is_used),
	    cmocka_unit_test(the_first_end_of_an_epoch_is_read),
	    cmocka_unit_test(a_walk_that_takes_long_is_made_later),
	    cmocka_unit_test(a_heap_may_be_nearly_twice_as_dear_as_at_the_last_walk),
	    cmocka_unit_test(where_a_walk_is_too_dear_large_blocks_are_read),
	    cmocka_unit_test(an_epoch_that_can_pay_for_them_has_all_looks),
	    cmocka_unit_test(in_the_first_short_epochs_looks_are_paid_from_what_is_saved),
	    cmocka_unit_test(looks_that_turn_out_dear_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
