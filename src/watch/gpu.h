/* SPDX-License-Identifier: MIT */
/* GPU columns of a watched run: they are known only when the driver has answered. */
#ifndef WATCH_GPU_H
#define WATCH_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "gpu/gpu.h"
#include "options/options.h"
#include "record/sample.h"

struct watch_gpu {
	struct gpu *gpu; /* NULL: none asked for */
	int columns;     /* -1: not known yet */
	struct channel channels[CH_MAX];
	char numbers[256]; /* how COMMAND numbers the devices, when otherwise than memwatch; "" as memwatch */
};

/* Devices asked for by name must be there: 0, or 125 with the message said. Before COMMAND is started. */
int watch_gpu_check(const struct options *o);

/* Once COMMAND runs: drivers do not survive a fork. */
void watch_gpu_start(struct watch_gpu *g, const struct options *o);

/* Readable once watch_gpu_settle() has news, and from then on; -1 when there are none to come. */
int watch_gpu_ready_fd(const struct watch_gpu *g);

/* One tick: true in the one in which the columns have become known (or the wait for them is over): all
 * channels of a sample are then in channels[0..CH_HOST_COUNT + columns). */
bool watch_gpu_settle(struct watch_gpu *g, int64_t elapsed_ms, pid_t main_pid);

/* Fills the GPU part of a sample. */
void watch_gpu_read(struct watch_gpu *g, const pid_t *pids, size_t count, struct sample *out);
/* Last in a tick: what it wakes up delays no row. */
void watch_gpu_tick_over(struct watch_gpu *g);

/* What is still held by whom, after the end of the tree; says so. True when anything is. */
bool watch_gpu_say_retained(struct watch_gpu *g);

/* False: a driver hangs, and memwatch must end by _exit(). */
bool watch_gpu_stop(struct watch_gpu *g);

#endif
