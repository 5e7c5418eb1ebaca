/* SPDX-License-Identifier: MIT */
/* Was it the kernel's out-of-memory killer? Its counters before and after. */
#ifndef HOST_OOM_H
#define HOST_OOM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { OOM_GROUPS = 16 };

struct oom {
	int cgroup_fds[OOM_GROUPS]; /* memory.events (v2) or memory.oom_control (v1), each cgroup once */
	int groups;
	bool partly;           /* the count of some watched process's cgroup is not among them */
	int vmstat_fd;         /* the machine's count; -1 none */
	int64_t cgroup_kills;  /* of all groups, each as it was added */
	int64_t machine_kills; /* at the start; -1 unknown */
};

struct oom_kills { /* processes killed since then; -1 unknown */
	int64_t cgroup, machine;
};

enum oom_answer {
	OOM_UNKNOWN, /* no counter can be read */
	OOM_NO,
	OOM_MACHINE, /* the machine killed something */
	OOM_CGROUP,  /* the process's own cgroup did */
};

/* proc_root and cgroup_root are "/proc" and "/sys/fs/cgroup" but in tests. Neither fails: what cannot be read is
 * not known. */
void oom_open(struct oom *o, const char *proc_root);
void oom_add(struct oom *o, const char *proc_root, const char *cgroup_root, pid_t pid);
void oom_close(struct oom *o);

void oom_since(const struct oom *o, struct oom_kills *out);

/* For a process that died by SIGKILL: by whom? */
enum oom_answer oom_answer(const struct oom_kills *k);
/* Processes of the cgroup that were killed; -1 unknown. */
int64_t oom_count(const struct oom_kills *k);

#endif
