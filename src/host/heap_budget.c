/* SPDX-License-Identifier: MIT */
/* A credit that grows with time and pays for walks and looks. A walk may take more than there is, and the next ones wait
 * until that is earned; but from half a minute on all together have taken a hundredth of the time at most, and what would be
 * more is not begun or given up. Knows no thread and no process. */
#include "host/heap_budget.h"

#include "base/clock.h"

enum { COST_SHARE = 125, COST_MOST = 100, EPOCHS_AHEAD = 16 };
#define COST_FROM_NS    (30 * NS_PER_S)
#define CREDIT_START_NS (60 * NS_PER_MS) /* the first epochs decide most: with it, half a minute costs 1 % */
#define CREDIT_MAX_NS   (4 * NS_PER_S)
#define WALK_FIRST_NS   (10 * NS_PER_MS) /* as much is expected of the first walk */
#define WALK_LEAST_NS   (2 * NS_PER_MS)
#define WALK_MAX_NS     (2 * NS_PER_S) /* a heap that takes longer is not read */
#define PAUSE_NS        (30 * NS_PER_S)
#define PAUSE_ALONE_NS  (10 * NS_PER_S) /* where a minute has brought no epoch */

void heap_budget_init(struct heap_budget *b)
{
	*b = (struct heap_budget){
	    .credit_ns = CREDIT_START_NS, .need_ns = WALK_FIRST_NS, .quick_ns = WALK_LEAST_NS};
}

static void add_credit(struct heap_budget *b, int64_t now_ns)
{
	if (b->credited_ns)
		b->credit_ns += (now_ns - b->credited_ns) / COST_SHARE;
	if (b->credit_ns > CREDIT_MAX_NS)
		b->credit_ns = CREDIT_MAX_NS;
	b->credited_ns = now_ns;
}

void heap_budget_pass(struct heap_budget *b, int64_t now_ns, enum heap_moment moment)
{
	if (!b->first_ns)
		b->first_ns = now_ns;
	add_credit(b, now_ns);
	b->epoch_ns = b->end_ns && moment != HEAP_BETWEEN ? now_ns - b->end_ns : 0;
	if (moment != HEAP_BETWEEN)
		b->end_ns = now_ns;
}

void heap_budget_spend_looks(struct heap_budget *b, int64_t cpu_ns)
{
	b->credit_ns -= cpu_ns;
	b->spent_ns += cpu_ns;
}

/* What may be taken now: no less than the credit, which earns a little less and begins with the difference. */
static int64_t left_ns(const struct heap_budget *b)
{
	int64_t run_ns = b->credited_ns - b->first_ns;

	return (run_ns > COST_FROM_NS ? run_ns : COST_FROM_NS) / COST_MOST - b->spent_ns;
}

/* Even on credit, where it takes no more than half of what an epoch earns. */
bool heap_budget_is_quick_due(const struct heap_budget *b, enum heap_moment moment)
{
	return moment != HEAP_BETWEEN && b->walked && b->quick_next && left_ns(b) >= b->quick_ns &&
	       (b->credit_ns >= 2 * b->quick_ns || b->epoch_ns / COST_SHARE / 2 >= b->quick_ns);
}

/* A heap may have grown since the last walk; one that takes all there is to spend is given up. */
static int64_t wanted_ns(const struct heap_budget *b)
{
	int64_t ns = 2 * b->need_ns > b->credit_ns ? 2 * b->need_ns : b->credit_ns;

	return ns < WALK_MAX_NS ? ns : WALK_MAX_NS;
}

/* One that was given up is not begun again only to be given up again. */
static bool can_pay(const struct heap_budget *b)
{
	return b->credit_ns >= b->need_ns && (!b->given_up || left_ns(b) >= wanted_ns(b));
}

/* Between ends of epochs only from what these will not need. */
bool heap_budget_is_due(const struct heap_budget *b, int64_t now_ns, enum heap_moment moment)
{
	int64_t since_ns = now_ns - (b->last_ns ? b->last_ns : b->first_ns);

	if (moment != HEAP_BETWEEN)
		return can_pay(b);
	if (b->credit_ns < 4 * b->need_ns)
		return false;
	return since_ns >= PAUSE_NS ||
	       (!b->end_ns && now_ns - b->first_ns >= 2 * PAUSE_NS && since_ns >= PAUSE_ALONE_NS);
}

int64_t heap_budget_ask(struct heap_budget *b, int64_t now_ns)
{
	int64_t wanted = wanted_ns(b), left = left_ns(b);

	b->last_ns = now_ns;
	b->asked_ns = wanted < left ? wanted : left;
	return b->asked_ns;
}

/* All that it earns where the next walk can be paid besides, else half of it, and a quarter where there are debts. Before
 * the first number looks say nothing: one that takes long comes sooner without them. */
static int64_t share_for_looks(const struct heap_budget *b, int64_t income_ns)
{
	if (b->given_up && !b->walked)
		return 0;
	if (b->credit_ns < 0)
		return income_ns / 4;
	return b->credit_ns < 2 * b->need_ns ? income_ns / 2 : income_ns;
}

/* What the next walks do not need lasts for some epochs: where these are too short to earn looks enough, a reading at whose
 * moment the next batch has begun says little without them. */
static int64_t saved_for_looks(const struct heap_budget *b)
{
	int64_t saved_ns = b->credit_ns - 2 * b->need_ns;

	return saved_ns > 0 && b->walked ? saved_ns / EPOCHS_AHEAD : 0;
}

/* In the first half minute there may be nothing left at all; later more is left than is earned. */
int64_t heap_budget_spare_ns(const struct heap_budget *b, int64_t epoch_ns)
{
	int64_t earned = share_for_looks(b, epoch_ns / COST_SHARE), spare = earned + saved_for_looks(b),
		left = left_ns(b) - b->asked_ns;

	if (b->credited_ns - b->first_ns >= COST_FROM_NS && left < earned)
		return earned;
	if (spare <= left)
		return spare;
	return left > 0 ? left : 0;
}

static bool is_passing_trouble(enum heap_state state)
{
	return state == HEAP_CHANGING || state == HEAP_OVER_BUDGET;
}

static void expect(struct heap_budget *b, int64_t need_ns)
{
	b->need_ns = need_ns < WALK_LEAST_NS   ? WALK_LEAST_NS
		     : need_ns > CREDIT_MAX_NS ? CREDIT_MAX_NS
					       : need_ns;
}

/* One that was given up takes more than it took until then. */
static int64_t more_ns(const struct heap_budget *b, int64_t cpu_ns)
{
	return 2 * b->need_ns > cpu_ns ? 2 * b->need_ns : cpu_ns;
}

void heap_budget_spend_walk(struct heap_budget *b, const struct heap_outcome *o)
{
	b->credit_ns -= o->cpu_ns;
	b->spent_ns += o->cpu_ns;
	b->asked_ns = 0;
	b->quick_next = o->quick_next;
	if (o->quick) {
		b->quick_ns = o->state == HEAP_OVER_BUDGET ? 2 * o->cpu_ns : o->cpu_ns;
		return;
	}
	b->given_up = o->state == HEAP_OVER_BUDGET;
	expect(b, b->given_up ? more_ns(b, o->cpu_ns) : o->cpu_ns);
	b->walked = !o->state || (b->walked && is_passing_trouble(o->state));
}
