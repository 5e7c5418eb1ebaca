/* SPDX-License-Identifier: MIT */
/* Waiting for memory: how long processes of the target's cgroup, or of the machine, have stalled for want of it (PSI),
 * and how many pages the tree had to have read back. */
#ifndef HOST_PRESSURE_H
#define HOST_PRESSURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/sample.h"

struct pressure; /* opaque */

struct pressure *pressure_new(const char *proc_root); /* NULL is "/proc"; borrowed */
void pressure_free(struct pressure *p);

/* The cgroup of the first one counts, where it has its own account (version 2); else the machine's does. */
void pressure_add_target(struct pressure *p, pid_t pid);

/* Fills pressure_us and major_faults every two seconds; both are -1 in between and where they cannot be known. pids:
 * the processes of the tree, of which so many are asked as are cheap. */
void pressure_read(struct pressure *p, const pid_t *pids, size_t count, int64_t now_ns, struct sample *out);

#endif
