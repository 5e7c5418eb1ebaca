/* SPDX-License-Identifier: MIT */
/* When heaps are walked, which, and what that may cost. How one is walked is heap_process.c's. */
#include "host/heap.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/turns.h"
#include "base/xalloc.h"
#include "host/heap_process.h"
#include "host/shared_once.h"

enum { TARGETS_MAX = 64, COST_SHARE = 125, STACK_BYTES = 256 * 1024, END_WAIT_S = 1, LOOKS_MAX = 16 };
#define CREDIT_START_NS (10 * NS_PER_MS)
#define CREDIT_MAX_NS   (4 * NS_PER_S)
#define WALK_FIRST_NS   (10 * NS_PER_MS) /* as much is expected of the first walk */
#define WALK_LEAST_NS   (2 * NS_PER_MS)
#define WALK_MAX_NS     (2 * NS_PER_S)   /* a heap that takes longer is not read */
#define TURN_WAKE_NS    (NS_PER_MS / 10) /* the shortest there is: to be let in at once */
#define TURN_WALK_NS    NS_PER_MS        /* as long as the large blocks of a heap take to count */
#define LOOK_FIRST_NS   (NS_PER_MS / 5)  /* as much is expected of the first look */
#define LOOK_MAX_NS     (4 * NS_PER_MS)  /* what takes longer is no quick look */
#define EPOCH_FIRST_NS  NS_PER_S         /* while it is not known how long one is */
#define LOOK_LEAST_NS   NS_PER_MS
#define PAUSE_NS        (30 * NS_PER_S)
#define PAUSE_ALONE_NS  (10 * NS_PER_S) /* where a minute has brought no epoch */

struct target {
	pid_t pid, ppid;
	bool own_pages;
	bool looked_at;        /* between walks: the largest, if it is no fork */
	uint64_t mapped_bytes; /* in the last tick */
};

struct result {
	enum heap_state state;
	bool quick;
	uint64_t used_bytes, kept_bytes, held_bytes;
	struct reading passing, untouched;
	int64_t cpu_ns, look_ns; /* of the walk; of all looks since the last one */
	char allocator[HEAP_ALLOCATOR_MAX];
};

struct heap {
	struct heap_reader *reader;
	pthread_t thread;
	bool started;
	_Atomic bool quit;

	pthread_mutex_t lock; /* guards the next ones */
	pthread_cond_t wake;
	bool asked, fresh;                  /* a walk is wanted or under way; a result waits */
	struct target targets[TARGETS_MAX]; /* largest first */
	size_t count;
	uint64_t held_bytes; /* of the last tick */
	int64_t limit_ns;
	bool quick;                          /* only large blocks are counted anew */
	int ends;                            /* of epochs that the reader has not been told */
	int looks;                           /* still to come in this epoch */
	int64_t look_pause_ns, next_look_ns; /* between two; when the next one comes */
	int64_t look_ns, look_cost_ns;       /* CPU of those since the last walk; of the last one */
	int64_t look_spare_ns;               /* for those of this epoch */
	struct result result;

	/* The main thread's own. */
	int64_t credit_ns, credited_ns; /* what may be spent, and when that was reckoned */
	int64_t need_ns, quick_ns;      /* what the next walk will take, whole or quick */
	int64_t first_ns, last_ns;      /* asked; 0 never */
	bool epochs;                    /* there are some */
	bool walked;                    /* the last walk gave a number */
	int64_t end_ns;                 /* the last end of an epoch; 0 none */
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
	h->look_cost_ns = LOOK_FIRST_NS;
	h->credit_ns = CREDIT_START_NS;
	h->need_ns = WALK_FIRST_NS;
	h->quick_ns = WALK_LEAST_NS;
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

struct visit { /* of one process */
	struct heap *heap;
	const struct target *target;
	int dir_fd;
	struct result *out;
};

static bool quits(void *ctx)
{
	const struct visit *v = ctx;

	return atomic_load(&v->heap->quit);
}

/* By how much a process has grown since the tick, so that what is held is of the same moment as the walk. */
static int64_t grown_since(int dir_fd, const struct target *t)
{
	char buf[PROC_CHUNK];
	struct proc_hints hints = {0};
	struct proc_status now;
	ssize_t n = proc_read_at(dir_fd, "status", buf, sizeof(buf));

	if (n <= 0 || proc_parse_status(buf, (size_t)n, &hints, &now) || !now.mm)
		return 0;
	return (int64_t)shared_once_mapped(&now) - (int64_t)t->mapped_bytes;
}

static void note_held(void *ctx)
{
	struct visit *v = ctx;
	int64_t held = (int64_t)v->out->held_bytes;

	if (!v->target->own_pages)
		held += grown_since(v->dir_fd, v->target);
	v->out->held_bytes = held > 0 ? (uint64_t)held : 0;
}

static void note_passing(const struct heap_sizes *s, struct result *out)
{
	out->passing = (struct reading){s->passing_bytes, s->passing_known};
	out->untouched = (struct reading){s->untouched_bytes, s->passing_known};
}

static enum heap_state walk_target(struct heap *h, const struct target *t, int64_t limit_ns,
				   struct result *out)
{
	struct visit visit = {h, t, -1, out};
	struct heap_limits limits = {.cpu_ns = limit_ns,
				     .quick = out->quick,
				     .looks = t->looked_at,
				     .stop = quits,
				     .counted = note_held,
				     .ctx = &visit};
	char path[PROC_PATH_MAX];
	struct heap_sizes sizes;
	struct heap_cost cost;
	enum heap_state state;

	snprintf(path, sizeof(path), "/proc/%d", (int)t->pid);
	visit.dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (visit.dir_fd < 0)
		return HEAP_GONE;
	state = heap_process_walk(h->reader, visit.dir_fd, t->pid, t->own_pages, &limits, &sizes, &cost);
	close(visit.dir_fd);
	out->cpu_ns += cost.cpu_ns;
	if (state)
		return state;
	out->used_bytes += sizes.used_bytes;
	out->kept_bytes += sizes.kept_bytes;
	if (limits.looks)
		note_passing(&sizes, out);
	return HEAP_KNOWN;
}

/* Where a process that matters cannot be read, or ended since the tick, nothing is known of the tree: what was held
 * counts it. A small one counts as outside. */
static void walk_tree(struct heap *h, const struct target *targets, size_t count, int64_t limit_ns,
		      struct result *out)
{
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all += targets[i].mapped_bytes;
	for (size_t i = 0; i < count && !out->state; i++) {
		const struct target *t = &targets[i];
		enum heap_state state = walk_target(h, t, limit_ns - out->cpu_ns, out);

		if (state == HEAP_OVER_BUDGET || (state && t->mapped_bytes >= all / 16))
			out->state = state;
		if (state == HEAP_ALLOCATOR)
			memcpy(out->allocator, heap_reader_allocator(h->reader), sizeof(out->allocator));
	}
}

/* With the lock held, which is given up meanwhile, as in the next two. */
static void walk_now(struct heap *h)
{
	struct target targets[TARGETS_MAX];
	struct result result = {.quick = h->quick, .held_bytes = h->held_bytes};
	int64_t limit_ns = h->limit_ns;
	size_t count = h->count;

	memcpy(targets, h->targets, count * sizeof(targets[0]));
	pthread_mutex_unlock(&h->lock);
	turns_short(TURN_WALK_NS);
	walk_tree(h, targets, count, limit_ns, &result);
	turns_short(TURN_WAKE_NS);
	pthread_mutex_lock(&h->lock);
	result.look_ns = h->look_ns;
	h->look_ns = 0;
	h->result = result;
	h->fresh = true;
	h->asked = false;
}

/* After the walk at the end of an epoch, if there is one. */
static void tell_ends(struct heap *h)
{
	for (; h->ends > 0; h->ends--)
		if (h->count > 0)
			heap_process_turn(h->reader, h->targets[0].pid);
}

/* Half to one and a half, so that looks do not keep step with the batches. */
static int64_t uneven(int64_t ns, int number)
{
	return ns / 2 + ns * (number * 618 % 1000) / 1000;
}

/* Only the largest process: what the others have in batches is little, or they are forks. */
static void look_now(struct heap *h)
{
	const struct target largest = h->targets[0];
	struct visit visit = {.heap = h, .target = &largest};
	struct heap_limits limits = {.cpu_ns = LOOK_MAX_NS, .stop = quits, .ctx = &visit};
	struct heap_cost cost = {0};
	enum heap_state state = HEAP_GONE;

	h->looks--;
	h->next_look_ns = clock_mono_ns() + uneven(h->look_pause_ns, h->looks);
	pthread_mutex_unlock(&h->lock);
	if (largest.looked_at)
		state = heap_process_look(h->reader, largest.pid, &limits, &cost);
	pthread_mutex_lock(&h->lock);
	h->look_ns += cost.cpu_ns;
	h->look_cost_ns = cost.cpu_ns > LOOK_FIRST_NS ? cost.cpu_ns : LOOK_FIRST_NS;
	h->look_spare_ns -= cost.cpu_ns;
	if (state == HEAP_GONE || h->look_spare_ns < h->look_cost_ns)
		h->looks = 0;
}

static void wait_for_work(struct heap *h)
{
	struct timespec until = clock_timespec(h->next_look_ns);

	if (h->looks > 0)
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
		else if (h->looks > 0 && clock_mono_ns() >= h->next_look_ns)
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

static void add_credit(struct heap *h, int64_t now_ns)
{
	if (h->credited_ns)
		h->credit_ns += (now_ns - h->credited_ns) / COST_SHARE;
	if (h->credit_ns > CREDIT_MAX_NS)
		h->credit_ns = CREDIT_MAX_NS;
	h->credited_ns = now_ns;
}

/* Where a whole walk is too dear at this end of an epoch, what changes fastest may still be read: even on credit, where it
 * takes no more than half of what an epoch earns. */
static bool is_quick_due(const struct heap *h, enum heap_moment moment, int64_t income_ns)
{
	return moment == HEAP_AT_EPOCH_END && h->walked && h->count == 1 &&
	       (h->credit_ns >= 2 * h->quick_ns || income_ns / 2 >= h->quick_ns);
}

/* Between ends of epochs only from what these will not need. */
static bool is_due(struct heap *h, int64_t now_ns, enum heap_moment moment)
{
	int64_t since_ns = now_ns - (h->last_ns ? h->last_ns : h->first_ns);

	if (moment == HEAP_AT_EPOCH_END)
		return h->credit_ns >= h->need_ns;
	if (h->credit_ns < 4 * h->need_ns)
		return false;
	return since_ns >= PAUSE_NS ||
	       (!h->epochs && now_ns - h->first_ns >= 2 * PAUSE_NS && since_ns >= PAUSE_ALONE_NS);
}

/* A heap may have grown since the last walk; one that takes all there is to spend is given up. */
static int64_t limit_ns(const struct heap *h)
{
	int64_t ns = 2 * h->need_ns > h->credit_ns ? 2 * h->need_ns : h->credit_ns;

	return ns < WALK_MAX_NS ? ns : WALK_MAX_NS;
}

static bool is_alive(const struct host *host, pid_t pid)
{
	struct host_process p;

	for (size_t i = 0; i < host_count(host); i++) {
		host_process(host, i, &p);
		if (p.pid == pid && p.live)
			return true;
	}
	return false;
}

/* Among those kept, largest first; of more than there is room for the smallest goes. */
static void put_target(struct heap *h, const struct host_process *p)
{
	size_t at = h->count;

	while (at > 0 && h->targets[at - 1].mapped_bytes < p->mapped_bytes)
		at--;
	if (at == TARGETS_MAX)
		return;
	h->count += h->count < TARGETS_MAX;
	memmove(&h->targets[at + 1], &h->targets[at], (h->count - at - 1) * sizeof(h->targets[0]));
	h->targets[at] = (struct target){.pid = p->pid, .ppid = p->ppid, .mapped_bytes = p->mapped_bytes};
}

/* A process that was forked from another one shares what it inherited: that is counted with the parent. */
static void list_targets(struct heap *h, const struct host *host)
{
	struct host_process p;

	h->count = 0;
	for (size_t i = 0; i < host_count(host); i++) {
		host_process(host, i, &p);
		if (p.live && p.mapped_bytes > 0)
			put_target(h, &p);
	}
	for (size_t i = 0; i < h->count; i++)
		h->targets[i].own_pages = is_alive(host, h->targets[i].ppid);
	h->targets[0].looked_at = h->count > 0 && !h->targets[0].own_pages;
}

/* What an epoch that lasts as long as the one before may spend on looks: all that it earns where the next walk can be paid
 * besides, else half of it, and a quarter where there are debts. */
static int64_t spare_for_looks(const struct heap *h, int64_t income_ns)
{
	if (h->credit_ns < 0)
		return income_ns / 4;
	return h->credit_ns < 2 * h->need_ns ? income_ns / 2 : income_ns;
}

/* Looks all through the epoch that begins. */
static void plan_looks(struct heap *h, int64_t now_ns, int64_t epoch_ns)
{
	int64_t looks;

	h->look_spare_ns = spare_for_looks(h, epoch_ns / COST_SHARE);
	looks = h->look_spare_ns / h->look_cost_ns;
	h->looks = looks < LOOKS_MAX ? (int)looks : LOOKS_MAX;
	h->look_pause_ns = epoch_ns / (h->looks + 1);
	if (h->look_pause_ns < LOOK_LEAST_NS)
		h->look_pause_ns = LOOK_LEAST_NS;
	h->next_look_ns = now_ns + h->look_pause_ns;
}

/* With the lock held, as the next one. */
static void ask(struct heap *h, const struct host *host, uint64_t held_bytes, int64_t now_ns, bool quick)
{
	list_targets(h, host);
	h->held_bytes = held_bytes;
	h->limit_ns = limit_ns(h);
	h->quick = quick;
	h->asked = h->count > 0;
	h->last_ns = now_ns;
}

static void end_epoch(struct heap *h, int64_t now_ns, int64_t epoch_ns)
{
	plan_looks(h, now_ns, epoch_ns ? epoch_ns : EPOCH_FIRST_NS);
	h->end_ns = now_ns;
	h->ends++;
}

void heap_ask(struct heap *h, const struct host *host, uint64_t held_bytes, int64_t now_ns,
	      enum heap_moment moment)
{
	int64_t epoch_ns = h->end_ns && moment == HEAP_AT_EPOCH_END ? now_ns - h->end_ns : 0;
	bool due, quick_due;

	if (!h->first_ns)
		h->first_ns = now_ns;
	add_credit(h, now_ns);
	h->epochs = h->epochs || moment == HEAP_AT_EPOCH_END;
	due = is_due(h, now_ns, moment);
	quick_due = is_quick_due(h, moment, epoch_ns / COST_SHARE);
	if ((!due && !quick_due && !h->started) || !start_thread(h))
		return;
	pthread_mutex_lock(&h->lock);
	if ((due || quick_due) && !h->asked && !h->fresh)
		ask(h, host, held_bytes, now_ns, !due);
	if (moment == HEAP_AT_EPOCH_END)
		end_epoch(h, now_ns, epoch_ns);
	pthread_cond_signal(&h->wake);
	pthread_mutex_unlock(&h->lock);
}

static bool is_passing_trouble(enum heap_state state)
{
	return state == HEAP_CHANGING || state == HEAP_OVER_BUDGET;
}

static void note_result(struct heap *h, const struct result *r)
{
	h->credit_ns -= r->cpu_ns + r->look_ns;
	h->facts.cpu_ns += r->cpu_ns + r->look_ns;
	h->facts.walks++;
	h->facts.known += !r->state;
	if (r->quick)
		h->quick_ns = r->cpu_ns;
	else {
		h->need_ns = r->state == HEAP_OVER_BUDGET ? 2 * h->need_ns : r->cpu_ns;
		h->walked = !r->state || (h->walked && is_passing_trouble(r->state));
	}
	if (h->need_ns < WALK_LEAST_NS)
		h->need_ns = WALK_LEAST_NS;
	if (h->need_ns > CREDIT_MAX_NS)
		h->need_ns = CREDIT_MAX_NS;
	if (r->state == HEAP_ALLOCATOR)
		snprintf(h->facts.why, sizeof(h->facts.why),
			 "its allocator is %s, which memwatch cannot read", r->allocator);
	else
		snprintf(h->facts.why, sizeof(h->facts.why), "%s", heap_state_text(r->state));
}

void heap_take(struct heap *h, struct sample *out)
{
	struct result r = {.state = HEAP_CHANGING};

	out->v[CH_HEAP_USED] = out->v[CH_HEAP_FREE] = out->v[CH_HEAP_PASSING] = out->v[CH_HEAP_UNTOUCHED] =
	    (struct reading){0};
	if (!h->started)
		return;
	pthread_mutex_lock(&h->lock);
	if (h->fresh) {
		r = h->result;
		note_result(h, &r);
	}
	h->fresh = false;
	pthread_mutex_unlock(&h->lock);
	if (r.state)
		return;
	out->v[CH_HEAP_USED] = (struct reading){r.used_bytes, true};
	out->v[CH_HEAP_FREE] = (struct reading){r.kept_bytes, true};
	out->v[CH_HEAP_PASSING] = r.passing;
	out->v[CH_HEAP_UNTOUCHED] = r.untouched;
	out->v[CH_HELD] = (struct reading){r.held_bytes, true};
}

void heap_facts(const struct heap *h, struct heap_facts *out)
{
	*out = h->facts;
}
