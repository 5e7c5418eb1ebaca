/* SPDX-License-Identifier: MIT */
/* The NVIDIA backend: starts the driver's library once, finds the devices (whole or cut by MIG) and says what
 * a bug report needs. The samples are in gpu/nvml_sample.c. Knows nothing of threads. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/nvml_state.h"
#include "gpu/sysfs.h"

const char *nvml_error_text(const struct nvml_state *s, int ret)
{
	const char *text = s->lib.error_string ? s->lib.error_string(ret) : NULL;

	return text ? text : "unknown error";
}

void nvml_remember_error(struct nvml_state *s, const char *call, int ret)
{
	if (!s->first_error[0])
		snprintf(s->first_error, sizeof(s->first_error), "%s: %d (%s)", call, ret,
			 nvml_error_text(s, ret));
}

/* "used" of the second call leaves the driver's own reserve out, as nvidia-smi does; it is missing before
 * 510.39, wants another version word in 510.39 (nvidia-settings#78) and has failed under WSL2 (nvitop#30). */
int nvml_memory(struct nvml_state *s, struct nvml_gpu *g, uint64_t *total_bytes, uint64_t *used_bytes)
{
	struct nvml_memory_v2 v2 = {.version = NVML_MEMORY_V2};
	struct nvml_memory_v1 v1 = {0};
	int ret = NVML_NOT_SUPPORTED;

	*total_bytes = *used_bytes = UINT64_MAX;
	if (s->lib.memory_v2 && !s->no_memory_v2) {
		ret = s->lib.memory_v2(g->handle, &v2);
		v1 = (struct nvml_memory_v1){.total = v2.total, .used = v2.used};
	}
	if (ret != NVML_OK && ret != NVML_GPU_IS_LOST && ret != NVML_RESET_REQUIRED && s->lib.memory) {
		ret = s->lib.memory(g->handle, &v1);
		s->no_memory_v2 |= ret == NVML_OK;
	}
	if (ret == NVML_OK && v1.total > 0) {
		*total_bytes = v1.total;
		*used_bytes = v1.used;
	}
	return ret;
}

int nvml_handle(const struct nvml_state *s, int index, int mig, struct nvml_device **out)
{
	int ret = s->lib.handle_by_index((unsigned)index, out);

	if (ret != NVML_OK || mig < 0)
		return ret;
	return s->lib.mig_handle(*out, (unsigned)mig, out);
}

/* Drivers name processes by their number in the initial namespace until 535.113, by the caller's from then on
 * but with amounts looked up by the wrong number, and rightly since 565.57 (open-gpu-kernel-modules#614). */
static bool driver_knows_namespaces(const char *version)
{
	int major = 0, minor = 0;

	if (sscanf(version, "%d.%d", &major, &minor) < 1)
		return false;
	return major > 565 || (major == 565 && minor >= 57);
}

/* A host's numbers may be above the limit of an inner namespace (per namespace since Linux 6.14): there the
 * kernel's own limit. */
static uint32_t read_pid_max(const struct nvml_state *s)
{
	uint64_t v;

	if (s->initial_ns && gpu_sysfs_number(&v, "%s/sys/kernel/pid_max", s->env.proc_root))
		return (uint32_t)v;
	return 1U << 22;
}

static void look_around(struct nvml_state *s)
{
	if (!s->lib.driver_version || s->lib.driver_version(s->driver, sizeof(s->driver)) != NVML_OK)
		s->driver[0] = '\0';
	s->initial_ns = gpu_sysfs_initial_pids(s->env.proc_root);
	s->trusted = s->initial_ns || driver_knows_namespaces(s->driver);
	s->pid_max = read_pid_max(s);
}

static void explain_init(const struct nvml_state *s, int ret, char *why, size_t size)
{
	if (ret == NVML_LIB_RM_VERSION_MISMATCH)
		snprintf(
		    why, size,
		    "the NVIDIA driver was upgraded without a reboot (library and kernel module differ): "
		    "no GPU figures until the machine is rebooted or the module reloaded");
	else if (ret == NVML_DRIVER_NOT_LOADED)
		snprintf(why, size, "the NVIDIA kernel module is not loaded");
	else
		snprintf(why, size, "the NVIDIA driver does not start: %s (%d)", nvml_error_text(s, ret),
			 ret);
	/* A library without a driver is as ordinary as no library (login nodes, images): only real faults are
	 * worth a line. */
	if (ret != NVML_DRIVER_NOT_LOADED && ret != NVML_LIBRARY_NOT_FOUND)
		gpu_note(s->env.notes, "GPU: %s", why);
}

static void nvml_close(void *state)
{
	struct nvml_state *s = state;

	s->lib.shutdown();
	nvml_unload(&s->lib);
	nvml_list_free(&s->list);
	free(s->gpu);
	free(s->stamp);
	free(s->row_of);
	free(s);
}

/* The driver's own files, or WSL2's; a library without them cannot work, but can say why not. */
static bool nvml_possible(const struct gpu_env *env)
{
	return gpu_sysfs_exists("%s/nvidiactl", env->dev_root) || gpu_sysfs_exists("%s/dxg", env->dev_root) ||
	       gpu_sysfs_exists("%s/driver/nvidia", env->proc_root) || nvml_load_possible(env->nvml_file);
}

static void *nvml_probe(const struct gpu_env *env, char *why, size_t why_size)
{
	struct nvml_state *s = xcalloc(1, sizeof(*s));
	int ret = nvml_load(&s->lib, env->nvml_file, why, why_size);

	s->env = *env;
	if (ret == 0) {
		ret = s->lib.init();
		if (ret == NVML_OK) {
			nvml_list_init(&s->list, &s->lib);
			look_around(s);
			return s;
		}
		explain_init(s, ret, why, why_size);
		nvml_unload(&s->lib);
	} else if (env->nvml_file || ret != -ENOENT) {
		gpu_note(env->notes, "GPU: %s", why);
	}
	free(s);
	return NULL;
}

/* GB10 and Jetson share the machine's memory and report none of their own (nvtop#466, nvitop#208). */
static uint64_t machine_bytes(const char *proc_root)
{
	char text[256];
	const char *value;

	if (gpu_sysfs_read(text, sizeof(text), "%s/meminfo", proc_root) < 0)
		return 0;
	value = gpu_sysfs_value(text, "MemTotal:");
	return value ? strtoull(value, NULL, 10) * 1024 : 0;
}

static void describe_device(struct nvml_state *s, struct nvml_gpu *g, struct nvml_device *parent,
			    struct gpu_device_info *info)
{
	struct nvml_pci pci;
	uint64_t total;
	int ret;

	memset(info, 0, sizeof(*info));
	info->index = g->index;
	info->mig = g->mig;
	info->basis = g->basis;
	if (!s->lib.name || s->lib.name(g->handle, info->name, sizeof(info->name)) != NVML_OK)
		info->name[0] = '\0';
	if (!s->lib.uuid || s->lib.uuid(g->handle, info->uuid, sizeof(info->uuid)) != NVML_OK)
		info->uuid[0] = '\0';
	if (s->lib.pci && s->lib.pci(parent, &pci) == NVML_OK)
		snprintf(info->pci, sizeof(info->pci), "%04x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
	if (!s->lib.minor || s->lib.minor(parent, &g->minor) != NVML_OK)
		g->minor = UINT_MAX;
	ret = nvml_memory(s, g, &total, &g->start_bytes);
	if (ret != NVML_OK)
		nvml_remember_error(s, "nvmlDeviceGetMemoryInfo", ret);
	g->total_bytes = total == UINT64_MAX ? 0 : total;
	if (!g->total_bytes && (ret == NVML_OK || ret == NVML_NOT_SUPPORTED))
		info->total_bytes = machine_bytes(s->env.proc_root);
	else
		info->total_bytes = g->total_bytes;
	info->used_bytes = g->start_bytes;
}

static void add_device(struct nvml_state *s, int index, int mig, struct nvml_device *handle,
		       struct nvml_device *parent, struct gpu_device_info *out, int max)
{
	struct nvml_gpu g = {.handle = handle, .index = index, .mig = mig, .minor = UINT_MAX};

	if (s->n >= max)
		return;
	g.basis = s->trusted ? GPU_BASIS_EXACT : GPU_BASIS_NONE;
	describe_device(s, &g, parent, &out[s->n]);
	s->gpu = xrealloc(s->gpu, (size_t)s->n + 1, sizeof(s->gpu[0]));
	s->gpu[s->n++] = g;
}

/* A GPU cut by MIG is asked device by device: the parent's list needs privilege
 * (nvidia-container-toolkit#842). A slot without a device answers NOT_FOUND; those after it may still be in
 * use. */
static bool add_mig_devices(struct nvml_state *s, int index, struct nvml_device *parent,
			    struct gpu_device_info *out, int max)
{
	unsigned current = 0, pending, slots = 0;
	struct nvml_device *mig;

	if (!s->lib.mig_mode || !s->lib.mig_max || !s->lib.mig_handle)
		return false;
	if (s->lib.mig_mode(parent, &current, &pending) != NVML_OK || current != 1)
		return false;
	if (s->lib.mig_max(parent, &slots) != NVML_OK)
		return false;
	for (unsigned slot = 0; slot < slots; slot++)
		if (s->lib.mig_handle(parent, slot, &mig) == NVML_OK)
			add_device(s, index, (int)slot, mig, parent, out, max);
	return true;
}

/* Other people's GPUs on a shared machine are counted but refused: that is no news. */
static void no_handle(struct nvml_state *s, int index, int ret)
{
	nvml_remember_error(s, "nvmlDeviceGetHandleByIndex_v2", ret);
	if (ret != NVML_NO_PERMISSION && ret != NVML_OPERATING_SYSTEM)
		gpu_note(s->env.notes, "GPU %d cannot be read: %s (%d)", index, nvml_error_text(s, ret), ret);
}

static int nvml_devices(void *state, struct gpu_device_info *out, int max)
{
	struct nvml_state *s = state;
	struct nvml_device *handle;
	unsigned count = 0;
	int ret = s->lib.count(&count);

	if (ret != NVML_OK)
		nvml_remember_error(s, "nvmlDeviceGetCount_v2", ret);
	for (int i = 0; ret == NVML_OK && i < (int)count; i++) {
		int got = s->lib.handle_by_index((unsigned)i, &handle);

		if (got != NVML_OK)
			no_handle(s, i, got);
		else if (!add_mig_devices(s, i, handle, out, max))
			add_device(s, i, -1, handle, handle, out, max);
	}
	return s->n;
}

static void nvml_describe(void *state, struct gpu_facts *f)
{
	static const char *const keys[NVML_LISTS] = {"compute_list", "graphics_list", "mps_list"};
	struct nvml_state *s = state;

	gpu_fact(f, "library", "%s", s->lib.path);
	gpu_fact(f, "driver", "%s", s->driver[0] ? s->driver : "unknown");
	for (enum nvml_list_kind kind = 0; kind < NVML_LISTS; kind++) {
		const char *name = nvml_list_call_name(&s->list, &s->lib, kind);

		gpu_fact(f, keys[kind], "%s", name ? name : "none");
	}
	if (s->list.stride_seen)
		gpu_fact(f, "entry_bytes", "%zu", s->list.stride_seen);
	else
		gpu_fact(f, "entry_bytes", "none");
	gpu_fact(f, "memory_call", "%s",
		 s->lib.memory_v2 && !s->no_memory_v2 ? "nvmlDeviceGetMemoryInfo_v2"
						      : "nvmlDeviceGetMemoryInfo");
	gpu_fact(f, "pid_namespace", "%s",
		 s->initial_ns ? "initial"
		 : s->trusted  ? "inner, known to the driver"
			       : "inner");
	gpu_fact(f, "dropped_entries", "%llu", (unsigned long long)s->dropped);
	gpu_fact(f, "first_error", "%s", s->first_error[0] ? s->first_error : "none");
}

const struct gpu_backend gpu_nvml = {
    .name = "nvml",
    .possible = nvml_possible,
    .probe = nvml_probe,
    .devices = nvml_devices,
    .sample = nvml_sample,
    .describe = nvml_describe,
    .close = nvml_close,
};
