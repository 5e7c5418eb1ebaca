/* SPDX-License-Identifier: MIT */
/* The rule by which shared pages are counted once. Knows only numbers; header has the rule itself. */
#include "host/shared_once.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

enum { TELLS = 64 }; /* a part of the sum that is worth a doubt or a hurry */

#define YOUNG_NS NS_PER_S /* in which a process copies most of what it copies after it was forked */
/* A new figure is come to in the time that it took to come about: no step, and nobody waits for it longer than a
 * minute. */
#define SLIDE_LEAST_NS NS_PER_S
#define SLIDE_MOST_NS  (60 * NS_PER_S)

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t own(const struct proc_status *s)
{
	return (s->split ? s->anon : s->rss) + s->swap;
}

static uint64_t scaled(uint64_t bytes, uint32_t share)
{
	return share >= SHMEM_SHARE_ONE ? bytes : (uint64_t)((double)bytes * share / SHMEM_SHARE_ONE);
}

static uint32_t share_of(uint64_t part, uint64_t whole)
{
	return part >= whole ? SHMEM_SHARE_ONE : (uint32_t)((double)part * SHMEM_SHARE_ONE / (double)whole);
}

static uint64_t count_by(const struct shared_once_view *v, uint64_t outside, const struct proc_status *now)
{
	return minus(own(now), minus(v->shared, outside)) + scaled(now->shmem, v->shmem_share);
}

static int64_t part_of(int64_t bytes, double share)
{
	return (int64_t)llround((double)bytes * share);
}

static uint64_t plus(uint64_t a, int64_t b)
{
	return b < 0 ? minus(a, (uint64_t)-b) : a + (uint64_t)b;
}

static uint64_t on_slide(const struct shared_once_process *p, uint64_t counted, double left)
{
	return plus(counted, part_of(p->behind, left));
}

uint64_t shared_once_mapped(const struct proc_status *now)
{
	return own(now) + now->shmem;
}

void shared_once_tree_init(struct shared_once_tree *t)
{
	memset(t, 0, sizeof(*t));
	t->shmem_share = SHMEM_SHARE_ONE;
}

void shared_once_born(const struct shared_once_tree *t, struct shared_once_process *p,
		      const struct proc_status *now, const struct proc_status *parent)
{
	memset(p, 0, sizeof(*p));
	p->view.shmem_share = t->shmem_share;
	p->read = !parent;
	if (parent)
		p->view.shared = min_u64(own(now), own(parent));
}

/* It called exec between the two readings. */
static bool is_replaced(const struct proc_status *now, const struct proc_rollup *rollup)
{
	return rollup->parts && now->split && rollup->anonymous < now->anon / 2;
}

void shared_once_stage(struct shared_once_process *p, const struct proc_status *now,
		       const struct proc_rollup *rollup)
{
	struct shared_once_view *v = &p->next;

	p->tried = !is_replaced(now, rollup);
	p->next_ok = p->tried && rollup->parts;
	if (!p->next_ok)
		return;
	/* Anonymous and Pss_Anon are of one instant. VmSwap stands for Swap, which also counts swapped-out
	 * shared memory that SwapPss leaves out (fs/proc/task_mmu.c). */
	v->shared = minus(rollup->anonymous, rollup->pss_anon) + minus(now->swap, rollup->swap_pss);
	v->carried = minus(rollup->pss_anon, rollup->private_dirty);
	v->shmem_share = share_of(rollup->pss_shmem, now->shmem);
}

/* exec leaves a new image that shares nothing; any other way to lose half of what was shared is rare. */
static void forget_if_replaced(struct shared_once_process *p, const struct proc_status *now)
{
	struct shared_once_view *v = &p->view;
	uint64_t mapped = own(now);

	if (v->shared <= mapped)
		return;
	if (mapped < v->shared / 2)
		p->behind = 0;
	v->shared = mapped < v->shared / 2 ? 0 : mapped;
	v->carried = min_u64(v->carried, v->shared);
}

/* What it will count when the slide is over. */
static uint64_t count_in_the_end(struct shared_once_process *p, const struct proc_status *now)
{
	if (now->mm)
		forget_if_replaced(p, now);
	return count_by(&p->view, p->outside, now);
}

uint64_t shared_once_count(const struct shared_once_tree *t, struct shared_once_process *p,
			   const struct proc_status *now)
{
	uint64_t counted = count_in_the_end(p, now);

	return on_slide(p, counted, t->left);
}

/* What stays behind is as far on its slide as the process was. */
void shared_once_left(struct shared_once_tree *t, const struct shared_once_process *p,
		      const struct proc_status *now)
{
	uint64_t carried = min_u64(p->view.carried, minus(own(now), p->view.shared));
	uint64_t counted = count_by(&p->view, p->outside, now);

	if (p->view.shmem_share < SHMEM_SHARE_ONE)
		carried += scaled(now->shmem, p->view.shmem_share);
	t->carried += carried;
	if (counted > 0)
		t->behind += part_of(p->behind, (double)carried / (double)counted);
}

void shared_once_sum_begin(struct shared_once_tree *t, int64_t now_ns)
{
	t->mapped = t->counted = t->shown = t->staged = t->shmem = t->shmem_staged = t->guessed = 0;
	t->now_ns = now_ns;
	t->left = 0;
	if (t->slide_ns > 0 && now_ns - t->believed_ns < t->slide_ns)
		t->left = 1 - (double)(now_ns - t->believed_ns) / (double)t->slide_ns;
}

void shared_once_sum_add(struct shared_once_tree *t, struct shared_once_process *p,
			 const struct proc_status *now)
{
	uint64_t counted = count_in_the_end(p, now);

	t->mapped += shared_once_mapped(now);
	t->counted += counted;
	t->shown += on_slide(p, counted, t->left);
	if (p->first_ns == 0)
		p->first_ns = t->now_ns;
	/* Most that are forked call exec at once. */
	t->guessed += p->read || p->first_ns == t->now_ns ? 0 : p->view.shared;
	t->staged += p->next_ok ? count_by(&p->next, p->outside, now) : counted;
	if (p->next_ok) {
		t->shmem += now->shmem;
		t->shmem_staged += scaled(now->shmem, p->next.shmem_share);
	}
}

void shared_once_sum_end(struct shared_once_tree *t)
{
	if (t->guessed > t->counted / TELLS)
		t->unsure_ns = t->now_ns;
}

static uint64_t carried_shown(const struct shared_once_tree *t)
{
	return plus(t->carried, part_of(t->behind, t->left));
}

uint64_t shared_once_sum_total(const struct shared_once_tree *t, int64_t processes)
{
	return processes <= 1 ? t->mapped : min_u64(t->mapped, t->shown + carried_shown(t));
}

bool shared_once_unsure(const struct shared_once_tree *t)
{
	return t->unsure_ns > 0 && t->unsure_ns + YOUNG_NS > t->believed_ns;
}

static int64_t slide_of(const struct shared_once_tree *t, int64_t took_ns)
{
	int64_t least_ns = shared_once_unsure(t) ? 0 : SLIDE_LEAST_NS;

	return took_ns < least_ns ? least_ns : took_ns > SLIDE_MOST_NS ? SLIDE_MOST_NS : took_ns;
}

/* The first pass is no news of what came about, of all processes or of those just forked: what it found was so
 * before. */
static void start_slide(struct shared_once_tree *t, int64_t processes)
{
	bool slides = t->passed && t->unsure_ns < t->now_ns;

	t->behind = slides && processes > 1 ? (int64_t)carried_shown(t) : 0;
	t->carried = 0;
	t->left_before = t->left;
	t->left = slides ? 1 : 0;
	t->slide_ns = slides ? slide_of(t, t->now_ns - t->believed_ns) : 0;
	t->shown = slides ? t->shown : t->staged;
	t->believed_ns = t->now_ns;
}

bool shared_once_pass_end(struct shared_once_tree *t, bool steady, int64_t processes)
{
	uint64_t before = processes <= 1 ? t->mapped : min_u64(t->mapped, t->counted + t->carried);
	uint64_t staged = processes <= 1 ? t->mapped : t->staged;
	uint64_t apart = staged > before ? staged - before : before - staged;
	int sign = staged > before ? 1 : -1;
	bool believed =
	    !t->passed || apart <= before / TELLS || (steady && (t->doubt == sign || shared_once_unsure(t)));

	if (believed) {
		start_slide(t, processes);
		t->counted = t->staged;
		t->shmem_share = share_of(t->shmem_staged, t->shmem);
		t->doubt = 0;
		t->passed = true;
	} else if (steady) {
		t->doubt = sign;
	}
	return believed;
}

/* Read in the very tick in which it was found: it has just begun to copy. */
static void note_first_reading(struct shared_once_tree *t, struct shared_once_process *p)
{
	if (!p->read && p->view.shared > t->counted / TELLS)
		t->unsure_ns = t->now_ns;
	p->read = true;
}

void shared_once_commit(struct shared_once_tree *t, struct shared_once_process *p,
			const struct proc_status *now, bool believed, int64_t processes)
{
	uint64_t shown = on_slide(p, count_by(&p->view, p->outside, now), t->left_before);

	if (p->next_ok && processes <= 1)
		p->outside = p->next.shared;
	if (believed && p->tried)
		note_first_reading(t, p);
	if (believed && p->next_ok)
		p->view = p->next;
	if (believed)
		p->behind = processes > 1 && t->slide_ns > 0
				? (int64_t)(shown - count_by(&p->view, p->outside, now))
				: 0;
	p->next_ok = p->tried = false;
}
