/* SPDX-License-Identifier: MIT */
/* What attach and wrap have in common: sources to sampler to outputs, on the schedule. */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include "base/loop.h"
#include "base/ticker.h"
#include "host/frameworks.h"
#include "host/heap.h"
#include "host/host.h"
#include "host/machine.h"
#include "host/oom.h"
#include "host/pressure.h"
#include "options/options.h"
#include "record/csv_writer.h"
#include "record/sample.h"
#include "series/history.h"
#include "verdict/growth_place.h"
#include "verdict/judge.h"
#include "watch/alerts.h"
#include "watch/ending.h"
#include "watch/epochs.h"
#include "watch/gpu.h"
#include "watch/keeping.h"
#include "watch/names.h"
#include "watch/summary.h"

struct watch {
	const struct options *options;
	struct loop *loop;
	struct ticker ticker;
	struct host *host;
	struct machine *system;
	struct pressure *pressure;
	struct heap *heap;
	struct reading held;     /* in the last tick, at its own moment */
	int64_t heap_epoch;      /* whose end was the last to be read at */
	struct csv_writer *csv;  /* NULL: none asked for */
	struct keeping *keeping; /* without it; NULL: not kept */
	struct judge *judge;
	struct history *history; /* for pictures */
	struct history *longer;  /* the same with what earlier watching saw, for the view; NULL unknown */
	int64_t longer_ms;       /* how much earlier that begins */
	struct alerts *alerts;
	struct growth_place *where;
	struct frameworks frameworks;
	struct watch_epochs epochs;
	struct watch_gpu gpu;
	struct watch_names names;
	const char *command; /* what is watched, in words; borrowed, for alerts; NULL unknown */
	const char *others;  /* further processes given by --pid, to be put behind it; borrowed; NULL none */
	pid_t main_pid;
	struct summary summary;
	struct ending_last last;
	struct oom oom;
	struct sample sample;
	int64_t start_ns;
	int duration_fd;        /* -1: no end of time */
	int gpus_fd;            /* -1: no GPU driver is waited for */
	const char *stopped_by; /* the option that ended the watching; NULL none */
	int64_t stopped_ns;     /* of the run, when it did */
	bool tree_gone;         /* no process of the tree is alive */
	bool unbuffered;        /* auto: PYTHONUNBUFFERED=1 was set for COMMAND */
	int64_t left;           /* processes that outlived COMMAND */
	bool csv_told;          /* the trouble with the CSV has been said */
	bool rows_lost;         /* by watch_close: not all that was sampled is in the CSV */
	bool pss_told, heap_told;
};

/* Opens the loop and the sources; before COMMAND is forked. 0, or 125 with the message said. */
int watch_open(struct watch *w, const struct options *options);
/* False: a thread hangs in a GPU driver, and memwatch must end by _exit(). */
bool watch_close(struct watch *w);

/* Watches this process and, unless told otherwise, its descendants. 0 or -errno. */
int watch_add(struct watch *w, pid_t pid);

/* Takes the first sample at once and the others on the schedule. 0 or -errno. */
int watch_start(struct watch *w);

/* Counts the processes that outlive COMMAND, which has ended; those that are about to end get a moment. */
void watch_count_left(struct watch *w);

int64_t watch_elapsed_ns(const struct watch *w);

#endif
