/* SPDX-License-Identifier: MIT */
/* The world the fake driver shows, read from the file that FAKENVML names:
 *
 *   driver VERSION                    default 570.124.06, which knows process namespaces
 *   gpu I BYTES UUID NAME...          a device; minor number and PCI bus follow the index
 *   mig I SLOT BYTES UUID             a MIG device on GPU I; slots may have holes
 *   used T I BYTES                    device memory in use from tick T on; default: the sum of its processes
 *   at T I[.SLOT] PID BYTES KINDS     from tick T on PID holds BYTES; "na": not available; "gone": not listed; KINDS of C, G, M
 *   err FUNCTION FROM TO CODE [I]     the FROM-th to TO-th call of it (counted from 1) on GPU I, or on any, answers CODE
 *   delay FUNCTION MS                 each call of it takes so long; -1: for ever
 *   await FUNCTION FILE LINES         each call of it takes until FILE has so many lines more, or is none any more
 *   clock MS                          a tick is this long, instead of being the n-th compute list call on that device
 *   ticks FILE                        a tick is a line of FILE instead: what is watched writes them
 *   entry BYTES                       the entry size that "_v3" writes, whatever the variant
 *
 * FUNCTION is NVML's name without "nvmlDevice" or "nvml": GetComputeRunningProcesses, Init. A list's name without "_v2" or "_v3" is
 * all of its versions, with it that one. PID is a number; or @FILE: the number in FILE, listed as
 * long as that process runs; or +FILE: listed even after it has ended. */
#ifndef FAKENVML_SCENARIO_H
#define FAKENVML_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_GPUS = 64, FAKE_SLOTS = 8, FAKE_ERRS = 64, FAKE_CALLS = 64 };

struct fake_event {
	long tick;
	unsigned pid;
	char *pid_file; /* NULL: pid is the number */
	bool after_end;
	uint64_t bytes; /* UINT64_MAX: not available */
	bool gone;
	char kinds[4];
};

struct fake_used {
	long tick;
	uint64_t bytes;
};

struct fake_dev { /* a handle points at one of these */
	bool here;
	int index, slot; /* slot -1: a whole GPU */
	uint64_t bytes;
	char uuid[96], name[96];
	struct fake_event *event;
	size_t n_event;
	struct fake_used *used;
	size_t n_used;
	long lists; /* compute list calls so far */
	unsigned *pid_of;
	uint64_t *bytes_of; /* scratch for one list */
};

struct fake_err {
	char function[64];
	long from, to;
	int code, gpu; /* -1 any */
};

struct fake_call {
	char function[64];
	long n[FAKE_GPUS + 1]; /* the last one: not about a device */
	long delay_ms;
	char *await_file; /* NULL: for nothing */
	long await_lines;
};

struct fake {
	bool loaded;
	char driver[80];
	struct fake_dev gpu[FAKE_GPUS], mig[FAKE_GPUS][FAKE_SLOTS];
	int n_gpu, n_err, n_call;
	bool has_mig[FAKE_GPUS];
	struct fake_err err[FAKE_ERRS];
	struct fake_call call[FAKE_CALLS];
	long clock_ms, entry_bytes;
	char ticks_file[512];
	int64_t start_ms;
};

extern struct fake fake;

void fake_load(void);
/* Counts a call, waits as told, and returns the code the scenario wants for it. */
int fake_enter(const char *function, const struct fake_dev *dev);
long fake_tick(const struct fake_dev *dev);
/* What a device lists of one kind ('C', 'G' or 'M') now: pids and bytes in dev's scratch; the number. */
unsigned fake_list(struct fake_dev *dev, char kind);
uint64_t fake_used(struct fake_dev *dev);

#endif
