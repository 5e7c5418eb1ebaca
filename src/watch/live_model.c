/* SPDX-License-Identifier: MIT */
/* Judging costs most: it is paid for with at most a four-hundredth of a core. Knows nothing of the screen. */
#include "watch/live_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "report/gpu.h"

enum { JUDGE_LEAST_MS = 900, JUDGE_SHARE = 400 };

/* Into the time of a history that begins earlier. */
static void shift_times(struct verdict *v, int64_t by_ms)
{
	int64_t *const times[] = {&v->onset_ms, &v->jump_ms, &v->setup_ms};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (*times[i] >= 0)
			*times[i] += by_ms;
}

static void take_series(struct live_model *m, const struct watch *w, const struct run_verdict *run)
{
	struct view_model *v = &m->shown;

	if (run->n > m->room) {
		v->series = xrealloc(v->series, (size_t)run->n, sizeof(*v->series));
		m->room = run->n;
	}
	v->n_series = 0;
	for (int i = 0; i < run->n; i++) {
		struct view_series *s = &v->series[v->n_series];
		const struct gpu_device_info *d = NULL;

		if (!judge_worth_telling(&run->series[i]))
			continue;
		if (w->gpu.gpu)
			d = report_gpu_device(w->gpu.gpu, run->series[i].name);
		*s = (struct view_series){.verdict = run->series[i], .device = d ? d->name : NULL};
		shift_times(&s->verdict.v, w->longer_ms);
		v->n_series++;
	}
}

static void judge(struct live_model *m, struct watch *w)
{
	int64_t now_ns = clock_mono_ns(), began_ns = clock_cpu_ns(), cost_ns;
	const struct run_verdict *run;

	if (now_ns < m->judge_ns)
		return;
	run = judge_run(w->judge);
	take_series(m, w, run);
	m->shown.per_epoch = run->n > 0 && run->series[0].v.per_epoch;
	cost_ns = clock_cpu_ns() - began_ns;
	m->judge_ns = now_ns + JUDGE_SHARE * cost_ns;
	if (m->judge_ns < now_ns + JUDGE_LEAST_MS * NS_PER_MS)
		m->judge_ns = now_ns + JUDGE_LEAST_MS * NS_PER_MS;
}

/* The newest that was read of a track. */
static struct reading newest(const struct history *h, int track)
{
	for (int i = h->times.n - 1; track >= 0 && i >= 0; i--) {
		const struct history_cell *c = history_cell(&h->times, i, track);

		if (history_known(c))
			return (struct reading){c->last, true};
	}
	return (struct reading){0};
}

static void take_values(struct view_model *v)
{
	for (int i = 0; i < v->n_series; i++)
		v->series[i].now = newest(v->history, history_track(v->history, v->series[i].verdict.name));
	v->heap_used = newest(v->history, HISTORY_HEAP_USED);
	v->heap_free = newest(v->history, HISTORY_HEAP_FREE);
}

static const struct growing_process *growth_of(const struct growing_process *top, int n, pid_t pid)
{
	for (int i = 0; i < n; i++)
		if (top[i].pid == pid && top[i].live)
			return &top[i];
	return NULL;
}

static int by_growth(const void *a, const void *b)
{
	const struct view_process *p = a, *q = b;

	if (p->grows && q->grows && p->slope != q->slope)
		return p->slope < q->slope ? 1 : -1;
	if (p->grows != q->grows)
		return q->grows ? 1 : -1;
	return p->bytes < q->bytes ? 1 : p->bytes > q->bytes ? -1 : p->pid - q->pid;
}

/* A page or two more at each look is no growth. */
static bool counts(const struct growing_process *g)
{
	return g && g->share >= 0.01;
}

static void take_processes(struct view_model *v, const struct watch *w)
{
	struct growing_process top[GROWING_PROCESSES_MAX];
	int n = growth_place_processes(w->where, v->per_epoch, top, GROWING_PROCESSES_MAX);

	v->n_processes = 0;
	v->procs = w->sample.procs;
	for (size_t i = 0; i < host_count(w->host) && v->n_processes < GROWING_PROCESSES_MAX; i++) {
		struct view_process *p = &v->processes[v->n_processes];
		const struct growing_process *g;
		struct host_process h;

		host_process(w->host, i, &h);
		if (!h.live)
			continue;
		g = growth_of(top, n, h.pid);
		*p = (struct view_process){
		    .pid = h.pid, .bytes = h.held_bytes, .grows = counts(g), .slope = g ? g->slope : 0};
		memcpy(p->name, h.name, sizeof(p->name));
		v->n_processes++;
	}
	qsort(v->processes, (size_t)v->n_processes, sizeof(v->processes[0]), by_growth);
}

void live_model_take(struct live_model *m, struct watch *w)
{
	struct view_model *v = &m->shown;

	v->command = w->command;
	v->pid = w->main_pid;
	v->attached = !w->options->argv;
	v->elapsed_ms = watch_elapsed_ns(w) / NS_PER_MS;
	v->epochs = w->sample.epoch;
	v->planned = watch_epochs_planned(&w->epochs);
	history_free(m->held);
	m->held = NULL;
	v->history = w->longer ? w->longer : w->history;
	v->until_ms = v->elapsed_ms + w->longer_ms;
	judge(m, w);
	take_values(v);
	take_processes(v, w);
}

void live_model_changed(struct live_model *m)
{
	m->judge_ns = 0;
}

void live_model_hold(struct live_model *m)
{
	if (!m->held)
		m->shown.history = m->held = history_clone(m->shown.history);
}

void live_model_free(struct live_model *m)
{
	free(m->shown.series);
	history_free(m->held);
}
