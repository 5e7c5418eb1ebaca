/* SPDX-License-Identifier: MIT */
/* Host memory of the watched process. */
#ifndef SOURCE_HOST_H
#define SOURCE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sample.h"

struct host; /* opaque */

struct host_conf {
	const char *proc_root;
	bool children;
};

struct host_totals {
	uint64_t processes_seen;
	bool pss_denied;
};

struct host *host_new(const struct host_conf *conf);
void host_free(struct host *h);

int host_add_root(struct host *h, pid_t pid);                      /* 0 or -errno */
void host_ignore_child(struct host *h, pid_t pid);                 /* a helper of memwatch, not of COMMAND */
int host_read(struct host *h, int64_t now_ns, struct sample *out); /* -ESRCH: all gone */
void host_totals(const struct host *h, struct host_totals *out);

#endif
