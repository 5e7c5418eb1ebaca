/* SPDX-License-Identifier: MIT */
/* One process list of one device, read so that no driver's entry layout can overrun the buffer or shift the
 * pids. */
#ifndef GPU_NVML_LIST_H
#define GPU_NVML_LIST_H

#include <stdbool.h>

#include "gpu/nvml_load.h"

struct nvml_entry {
	uint32_t pid;
	uint64_t bytes; /* NVML_NOT_AVAILABLE when the driver does not say */
};

struct nvml_list {
	unsigned char *buf;
	unsigned capacity;           /* entries of NVML_ENTRY_MAX bytes */
	unsigned n;                  /* entries of the last call */
	size_t stride;               /* bytes per entry of the last call */
	size_t stride_seen;          /* last one that was measured; 0 none yet */
	unsigned chosen[NVML_LISTS]; /* the call of nvml_lib.list in use; NVML_LIST_CALLS: none is left */
	bool worked[NVML_LISTS];     /* it has answered: a refusal is then the device's, not the call's */
};

void nvml_list_init(struct nvml_list *l, const struct nvml_lib *lib);
void nvml_list_free(struct nvml_list *l);

/* An NVML return code; NVML_OK also for an empty list, NVML_NOT_SUPPORTED when the library has no such call.
 * Allocates only when the list outgrows the buffer. */
int nvml_list_read(struct nvml_list *l, const struct nvml_lib *lib, enum nvml_list_kind kind,
		   struct nvml_device *dev);
struct nvml_entry nvml_list_at(const struct nvml_list *l, unsigned i);

/* Name of the call in use, or NULL. */
const char *nvml_list_call_name(const struct nvml_list *l, const struct nvml_lib *lib,
				enum nvml_list_kind kind);

#endif
