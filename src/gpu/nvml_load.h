/* SPDX-License-Identifier: MIT */
/* Finds the NVIDIA management library and its calls at run time: one binary serves machines with and without
 * a driver. */
#ifndef GPU_NVML_LOAD_H
#define GPU_NVML_LOAD_H

#include <stdbool.h>

#include "gpu/nvml_abi.h"

enum nvml_list_kind { NVML_COMPUTE, NVML_GRAPHICS, NVML_MPS, NVML_LISTS };
enum { NVML_LIST_CALLS = 3 };

struct nvml_list_call {
	const char *name;
	size_t entry_bytes; /* as declared; what is really written is measured, see gpu/nvml_list.c */
	nvml_list_fn *fn;   /* NULL: this library does not have it */
};

/* Calls that may be missing are NULL. */
struct nvml_lib {
	void *handle;
	char path[256]; /* the file that was loaded */
	int (*init)(void);
	int (*shutdown)(void);
	const char *(*error_string)(int);
	int (*driver_version)(char *, unsigned);
	int (*count)(unsigned *);
	int (*handle_by_index)(unsigned, struct nvml_device **);
	int (*name)(struct nvml_device *, char *, unsigned);
	int (*uuid)(struct nvml_device *, char *, unsigned);
	int (*pci)(struct nvml_device *, struct nvml_pci *);
	int (*minor)(struct nvml_device *, unsigned *);
	int (*memory)(struct nvml_device *, struct nvml_memory_v1 *);
	int (*memory_v2)(struct nvml_device *, struct nvml_memory_v2 *);
	int (*mig_mode)(struct nvml_device *, unsigned *current, unsigned *pending);
	int (*mig_max)(struct nvml_device *, unsigned *);
	int (*mig_handle)(struct nvml_device *, unsigned, struct nvml_device **);
	struct nvml_list_call list[NVML_LISTS][NVML_LIST_CALLS]; /* in order of preference */
};

/* file: the library to load, or NULL for the usual names and places. 0; -ENOENT no library; -ENOEXEC a file
 * that is not this library. why (at least 1 byte) gets one line for people when it fails. */
int nvml_load(struct nvml_lib *lib, const char *file, char *why, size_t why_size);
/* False: it would find no library, as far as a few looks can tell. */
bool nvml_load_possible(const char *file);
void nvml_unload(struct nvml_lib *lib);

#endif
