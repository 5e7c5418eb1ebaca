/* SPDX-License-Identifier: MIT */
/* What the GPU thread (gpu/thread.c) and the main thread's side (gpu/gpu.c) share, and who may
 * touch what. */
#ifndef GPU_THREAD_H
#define GPU_THREAD_H

#include <pthread.h>

#include "gpu/gpu.h"
#include "gpu/handoff.h"
#include "gpu/history.h"

struct gpu_pids {
	pid_t *pid;
	size_t n, cap;
};

struct gpu {
	struct gpu_conf conf;
	struct gpu_env env;
	struct gpu_notes notes;
	pthread_t thread;
	int wake_fd;  /* the main thread has changed something below */
	int ready_fd; /* readable once the state is no longer GPU_PENDING */
	bool started, stalled_told;

	pthread_mutex_t lock; /* guards the next seven and goes with the condition */
	pthread_cond_t answered;
	bool stop, ended, have_pids;
	unsigned asked, told; /* requests for what is retained, and those served */
	struct gpu_leftover *leftovers;
	int leftover_count;

	_Atomic int state;
	_Atomic int64_t busy_since_ns; /* the thread is with the driver since; 0 it is not */
	_Atomic int64_t due_ns;        /* the thread waits for a tick at or after this; 0 it does not */

	struct gpu_handoff cells_hand, pids_hand;
	struct gpu_cell *cells[HANDOFF_SLOTS];
	struct gpu_pids pids[HANDOFF_SLOTS];
	struct gpu_pids sent; /* main's own copy of what it gave last */

	struct gpu_device_info *device; /* main's copy, given by the thread before GPU_READY */

	/* The thread's own, but readable by all once the state is no longer GPU_PENDING (set.n, why,
	 * facts). */
	struct gpu_devices set;
	struct gpu_open_files *fds;
	struct gpu_history history;
	struct gpu_facts *facts;
	struct gpu_pids ask_pids; /* tree and history together */
	char why[GPU_WHY_MAX];
};

void *gpu_thread_run(void *arg); /* a struct gpu */

void gpu_pids_set(struct gpu_pids *l, const pid_t *pids, size_t n);

#endif
