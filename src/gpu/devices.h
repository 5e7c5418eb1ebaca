/* SPDX-License-Identifier: MIT */
/* All GPU devices that were asked for, of all backends, under one numbering. No thread, no clock: the caller
 * brings both. */
#ifndef GPU_DEVICES_H
#define GPU_DEVICES_H

#include "gpu/backend.h"
#include "record/sample.h"

enum { GPU_BACKENDS = 3, GPU_WHY_MAX = 256 };

struct gpu_cell { /* one device at one moment */
	struct reading tree, total, used;
	enum gpu_basis basis;
	int listed; /* processes the driver lists, -1 not asked */
};

struct gpu_part { /* one backend */
	const struct gpu_backend *backend;
	void *state; /* NULL: not here */
	char why[GPU_WHY_MAX];
	int n;
	int *map; /* its device -> the set's, -1 not asked for */
	bool *want;
	struct gpu_answer *answer;
};

struct gpu_devices {
	struct gpu_env env;
	struct gpu_part part[GPU_BACKENDS];
	struct gpu_device_info *device; /* fixed once opened */
	int n;
	bool merged; /* two backends tell of one device */
	struct gpu_rows rows, part_rows;
	uint64_t *sum;
	int *known; /* per device: 1 known, 0 nobody said, -1 not available */
};

/* which: "auto", or a list of indices and UUIDs (or beginnings of them) with commas. 0 (n may be 0 with
 * "auto"), or -ENODEV and one line in why when a device of the list is not there. */
int gpu_devices_open(struct gpu_devices *set, const struct gpu_env *env, const char *which, char *why,
		     size_t why_size);
/* False: no backend can have a device here. Cheap, and no driver is asked. */
bool gpu_devices_possible(const struct gpu_env *env);
void gpu_devices_close(struct gpu_devices *set);

/* cell: one for each device. The rows stay readable until the next sample; their device is the set's. */
void gpu_devices_sample(struct gpu_devices *set, const struct gpu_ask *ask, struct gpu_cell *cell);

#endif
