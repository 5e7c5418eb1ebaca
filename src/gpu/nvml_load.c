/* SPDX-License-Identifier: MIT */
/* Finds the NVIDIA management library and resolves its calls. Knows nothing of devices or processes. */
#include "gpu/nvml_load.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ".so.1" only: the plain ".so" may be the toolkit's stub, which prints a banner and fails (ucx#9232,
 * ollama#2120). Then places that the loader does not search: WSL2 (ollama#1897), NixOS (nixpkgs#189028), and
 * the distributions' own. */
static const char *const places[] = {
    "libnvidia-ml.so.1",
    "/usr/lib/wsl/lib/libnvidia-ml.so.1",
    "/run/opengl-driver/lib/libnvidia-ml.so.1",
    "/usr/lib64/libnvidia-ml.so.1",
    "/usr/lib64/nvidia/libnvidia-ml.so.1",
    "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
    "/usr/lib/aarch64-linux-gnu/libnvidia-ml.so.1",
    "/usr/lib/libnvidia-ml.so.1",
};

/* "_v2" before the newest: its 24-byte entry never changed, while "_v3" wrote 32 bytes in 535.43 to 535.86
 * and is missing in 535.98 (nvitop#75 #88, go-nvml#75). The unversioned call is all that drivers before
 * 450.66 have. */
static const struct nvml_list_call list_calls[NVML_LISTS][NVML_LIST_CALLS] = {
    [NVML_COMPUTE] =
	{
	    {"nvmlDeviceGetComputeRunningProcesses_v2", sizeof(struct nvml_process_v2), NULL},
	    {"nvmlDeviceGetComputeRunningProcesses", sizeof(struct nvml_process_v1), NULL},
	    {"nvmlDeviceGetComputeRunningProcesses_v3", sizeof(struct nvml_process_v2), NULL},
	},
    [NVML_GRAPHICS] =
	{
	    {"nvmlDeviceGetGraphicsRunningProcesses_v2", sizeof(struct nvml_process_v2), NULL},
	    {"nvmlDeviceGetGraphicsRunningProcesses", sizeof(struct nvml_process_v1), NULL},
	    {"nvmlDeviceGetGraphicsRunningProcesses_v3", sizeof(struct nvml_process_v2), NULL},
	},
    [NVML_MPS] =
	{
	    {"nvmlDeviceGetMPSComputeRunningProcesses_v2", sizeof(struct nvml_process_v2), NULL},
	    {"nvmlDeviceGetMPSComputeRunningProcesses", sizeof(struct nvml_process_v1), NULL},
	    {"nvmlDeviceGetMPSComputeRunningProcesses_v3", sizeof(struct nvml_process_v2), NULL},
	},
};

/* dlsym's object pointer into a function pointer: POSIX allows it, ISO C has no cast for it. */
static void resolve(void *handle, const char *name, void *fn)
{
	void *address = dlsym(handle, name);

	memcpy(fn, &address, sizeof(address));
}

static int resolve_all(struct nvml_lib *lib)
{
	const struct {
		const char *name;
		void *fn;
		bool required;
	} symbols[] = {
	    {"nvmlInit_v2", &lib->init, true},
	    {"nvmlShutdown", &lib->shutdown, true},
	    {"nvmlDeviceGetCount_v2", &lib->count, true},
	    {"nvmlDeviceGetHandleByIndex_v2", &lib->handle_by_index, true},
	    {"nvmlErrorString", &lib->error_string, false},
	    {"nvmlSystemGetDriverVersion", &lib->driver_version, false},
	    {"nvmlDeviceGetName", &lib->name, false},
	    {"nvmlDeviceGetUUID", &lib->uuid, false},
	    {"nvmlDeviceGetPciInfo_v3", &lib->pci, false},
	    {"nvmlDeviceGetMinorNumber", &lib->minor, false},
	    {"nvmlDeviceGetMemoryInfo", &lib->memory, false},
	    {"nvmlDeviceGetMemoryInfo_v2", &lib->memory_v2, false},
	    {"nvmlDeviceGetMigMode", &lib->mig_mode, false},
	    {"nvmlDeviceGetMaxMigDeviceCount", &lib->mig_max, false},
	    {"nvmlDeviceGetMigDeviceHandleByIndex", &lib->mig_handle, false},
	};

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		resolve(lib->handle, symbols[i].name, symbols[i].fn);
		if (symbols[i].required && !dlsym(lib->handle, symbols[i].name))
			return -ENOEXEC;
	}
	memcpy(lib->list, list_calls, sizeof(lib->list));
	for (enum nvml_list_kind kind = 0; kind < NVML_LISTS; kind++)
		for (int i = 0; i < NVML_LIST_CALLS; i++)
			resolve(lib->handle, lib->list[kind][i].name, &lib->list[kind][i].fn);
	return 0;
}

static void keep_path(struct nvml_lib *lib, const char *asked)
{
	struct link_map *map;

	if (dlinfo(lib->handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name && *map->l_name)
		asked = map->l_name;
	snprintf(lib->path, sizeof(lib->path), "%s", asked);
}

static void *open_first(const char *file, const char **found)
{
	size_t n = sizeof(places) / sizeof(places[0]);
	void *handle = NULL;

	if (file) {
		*found = file;
		return dlopen(file, RTLD_NOW | RTLD_LOCAL);
	}
	for (size_t i = 0; i < n && !handle; i++) {
		*found = places[i];
		handle = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
	}
	return handle;
}

/* Loading in vain costs the loader 140 system calls. */
bool nvml_load_possible(const char *file)
{
	const char *path = getenv("LD_LIBRARY_PATH");

	if (file || (path && *path))
		return true;
	for (size_t i = 1; i < sizeof(places) / sizeof(places[0]); i++)
		if (access(places[i], F_OK) == 0)
			return true;
	return false;
}

int nvml_load(struct nvml_lib *lib, const char *file, char *why, size_t why_size)
{
	const char *found;

	memset(lib, 0, sizeof(*lib));
	lib->handle = open_first(file, &found);
	if (!lib->handle && file)
		snprintf(why, why_size, "%s", dlerror());
	else if (!lib->handle)
		snprintf(why, why_size, "no NVIDIA driver here: %s not found", places[0]);
	if (!lib->handle)
		return -ENOENT;
	keep_path(lib, found);
	if (resolve_all(lib) == 0)
		return 0;
	snprintf(why, why_size, "%s is not the NVIDIA management library: calls are missing", lib->path);
	nvml_unload(lib);
	return -ENOEXEC;
}

void nvml_unload(struct nvml_lib *lib)
{
	if (lib->handle)
		dlclose(lib->handle);
	lib->handle = NULL;
}
