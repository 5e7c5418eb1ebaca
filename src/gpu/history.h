/* SPDX-License-Identifier: MIT */
/* The processes of the tree that ever held GPU memory, each with its start time so that a reused number is
 * not taken for it. */
#ifndef GPU_HISTORY_H
#define GPU_HISTORY_H

#include "gpu/backend.h"

enum { GPU_HISTORY_MAX = 65536 };

struct gpu_seen {
	pid_t pid;
	uint64_t start_ticks; /* field 22 of /proc/PID/stat; 0 when it was gone already */
};

struct gpu_history {
	struct gpu_seen *seen; /* pids ascend */
	size_t n, cap;
};

void gpu_history_add(struct gpu_history *h, const struct gpu_rows *rows, const char *proc_root);
void gpu_history_free(struct gpu_history *h);

enum gpu_now { GPU_NOW_GONE, GPU_NOW_ALIVE, GPU_NOW_ANOTHER };

/* What has become of the process; name (16 bytes) is set when it lives. */
enum gpu_now gpu_history_now(const struct gpu_history *h, pid_t pid, const char *proc_root, char *name);

#endif
