/* SPDX-License-Identifier: MIT */
/* NVIDIA's management library as memwatch calls it: own declarations of the part of its ABI that is used
 * (LP64), checked against the real nvml.h by tests/fakenvml/abi_check.c. Knows nothing of loading or of what
 * is done with the answers. */
#ifndef GPU_NVML_ABI_H
#define GPU_NVML_ABI_H

#include <stddef.h>
#include <stdint.h>

enum nvml_return {
	NVML_OK = 0,
	NVML_UNINITIALIZED = 1,
	NVML_INVALID_ARGUMENT = 2,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_NOT_FOUND = 6,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_TIMEOUT = 10,
	NVML_LIBRARY_NOT_FOUND = 12,
	NVML_FUNCTION_NOT_FOUND = 13,
	NVML_GPU_IS_LOST = 15,
	NVML_RESET_REQUIRED = 16,
	NVML_OPERATING_SYSTEM = 17,
	NVML_LIB_RM_VERSION_MISMATCH = 18,
	NVML_NO_DATA = 21,
	NVML_ARGUMENT_VERSION_MISMATCH = 25,
	NVML_NOT_READY = 27,
	NVML_GPU_NOT_FOUND = 28,
	NVML_UNKNOWN = 999,
};

struct nvml_device; /* a handle; never looked into */

struct nvml_process_v1 { /* before 450.66 */
	uint32_t pid;
	uint64_t used_bytes; /* NVML_NOT_AVAILABLE when the driver does not say */
};

struct nvml_process_v2 { /* every driver since 450.66 */
	uint32_t pid;
	uint64_t used_bytes;
	uint32_t gpu_instance, compute_instance; /* 0xFFFFFFFF without MIG */
};

struct nvml_process_detail { /* what "_v3" wrote in 535.43 to 535.86 */
	uint32_t pid;
	uint64_t used_bytes;
	uint32_t gpu_instance, compute_instance;
	uint64_t used_protected_bytes;
};

struct nvml_memory_v1 {
	uint64_t total, free, used; /* used holds the driver's own reserve too */
};

struct nvml_memory_v2 {
	uint32_t version; /* NVML_MEMORY_V2 */
	uint64_t total, reserved, free, used;
};

struct nvml_pci {
	char bus_id_legacy[16];
	uint32_t domain, bus, device, pci_device_id, pci_subsystem_id;
	char bus_id[32];
};

#define NVML_NOT_AVAILABLE UINT64_MAX
#define NVML_MEMORY_V2     (UINT32_C(2) << 24 | sizeof(struct nvml_memory_v2))

enum { NVML_TEXT_MAX = 96, NVML_ENTRY_MAX = sizeof(struct nvml_process_detail) };

typedef int nvml_list_fn(struct nvml_device *, unsigned *count, void *entries);

_Static_assert(sizeof(void *) == 8 && sizeof(long) == 8, "the NVML layouts here are those of LP64");
_Static_assert(sizeof(struct nvml_process_v1) == 16, "nvmlProcessInfo_v1_t");
_Static_assert(sizeof(struct nvml_process_v2) == 24, "nvmlProcessInfo_v2_t");
_Static_assert(sizeof(struct nvml_process_detail) == 32, "nvmlProcessDetail_v1_t");
_Static_assert(sizeof(struct nvml_memory_v1) == 24 && sizeof(struct nvml_memory_v2) == 40, "nvmlMemory_t");
_Static_assert(sizeof(struct nvml_pci) == 68, "nvmlPciInfo_t");

#endif
