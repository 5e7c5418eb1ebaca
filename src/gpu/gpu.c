/* SPDX-License-Identifier: MIT */
/* The main thread's side of the GPU source: it never waits for a driver and makes no more than one system
 * call in a tick, while the driver may take seconds, hang or never come up. Knows devices only as the thread
 * hands them over. */
#include "gpu/gpu.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/xalloc.h"
#include "gpu/thread.h"
#include "gpu/visible.h"

/* How long a driver may be silent before that is said, and how long its answer is waited for as the run ends. */
#ifndef DEADLINE_NS
#define DEADLINE_NS (5 * NS_PER_S)
#endif
#ifndef STOP_WAIT_NS
#define STOP_WAIT_NS (200 * NS_PER_MS)
#endif

struct gpu_env gpu_env_of(const struct gpu_conf *conf, struct gpu_notes *notes)
{
	const char *file = getenv("MEMWATCH_NVML");

	return (struct gpu_env){
	    .proc_root = conf->proc_root ? conf->proc_root : "/proc",
	    .dev_root = conf->dev_root ? conf->dev_root : "/dev",
	    .sys_root = conf->sys_root ? conf->sys_root : "/sys",
	    .nvml_file = file && *file ? file : NULL,
	    .notes = notes,
	};
}

/* Signals are the main thread's business. */
static int start_thread(struct gpu *g)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&g->thread, NULL, gpu_thread_run, g);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

static void init_locks(struct gpu *g)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&g->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&g->answered, &attr);
	pthread_condattr_destroy(&attr);
}

static void set_absent(struct gpu *g, const char *why)
{
	snprintf(g->why, sizeof(g->why), "%s", why);
	g->state = GPU_ABSENT;
}

static bool wants_any(const struct gpu_conf *conf)
{
	return !conf->diagnose && (!conf->which || strcmp(conf->which, "auto") == 0);
}

struct gpu *gpu_start(const struct gpu_conf *conf)
{
	struct gpu *g = xcalloc(1, sizeof(*g));

	g->conf = *conf;
	g->env = gpu_env_of(conf, &g->notes);
	g->cells_hand = g->pids_hand = (struct gpu_handoff)GPU_HANDOFF_INIT;
	init_locks(g);
	g->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	g->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (conf->which && strcmp(conf->which, "none") == 0)
		set_absent(g, "not wanted");
	else if (wants_any(conf) && !gpu_devices_possible(&g->env))
		set_absent(g, "no driver of a GPU here");
	else if (g->wake_fd < 0 || g->ready_fd < 0 || start_thread(g) != 0)
		set_absent(g, "no thread to be had");
	else
		g->started = true;
	return g;
}

void gpu_set_pids(struct gpu *g, const pid_t *pids, size_t n)
{
	if (gpu_state(g) == GPU_ABSENT)
		return;
	if (g->have_pids && g->sent.n == n && memcmp(g->sent.pid, pids, n * sizeof(pids[0])) == 0)
		return;
	gpu_pids_set(&g->sent, pids, n);
	gpu_pids_set(&g->pids[g->pids_hand.back], pids, n);
	gpu_handoff_give(&g->pids_hand);
	if (g->have_pids)
		return;
	pthread_mutex_lock(&g->lock);
	g->have_pids = true;
	pthread_mutex_unlock(&g->lock);
	eventfd_write(g->wake_fd, 1);
}

/* A thread that wakes up by its own timer finds the processor asleep and its caches cold: it is
 * woken from a tick. */
void gpu_tick_over(struct gpu *g)
{
	int64_t due_ns = atomic_load_explicit(&g->due_ns, memory_order_relaxed);

	if (due_ns && clock_mono_ns() >= due_ns) {
		atomic_store_explicit(&g->due_ns, 0, memory_order_relaxed);
		eventfd_write(g->wake_fd, 1);
	}
}

enum gpu_state gpu_state(const struct gpu *g)
{
	return (enum gpu_state)atomic_load_explicit(&g->state, memory_order_acquire);
}

int gpu_ready_fd(const struct gpu *g)
{
	return g->started ? g->ready_fd : -1;
}

enum gpu_state gpu_wait(struct gpu *g, int64_t timeout_ns)
{
	struct timespec until = clock_timespec(clock_mono_ns() + timeout_ns);
	int err = 0;

	pthread_mutex_lock(&g->lock);
	while (gpu_state(g) == GPU_PENDING && err != ETIMEDOUT)
		err = pthread_cond_timedwait(&g->answered, &g->lock, &until);
	pthread_mutex_unlock(&g->lock);
	return gpu_state(g);
}

const char *gpu_why(const struct gpu *g)
{
	return gpu_state(g) == GPU_PENDING ? "the driver has not answered yet" : g->why;
}

int gpu_device_count(const struct gpu *g)
{
	return gpu_state(g) == GPU_READY ? g->set.n : 0;
}

/* "gpu0_bytes", "gpu0_mig1_total_bytes". */
static void name_channel(struct channel *out, const struct gpu_device_info *d, const char *what)
{
	char text[2 * CHANNEL_NAME_MAX];

	if (d->mig < 0)
		snprintf(text, sizeof(text), "gpu%d_%s", d->index, what);
	else
		snprintf(text, sizeof(text), "gpu%d_mig%d_%s", d->index, d->mig, what);
	memcpy(out->name, text, sizeof(out->name));
	out->name[sizeof(out->name) - 1] = '\0';
}

int gpu_channels(const struct gpu *g, struct channel *out, int max)
{
	int n = gpu_device_count(g);

	for (int i = 0; i < n && 2 * i + 1 < max; i++) {
		name_channel(&out[2 * i], &g->set.device[i], "bytes");
		name_channel(&out[2 * i + 1], &g->set.device[i], "total_bytes");
	}
	return 2 * n;
}

void gpu_read(struct gpu *g, struct reading *out, int n)
{
	const struct gpu_cell *cell;

	if (gpu_state(g) != GPU_READY || !gpu_handoff_fetch(&g->cells_hand)) {
		memset(out, 0, (size_t)n * sizeof(out[0]));
		return;
	}
	cell = g->cells[g->cells_hand.front];
	for (int i = 0; i < n; i++)
		out[i] = i % 2 ? cell[i / 2].total : cell[i / 2].tree;
	for (int i = 0; i < g->set.n; i++) {
		g->device[i].basis = cell[i].basis;
		g->device[i].listed = cell[i].listed;
		if (cell[i].used.ok)
			g->device[i].used_bytes = cell[i].used.bytes;
	}
}

const struct gpu_device_info *gpu_device(const struct gpu *g, int i)
{
	return &g->device[i];
}

const char *gpu_basis_name(enum gpu_basis basis)
{
	static const char *const names[] = {
	    [GPU_BASIS_EXACT] = "exact",
	    [GPU_BASIS_ASSUMED] = "assumed",
	    [GPU_BASIS_DELTA] = "device-delta",
	    [GPU_BASIS_NONE] = "none",
	};

	return names[basis];
}

bool gpu_renumbered(const struct gpu *g, pid_t pid, char *out, size_t size)
{
	char *visible, *order;
	bool told;

	if (gpu_device_count(g) == 0)
		return false;
	visible = gpu_visible_variable(g->env.proc_root, pid, "CUDA_VISIBLE_DEVICES");
	order = gpu_visible_variable(g->env.proc_root, pid, "CUDA_DEVICE_ORDER");
	told = gpu_visible_text(visible, order, g->device, g->set.n, out, size);
	free(visible);
	free(order);
	return told;
}

const char *gpu_take_note(struct gpu *g)
{
	int64_t since = atomic_load_explicit(&g->busy_since_ns, memory_order_relaxed);

	if (since && !g->stalled_told && clock_mono_ns() - since > DEADLINE_NS) {
		g->stalled_told = true;
		return "GPU: the driver has not answered for 5 s; its cells stay empty until it does, the "
		       "rest goes on";
	}
	return gpu_note_take(&g->notes);
}

bool gpu_stall_told(const struct gpu *g)
{
	return g->stalled_told;
}

int gpu_retained(struct gpu *g, struct gpu_leftover *out, int max, int64_t timeout_ns)
{
	struct timespec until = clock_timespec(clock_mono_ns() + timeout_ns);
	int err = 0;

	if (gpu_state(g) != GPU_READY)
		return gpu_state(g) == GPU_ABSENT ? 0 : -ETIMEDOUT;
	pthread_mutex_lock(&g->lock);
	g->asked++;
	eventfd_write(g->wake_fd, 1);
	while (g->told != g->asked && err != ETIMEDOUT)
		err = pthread_cond_timedwait(&g->answered, &g->lock, &until);
	err = g->told == g->asked ? g->leftover_count : -ETIMEDOUT;
	for (int i = 0; i < err && i < max; i++)
		out[i] = g->leftovers[i];
	pthread_mutex_unlock(&g->lock);
	return err;
}

bool gpu_part(const struct gpu *g, int i, const char **name, const char **why, const struct gpu_facts **facts)
{
	if (i >= GPU_BACKENDS || !g->facts || gpu_state(g) == GPU_PENDING)
		return false;
	*name = g->set.part[i].backend->name;
	*why = g->set.part[i].why;
	*facts = &g->facts[i];
	return true;
}

static void free_all(struct gpu *g)
{
	for (int i = 0; i < HANDOFF_SLOTS; i++) {
		free(g->cells[i]);
		free(g->pids[i].pid);
	}
	gpu_devices_close(&g->set);
	gpu_history_free(&g->history);
	free(g->facts);
	free(g->sent.pid);
	free(g->ask_pids.pid);
	free(g->device);
	free(g->leftovers);
	fds_close(&g->wake_fd);
	fds_close(&g->ready_fd);
	pthread_cond_destroy(&g->answered);
	pthread_mutex_destroy(&g->lock);
	free(g);
}

int gpu_stop(struct gpu *g)
{
	int64_t since = atomic_load_explicit(&g->busy_since_ns, memory_order_relaxed),
		now_ns = clock_mono_ns();
	struct timespec until =
	    clock_timespec(now_ns + (since && now_ns - since > STOP_WAIT_NS ? 0 : STOP_WAIT_NS));
	bool ended;
	int err = 0;

	pthread_mutex_lock(&g->lock);
	g->stop = true;
	eventfd_write(g->wake_fd, 1);
	while (g->started && !g->ended && err != ETIMEDOUT)
		err = pthread_cond_timedwait(&g->answered, &g->lock, &until);
	ended = g->ended;
	pthread_mutex_unlock(&g->lock);
	if (g->started && !ended) {
		pthread_detach(g->thread);
		return -EBUSY;
	}
	if (g->started)
		pthread_join(g->thread, NULL);
	free_all(g);
	return 0;
}
