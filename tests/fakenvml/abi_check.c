/* SPDX-License-Identifier: MIT */
/* memwatch's own NVML declarations against NVIDIA's header: compiling this file is the test. */
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>

#include "../../src/gpu/nvml_abi.h"

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(struct ours) == sizeof(theirs), #theirs)
#define SAME_PLACE(ours, a, theirs, b)                                                                       \
	_Static_assert(offsetof(struct ours, a) == offsetof(theirs, b) &&                                    \
			   sizeof(((struct ours *)0)->a) == sizeof(((theirs *)0)->b),                        \
		       #theirs "." #b)
#define SAME_CODE(ours, theirs) _Static_assert((int)ours == (int)theirs, #theirs)
#define HAS_TYPE(fn, ...)       _Static_assert(_Generic(&fn, nvmlReturn_t(*)(__VA_ARGS__) : 1, default : 0), #fn)

SAME_SIZE(nvml_process_v1, nvmlProcessInfo_v1_t);
SAME_PLACE(nvml_process_v1, pid, nvmlProcessInfo_v1_t, pid);
SAME_PLACE(nvml_process_v1, used_bytes, nvmlProcessInfo_v1_t, usedGpuMemory);
SAME_SIZE(nvml_process_v2, nvmlProcessInfo_v2_t);
SAME_PLACE(nvml_process_v2, pid, nvmlProcessInfo_v2_t, pid);
SAME_PLACE(nvml_process_v2, used_bytes, nvmlProcessInfo_v2_t, usedGpuMemory);
SAME_PLACE(nvml_process_v2, gpu_instance, nvmlProcessInfo_v2_t, gpuInstanceId);
SAME_PLACE(nvml_process_v2, compute_instance, nvmlProcessInfo_v2_t, computeInstanceId);
SAME_SIZE(nvml_memory_v1, nvmlMemory_t);
SAME_PLACE(nvml_memory_v1, total, nvmlMemory_t, total);
SAME_PLACE(nvml_memory_v1, free, nvmlMemory_t, free);
SAME_PLACE(nvml_memory_v1, used, nvmlMemory_t, used);
SAME_SIZE(nvml_memory_v2, nvmlMemory_v2_t);
SAME_PLACE(nvml_memory_v2, version, nvmlMemory_v2_t, version);
SAME_PLACE(nvml_memory_v2, total, nvmlMemory_v2_t, total);
SAME_PLACE(nvml_memory_v2, reserved, nvmlMemory_v2_t, reserved);
SAME_PLACE(nvml_memory_v2, free, nvmlMemory_v2_t, free);
SAME_PLACE(nvml_memory_v2, used, nvmlMemory_v2_t, used);
SAME_SIZE(nvml_pci, nvmlPciInfo_t);
SAME_PLACE(nvml_pci, domain, nvmlPciInfo_t, domain);
SAME_PLACE(nvml_pci, bus, nvmlPciInfo_t, bus);
SAME_PLACE(nvml_pci, device, nvmlPciInfo_t, device);
SAME_PLACE(nvml_pci, bus_id, nvmlPciInfo_t, busId);
_Static_assert(NVML_MEMORY_V2 == nvmlMemory_v2, "version word of nvmlMemory_v2_t");
_Static_assert(sizeof(nvmlDevice_t) == sizeof(struct nvml_device *), "nvmlDevice_t");
_Static_assert(sizeof(nvmlReturn_t) == sizeof(int), "nvmlReturn_t");
_Static_assert(NVML_NOT_AVAILABLE == (unsigned long long)NVML_VALUE_NOT_AVAILABLE, "not available");
_Static_assert(NVML_TEXT_MAX >= NVML_DEVICE_NAME_V2_BUFFER_SIZE &&
		   NVML_TEXT_MAX >= NVML_DEVICE_UUID_V2_BUFFER_SIZE &&
		   NVML_TEXT_MAX >= NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE,
	       "room for texts");

SAME_CODE(NVML_OK, NVML_SUCCESS);
SAME_CODE(NVML_UNINITIALIZED, NVML_ERROR_UNINITIALIZED);
SAME_CODE(NVML_INVALID_ARGUMENT, NVML_ERROR_INVALID_ARGUMENT);
SAME_CODE(NVML_NOT_SUPPORTED, NVML_ERROR_NOT_SUPPORTED);
SAME_CODE(NVML_NO_PERMISSION, NVML_ERROR_NO_PERMISSION);
SAME_CODE(NVML_NOT_FOUND, NVML_ERROR_NOT_FOUND);
SAME_CODE(NVML_INSUFFICIENT_SIZE, NVML_ERROR_INSUFFICIENT_SIZE);
SAME_CODE(NVML_DRIVER_NOT_LOADED, NVML_ERROR_DRIVER_NOT_LOADED);
SAME_CODE(NVML_TIMEOUT, NVML_ERROR_TIMEOUT);
SAME_CODE(NVML_LIBRARY_NOT_FOUND, NVML_ERROR_LIBRARY_NOT_FOUND);
SAME_CODE(NVML_FUNCTION_NOT_FOUND, NVML_ERROR_FUNCTION_NOT_FOUND);
SAME_CODE(NVML_GPU_IS_LOST, NVML_ERROR_GPU_IS_LOST);
SAME_CODE(NVML_RESET_REQUIRED, NVML_ERROR_RESET_REQUIRED);
SAME_CODE(NVML_OPERATING_SYSTEM, NVML_ERROR_OPERATING_SYSTEM);
SAME_CODE(NVML_LIB_RM_VERSION_MISMATCH, NVML_ERROR_LIB_RM_VERSION_MISMATCH);
SAME_CODE(NVML_NO_DATA, NVML_ERROR_NO_DATA);
SAME_CODE(NVML_ARGUMENT_VERSION_MISMATCH, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
SAME_CODE(NVML_UNKNOWN, NVML_ERROR_UNKNOWN);

HAS_TYPE(nvmlInit_v2, void);
HAS_TYPE(nvmlShutdown, void);
HAS_TYPE(nvmlSystemGetDriverVersion, char *, unsigned int);
HAS_TYPE(nvmlDeviceGetCount_v2, unsigned int *);
HAS_TYPE(nvmlDeviceGetHandleByIndex_v2, unsigned int, nvmlDevice_t *);
HAS_TYPE(nvmlDeviceGetName, nvmlDevice_t, char *, unsigned int);
HAS_TYPE(nvmlDeviceGetUUID, nvmlDevice_t, char *, unsigned int);
HAS_TYPE(nvmlDeviceGetPciInfo_v3, nvmlDevice_t, nvmlPciInfo_t *);
HAS_TYPE(nvmlDeviceGetMinorNumber, nvmlDevice_t, unsigned int *);
HAS_TYPE(nvmlDeviceGetMemoryInfo, nvmlDevice_t, nvmlMemory_t *);
HAS_TYPE(nvmlDeviceGetMemoryInfo_v2, nvmlDevice_t, nvmlMemory_v2_t *);
HAS_TYPE(nvmlDeviceGetMigMode, nvmlDevice_t, unsigned int *, unsigned int *);
HAS_TYPE(nvmlDeviceGetMaxMigDeviceCount, nvmlDevice_t, unsigned int *);
HAS_TYPE(nvmlDeviceGetMigDeviceHandleByIndex, nvmlDevice_t, unsigned int, nvmlDevice_t *);
HAS_TYPE(nvmlDeviceGetComputeRunningProcesses, nvmlDevice_t, unsigned int *, nvmlProcessInfo_v1_t *);
HAS_TYPE(nvmlDeviceGetComputeRunningProcesses_v2, nvmlDevice_t, unsigned int *, nvmlProcessInfo_v2_t *);
HAS_TYPE(nvmlDeviceGetComputeRunningProcesses_v3, nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *);
HAS_TYPE(nvmlDeviceGetGraphicsRunningProcesses, nvmlDevice_t, unsigned int *, nvmlProcessInfo_v1_t *);
HAS_TYPE(nvmlDeviceGetGraphicsRunningProcesses_v2, nvmlDevice_t, unsigned int *, nvmlProcessInfo_v2_t *);
HAS_TYPE(nvmlDeviceGetGraphicsRunningProcesses_v3, nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *);
HAS_TYPE(nvmlDeviceGetMPSComputeRunningProcesses, nvmlDevice_t, unsigned int *, nvmlProcessInfo_v1_t *);
HAS_TYPE(nvmlDeviceGetMPSComputeRunningProcesses_v2, nvmlDevice_t, unsigned int *, nvmlProcessInfo_v2_t *);
HAS_TYPE(nvmlDeviceGetMPSComputeRunningProcesses_v3, nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *);
