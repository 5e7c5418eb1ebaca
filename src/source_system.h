/* SPDX-License-Identifier: MIT */
#ifndef SOURCE_SYSTEM_H
#define SOURCE_SYSTEM_H

#include <sys/types.h>

#include "sample.h"

struct system; /* opaque */

struct system *system_new(const char *proc_root, pid_t target);
void system_free(struct system *s);
int system_read(struct system *s, int64_t now_ns, struct sample *out);

#endif
