/* SPDX-License-Identifier: MIT */
/* The memory at which the run would be killed: the least of the limits of its cgroups, of its address space and of
 * physical memory. */
#ifndef HOST_LIMIT_H
#define HOST_LIMIT_H

#include <stdint.h>
#include <sys/types.h>

#include "record/sample.h"

struct limit; /* opaque */

struct limit *limit_new(const char *proc_root); /* borrowed */
void limit_free(struct limit *l);

/* Limits of this process count; may be called for several. The last known ones stay when it ends. */
void limit_add_target(struct limit *l, pid_t pid);

/* At most ten seconds old. physical_bytes: 0 unknown. */
struct reading limit_read(struct limit *l, uint64_t physical_bytes, int64_t now_ns);

#endif
