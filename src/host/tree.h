/* SPDX-License-Identifier: MIT */
/* The roots and all their descendants. A process stays a member until it is reaped, also when its parent ends
 * first. Knows nothing of what the numbers mean. */
#ifndef HOST_TREE_H
#define HOST_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/forks.h"
#include "host/pidmap.h"
#include "host/process.h"
#include "host/process_list.h"

/* Where a list of all processes comes from: process_list_read(), or a test's. */
typedef ssize_t tree_list_fn(struct proc_link **list, size_t *cap);

struct tree {
	struct procfs fs;
	bool children;           /* descendants are members too */
	struct process *members; /* compact; order changes when one leaves */
	size_t count, cap;
	struct pidmap map;
	uint64_t seen;    /* processes ever taken in */
	uint64_t changes; /* processes that came or went */
	pid_t foster;     /* whose children are adopted, 0 none */
	int foster_fd;
	bool (*ignore)(void *ctx, pid_t pid);
	void *ignore_ctx;
	tree_list_fn *list;
	struct proc_link *links;
	size_t links_cap;
	pid_t *found; /* children listed by one member that are no members yet */
	size_t found_count, found_cap;
	struct forks forks;
	size_t files;      /* children files read in the last scan; 0 asks for one */
	int64_t relist_ns; /* when threads are listed again although their number is the same */
	int64_t relist_pause_ns;
	int64_t resync_ns;   /* when the next resync is due */
	uint64_t resync_pid; /* last pid given out before the last resync */
};

int tree_init(struct tree *t, const char *proc_root, bool children, size_t fds_max, tree_list_fn *list);
void tree_free(struct tree *t);

/* The pid that is held, PID or the leader of its thread group; -EINVAL, -ESRCH no such process, -ENODATA it
 * has ended (a zombie), -EACCES hidden by hidepid. */
int tree_add_root(struct tree *t, pid_t pid);
/* Children of pid become members, except those that ignore() claims. For a subreaper: itself. 0 or -errno. */
int tree_adopt(struct tree *t, pid_t pid, bool (*ignore)(void *ctx, pid_t pid), void *ctx);

/* One tick: refresh, look at members that are gone or no longer live, sweep, discover. */
void tree_refresh(struct tree *t);
void tree_sweep(struct tree *t);
void tree_discover(struct tree *t, int64_t now_ns);

const struct process *tree_find(const struct tree *t, pid_t pid); /* NULL when it is no member */

#endif
