/* SPDX-License-Identifier: MIT */
/* PSS over the tree on a clock of its own. Reading smaps_rollup walks the page tables under the target's mmap
 * lock, so a pass over the tree is followed by a pause of at least 100 times what it took. Unless there is a hurry it
 * lasts at least a second, and as long as it takes to stay within a sixteenth of what sampling itself costs. */
#ifndef HOST_PSS_H
#define HOST_PSS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/tree.h"

struct pss {                   /* zeros to begin with */
	uint32_t pass;         /* number of the pass, 0 none yet */
	bool active;           /* a pass is under way */
	bool wanted;           /* an epoch ended or the last pass is in doubt: next one as soon as allowed */
	bool hurry;            /* forks are not known yet: next one as soon as its cost allows */
	bool unknown;          /* a process of this pass could not be read */
	int error;             /* first errno that kept PSS from being read, EACCES or ENOENT; 0 none */
	int64_t begun_ns;      /* start of the last pass */
	int64_t spent_ns;      /* reading time of the last pass */
	uint64_t changes;      /* of the tree when the pass began */
	uint64_t changes_last; /* of the tree in the last tick */
	int64_t changed_ns;    /* when that number changed */
	uint64_t sum_bytes;    /* of the pass so far, or of the last one */
};

enum pss_state { PSS_IDLE, PSS_RUNNING, PSS_DONE };

/* One tick: starts a pass when it is due and carries on with the one under way. tick_ns: time between ticks,
 * 0 not known yet; cost_ns: what the rest of a tick takes. PSS_DONE in the tick that completes a pass; every
 * member read has its views staged (host/shared_once.h). pss->unknown tells whether sum_bytes is worth something. */
enum pss_state pss_step(struct pss *pss, struct tree *tree, int64_t now_ns, int64_t tick_ns, int64_t cost_ns);

#endif
