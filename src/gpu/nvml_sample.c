/* SPDX-License-Identifier: MIT */
/* One sample of the NVIDIA devices: whom the driver lists, which of them are the tree's, and what to say when
 * it will not tell. Absent is never zero. Knows nothing of columns or threads. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "gpu/nvml_state.h"
#include "gpu/open_files.h"

/* Graphics and MPS lists cost as much as the compute list (4.5 ms under the driver's lock, MangoHud#2104) and
 * seldom say more. */
#define FULL_LOOK_NS (30 * NS_PER_S)
#define BACK_OFF_NS  (30 * NS_PER_S) /* after a failure: each call may take as long as the driver likes */

struct listing {        /* what the lists of one device said */
	size_t tree;    /* processes of the tree, each once */
	size_t news;    /* times that a list told something new of the tree */
	bool no_figure; /* one of them without an amount */
	uint32_t pid;   /* the last one listed, in the tree or not */
	uint64_t bytes; /* its amount */
	int distinct;   /* 0, 1, or 2 for more */
	int entries;
};

static void make_room(struct nvml_state *s, size_t n)
{
	if (s->tree_cap < n) {
		s->tree_cap = n + n / 2;
		s->stamp = xrealloc(s->stamp, s->tree_cap, sizeof(s->stamp[0]));
		s->row_of = xrealloc(s->row_of, s->tree_cap, sizeof(s->row_of[0]));
		memset(s->stamp, 0, s->tree_cap * sizeof(s->stamp[0]));
	}
}

static bool find_pid(const struct gpu_ask *ask, uint32_t pid, size_t *at)
{
	size_t low = 0, high = ask->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if ((uint32_t)ask->pids[mid] < pid)
			low = mid + 1;
		else
			high = mid;
	}
	*at = low;
	return low < ask->n && (uint32_t)ask->pids[low] == pid;
}

static bool makes_sense(const struct nvml_state *s, const struct nvml_gpu *g, struct nvml_entry e)
{
	if (e.pid == 0 || e.pid > s->pid_max)
		return false;
	return e.bytes == NVML_NOT_AVAILABLE || g->total_bytes == 0 || e.bytes <= g->total_bytes;
}

/* The driver's figure is per process and GPU, whatever the list: the larger of two, not their sum. */
static void claim(struct nvml_state *s, int device, size_t at, struct nvml_entry e, struct listing *seen,
		  struct gpu_rows *rows)
{
	struct gpu_row *row;

	if (s->stamp[at] != s->stamp_now) {
		s->stamp[at] = s->stamp_now;
		s->row_of[at] = rows->n;
		gpu_rows_add(rows, device, (pid_t)e.pid, 0);
		rows->row[s->row_of[at]].state = GPU_PID_NOT_AVAILABLE;
		seen->tree++;
		seen->news++;
	}
	row = &rows->row[s->row_of[at]];
	if (e.bytes == NVML_NOT_AVAILABLE)
		return;
	row->state = GPU_PID_VALUE;
	if (e.bytes > row->bytes) {
		row->bytes = e.bytes;
		seen->news++;
	}
}

static void take_list(struct nvml_state *s, const struct nvml_gpu *g, int device, const struct gpu_ask *ask,
		      struct listing *seen, struct gpu_rows *rows)
{
	size_t at;

	for (unsigned i = 0; i < s->list.n; i++) {
		struct nvml_entry e = nvml_list_at(&s->list, i);

		if (!makes_sense(s, g, e)) {
			if (s->dropped++ == 0)
				gpu_note(
				    s->env.notes,
				    "GPU %d: the driver lists processes that cannot be; they are left out",
				    g->index);
			continue;
		}
		seen->entries++;
		seen->distinct = seen->distinct == 0 ? 1 : e.pid == seen->pid ? seen->distinct : 2;
		seen->pid = e.pid;
		seen->bytes = e.bytes;
		if (find_pid(ask, e.pid, &at))
			claim(s, device, at, e, seen, rows);
	}
}

/* The first list that fails ends it, except that the two lesser lists may be refused. */
static int read_lists(struct nvml_state *s, struct nvml_gpu *g, int device, const struct gpu_ask *ask,
		      struct listing *seen, struct gpu_rows *rows)
{
	bool full = ask->all || ask->now_ns >= g->full_look_ns;

	s->stamp_now++;
	for (enum nvml_list_kind kind = 0; kind < NVML_LISTS; kind++) {
		size_t before = seen->news;
		int ret;

		if (g->unsupported[kind] ||
		    (kind != NVML_COMPUTE && !full && !g->needed[kind] && seen->tree > 0))
			continue;
		ret = nvml_list_read(&s->list, &s->lib, kind, g->handle);
		if (ret == NVML_NOT_SUPPORTED || (ret == NVML_NO_PERMISSION && kind != NVML_COMPUTE)) {
			g->unsupported[kind] = true;
			continue;
		}
		if (ret != NVML_OK)
			return ret;
		take_list(s, g, device, ask, seen, rows);
		g->needed[kind] = seen->news > before;
	}
	for (size_t i = rows->n - seen->tree; i < rows->n; i++)
		seen->no_figure |= rows->row[i].state == GPU_PID_NOT_AVAILABLE;
	return g->unsupported[NVML_COMPUTE] && g->unsupported[NVML_GRAPHICS] ? NVML_NOT_SUPPORTED : NVML_OK;
}

static void lose(struct nvml_state *s, struct nvml_gpu *g, int ret)
{
	time_t now = (time_t)(clock_wall_ns() / NS_PER_S);
	char when[16] = "";
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(when, sizeof(when), "%H:%M:%S", &tm);
	gpu_note(s->env.notes, "GPU %d is lost since %s: %s (%d); its cells stay empty, the rest goes on",
		 g->index, when, nvml_error_text(s, ret), ret);
	g->lost = true;
}

static bool start_again(struct nvml_state *s)
{
	if (s->init_again || s->lib.init() != NVML_OK)
		return false;
	s->init_again = true;
	for (int i = 0; i < s->n; i++)
		nvml_handle(s, s->gpu[i].index, s->gpu[i].mig, &s->gpu[i].handle);
	return true;
}

static void device_failed(struct nvml_state *s, struct nvml_gpu *g, const char *call, int ret, int64_t now_ns)
{
	nvml_remember_error(s, call, ret);
	if (ret == NVML_GPU_IS_LOST || ret == NVML_RESET_REQUIRED || ret == NVML_OPERATING_SYSTEM) {
		lose(s, g, ret);
		return;
	}
	if (ret == NVML_UNINITIALIZED && start_again(s))
		return;
	gpu_note(s->env.notes, "GPU %d: no figures: %s (%d); tried again every 30 s", g->index,
		 nvml_error_text(s, ret), ret);
	g->quiet_until_ns = now_ns + BACK_OFF_NS;
}

static void decide(struct nvml_state *s, struct nvml_gpu *g, enum gpu_basis basis)
{
	if (g->decided)
		return;
	g->decided = true;
	g->basis = basis;
	if (!s->trusted)
		gpu_note(s->env.notes,
			 "GPU %d: driver %s does not know this container's processes: %s; "
			 "run the container with --pid=host (hostPID: true) for exact figures",
			 g->index, s->driver,
			 basis == GPU_BASIS_ASSUMED
			     ? "its one listed process is taken for this one (assumed)"
			     : "shown is the growth of the whole device since the start (device delta)");
	else if (basis == GPU_BASIS_DELTA)
		gpu_note(s->env.notes,
			 "GPU %d: the driver gives no figure for a process (as under WSL2): "
			 "shown is the growth of the whole device since the start (device delta)",
			 g->index);
}

static void answer_delta(const struct nvml_gpu *g, struct gpu_answer *a)
{
	if (a->used_bytes == UINT64_MAX || g->start_bytes == UINT64_MAX || a->used_bytes <= g->start_bytes)
		return; /* nothing more in use than at the start says nothing about the tree */
	a->state = GPU_ANSWER_WHOLE;
	a->tree_bytes = a->used_bytes - g->start_bytes;
}

static bool single_local_user(struct nvml_gpu *g, const struct gpu_ask *ask, const struct listing *seen)
{
	if (seen->distinct != 1 || seen->bytes == 0 || seen->bytes == NVML_NOT_AVAILABLE ||
	    !gpu_open_files_uses(ask->fds, g->minor))
		return false;
	if (ask->now_ns >= g->full_look_ns || !g->decided)
		g->others = gpu_open_files_others(ask->fds, g->minor);
	return g->others == 0;
}

/* Inside a process namespace that the driver does not know: numbers may match by accident (the host's 1 is
 * not the container's), and 0 means that the amount was looked up by the wrong number. */
static void answer_untrusted(struct nvml_state *s, struct nvml_gpu *g, const struct gpu_ask *ask,
			     const struct listing *seen, struct gpu_answer *a)
{
	bool single = single_local_user(g, ask, seen);
	bool grown =
	    a->used_bytes != UINT64_MAX && g->start_bytes != UINT64_MAX && a->used_bytes > g->start_bytes;

	if (single)
		decide(s, g, GPU_BASIS_ASSUMED);
	else if (grown)
		decide(s, g, GPU_BASIS_DELTA);
	if (g->basis == GPU_BASIS_DELTA) {
		answer_delta(g, a);
	} else if (single) {
		a->state = GPU_ANSWER_WHOLE;
		a->tree_bytes = seen->bytes;
	}
}

static void answer_trusted(struct nvml_state *s, struct nvml_gpu *g, const struct listing *seen,
			   struct gpu_answer *a, struct gpu_rows *rows)
{
	if (seen->no_figure)
		decide(s, g, GPU_BASIS_DELTA);
	else if (seen->tree > 0)
		decide(s, g, GPU_BASIS_EXACT);
	if (g->basis == GPU_BASIS_DELTA) {
		rows->n -= seen->tree;
		answer_delta(g, a);
	} else {
		a->state = GPU_ANSWER_OK;
	}
}

/* The device's own figure is a help, not a must: only a lost device or library ends the sample here. Where
 * the tree's figures are exact nothing rests on it, and now and then is enough. */
static int read_used(struct nvml_state *s, struct nvml_gpu *g, const struct gpu_ask *ask,
		     uint64_t *used_bytes)
{
	uint64_t total_bytes;
	int ret;

	if (g->decided && g->basis == GPU_BASIS_EXACT && !ask->all && ask->now_ns < g->full_look_ns)
		return NVML_OK;
	ret = nvml_memory(s, g, &total_bytes, used_bytes);
	if (ret == NVML_GPU_IS_LOST || ret == NVML_RESET_REQUIRED || ret == NVML_UNINITIALIZED)
		return ret;
	if (ret != NVML_OK)
		nvml_remember_error(s, "nvmlDeviceGetMemoryInfo", ret);
	return NVML_OK;
}

static void sample_device(struct nvml_state *s, int device, const struct gpu_ask *ask, struct gpu_answer *a,
			  struct gpu_rows *rows)
{
	struct nvml_gpu *g = &s->gpu[device];
	struct listing seen = {0};
	size_t rows_before = rows->n;
	int ret = read_used(s, g, ask, &a->used_bytes);

	if (ret == NVML_OK)
		ret = read_lists(s, g, device, ask, &seen, rows);
	if (ret == NVML_NOT_SUPPORTED) {
		decide(s, g, GPU_BASIS_DELTA);
		ret = NVML_OK;
	}
	if (ret != NVML_OK) {
		rows->n = rows_before;
		device_failed(s, g, "process list", ret, ask->now_ns);
		return;
	}
	a->listed = seen.entries;
	if (s->trusted) {
		answer_trusted(s, g, &seen, a, rows);
	} else {
		rows->n = rows_before;
		answer_untrusted(s, g, ask, &seen, a);
	}
	if (ask->now_ns >= g->full_look_ns)
		g->full_look_ns = ask->now_ns + FULL_LOOK_NS;
}

static void answer_device(struct nvml_state *s, int device, const struct gpu_ask *ask, struct gpu_answer *a,
			  struct gpu_rows *rows)
{
	const struct nvml_gpu *g = &s->gpu[device];

	*a = (struct gpu_answer){.state = GPU_ANSWER_ABSENT, .used_bytes = UINT64_MAX, .listed = -1};
	if (g->lost || (ask->want && !ask->want[device]))
		return;
	if (ask->all || (ask->now_ns >= g->quiet_until_ns && gpu_open_files_may_use(ask->fds, g->minor)))
		sample_device(s, device, ask, a, rows);
	else if (ask->now_ns >= g->quiet_until_ns)
		a->state = GPU_ANSWER_OK;
}

void nvml_sample(void *state, const struct gpu_ask *ask, struct gpu_answer *answer, struct gpu_rows *rows)
{
	struct nvml_state *s = state;

	make_room(s, ask->n);
	for (int i = 0; i < s->n; i++) {
		answer_device(s, i, ask, &answer[i], rows);
		answer[i].basis = s->gpu[i].basis;
		answer[i].gone = s->gpu[i].lost;
	}
}
