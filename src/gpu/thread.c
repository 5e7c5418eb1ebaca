/* SPDX-License-Identifier: MIT */
/* The GPU thread: starts the drivers, samples at its own interval, gives each snapshot away. It may block in
 * a driver for as long as that likes. Knows devices only as a gpu_set. */
#include "gpu/thread.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "gpu/open_files.h"

#define INTERVAL_DEFAULT_NS NS_PER_S

static int64_t or_default(int64_t v, int64_t def)
{
	return v > 0 ? v : def;
}

void gpu_pids_set(struct gpu_pids *l, const pid_t *pids, size_t n)
{
	if (l->cap < n) {
		l->cap = n + n / 2;
		l->pid = xrealloc(l->pid, l->cap, sizeof(l->pid[0]));
	}
	if (n)
		memcpy(l->pid, pids, n * sizeof(pids[0]));
	l->n = n;
}

static int by_pid(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return x < y ? -1 : x > y;
}

static void list_sort(struct gpu_pids *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->pid, l->n, sizeof(l->pid[0]), by_pid);
	for (size_t i = 0; i < l->n; i++)
		if (n == 0 || l->pid[n - 1] != l->pid[i])
			l->pid[n++] = l->pid[i];
	l->n = n;
}

static void busy(struct gpu *g, bool on)
{
	atomic_store_explicit(&g->busy_since_ns, on ? clock_mono_ns() : 0, memory_order_relaxed);
}

static void fetch_pids(struct gpu *g)
{
	if (gpu_handoff_fetch(&g->pids_hand))
		list_sort(&g->pids[g->pids_hand.front]);
}

static void sample_once(struct gpu *g, const struct gpu_pids *pids, bool all)
{
	struct gpu_ask ask = {.pids = pids->pid, .n = pids->n, .fds = g->fds, .all = all};

	busy(g, true);
	ask.now_ns = clock_mono_ns();
	gpu_open_files_update(g->fds, pids->pid, pids->n, ask.now_ns);
	gpu_devices_sample(&g->set, &ask, g->cells[g->cells_hand.back]);
	gpu_history_add(&g->history, &g->set.rows, g->env.proc_root);
	gpu_handoff_give(&g->cells_hand);
	busy(g, false);
}

static void look_for_retained(struct gpu *g)
{
	const struct gpu_pids *tree = &g->pids[g->pids_hand.front];

	gpu_pids_set(&g->ask_pids, tree->pid, tree->n);
	for (size_t i = 0; i < g->history.n; i++) {
		if (g->ask_pids.n == g->ask_pids.cap)
			g->ask_pids.pid = xrealloc(g->ask_pids.pid, g->ask_pids.cap = 2 * g->ask_pids.cap + 8,
						   sizeof(pid_t));
		g->ask_pids.pid[g->ask_pids.n++] = g->history.seen[i].pid;
	}
	list_sort(&g->ask_pids);
	sample_once(g, &g->ask_pids, true);
}

/* A number that belongs to another process by now is the driver's business with that one. */
static void tell_retained(struct gpu *g)
{
	const struct gpu_rows *rows = &g->set.rows;

	g->leftovers = xrealloc(g->leftovers, rows->n,
				sizeof(g->leftovers[0])); /* nobody looks at it before it is told */
	pthread_mutex_lock(&g->lock);
	g->leftover_count = 0;
	for (size_t i = 0; i < rows->n; i++) {
		struct gpu_leftover h = {
		    .device = rows->row[i].device, .pid = rows->row[i].pid, .bytes = rows->row[i].bytes};
		enum gpu_now now = gpu_history_now(&g->history, h.pid, g->env.proc_root, h.name);

		h.alive = now == GPU_NOW_ALIVE;
		if (now != GPU_NOW_ANOTHER && rows->row[i].state == GPU_PID_VALUE && h.bytes > 0)
			g->leftovers[g->leftover_count++] = h;
	}
	g->told = g->asked;
	pthread_cond_broadcast(&g->answered);
	pthread_mutex_unlock(&g->lock);
}

enum turn { TURN_WAIT, TURN_SAMPLE, TURN_RETAINED, TURN_STOP };

static int64_t interval_ns(const struct gpu *g)
{
	return or_default(g->conf.interval_ns, INTERVAL_DEFAULT_NS);
}

/* Where ticks are frequent a sample is taken at the tick nearest to its time, and by the thread's own timer
 * only when ticks fail to come. */
static int64_t tick_ns(const struct gpu *g)
{
	return g->conf.tick_ns <= interval_ns(g) / 2 ? g->conf.tick_ns : 0;
}

static enum turn turn_now(struct gpu *g, int64_t next_ns, int64_t *wait_ns)
{
	int64_t due_ns = next_ns - tick_ns(g) / 2;
	enum turn turn = TURN_WAIT;

	pthread_mutex_lock(&g->lock);
	*wait_ns = g->have_pids ? due_ns - clock_mono_ns() : INT64_MAX;
	if (g->stop)
		turn = TURN_STOP;
	else if (g->asked != g->told)
		turn = TURN_RETAINED;
	else if (*wait_ns <= 0)
		turn = TURN_SAMPLE;
	else if (g->have_pids && tick_ns(g)) {
		*wait_ns += 2 * tick_ns(g);
		atomic_store_explicit(&g->due_ns, due_ns, memory_order_relaxed);
	}
	pthread_mutex_unlock(&g->lock);
	return turn;
}

/* One system call in the ordinary case: a condition variable takes two. */
static enum turn wait_turn(struct gpu *g, int64_t next_ns)
{
	struct pollfd fds[] = {{.fd = g->wake_fd, .events = POLLIN},
			       {.fd = gpu_open_files_watch(g->fds), .events = POLLIN}};
	eventfd_t unused;
	int64_t wait_ns;
	enum turn turn;

	while ((turn = turn_now(g, next_ns, &wait_ns)) == TURN_WAIT) {
		struct timespec limit = clock_timespec(wait_ns);

		if (ppoll(fds, 2, wait_ns == INT64_MAX ? NULL : &limit, NULL) <= 0)
			continue;
		if (fds[0].revents)
			eventfd_read(g->wake_fd, &unused);
		if (fds[1].revents) {
			gpu_open_files_opened(g->fds);
			fds[1].fd = -1; /* once is enough until the next sample */
		}
	}
	return turn;
}

static void set_state(struct gpu *g, enum gpu_state state)
{
	pthread_mutex_lock(&g->lock);
	atomic_store_explicit(&g->state, state, memory_order_release);
	pthread_cond_broadcast(&g->answered);
	pthread_mutex_unlock(&g->lock);
	eventfd_write(g->ready_fd, 1);
}

static void keep_facts(struct gpu *g)
{
	static const struct gpu_pids nobody;

	sample_once(g, &nobody, true);
	g->facts = xcalloc(GPU_BACKENDS, sizeof(g->facts[0]));
	for (int b = 0; b < GPU_BACKENDS; b++)
		if (g->set.part[b].state && g->set.part[b].backend->describe)
			g->set.part[b].backend->describe(g->set.part[b].state, &g->facts[b]);
}

static bool open_devices(struct gpu *g)
{
	bool ok;

	busy(g, true);
	ok = gpu_devices_open(&g->set, &g->env, g->conf.which ? g->conf.which : "auto", g->why,
			      sizeof(g->why)) == 0 &&
	     g->set.n > 0;
	busy(g, false);
	if (ok || g->conf.diagnose) {
		for (int i = 0; i < HANDOFF_SLOTS; i++)
			g->cells[i] = xcalloc((size_t)g->set.n, sizeof(g->cells[i][0]));
		g->fds = gpu_open_files_new(g->env.proc_root, g->env.dev_root);
	}
	g->device = xcalloc((size_t)g->set.n, sizeof(g->device[0]));
	if (g->set.n)
		memcpy(g->device, g->set.device, (size_t)g->set.n * sizeof(g->device[0]));
	for (int i = 0; i < g->set.n; i++)
		g->device[i].listed = -1;
	if (g->conf.diagnose)
		keep_facts(g);
	set_state(g, ok ? GPU_READY : GPU_ABSENT);
	return ok;
}

static void sample_until_stopped(struct gpu *g)
{
	int64_t next_ns = clock_mono_ns(), now_ns;
	enum turn turn;

	while ((turn = wait_turn(g, next_ns)) != TURN_STOP) {
		fetch_pids(g);
		if (turn == TURN_RETAINED) {
			look_for_retained(g);
			tell_retained(g);
			continue;
		}
		sample_once(g, &g->pids[g->pids_hand.front], false);
		next_ns += interval_ns(g);
		now_ns = clock_mono_ns();
		if (next_ns < now_ns) /* a slow driver gets gaps, not a burst */
			next_ns = now_ns;
	}
}

void *gpu_thread_run(void *arg)
{
	struct gpu *g = arg;

	pthread_setname_np(pthread_self(), "memwatch-gpu");
	if (open_devices(g))
		sample_until_stopped(g);
	busy(g, true);
	gpu_open_files_free(g->fds);
	for (int b = 0; b < GPU_BACKENDS; b++) {
		if (g->set.part[b].state)
			g->set.part[b].backend->close(g->set.part[b].state);
		g->set.part[b].state = NULL;
	}
	busy(g, false);
	pthread_mutex_lock(&g->lock);
	g->ended = true;
	pthread_cond_broadcast(&g->answered);
	pthread_mutex_unlock(&g->lock);
	return NULL;
}
