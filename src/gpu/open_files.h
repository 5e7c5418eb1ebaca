/* SPDX-License-Identifier: MIT */
/* Which GPU device files the processes of a tree have open, kept up to date at a small and bounded cost. */
#ifndef GPU_OPEN_FILES_H
#define GPU_OPEN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { GPU_FDS_MINORS = 256 };

struct gpu_fd_pid {
	pid_t pid;
	bool unreadable;        /* another user's: nothing is known of it */
	bool nvidia, kfd;       /* has some NVIDIA file, has /dev/kfd open */
	bool nvidia_gpu;        /* has a /dev/nvidiaN open */
	int64_t due_ns, gap_ns; /* next look, and the one after that */
	int *drm;               /* descriptors that are a /dev/dri file */
	int n_drm, cap_drm;
	uint64_t minors[GPU_FDS_MINORS / 64]; /* N of each /dev/nvidiaN that is open */
};

struct gpu_fds;

struct gpu_fds *gpu_fds_new(const char *proc_root, const char *dev_root); /* both borrowed */
void gpu_fds_free(struct gpu_fds *f);

/* Looks at the processes whose look is due: new ones, all after somebody opened a GPU's device file, and each
 * from time to time. pids ascend. */
void gpu_fds_update(struct gpu_fds *f, const pid_t *pids, size_t n, int64_t now_ns);

/* Readable when somebody has opened a GPU's device file; -1 when that cannot be watched. Then
 * gpu_fds_opened(), so that the next update looks at all processes. */
int gpu_fds_watch(const struct gpu_fds *f);
void gpu_fds_opened(struct gpu_fds *f);

size_t gpu_fds_count(const struct gpu_fds *f);
const struct gpu_fd_pid *gpu_fds_at(const struct gpu_fds *f, size_t i);

/* False only when it is certain that no process of the tree has the NVIDIA GPU with this minor number
 * open. */
bool gpu_fds_may_use(const struct gpu_fds *f, unsigned minor);
/* True when it is seen that one has. */
bool gpu_fds_uses(const struct gpu_fds *f, unsigned minor);
/* Processes outside of the tree, as far as they can be read, that have this GPU open. Walks all of /proc. */
int gpu_fds_others(const struct gpu_fds *f, unsigned minor);

#endif
