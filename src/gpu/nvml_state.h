/* SPDX-License-Identifier: MIT */
/* What the NVML backend keeps between two samples; shared by gpu/nvml.c (start and end) and gpu/nvml_sample.c
 * (each sample). */
#ifndef GPU_NVML_STATE_H
#define GPU_NVML_STATE_H

#include "gpu/backend.h"
#include "gpu/nvml_list.h"

struct nvml_gpu {
	struct nvml_device *handle;
	int index, mig;       /* mig: -1 a whole GPU */
	unsigned minor;       /* N of /dev/nvidiaN; UINT_MAX unknown */
	uint64_t total_bytes; /* 0 unknown: no bound on a process's figure */
	uint64_t start_bytes; /* device in use when watching began; UINT64_MAX unknown */
	enum gpu_basis basis; /* one for the whole run: figures of two kinds in one column would be a lie */
	bool decided;         /* the basis will not change any more */
	bool lost;
	bool unsupported[NVML_LISTS]; /* said so once: not asked again */
	bool needed[NVML_LISTS];      /* held processes of the tree that the lists before it did not */
	int64_t quiet_until_ns;       /* after a fault */
	int64_t full_look_ns;         /* when all lists, and the other users, are looked at again */
	int others;                   /* users of the device outside of the tree, at the last full look */
};

struct nvml_state {
	struct gpu_env env;
	struct nvml_lib lib;
	struct nvml_list list;
	struct nvml_gpu *gpu;
	int n;
	bool initial_ns; /* of processes: the driver's numbers are ours */
	bool trusted;    /* a number in the driver's list is that process here, and the amount is its own */
	bool no_memory_v2;
	bool init_again; /* has been tried */
	char driver[NVML_TEXT_MAX];
	uint32_t pid_max;
	uint64_t dropped;      /* entries that made no sense */
	char first_error[128]; /* call and code; "" none */
	/* For each pid of the tree: the row it got on the device being sampled, valid when stamp matches. */
	uint32_t *stamp, stamp_now;
	size_t *row_of, tree_cap;
};

/* Device memory in use and in all; an NVML code. Either figure UINT64_MAX when not known. */
int nvml_memory(struct nvml_state *s, struct nvml_gpu *g, uint64_t *total_bytes, uint64_t *used_bytes);

/* Keeps the first failing call for bug reports. */
void nvml_remember_error(struct nvml_state *s, const char *call, int ret);
const char *nvml_error_text(const struct nvml_state *s, int ret);

/* The handle of a device, by its index and MIG slot; an NVML code. */
int nvml_handle(const struct nvml_state *s, int index, int mig, struct nvml_device **out);

void nvml_sample(void *state, const struct gpu_ask *ask, struct gpu_answer *answer, struct gpu_rows *rows);

#endif
