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

struct gpu_open_files;

struct gpu_open_files *gpu_open_files_new(const char *proc_root, const char *dev_root); /* both borrowed */
void gpu_open_files_free(struct gpu_open_files *f);

/* Looks at the processes whose look is due: new ones, all after somebody opened a GPU's device file, and each
 * from time to time. pids ascend. */
void gpu_open_files_update(struct gpu_open_files *f, const pid_t *pids, size_t n, int64_t now_ns);

/* Readable when somebody has opened a GPU's device file; -1 when that cannot be watched. Then
 * gpu_open_files_opened(), so that the next update looks at all processes. */
int gpu_open_files_watch(const struct gpu_open_files *f);
void gpu_open_files_opened(struct gpu_open_files *f);

size_t gpu_open_files_count(const struct gpu_open_files *f);
const struct gpu_fd_pid *gpu_open_files_at(const struct gpu_open_files *f, size_t i);

/* False only when it is certain that no process of the tree has the NVIDIA GPU with this minor number
 * open. */
bool gpu_open_files_may_use(const struct gpu_open_files *f, unsigned minor);
/* True when it is seen that one has. */
bool gpu_open_files_uses(const struct gpu_open_files *f, unsigned minor);
/* Processes outside of the tree, as far as they can be read, that have this GPU open. Walks all of /proc. */
int gpu_open_files_others(const struct gpu_open_files *f, unsigned minor);

#endif
