/* SPDX-License-Identifier: MIT */
/* What a kind of GPU driver must be able to do, and the list of those memwatch knows. A backend runs on the
 * GPU thread alone; it may block there and allocate, but not in the steady sample. It knows nothing of
 * columns, of the sampler or of other backends. */
#ifndef GPU_BACKEND_H
#define GPU_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "gpu/notes.h"

struct gpu_open_files;

enum gpu_basis {
	GPU_BASIS_EXACT,   /* the driver's figure for the very process */
	GPU_BASIS_ASSUMED, /* the one process listed must be the one GPU user that is seen here */
	GPU_BASIS_DELTA,   /* the whole device's use since the start */
	GPU_BASIS_NONE,    /* cannot be had */
};

struct gpu_device_info {
	int index;       /* NVML's; other backends' devices follow on */
	int mig;         /* slot of the MIG device on that GPU, -1 a whole GPU */
	bool integrated; /* shares the machine's memory and is no compute device unless asked for by number */
	char name[96], uuid[96]; /* uuid "" where the driver has none */
	char pci[32];            /* "0000:01:00.0" in lower case, as /sys writes it */
	uint64_t total_bytes;    /* 0 unknown */
	uint64_t used_bytes;     /* of the whole device when last asked; UINT64_MAX unknown */
	enum gpu_basis basis;
	int listed; /* processes the driver lists when last asked, -1 not asked */
};

enum gpu_pid_state { GPU_PID_VALUE, GPU_PID_NOT_AVAILABLE };

struct gpu_row { /* a process that is not listed has no row */
	int device;
	pid_t pid;
	enum gpu_pid_state state;
	uint64_t bytes;
};

enum gpu_answer_state {
	GPU_ANSWER_OK,     /* the rows are all there is: no row means nothing held */
	GPU_ANSWER_WHOLE,  /* no rows; tree_bytes was found another way */
	GPU_ANSWER_ABSENT, /* not known at this moment */
};

struct gpu_answer { /* one for each device */
	enum gpu_answer_state state;
	enum gpu_basis basis;
	uint64_t tree_bytes; /* GPU_ANSWER_WHOLE only */
	uint64_t used_bytes; /* as in gpu_device_info */
	int listed;          /* processes the driver lists on the device, -1 not asked */
	bool gone;           /* lost for good: no figure of it holds any more */
};

struct gpu_rows {
	struct gpu_row *row;
	size_t n, cap;
};

/* Adds a row and returns it; the array grows as needed and is kept. */
struct gpu_row *gpu_rows_add(struct gpu_rows *rows, int device, pid_t pid, uint64_t bytes);

struct gpu_env { /* where the world is; all borrowed */
	const char *proc_root, *dev_root, *sys_root;
	const char *nvml_file;   /* NULL: the usual places */
	struct gpu_notes *notes; /* words for people */
};

struct gpu_ask {
	const pid_t *pids; /* the watched tree, in ascending order */
	size_t n;
	const struct gpu_open_files *fds; /* which of them have a GPU's device file open */
	int64_t now_ns;
	const bool *want; /* one for each device of the backend: the others are left alone; NULL: all */
	bool all;         /* ask every device, used by the tree or not */
};

enum { GPU_FACTS_MAX = 16, GPU_FACT_TEXT_MAX = 192 };

struct gpu_facts { /* what a bug report needs, in order */
	int n;
	struct {
		const char *key;              /* static; JSON name, "_" shown as a blank */
		char text[GPU_FACT_TEXT_MAX]; /* "none": JSON null; digits alone: a JSON number */
	} fact[GPU_FACTS_MAX];
};

void gpu_fact(struct gpu_facts *f, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

struct gpu_backend {
	const char *name;
	/* False: surely no driver of this kind. Looks whether files are there, and no further: the driver is not asked. */
	bool (*possible)(const struct gpu_env *env);
	/* A state for the calls below, or NULL and one line why not. */
	void *(*probe)(const struct gpu_env *env, char *why, size_t why_size);
	/* How many there are; at most max are filled in. Fixed from then on. */
	int (*devices)(void *state, struct gpu_device_info *out, int max);
	/* answer: one for each device of devices(); rows: only pids of ask, each (device, pid) once. */
	void (*sample)(void *state, const struct gpu_ask *ask, struct gpu_answer *answer,
		       struct gpu_rows *rows);
	void (*describe)(void *state, struct gpu_facts *out); /* may be NULL */
	void (*close)(void *state);
};

extern const struct gpu_backend gpu_nvml, gpu_kfd, gpu_drm;

#endif
