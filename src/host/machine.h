/* SPDX-License-Identifier: MIT */
/* The machine around the run: memory still available, and the limit at which the run would be killed. */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <stdint.h>
#include <sys/types.h>

#include "record/sample.h"

struct system; /* opaque */

struct system *system_new(const char *proc_root); /* NULL is "/proc"; borrowed */
void system_free(struct system *s);

/* Limits of this process count; may be called for several. The last known ones stay when it ends. */
void system_add_target(struct system *s, pid_t pid);

/* Fills CH_AVAILABLE (at most two seconds old) and CH_LIMIT (at most ten). 0 or -errno. */
int system_read(struct system *s, int64_t now_ns, struct sample *out);

#endif
