/* SPDX-License-Identifier: MIT */
/* --explain: which process of the tree is to say what grows. */
#ifndef WATCH_ASKED_PROCESS_H
#define WATCH_ASKED_PROCESS_H

#include <stdbool.h>

#include "explain/folder.h"
#include "host/host.h"
#include "verdict/growth_place.h"
#include "verdict/judge.h"

struct asked_process {
	const struct host *host; /* borrowed, as the next two */
	struct judge *judge;
	const struct growth_place *where; /* growth sits */
	bool reached;                     /* some Python of the run could be asked */
	pid_t mute; /* most of the growth is in this one, which cannot be asked; 0 none */
};

/* reached: it is known that there is one. */
void asked_process_init(struct asked_process *p, const struct host *host, struct judge *judge,
			const struct growth_place *where, bool reached);

/* Whether there is, or was, one that can be asked. */
void asked_process_look(struct asked_process *p, const struct explain_folder *folder);
/* The one that holds most, of those that can be asked; 0 none. */
pid_t asked_process_largest(struct asked_process *p, const struct explain_folder *folder);
/* Who is to say what grows: another than the one that grows would answer that nothing does. 0: nobody can; whom that is due
 * to is `mute`. */
pid_t asked_process_find(struct asked_process *p, const struct explain_folder *folder);

#endif
