/* SPDX-License-Identifier: MIT */
/* Who is asked: by what the host and the judge say of the processes, and by who has made itself known in the folder. */
#include "watch/asked_process.h"

#define SHARE_MOST 0.5 /* of the growth: who has less does not have most of it */

void asked_process_init(struct asked_process *p, const struct host *host, struct judge *judge,
			const struct growth_place *where, bool reached)
{
	*p = (struct asked_process){.host = host, .judge = judge, .where = where, .reached = reached};
}

void asked_process_look(struct asked_process *p, const struct explain_folder *folder)
{
	pid_t any;

	p->reached = p->reached || explain_folder_pids(folder, &any, 1) > 0;
}

pid_t asked_process_largest(struct asked_process *p, const struct explain_folder *folder)
{
	uint64_t most = 0;
	pid_t chosen = 0;

	asked_process_look(p, folder);
	for (size_t i = 0; i < host_count(p->host); i++) {
		struct host_process one;

		host_process(p->host, i, &one);
		if (one.live && one.held_bytes >= most && explain_folder_has(folder, one.pid)) {
			most = one.held_bytes;
			chosen = one.pid;
		}
	}
	return chosen;
}

/* The process that has most of the host's growth; 0: none has, or it is not known. */
static pid_t grower(const struct asked_process *p)
{
	const struct run_verdict *run = judge_run(p->judge);
	struct growth_place_findings found;

	for (int i = 0; i < run->n; i++) {
		if (run->series[i].kind != SERIES_HOST)
			continue;
		growth_place_find(p->where, &run->series[i], &found);
		if (found.n_processes > 0 && found.processes[0].live &&
		    found.processes[0].share >= SHARE_MOST)
			return found.processes[0].pid;
	}
	return 0;
}

pid_t asked_process_find(struct asked_process *p, const struct explain_folder *folder)
{
	pid_t asked = asked_process_largest(p, folder), grows = grower(p);

	if (grows)
		p->mute = explain_folder_has(folder, grows) ? 0 : grows;
	else if (!host_lives(p->host, p->mute))
		p->mute = 0;
	if (p->mute)
		return 0;
	return grows ? grows : asked;
}
