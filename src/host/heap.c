/* SPDX-License-Identifier: MIT */
/* The thread that reads heaps, and what it is asked and answers. When it is heap_budget.c's and heap_looks.c's, whose
 * heap_targets.c's, and the reading itself heap_tree.c's. */
#include "host/heap.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/turns.h"
#include "base/xalloc.h"
#include "host/heap_looks.h"
#include "host/heap_tree.h"

enum { STACK_BYTES = 256 * 1024, END_WAIT_S = 1 };
#define TURN_WAKE_NS   (NS_PER_MS / 10) /* the shortest there is: to be let in at once */
#define EPOCH_FIRST_NS NS_PER_S         /* while it is not known how long one is */

struct heap {
	struct heap_reader *reader;
	pthread_t thread;
	bool started;
	_Atomic bool quit;

	pthread_mutex_t lock; /* guards the next ones */
	pthread_cond_t wake;
	bool asked, fresh; /* a walk is wanted or under way; a result waits */
	struct heap_targets targets;
	uint64_t held_bytes; /* of the last tick */
	int64_t limit_ns;
	bool quick; /* only large blocks are counted anew */
	int ends;   /* of epochs that the reader has not been told */
	struct heap_looks looks;
	struct heap_figures figures;

	struct heap_budget budget; /* the main thread's own, and the next one */
	struct heap_facts facts;
};

struct heap *heap_new(void)
{
	struct heap *h = xcalloc(1, sizeof(*h));
	pthread_condattr_t attr;

	pthread_mutex_init(&h->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&h->wake, &attr);
	pthread_condattr_destroy(&attr);
	heap_looks_init(&h->looks);
	heap_budget_init(&h->budget);
	return h;
}

/* A read waits for as long as the process keeps its mappings to itself. */
static bool has_ended(struct heap *h)
{
	struct timespec until;

	pthread_mutex_lock(&h->lock);
	pthread_cond_signal(&h->wake);
	pthread_mutex_unlock(&h->lock);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += END_WAIT_S;
	return pthread_timedjoin_np(h->thread, NULL, &until) == 0;
}

void heap_free(struct heap *h)
{
	if (!h)
		return;
	atomic_store(&h->quit, true);
	if (h->started && !has_ended(h)) {
		pthread_detach(h->thread);
		return; /* what it still uses stays: memwatch ends */
	}
	heap_reader_free(h->reader);
	pthread_cond_destroy(&h->wake);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* With the lock held, which is given up meanwhile, as in look_now(). */
static void walk_now(struct heap *h)
{
	struct heap_targets targets = h->targets;
	struct heap_figures figures = {.end.quick = h->quick, .held_bytes = h->held_bytes};
	int64_t limit_ns = h->limit_ns;

	pthread_mutex_unlock(&h->lock);
	turns_short(HEAP_TURN_NS);
	heap_tree_walk(h->reader, &targets, limit_ns, &h->quit, &figures);
	turns_short(TURN_WAKE_NS);
	pthread_mutex_lock(&h->lock);
	h->targets = targets; /* nobody lists them anew while a walk is under way */
	h->figures = figures;
	h->fresh = true;
	h->asked = false;
}

/* After the walk at the end of an epoch, if there is one. */
static void tell_ends(struct heap *h)
{
	for (; h->ends > 0; h->ends--)
		if (h->targets.count > 0)
			heap_process_end_epoch(h->reader, h->targets.list[0].pid);
}

static void look_now(struct heap *h)
{
	const struct heap_target largest = h->targets.list[0];
	int64_t cpu_ns;
	bool go_on;

	heap_looks_begin(&h->looks, clock_mono_ns());
	pthread_mutex_unlock(&h->lock);
	turns_short(HEAP_TURN_NS);
	sched_yield(); /* the turn that it was woken in is a short one */
	go_on = heap_tree_look(h->reader, &largest, &h->quit, &cpu_ns);
	turns_short(TURN_WAKE_NS);
	pthread_mutex_lock(&h->lock);
	heap_looks_end(&h->looks, cpu_ns, go_on);
}

static void wait_for_work(struct heap *h)
{
	struct timespec until = clock_timespec(h->looks.next_ns);

	if (h->looks.left > 0)
		pthread_cond_timedwait(&h->wake, &h->lock, &until);
	else
		pthread_cond_wait(&h->wake, &h->lock);
}

static void *run(void *arg)
{
	struct heap *h = arg;

	pthread_setname_np(pthread_self(), "memwatch-heap");
	turns_short(TURN_WAKE_NS);
	pthread_mutex_lock(&h->lock);
	while (!atomic_load(&h->quit)) {
		if (h->asked)
			walk_now(h);
		else if (h->ends > 0)
			tell_ends(h);
		else if (heap_looks_are_due(&h->looks, clock_mono_ns()))
			look_now(h);
		else
			wait_for_work(h);
	}
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

/* Signals are the main thread's business. What the walks need is taken here: memory taken by a thread would bring
 * memwatch an arena of its own. */
static bool start_thread(struct heap *h)
{
	pthread_attr_t attr;
	sigset_t all, before;

	if (h->started)
		return true;
	if (!h->reader)
		h->reader = heap_reader_new();
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	h->started = pthread_create(&h->thread, &attr, run, h) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return h->started;
}

/* With the lock held, as the next one. */
static void ask(struct heap *h, const struct host *host, uint64_t held_bytes, int64_t now_ns, bool quick)
{
	heap_targets_list(&h->targets, host);
	h->held_bytes = held_bytes;
	h->limit_ns = heap_budget_ask(&h->budget, now_ns);
	h->quick = quick;
	h->asked = h->targets.count > 0;
}

static void end_epoch(struct heap *h, int64_t now_ns)
{
	int64_t epoch_ns = h->budget.epoch_ns ? h->budget.epoch_ns : EPOCH_FIRST_NS;

	heap_looks_plan(&h->looks, now_ns, epoch_ns, heap_budget_spare_ns(&h->budget, epoch_ns));
	h->ends++;
}

static void book_looks(struct heap *h)
{
	int64_t spent_ns;

	pthread_mutex_lock(&h->lock);
	spent_ns = h->looks.spent_ns;
	h->looks.spent_ns = 0;
	pthread_mutex_unlock(&h->lock);
	heap_budget_spend_looks(&h->budget, spent_ns);
	h->facts.cpu_ns += spent_ns;
}

void heap_ask(struct heap *h, const struct host *host, uint64_t held_bytes, int64_t now_ns,
	      enum heap_moment moment)
{
	bool due, quick_due;

	book_looks(h);
	heap_budget_pass(&h->budget, now_ns, moment);
	due = heap_budget_is_due(&h->budget, now_ns, moment);
	quick_due = heap_budget_is_quick_due(&h->budget, moment);
	if ((!due && !quick_due && !h->started) || !start_thread(h))
		return;
	pthread_mutex_lock(&h->lock);
	if ((due || quick_due) && !h->asked && !h->fresh)
		ask(h, host, held_bytes, now_ns, !due);
	if (moment == HEAP_AT_EPOCH_END)
		end_epoch(h, now_ns);
	pthread_cond_signal(&h->wake);
	pthread_mutex_unlock(&h->lock);
}

static void note_facts(struct heap_facts *facts, const struct heap_figures *f)
{
	facts->cpu_ns += f->end.cpu_ns;
	facts->walks++;
	facts->known += !f->end.state;
	if (f->end.state == HEAP_ALLOCATOR)
		snprintf(facts->why, sizeof(facts->why), "its allocator is %s, which memwatch cannot read",
			 f->allocator);
	else
		snprintf(facts->why, sizeof(facts->why), "%s", heap_state_text(f->end.state));
}

/* What a walk has found since the last call, if one has ended. */
static bool take_figures(struct heap *h, struct heap_figures *out)
{
	bool fresh;

	pthread_mutex_lock(&h->lock);
	*out = h->figures;
	fresh = h->fresh;
	h->fresh = false;
	pthread_mutex_unlock(&h->lock);
	return fresh;
}

void heap_take(struct heap *h, struct sample *out)
{
	struct heap_figures f;

	out->v[CH_HEAP_USED] = out->v[CH_HEAP_FREE] = out->v[CH_HEAP_PASSING] = out->v[CH_HEAP_UNTOUCHED] =
	    (struct reading){0};
	if (!h->started || !take_figures(h, &f))
		return;
	heap_budget_spend_walk(&h->budget, &f.end);
	note_facts(&h->facts, &f);
	if (f.end.state)
		return;
	out->v[CH_HEAP_USED] = (struct reading){f.used_bytes, true};
	out->v[CH_HEAP_FREE] = (struct reading){f.kept_bytes, true};
	out->v[CH_HEAP_PASSING] = f.passing;
	out->v[CH_HEAP_UNTOUCHED] = f.untouched;
	out->v[CH_HELD] = (struct reading){f.held_bytes, true};
}

void heap_facts(const struct heap *h, struct heap_facts *out)
{
	*out = h->facts;
}
