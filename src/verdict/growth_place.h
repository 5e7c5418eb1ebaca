/* SPDX-License-Identifier: MIT */
/* Where growth sits in a run that is watched: the process, and its mappings. A recording does not hold this,
 * so it stands beside the series in a report, never in them. */
#ifndef VERDICT_GROWTH_PLACE_H
#define VERDICT_GROWTH_PLACE_H

#include "host/mappings.h"
#include "verdict/growing_processes.h"
#include "verdict/judge.h"

struct growth_place; /* opaque */

enum { GROWTH_PLACE_PROCESSES = 3, GROWTH_PLACE_MAPPINGS = 4 };

struct growth_place_findings {
	bool per_epoch; /* slopes; else per second */
	int n_processes, n_mappings;
	struct growing_process
	    processes[GROWTH_PLACE_PROCESSES]; /* with a twentieth of all growth, fastest first */
	pid_t mappings_pid;
	int64_t mappings_from_ms, mappings_to_ms;              /* elapsed time of the two readings compared */
	struct mapping_growth mappings[GROWTH_PLACE_MAPPINGS]; /* that grew, most first; names are lent */
};

struct growth_place *growth_place_new(const char *proc_root);
void growth_place_free(struct growth_place *w);

/* After each sample. growing: looks in a row at which the host grew, by epochs or by time, 0 for none: the mappings are
 * read at the first, at the second and whenever their number has doubled, if that costs less than a hundredth of the
 * time. */
void growth_place_look(struct growth_place *w, const struct host *h, const struct sample *s, int growing,
		       bool per_epoch);

/* As growing_processes_top() has it. */
int growth_place_processes(const struct growth_place *w, bool per_epoch, struct growing_process *out,
			   int max);

/* What is known now; lent until the next look. host: its verdict, NULL unknown; nothing is found unless it
 * grows. */
void growth_place_find(const struct growth_place *w, const struct series_verdict *host,
		       struct growth_place_findings *out);

#endif
