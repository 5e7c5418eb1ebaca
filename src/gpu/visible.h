/* SPDX-License-Identifier: MIT */
/* Which GPU a program means by "cuda:0": CUDA renumbers by CUDA_VISIBLE_DEVICES, and by itself puts the
 * fastest first. */
#ifndef GPU_VISIBLE_H
#define GPU_VISIBLE_H

#include "gpu/backend.h"

/* visible: value of CUDA_VISIBLE_DEVICES, NULL not set; order: that of CUDA_DEVICE_ORDER or NULL. True, and
 * one line in out, when CUDA's numbers differ from those of the devices here, or may. */
bool gpu_visible_text(const char *visible, const char *order, const struct gpu_device_info *device, int n,
		      char *out, size_t size);

/* A variable in the environment a process was started with; to be freed, NULL when not set or not
 * readable. */
char *gpu_visible_variable(const char *proc_root, pid_t pid, const char *name);

#endif
