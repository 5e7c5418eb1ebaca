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

struct oom_kills { /* processes killed since oom_open(); -1 unknown */
	int64_t cgroup, machine;
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

void oom_none(struct oom *o); /* counters that cannot be read */

void oom_since(const struct oom *o, struct oom_kills *out);

/* For a process that died by SIGKILL: by whom? */
enum oom_answer oom_answer(const struct oom_kills *k);
/* Processes of the cgroup that were killed; -1 unknown. */
int64_t oom_count(const struct oom_kills *k);

#endif
