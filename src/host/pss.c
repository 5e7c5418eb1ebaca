/* SPDX-License-Identifier: MIT */
/* When to read smaps_rollup, and how much of it in one tick. What the readings mean is host/shared_once.c's. */
#include "host/pss.h"

#include <errno.h>

#include "base/clock.h"

enum { HARD_COST = 100, OWN_SHARE = 16, OWN_PAUSE_MAX_S = 10 };
#define SLICE_FIRST_NS (20 * NS_PER_MS)
#define SLICE_MIN_NS   (200 * NS_PER_US)
#define SLICE_MAX_NS   (10 * NS_PER_MS)

/* Processes came or went since the last pass, and for a second none has: who shares what is known no more. */
static bool has_changed(const struct pss *pss, const struct tree *tree, int64_t now_ns)
{
	return tree->changes != pss->changes && now_ns - pss->changed_ns >= NS_PER_S;
}

/* Never more than 1 % of a core nor, but for forks that are not known yet, than one pass a second; without a reason
 * also no more than a sixteenth of what the ticks in between cost, as long as that means at most ten seconds. A lone process
 * shares nothing, so its first row need not wait for a pass. */
static bool is_due(const struct pss *pss, const struct tree *tree, int64_t now_ns, int64_t tick_ns,
		   int64_t cost_ns)
{
	int64_t since = now_ns - pss->begun_ns;
	double soft;

	if (pss->pass == 0)
		return tree->count > 1 || tick_ns > 0;
	if (since < HARD_COST * pss->spent_ns || (since < NS_PER_S && !pss->hurry))
		return false;
	if (pss->hurry || pss->wanted || cost_ns <= 0 || has_changed(pss, tree, now_ns))
		return true;
	soft = (double)pss->spent_ns * OWN_SHARE * (double)tick_ns / (double)cost_ns;
	return since >= OWN_PAUSE_MAX_S * NS_PER_S || (double)since >= soft;
}

static void begin(struct pss *pss, const struct tree *tree, int64_t now_ns)
{
	pss->pass++;
	pss->active = true;
	pss->wanted = false;
	pss->unknown = false;
	pss->begun_ns = now_ns;
	pss->spent_ns = 0;
	pss->changes = tree->changes;
	pss->sum_bytes = 0;
}

static void read_member(struct pss *pss, struct tree *tree, struct process *m)
{
	struct proc_rollup rollup;
	int err;

	m->pass = pss->pass;
	if (!m->live || !m->now.mm)
		return;
	err = process_rollup(&tree->fs, m, &rollup);
	if (err == 0) {
		pss->sum_bytes += rollup.pss;
		shared_once_stage(&m->shared, &m->now, &rollup);
		return;
	}
	if (err == -ESRCH) /* has just ended */
		return;
	shared_once_stage(&m->shared, &m->now, &(struct proc_rollup){0});
	pss->unknown = true;
	if (!pss->error)
		pss->error = -err;
}

/* A tenth of the time between ticks, so that a long pass delays none; at least one process. The first row is
 * worth a wait: what a tree found running shares is not known before. */
static int64_t slice(int64_t tick_ns)
{
	int64_t ns = tick_ns / 10;

	if (tick_ns == 0)
		return SLICE_FIRST_NS;
	return ns < SLICE_MIN_NS ? SLICE_MIN_NS : ns > SLICE_MAX_NS ? SLICE_MAX_NS : ns;
}

enum pss_state pss_step(struct pss *pss, struct tree *tree, int64_t now_ns, int64_t tick_ns, int64_t cost_ns)
{
	int64_t start, spent = 0;

	if (tree->changes != pss->changes_last) {
		pss->changes_last = tree->changes;
		pss->changed_ns = now_ns;
	}
	if (!pss->active) {
		if (!is_due(pss, tree, now_ns, tick_ns, cost_ns))
			return PSS_IDLE;
		begin(pss, tree, now_ns);
	}
	start = clock_mono_ns();
	for (size_t i = 0; i < tree->count; i++) {
		struct process *m = &tree->members[i];

		if (m->pass == pss->pass)
			continue;
		if (spent > slice(tick_ns)) {
			pss->spent_ns += spent;
			return PSS_RUNNING;
		}
		read_member(pss, tree, m);
		spent = clock_mono_ns() - start;
	}
	pss->spent_ns += spent;
	pss->active = false;
	return PSS_DONE;
}
