/* SPDX-License-Identifier: MIT */
/* A libnvidia-ml.so.1 without a GPU: what it says comes from a scenario file (scenario.h). One variant for each driver generation,
 * by -DVARIANT, because clients choose calls by the symbols they find:
 *   440     unversioned lists only, 16-byte entries
 *   470     and "_v2", 24 bytes
 *   53554   and "_v3" of 32 bytes, as 535.43 to 535.86 had it
 *   53598   "_v3" gone again
 *   550     "_v3" of 24 bytes and the 32-byte RunningProcessDetailList */
#include <string.h>

#include "../../src/gpu/nvml_abi.h"
#include "scenario.h"

#ifndef VARIANT
#define VARIANT 550
#endif
#define HAS_V2 (VARIANT != 440)
#define HAS_V3 (VARIANT == 53554 || VARIANT == 550)

typedef struct fake_dev *dev_t_;
static int inits;

#define ENTER(name, dev)                                                                                     \
	do {                                                                                                 \
		int code_ = enter(name, dev);                                                                \
		if (code_)                                                                                   \
			return code_;                                                                        \
	} while (0)

#define EXPORT __attribute__((visibility("default")))
#define PROTO(ret, name, ...)                                                                                \
	EXPORT ret name(__VA_ARGS__);                                                                        \
	EXPORT ret name(__VA_ARGS__)

static int enter(const char *name, const struct fake_dev *dev)
{
	int code = fake_enter(name, dev);

	return !code && !inits ? NVML_UNINITIALIZED : code;
}

static int put_text(char *out, unsigned size, const char *text)
{
	if (strlen(text) + 1 > size)
		return NVML_INSUFFICIENT_SIZE;
	strcpy(out, text);
	return NVML_OK;
}

static int start(void)
{
	int code = fake_enter("Init", NULL);

	if (!code)
		inits++;
	return code;
}

PROTO(int, nvmlInit_v2, void)
{
	return start();
}

PROTO(int, nvmlInitWithFlags, unsigned flags)
{
	(void)flags;
	return start();
}

PROTO(int, nvmlShutdown, void)
{
	ENTER("Shutdown", NULL);
	inits--;
	return NVML_OK;
}

PROTO(const char *, nvmlErrorString, int code)
{
	switch (code) {
	case NVML_OK:
		return "Success";
	case NVML_NOT_SUPPORTED:
		return "Not Supported";
	case NVML_NO_PERMISSION:
		return "Insufficient Permissions";
	case NVML_DRIVER_NOT_LOADED:
		return "Driver Not Loaded";
	case NVML_TIMEOUT:
		return "Timeout";
	case NVML_GPU_IS_LOST:
		return "GPU is lost";
	case NVML_LIB_RM_VERSION_MISMATCH:
		return "Driver/library version mismatch";
	default:
		return "Unknown Error";
	}
}

PROTO(int, nvmlSystemGetDriverVersion, char *out, unsigned size)
{
	ENTER("SystemGetDriverVersion", NULL);
	return put_text(out, size, fake.driver);
}

PROTO(int, nvmlSystemGetCudaDriverVersion, int *out)
{
	ENTER("SystemGetCudaDriverVersion", NULL);
	*out = 12040;
	return NVML_OK;
}

PROTO(int, nvmlSystemGetCudaDriverVersion_v2, int *out)
{
	return nvmlSystemGetCudaDriverVersion(out);
}

PROTO(int, nvmlSystemGetNVMLVersion, char *out, unsigned size)
{
	ENTER("SystemGetNVMLVersion", NULL);
	return put_text(out, size, fake.driver);
}

PROTO(int, nvmlDeviceGetCount_v2, unsigned *out)
{
	ENTER("GetCount", NULL);
	*out = (unsigned)fake.n_gpu;
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetHandleByIndex_v2, unsigned index, dev_t_ *out)
{
	if (index >= (unsigned)fake.n_gpu)
		return NVML_INVALID_ARGUMENT;
	ENTER("GetHandleByIndex", &fake.gpu[index]);
	*out = &fake.gpu[index];
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetHandleByUUID, const char *uuid, dev_t_ *out)
{
	ENTER("GetHandleByUUID", NULL);
	for (int i = 0; i < fake.n_gpu; i++)
		if (strcmp(fake.gpu[i].uuid, uuid) == 0)
			return nvmlDeviceGetHandleByIndex_v2((unsigned)i, out);
	return NVML_NOT_FOUND;
}

PROTO(int, nvmlDeviceGetHandleByPciBusId_v2, const char *bus_id, dev_t_ *out)
{
	(void)bus_id;
	(void)out;
	return NVML_NOT_FOUND;
}

PROTO(int, nvmlDeviceGetIndex, dev_t_ dev, unsigned *out)
{
	ENTER("GetIndex", dev);
	*out = (unsigned)dev->index;
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetName, dev_t_ dev, char *out, unsigned size)
{
	ENTER("GetName", dev);
	return put_text(out, size, dev->name);
}

PROTO(int, nvmlDeviceGetUUID, dev_t_ dev, char *out, unsigned size)
{
	ENTER("GetUUID", dev);
	return put_text(out, size, dev->uuid);
}

PROTO(int, nvmlDeviceGetMinorNumber, dev_t_ dev, unsigned *out)
{
	ENTER("GetMinorNumber", dev);
	*out = (unsigned)dev->index;
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetPciInfo_v3, dev_t_ dev, struct nvml_pci *out)
{
	static const char digits[] = "0123456789ABCDEF";

	ENTER("GetPciInfo", dev);
	memset(out, 0, sizeof(*out));
	out->bus = (uint32_t)dev->index + 1;
	out->pci_device_id = 0x22041002;
	strcpy(out->bus_id, "00000000:00:00.0");
	out->bus_id[9] = digits[out->bus / 16];
	out->bus_id[10] = digits[out->bus % 16];
	memcpy(out->bus_id_legacy, out->bus_id + 4, 13);
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetMemoryInfo, dev_t_ dev, struct nvml_memory_v1 *out)
{
	uint64_t used;

	ENTER("GetMemoryInfo", dev);
	used = fake_used(dev);
	*out = (struct nvml_memory_v1){.total = dev->bytes, .free = dev->bytes - used, .used = used};
	return NVML_OK;
}

#if VARIANT == 550 || VARIANT == 53554 || VARIANT == 53598
PROTO(int, nvmlDeviceGetMemoryInfo_v2, dev_t_ dev, struct nvml_memory_v2 *out)
{
	struct nvml_memory_v1 v1;

	if (out->version != NVML_MEMORY_V2)
		return NVML_ARGUMENT_VERSION_MISMATCH;
	ENTER("GetMemoryInfo_v2", dev);
	if (nvmlDeviceGetMemoryInfo(dev, &v1) != NVML_OK)
		return NVML_UNKNOWN;
	*out = (struct nvml_memory_v2){
	    .version = NVML_MEMORY_V2, .total = v1.total, .free = v1.free, .used = v1.used};
	return NVML_OK;
}
#endif

/* Entries as the driver lays them out. A copy of a size unknown at build time is a call, which a sanitizer of the caller sees. */
__attribute__((noinline)) static int put_list(dev_t_ dev, char kind, size_t entry_bytes, unsigned *count,
					      void *entries)
{
	unsigned room = *count, n;

	if (kind == 'C')
		dev->lists++;
	n = fake_list(dev, kind);
	*count = n;
	if (n > room)
		return NVML_INSUFFICIENT_SIZE;
	for (unsigned i = 0; i < n; i++) {
		struct nvml_process_detail e = {.pid = dev->pid_of[i],
						.used_bytes = dev->bytes_of[i],
						.gpu_instance =
						    dev->slot < 0 ? UINT32_MAX : (uint32_t)dev->slot + 7,
						.compute_instance = dev->slot < 0 ? UINT32_MAX : 0,
						.used_protected_bytes = 0};

		memcpy((char *)entries + i * entry_bytes, &e, entry_bytes);
	}
	return NVML_OK;
}

#if HAS_V3
static size_t v3_bytes(void)
{
	return fake.entry_bytes   ? (size_t)fake.entry_bytes
	       : VARIANT == 53554 ? sizeof(struct nvml_process_detail)
				  : sizeof(struct nvml_process_v2);
}
#endif

#define LIST(function, suffix, kind, entry_bytes)                                                            \
	PROTO(int, nvmlDevice##function##suffix, dev_t_ dev, unsigned *count, void *entries)                 \
	{                                                                                                    \
		ENTER(#function, dev);                                                                       \
		if (sizeof(#suffix) > 1)                                                                     \
			ENTER(#function #suffix, dev);                                                       \
		return put_list(dev, kind, entry_bytes, count, entries);                                     \
	}

LIST(GetComputeRunningProcesses, , 'C', sizeof(struct nvml_process_v1))
LIST(GetGraphicsRunningProcesses, , 'G', sizeof(struct nvml_process_v1))
#if HAS_V2
LIST(GetComputeRunningProcesses, _v2, 'C', sizeof(struct nvml_process_v2))
LIST(GetGraphicsRunningProcesses, _v2, 'G', sizeof(struct nvml_process_v2))
LIST(GetMPSComputeRunningProcesses, , 'M', sizeof(struct nvml_process_v1))
LIST(GetMPSComputeRunningProcesses, _v2, 'M', sizeof(struct nvml_process_v2))
#endif
#if HAS_V3
LIST(GetComputeRunningProcesses, _v3, 'C', v3_bytes())
LIST(GetGraphicsRunningProcesses, _v3, 'G', v3_bytes())
LIST(GetMPSComputeRunningProcesses, _v3, 'M', v3_bytes())
#endif

#if VARIANT == 550
struct detail_list {
	uint32_t version, mode, n;
	struct nvml_process_detail *entries;
};

PROTO(int, nvmlDeviceGetRunningProcessDetailList, dev_t_ dev, struct detail_list *out)
{
	ENTER("GetRunningProcessDetailList", dev);
	if (out->version != 0x01000018)
		return NVML_ARGUMENT_VERSION_MISMATCH;
	return put_list(dev, "CGM"[out->mode % 3], sizeof(struct nvml_process_detail), &out->n, out->entries);
}
#endif

#if HAS_V2
PROTO(int, nvmlDeviceGetMigMode, dev_t_ dev, unsigned *current, unsigned *pending)
{
	ENTER("GetMigMode", dev);
	*current = *pending = fake.has_mig[dev->index];
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetMaxMigDeviceCount, dev_t_ dev, unsigned *out)
{
	ENTER("GetMaxMigDeviceCount", dev);
	*out = fake.has_mig[dev->index] ? 7 : 0;
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetMigDeviceHandleByIndex, dev_t_ dev, unsigned slot, dev_t_ *out)
{
	ENTER("GetMigDeviceHandleByIndex", dev);
	if (slot >= FAKE_SLOTS)
		return NVML_INVALID_ARGUMENT;
	if (!fake.mig[dev->index][slot].here)
		return NVML_NOT_FOUND;
	*out = &fake.mig[dev->index][slot];
	return NVML_OK;
}

PROTO(int, nvmlDeviceIsMigDeviceHandle, dev_t_ dev, unsigned *out)
{
	ENTER("IsMigDeviceHandle", dev);
	*out = dev->slot >= 0;
	return NVML_OK;
}

PROTO(int, nvmlDeviceGetDeviceHandleFromMigDeviceHandle, dev_t_ dev, dev_t_ *out)
{
	ENTER("GetDeviceHandleFromMigDeviceHandle", dev);
	*out = &fake.gpu[dev->index];
	return NVML_OK;
}
#endif

#if VARIANT == 550 || VARIANT == 53554
PROTO(int, nvmlDeviceGetConfComputeMemSizeInfo, dev_t_ dev, void *out)
{
	(void)dev;
	(void)out;
	return NVML_NOT_SUPPORTED;
}
#endif

/* Sensors that other tools ask for: there, but with nothing to say. */
#define NOTHING(name)                                                                                        \
	PROTO(int, nvmlDevice##name, dev_t_ dev)                                                             \
	{                                                                                                    \
		(void)dev;                                                                                   \
		return NVML_NOT_SUPPORTED;                                                                   \
	}

NOTHING(GetTemperature)
NOTHING(GetTemperatureV)
NOTHING(GetUtilizationRates)
NOTHING(GetPowerUsage)
NOTHING(GetEnforcedPowerLimit)
NOTHING(GetFanSpeed)
NOTHING(GetEncoderUtilization)
NOTHING(GetDecoderUtilization)
NOTHING(GetPersistenceMode)
NOTHING(GetProcessUtilization)
NOTHING(GetPerformanceState)
NOTHING(GetPowerManagementLimit)
NOTHING(GetDisplayActive)
NOTHING(GetDisplayMode)
NOTHING(GetComputeMode)
NOTHING(GetTotalEccErrors)
NOTHING(GetDriverModel)
NOTHING(GetDriverModel_v2)
NOTHING(GetClockInfo)
NOTHING(GetMaxClockInfo)
NOTHING(GetMaxPcieLinkGeneration)
NOTHING(GetCurrPcieLinkGeneration)
NOTHING(GetMaxPcieLinkWidth)
NOTHING(GetCurrPcieLinkWidth)
NOTHING(GetPcieThroughput)
NOTHING(GetTemperatureThreshold)
NOTHING(GetBAR1MemoryInfo)
NOTHING(GetCudaComputeCapability)
NOTHING(GetNumFans)
NOTHING(GetSerial)
