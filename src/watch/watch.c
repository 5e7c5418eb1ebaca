/* SPDX-License-Identifier: MIT */
/* One tick: the time, then every source, then every output. The part of a run that does not care how the
 * watched process came to be. */
#include "watch/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/msg.h"
#include "base/stack.h"
#include "base/status.h"
#include "base/turns.h"
#include "watch/ending.h"
#include "watch/output.h"

enum { KIB = 1024, PAGE_BYTES = 4 * KIB, HISTORY_SPANS = 512 };
enum { STACK_BYTES = 224 * KIB, STACK_SPARE_BYTES = 8 * KIB, STACK_STEP_BYTES = 32 * KIB };

static void ask_for_heap(struct watch *w, enum heap_moment moment)
{
	if (w->start_ns && !w->tree_gone && !w->stopped_by && w->held.ok)
		heap_ask(w->heap, w->host, w->held.bytes, clock_mono_ns(), moment);
}

static enum heap_moment moment_after(int64_t epochs)
{
	return epochs > 0 ? HEAP_AT_EPOCH_END : HEAP_AT_FIRST_EPOCH;
}

/* As soon as the line that ends an epoch has been read, not at the next tick: the next epoch has begun by then. */
static void read_heap_at_epoch_end(void *arg)
{
	struct watch *w = arg;
	int64_t epoch = watch_epochs_finished(&w->epochs);

	if (epoch <= w->heap_epoch)
		return;
	w->heap_epoch = epoch;
	ask_for_heap(w, moment_after(epoch));
	watch_names_epoch(&w->names, epoch, watch_epochs_planned(&w->epochs));
}

/* A stack that has to grow where no memory is to be had ends the process by SIGSEGV: its room is reserved before COMMAND
 * runs, which would be left without its wrapper. The far end will do, so that helpers forked later are no larger. */
static __attribute__((noinline)) void touch_stack(void)
{
	volatile char stack[STACK_BYTES];

	stack[0] = 0;
	(void)stack[0];
}

/* False: there is no such room, and to touch it would be the end of memwatch. What is needed is told in round figures: each
 * process begins its stack a few KiB lower or higher. */
static bool reserve_stack(void)
{
	uint64_t limit = stack_limit_bytes(), need = stack_used_bytes() + STACK_BYTES + STACK_SPARE_BYTES;

	if (limit < need) {
		warn("the limit of the stack, %" PRIu64
		     " KiB (ulimit -s), is too low: memwatch needs %" PRIu64 " KiB",
		     limit / KIB, (need / STACK_STEP_BYTES + 1) * STACK_STEP_BYTES / KIB);
		return false;
	}
	touch_stack();
	return true;
}

int watch_open(struct watch *w, const struct options *options)
{
	struct host_conf conf = {.children = !options->no_children};
	int status;

	memset(w, 0, sizeof(*w));
	w->options = options;
	oom_open(&w->oom, "/proc");
	w->judge = judge_new();
	w->history = history_new(HISTORY_SPANS);
	w->where = growth_place_new("/proc");
	frameworks_init(&w->frameworks);
	judge_limit(w->judge, options->limit_bytes);
	judge_fits(w->judge, &w->epochs.fits);
	w->duration_fd = w->gpus_fd = w->ticker.fd = -1;
	w->loop = loop_new();
	if (!reserve_stack())
		return STATUS_OWN_FAILURE;
	w->host = host_new(&conf);
	if (!w->host) {
		warn("cannot read /proc: %s", strerror(errno));
		return STATUS_OWN_FAILURE;
	}
	w->system = machine_new(NULL);
	w->pressure = pressure_new(NULL);
	w->heap = heap_new();
	w->heap_epoch = -1;
	loop_after(w->loop, read_heap_at_epoch_end, w);
	status = watch_gpu_check(options);
	if (status == 0)
		status = watch_epochs_open(&w->epochs, options, w->loop);
	if (status == 0 && options->explain && options->argv)
		watch_names_open(&w->names, w->loop, w->host, w->judge, w->where);
	else if (status == 0 && options->explain)
		watch_names_attach(&w->names, w->loop, w->host, w->judge, w->where, options->pids[0]);
	return status;
}

bool watch_close(struct watch *w)
{
	bool stopped = watch_gpu_stop(&w->gpu);

	watch_output_close(w);
	ticker_close(&w->ticker);
	fds_close(&w->duration_fd);
	watch_names_close(&w->names);
	heap_free(w->heap);
	host_free(w->host);
	machine_free(w->system);
	pressure_free(w->pressure);
	oom_close(&w->oom);
	watch_epochs_close(&w->epochs);
	loop_free(w->loop);
	alerts_free(w->alerts);
	growth_place_free(w->where);
	judge_free(w->judge);
	history_free(w->history);
	history_free(w->longer);
	return keeping_close(w->keeping) && stopped;
}

int64_t watch_elapsed_ns(const struct watch *w)
{
	return clock_mono_ns() - w->start_ns;
}

/* Watching ends; what is watched goes on. */
static void stop_sampling(struct watch *w, const char *option)
{
	if (w->stopped_by)
		return;
	w->stopped_by = option;
	w->stopped_ns = watch_elapsed_ns(w);
	loop_remove(w->loop, w->ticker.fd);
	if (!w->options->argv)
		loop_stop(w->loop);
}

/* Attached and asked for nothing but rows, memwatch ends with their reader, as vmstat does. */
static void reader_gone(struct watch *w)
{
	const struct options *o = w->options;

	if (o->argv)
		return;
	if (o->report_count || o->on_growth || o->until_verdict || o->fail_on) {
		note("nobody reads the samples any more; watching goes on");
		return;
	}
	note("nobody reads the samples any more: watching ends");
	stop_sampling(w, "--output");
}

/* A helper that ends when it sees its parent gone, as Python's resource tracker does, is no orphan. */
void watch_count_left(struct watch *w)
{
	enum { TRIES = 10 };
	static const struct timespec pause = {.tv_nsec = 10 * NS_PER_MS};

	for (int i = 0; i < TRIES; i++) {
		w->left = host_read(w->host, clock_mono_ns(), &w->sample) == 0 ? w->sample.procs : 0;
		if (w->left == 0)
			return;
		nanosleep(&pause, NULL);
	}
}

static void tell_pss_denied(struct watch *w)
{
	struct host_totals totals;

	if (w->pss_told)
		return;
	host_totals(w->host, &totals);
	if (!totals.pss_errno)
		return;
	w->pss_told = true;
	note("pss_bytes stays empty: smaps_rollup cannot be read (%s)", strerror(totals.pss_errno));
}

/* The columns of the GPUs are fixed for the file and the judge alike. */
static void settle_gpus(struct watch *w)
{
	struct watch_gpu *g = &w->gpu;

	if (!watch_gpu_settle(g, w->sample.elapsed_ms, w->main_pid))
		return;
	if (w->csv)
		csv_writer_columns(w->csv, g->channels + CH_HOST_COUNT, g->columns);
	keeping_columns(w->keeping, g->channels + CH_HOST_COUNT, g->columns);
	if (g->columns > 0) {
		judge_channels(w->judge, g->channels, CH_HOST_COUNT + g->columns);
		history_channels(w->history, g->channels, CH_HOST_COUNT + g->columns);
		if (w->longer)
			history_channels(w->longer, g->channels, CH_HOST_COUNT + g->columns);
	}
}

static void read_gpus(struct watch *w)
{
	const pid_t *pids;
	size_t count = host_pids(w->host, &pids);

	settle_gpus(w);
	watch_gpu_read(&w->gpu, pids, count, &w->sample);
}

static void read_epoch(struct watch *w)
{
	struct sample *s = &w->sample;
	int64_t epoch = watch_epochs_now(&w->epochs, s->elapsed_ms);

	if (epoch != s->epoch)
		host_epoch_ended(w->host);
	s->epoch = epoch;
}

static void tell_heap_unknown(struct watch *w)
{
	struct heap_facts facts;

	heap_facts(w->heap, &facts);
	if (w->heap_told || facts.walks < 2 || facts.known > 0)
		return;
	w->heap_told = true;
	detail("what the allocator keeps free is not known: %s", facts.why);
}

static void read_heap(struct watch *w)
{
	w->held = w->sample.v[CH_HELD];
	heap_take(w->heap, &w->sample);
	tell_heap_unknown(w);
	if (w->epochs.every_ms > 0 && w->sample.epoch > w->heap_epoch) {
		w->heap_epoch = w->sample.epoch;
		ask_for_heap(w, moment_after(w->heap_epoch));
	}
	ask_for_heap(w, HEAP_BETWEEN);
}

static void read_pressure(struct watch *w, int64_t now_ns)
{
	const pid_t *pids;
	size_t count = host_pids(w->host, &pids);

	pressure_read(w->pressure, pids, count, now_ns, &w->sample);
}

static void seek_epochs(struct watch *w)
{
	const pid_t *pids;
	size_t count = host_pids(w->host, &pids);

	watch_epochs_seek(&w->epochs, pids, count, w->sample.elapsed_ms);
}

/* Each source fills its channels. The epoch comes first: an epoch that has just ended wants PSS in this very tick. The
 * heap, the machine and the GPUs follow the host, which says what processes there are; false: there are none. */
static bool read_sources(struct watch *w, int64_t now_ns)
{
	struct sample *s = &w->sample;

	s->elapsed_ms = (now_ns - w->start_ns) / NS_PER_MS;
	s->wall_ms = clock_wall_ns() / NS_PER_MS;
	read_epoch(w);
	if (host_read(w->host, now_ns, s) != 0)
		return false;
	read_heap(w);
	machine_read(w->system, now_ns, s);
	read_pressure(w, now_ns);
	read_gpus(w);
	seek_epochs(w);
	return true;
}

/* What --explain takes in the program is not the program's: such rows tell nothing to the judge, nor to one who reads the
 * file. */
static void leave_out_snapshots(struct watch *w)
{
	if (!watch_names_disturbs(&w->names))
		return;
	w->sample.v[CH_HELD].ok = false;
	for (int ch = CH_HEAP_USED; ch <= CH_HEAP_UNTOUCHED; ch++)
		w->sample.v[ch].ok = false;
}

static void write_row(struct watch *w)
{
	if (!watch_output_row(w))
		reader_gone(w);
	keeping_row(w->keeping, &w->sample);
	tell_pss_denied(w);
}

static void push_longer(struct watch *w, struct reading held)
{
	if (!w->longer)
		return;
	w->sample.elapsed_ms += w->longer_ms;
	history_push(w->longer, &w->sample, held);
	w->sample.elapsed_ms -= w->longer_ms;
}

static void judge_row(struct watch *w)
{
	const struct sample *s = &w->sample;
	struct reading held;

	frameworks_look(&w->frameworks, "/proc", w->host, s);
	judge_frameworks(w->judge, &w->frameworks);
	judge_push(w->judge, s);
	judge_planned(w->judge, watch_epochs_planned(&w->epochs));
	held = judge_host_bytes(w->judge, s);
	history_push(w->history, s, held);
	push_longer(w, held);
	if (held.ok)
		watch_epochs_level(&w->epochs, s, held.bytes);
}

static void say_growth(struct watch *w)
{
	bool per_epoch;
	int growing;

	alerts_look(w->alerts, w->judge, &w->sample);
	growing = alerts_growing(w->alerts, &per_epoch);
	growth_place_look(w->where, w->host, &w->sample, growing, per_epoch);
}

static void ask_for_names(struct watch *w)
{
	struct sample *s = &w->sample;

	if (w->epochs.every_ms > 0)
		watch_names_epoch(&w->names, s->epoch, -1);
	watch_names_tick(&w->names, s, alerts_said_growth(w->alerts), w->gpu.columns > 0);
}

/* One tick. The row is written before anybody judges it: a memwatch that dies here has lost no sample. Alerts ask the
 * judge, and where growth sits is looked for only once they have seen some. The GPU's thread goes last, when nothing
 * of this tick can be delayed by it. */
static void take_sample(struct watch *w)
{
	w->tree_gone = !read_sources(w, clock_mono_ns());
	if (w->tree_gone)
		return;
	leave_out_snapshots(w);
	summary_add(&w->summary, &w->sample);
	ending_remember(&w->last, &w->sample);
	write_row(w);
	judge_row(w);
	say_growth(w);
	ask_for_names(w);
	watch_gpu_tick_over(&w->gpu);
}

static void on_tick(void *arg)
{
	struct watch *w = arg;

	if (!ticker_take(&w->ticker))
		return;
	take_sample(w);
	if (w->options->until_verdict && alerts_all_firm(w->alerts))
		stop_sampling(w, "--until-verdict");
	if (w->tree_gone && !w->options->argv)
		loop_stop(w->loop);
}

static void on_duration(void *arg)
{
	struct watch *w = arg;
	uint64_t times;

	if (read(w->duration_fd, &times, sizeof(times)) < 0)
		return;
	loop_remove(w->loop, w->duration_fd);
	stop_sampling(w, "--duration");
}

/* The header and the first rows have waited for the driver's answer, and need not wait for the next tick. */
static void on_gpus(void *arg)
{
	struct watch *w = arg;

	loop_remove(w->loop, w->gpus_fd);
	w->gpus_fd = -1;
	settle_gpus(w);
	malloc_trim(0);
}

static void await_gpus(struct watch *w)
{
	w->gpus_fd = watch_gpu_ready_fd(&w->gpu);
	if (w->gpus_fd >= 0)
		loop_add(w->loop, w->gpus_fd, on_gpus, w);
}

static int start_duration(struct watch *w)
{
	struct itimerspec spec = {.it_value = clock_timespec(w->options->duration_ns)};

	if (!w->options->duration_ns)
		return 0;
	w->duration_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (w->duration_fd < 0 || timerfd_settime(w->duration_fd, 0, &spec, NULL) != 0)
		return -errno;
	return loop_add(w->loop, w->duration_fd, on_duration, w);
}

int watch_add(struct watch *w, pid_t pid)
{
	pid_t leader = host_add_root(w->host, pid);

	if (leader < 0)
		return leader;
	machine_add_target(w->system, leader);
	pressure_add_target(w->pressure, leader);
	oom_add(&w->oom, "/proc", "/sys/fs/cgroup", leader);
	return 0;
}

/* The first look at the verdict comes after half a minute and needs so much of the stack: it is filled now, and what
 * starting up used is given back, so that memwatch is as large at its first row as at its millionth. */
static void settle_memory(void)
{
	volatile char stack[STACK_BYTES];

	for (size_t i = 0; i < sizeof(stack); i += PAGE_BYTES)
		stack[i] = 0;
	malloc_trim(0);
}

int watch_start(struct watch *w)
{
	struct alerts_conf alerts = {
	    .on_growth = w->options->on_growth, .command = w->command, .pid = w->main_pid};
	int err;

	/* A line that ends an epoch is to be seen before the next one has begun. */
	turns_short(NS_PER_MS / 10);
	w->alerts = alerts_new(&alerts);
	w->keeping = w->options->output || w->options->no_keep ? NULL : keeping_new(w->main_pid);
	w->start_ns = clock_mono_ns();
	w->sample.epoch = -1;
	watch_gpu_start(&w->gpu, w->options);
	err = ticker_open(&w->ticker, w->start_ns, w->options->interval_ns);
	if (!err)
		err = loop_add(w->loop, w->ticker.fd, on_tick, w);
	if (!err)
		err = start_duration(w);
	if (!err)
		take_sample(w);
	await_gpus(w);
	settle_memory();
	return err;
}
