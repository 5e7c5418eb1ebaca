/* SPDX-License-Identifier: MIT */
/* The machine around the run: memory still available, and the limit at which the run would be killed. */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <stdint.h>
#include <sys/types.h>

#include "record/sample.h"

struct machine; /* opaque */

struct machine *machine_new(const char *proc_root); /* NULL is "/proc"; borrowed */
void machine_free(struct machine *s);

/* Limits of this process count; may be called for several. The last known ones stay when it ends. */
void machine_add_target(struct machine *s, pid_t pid);

/* Fills CH_AVAILABLE (at most two seconds old) and CH_LIMIT (at most ten). 0 or -errno. */
int machine_read(struct machine *s, int64_t now_ns, struct sample *out);

#endif
