/* SPDX-License-Identifier: MIT */
/* --explain: when to ask a Python of the run what grows in it. */
#ifndef WATCH_NAMES_H
#define WATCH_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "explain/explanation.h"
#include "explain/folder.h"
#include "host/host.h"
#include "verdict/growth_place.h"
#include "verdict/judge.h"
#include "watch/asked_process.h"
#include "watch/epoch_ends.h"
#include "watch/long_rise.h"
#include "watch/question.h"
#include "watch/snapshots.h"

struct watch_names {
	struct explain_folder *folder; /* NULL: not asked for, or it cannot be */
	struct loop *loop;             /* in which answers are awaited; borrowed */
	const struct host *host;       /* borrowed */
	int64_t begun_ns;              /* watching */
	pid_t attached;                /* to this one; 0: COMMAND is ours */
	bool looked;                   /* whether its tree can be asked */
	bool wanted;                   /* there is growth to ask about */
	int64_t due_epoch;             /* next snapshot at this one's end */
	int64_t due_ns;                /* or at this moment, where there are no epochs */
	struct epoch_end ahead;        /* when somebody to count was last looked for; time_ns 0 never */
	int64_t count_epoch;           /* counters of GPUs at this one's end */
	struct epoch_ends ends;
	struct long_rise rise;
	struct asked_process who;
	struct question question;
	struct snapshots snapshots;
};

/* Makes the folder. What fails is said, and the run goes on without. */
void watch_names_open(struct watch_names *n, struct loop *loop, const struct host *host, struct judge *judge,
		      const struct growth_place *where);
/* The same for a process that runs already, and has started the thread itself. */
void watch_names_attach(struct watch_names *n, struct loop *loop, const struct host *host,
			struct judge *judge, const struct growth_place *where, pid_t pid);
void watch_names_close(struct watch_names *n);

/* For COMMAND's PYTHONPATH; NULL: as it is. */
const char *watch_names_python_path(const struct watch_names *n);

/* An epoch has ended just now; cheap when it is known already. planned: -1 unknown. */
void watch_names_epoch(struct watch_names *n, int64_t finished, int64_t planned);

/* In each tick: firm is whether growth of any series has been said; gpu, whether one is used. */
void watch_names_tick(struct watch_names *n, const struct sample *s, bool firm, bool gpu);

/* Snapshots are being compared, which takes memory of the program's: what it holds is not its own. */
bool watch_names_disturbs(const struct watch_names *n);

/* Once the run is over: which Python there was, and an answer that came last. */
void watch_names_finish(struct watch_names *n);

/* NULL without --explain. */
const struct explanation *watch_names_found(struct watch_names *n);

#endif
