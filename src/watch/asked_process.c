/* SPDX-License-Identifier: MIT */
/* Who is asked: by what the host and the judge say of the processes, and by who has made itself known in the folder. */
#include "watch/asked_process.h"

#define SHARE_MOST 0.5 /* of the growth: who has less does not have most of it */

pid_t asked_process_largest(struct watch_names *n)
{
	uint64_t most = 0;
	pid_t any, chosen = 0;

	n->found.reached = n->found.reached || explain_folder_pids(n->folder, &any, 1) > 0;
	for (size_t i = 0; i < host_count(n->host); i++) {
		struct host_process p;

		host_process(n->host, i, &p);
		if (p.live && p.held_bytes >= most && explain_folder_has(n->folder, p.pid)) {
			most = p.held_bytes;
			chosen = p.pid;
		}
	}
	return chosen;
}

/* The process that has most of the host's growth; 0: none has, or it is not known. */
static pid_t grower(const struct watch_names *n)
{
	const struct run_verdict *run = judge_run(n->judge);
	struct growth_place_findings found;

	for (int i = 0; i < run->n; i++) {
		if (run->series[i].kind != SERIES_HOST)
			continue;
		growth_place_find(n->where, &run->series[i], &found);
		if (found.n_processes > 0 && found.processes[0].live &&
		    found.processes[0].share >= SHARE_MOST)
			return found.processes[0].pid;
	}
	return 0;
}

pid_t asked_process_find(struct watch_names *n)
{
	pid_t asked = asked_process_largest(n), grows = grower(n);

	if (grows)
		n->found.mute = explain_folder_has(n->folder, grows) ? 0 : grows;
	else if (!host_lives(n->host, n->found.mute))
		n->found.mute = 0;
	if (n->found.mute)
		return 0;
	return grows ? grows : asked;
}
