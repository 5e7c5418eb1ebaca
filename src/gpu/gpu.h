/* SPDX-License-Identifier: MIT */
/* GPU memory of the watched tree, device by device, from a thread of its own: nothing here waits for a driver
 * unless it says so. */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "gpu/backend.h"
#include "gpu/devices.h"
#include "record/sample.h"

struct gpu;

struct gpu_conf { /* all strings are borrowed for the life of the struct gpu; NULL means the default */
	const char *which;     /* "auto" (default), "none", or a list of indices and UUIDs */
	int64_t interval_ns;   /* between two samples; 0: one second */
	int64_t tick_ns;       /* between two calls of gpu_tick_over(); 0: it is not called */
	const char *proc_root; /* "/proc" */
	const char *dev_root;  /* "/dev" */
	const char *sys_root;  /* "/sys" */
	bool diagnose;         /* ask every device once before READY, and keep what gpu_part() tells */
};

enum gpu_state { GPU_PENDING, GPU_READY, GPU_ABSENT };

/* Starts the thread, unless it is plain that there is no driver, and returns at once; call it after COMMAND
 * was started. The library is named by MEMWATCH_NVML if set. */
struct gpu *gpu_start(const struct gpu_conf *conf);
/* The watched tree now, in any order. Cheap, and no system call, when nothing changed. */
void gpu_set_pids(struct gpu *g, const pid_t *pids, size_t n);
/* A tick's work is done: the thread may take its sample now, if one is due. */
void gpu_tick_over(struct gpu *g);

enum gpu_state gpu_state(const struct gpu *g);
/* Readable as soon as the driver has answered, and from then on; -1 when none is asked. */
int gpu_ready_fd(const struct gpu *g);
/* Waits until the driver has answered, at most so long. */
enum gpu_state gpu_wait(struct gpu *g, int64_t timeout_ns);
/* GPU_ABSENT: one line why. Lent. */
const char *gpu_why(const struct gpu *g);

/* How many columns: two for each device, "gpuN_bytes" (what the tree holds) and "gpuN_total_bytes" (what the
 * device has). 0 until GPU_READY, fixed from then on. */
int gpu_channels(const struct gpu *g, struct channel *out, int max);
/* The newest figures if none of them was read before, else all absent. Never blocks. n: as gpu_channels
 * said. */
void gpu_read(struct gpu *g, struct reading *out, int n);

int gpu_device_count(const struct gpu *g); /* 0 until GPU_READY */
/* Lent; basis, used_bytes and listed are as of the last gpu_read() with news. */
const struct gpu_device_info *gpu_device(const struct gpu *g, int i);
const char *gpu_basis_name(enum gpu_basis basis); /* "exact", "assumed", "device-delta", "none" */

/* True, and one line in out, when the process numbers its devices otherwise than memwatch does, by
 * CUDA_VISIBLE_DEVICES or because CUDA puts the fastest first. Reads its environment: once a run is
 * enough. */
bool gpu_renumbered(const struct gpu *g, pid_t pid, char *out, size_t size);

/* The next line for people, or NULL; lent. Call it at each tick: this is also where a driver that does not
 * answer is told. */
const char *gpu_take_note(struct gpu *g);
bool gpu_stall_told(const struct gpu *g); /* one of the notes was that; also after a gpu_stop() that failed */

struct gpu_leftover {
	int device;
	pid_t pid;
	uint64_t bytes;
	bool alive;    /* false: the process is gone, the driver still lists it */
	char name[16]; /* "" when gone */
};

/* After the tree has ended: what is still held by processes of gpu_set_pids(), and by any that held GPU
 * memory before. Waits at most so long. The number (at most max are filled in), or -ETIMEDOUT. */
int gpu_retained(struct gpu *g, struct gpu_leftover *out, int max, int64_t timeout_ns);

/* What a backend said of itself (diagnose only); false past the last one. All lent. */
bool gpu_part(const struct gpu *g, int i, const char **name, const char **why,
	      const struct gpu_facts **facts);

/* Ends the thread and frees everything: 0. When the driver does not come back within a moment: -EBUSY, the
 * thread is left to itself, and the process must end by _exit(), since exit() would run the library's
 * destructors under it. */
int gpu_stop(struct gpu *g);

/* Where the world is, defaults filled in. */
struct gpu_env gpu_env_of(const struct gpu_conf *conf, struct gpu_notes *notes);

/* Before COMMAND is started, when devices were asked for by name: are they there? Asks in a child process, so
 * that a hanging driver is left behind and no driver state is in this process. 0; else -ENODEV, -ETIMEDOUT or
 * another -errno, and one line in why. */
int gpu_preflight(const struct gpu_conf *conf, int64_t timeout_ns, char *why, size_t why_size);

#endif
