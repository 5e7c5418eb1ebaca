/* SPDX-License-Identifier: MIT */
/* Memory limits of control groups, version 1 and 2, as far up as the mounts show, and other files of a group. */
#ifndef HOST_CGROUP_H
#define HOST_CGROUP_H

#include <stdint.h>
#include <sys/types.h>

enum { CGROUP_VERSIONS = 2 };

struct cgroup_mount {
	char *point; /* directory it is mounted on, NULL when it is not */
	char *root;  /* the group that directory stands for, "/" the topmost */
};

struct cgroup { /* where the memory controller of each version is found */
	struct cgroup_mount mount[CGROUP_VERSIONS];
};

/* Finds the mounts in proc_root's self/mountinfo. 0 or -errno; none found is 0. */
int cgroup_open(struct cgroup *cg, const char *proc_root);
void cgroup_close(struct cgroup *cg);

/* The smallest limit of pid's group and all groups above it in bytes; UINT64_MAX none. 0 or -errno. */
int cgroup_limit(const struct cgroup *cg, const char *proc_root, pid_t pid, uint64_t *out_bytes);

/* Opens a file of pid's group of version 2 for reading, close-on-exec; a descriptor or -errno. */
int cgroup_open_file(const struct cgroup *cg, const char *proc_root, pid_t pid, const char *file);

#endif
