/* SPDX-License-Identifier: MIT */
/* Joins the GPU source to a watched run. The source never blocks; what waits for it is only the CSV's header,
 * and that for a bounded time. */
#include "watch/gpu.h"

#include <string.h>

#include "base/clock.h"
#include "base/msg.h"
#include "base/status.h"
#include "base/units.h"

enum {
	SETTLE_MS = 30000, /* without persistence mode each GPU takes seconds to answer at first */
	LEFTOVERS_MAX = 16,
};

static struct gpu_conf conf_of(const struct options *o)
{
	return (struct gpu_conf){
	    .which = o->gpu, .interval_ns = o->gpu_interval_ns, .tick_ns = o->interval_ns};
}

static bool wanted(const struct options *o)
{
	return !o->gpu || strcmp(o->gpu, "none") != 0;
}

int watch_gpu_check(const struct options *o)
{
	struct gpu_conf conf = conf_of(o);
	char why[256];

	if (!o->gpu || strcmp(o->gpu, "auto") == 0 || strcmp(o->gpu, "none") == 0)
		return 0;
	if (gpu_preflight(&conf, SETTLE_MS * (int64_t)NS_PER_MS, why, sizeof(why)) == 0)
		return 0;
	warn("--gpu: %s: %s", o->gpu, why);
	return STATUS_OWN_FAILURE;
}

void watch_gpu_start(struct watch_gpu *g, const struct options *o)
{
	struct gpu_conf conf = conf_of(o);

	g->columns = -1;
	g->gpu = wanted(o) ? gpu_start(&conf) : NULL;
}

int watch_gpu_ready_fd(const struct watch_gpu *g)
{
	return g->gpu ? gpu_ready_fd(g->gpu) : -1;
}

bool watch_gpu_settle(struct watch_gpu *g, int64_t elapsed_ms, pid_t main_pid)
{
	enum gpu_state state = g->gpu ? gpu_state(g->gpu) : GPU_ABSENT;

	if (g->columns >= 0 || (state == GPU_PENDING && elapsed_ms < SETTLE_MS))
		return false;
	if (state == GPU_PENDING)
		note("the GPU driver has not answered for %d s: no GPU columns", SETTLE_MS / MS_PER_S);
	else if (state == GPU_ABSENT && g->gpu)
		detail("no GPU columns: %s", gpu_why(g->gpu));
	g->columns = state == GPU_READY
			 ? gpu_channels(g->gpu, g->channels + CH_HOST_COUNT, CH_MAX - CH_HOST_COUNT)
			 : 0;
	if (g->columns > 0 && !gpu_renumbered(g->gpu, main_pid, g->numbers, sizeof(g->numbers)))
		g->numbers[0] = '\0';
	return true;
}

void watch_gpu_read(struct watch_gpu *g, const pid_t *pids, size_t count, struct sample *out)
{
	const char *line;

	out->n = CH_HOST_COUNT;
	if (!g->gpu)
		return;
	gpu_set_pids(g->gpu, pids, count);
	if (g->columns > 0) {
		gpu_read(g->gpu, out->v + CH_HOST_COUNT, g->columns);
		out->n += g->columns;
	}
	while ((line = gpu_take_note(g->gpu)) != NULL)
		note("%s", line);
}

void watch_gpu_tick_over(struct watch_gpu *g)
{
	if (g->gpu)
		gpu_tick_over(g->gpu);
}

bool watch_gpu_say_retained(struct watch_gpu *g)
{
	struct gpu_leftover left[LEFTOVERS_MAX];
	char bytes[UNITS_TEXT_MAX];
	int n = g->gpu && g->columns > 0 ? gpu_retained(g->gpu, left, LEFTOVERS_MAX, NS_PER_S) : 0;

	for (int i = 0; i < n && i < LEFTOVERS_MAX; i++)
		note("%s: %s still held after the end by process %d (%s)",
		     gpu_device(g->gpu, left[i].device)->name, units_bytes(bytes, left[i].bytes),
		     (int)left[i].pid, left[i].alive ? left[i].name : "gone");
	return n > 0;
}

bool watch_gpu_stop(struct watch_gpu *g)
{
	bool pending = g->gpu && g->columns < 0 && gpu_state(g->gpu) == GPU_PENDING;
	bool stopped = !g->gpu || gpu_stop(g->gpu) == 0;

	if (pending)
		detail("no GPU columns: the driver had not answered by the end");
	else if (!stopped && !gpu_stall_told(g->gpu))
		detail("GPU: the driver had not answered by the end; its cells are empty since it was asked");
	return stopped;
}
