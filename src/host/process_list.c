/* SPDX-License-Identifier: MIT */
/* libproc2's walk over /proc. It reads one file of every process on the machine, where the tree reads files of
 * its own processes that it keeps open: so it is not for each tick. */
#include "host/process_list.h"

#include <libproc2/pids.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { PID, PPID, ITEMS };

static int open_pids(struct pids_info **info)
{
	enum pids_item items[ITEMS] = {PIDS_ID_PID, PIDS_ID_PPID};

	*info = NULL;
	return procps_pids_new(info, items, ITEMS);
}

ssize_t process_list_read(struct proc_link **list, size_t *cap)
{
	struct pids_info *info;
	struct pids_stack *s;
	size_t n = 0;
	int err = open_pids(&info);

	if (err < 0)
		return err;
	/* One process at a time: a reap would keep all of them in memory. */
	while ((s = procps_pids_get(info, PIDS_FETCH_TASKS_ONLY))) {
		if (n == *cap) {
			*cap = *cap ? *cap * 2 : 256;
			*list = xrealloc(*list, *cap, sizeof(**list));
		}
		(*list)[n].pid = PIDS_VAL(PID, s_int, s, info);
		(*list)[n++].ppid = PIDS_VAL(PPID, s_int, s, info);
	}
	procps_pids_unref(&info);
	return (ssize_t)n;
}

void process_list_prepare(void)
{
	struct pids_info *info;
	unsigned self = (unsigned)getpid();

	if (open_pids(&info) < 0)
		return;
	/* A walk that is given up after the first process leaks in 4.0.2; a selection of one does not. */
	procps_pids_select(info, &self, 1, PIDS_SELECT_PID);
	procps_pids_unref(&info);
}
