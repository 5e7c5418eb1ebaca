/* SPDX-License-Identifier: MIT */
/* Was it the kernel's out-of-memory killer? Its counters before and after. */
#ifndef OOM_H
#define OOM_H

#include <stdint.h>
#include <sys/types.h>

struct oom {
	int cgroup_fd; /* memory.events (v2) or memory.oom_control (v1) of the watched process; -1 none */
	int vmstat_fd; /* the machine's count; -1 none */
	int64_t cgroup_kills, machine_kills; /* at the start; -1 unknown */
};

enum oom_answer {
	OOM_UNKNOWN, /* no counter can be read */
	OOM_NO,
	OOM_MACHINE, /* the machine killed something */
	OOM_CGROUP,  /* the process's own cgroup did */
};

/* proc_root and cgroup_root are "/proc" and "/sys/fs/cgroup" but in tests. Never fails: what cannot be read
 * is -1. */
void oom_open(struct oom *o, const char *proc_root, const char *cgroup_root, pid_t pid);
void oom_close(struct oom *o);

enum oom_answer oom_ask(const struct oom *o);

#endif
