/* SPDX-License-Identifier: MIT */
/* One process of the tree: the descriptors kept for it and what they said last. Knows no other process. */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/procfile.h"
#include "host/shared_once.h"

/* The /proc that is read, and how many descriptors may be kept open on it. */
struct procfs {
	int root_fd;         /* directory, "/proc" or a made one */
	size_t fds, fds_max; /* kept now, at most */
	bool no_children;    /* children files are not wanted, or do not exist (CONFIG_PROC_CHILDREN) */
	size_t replaced;     /* threads that took another's place unseen, so far */
	char *buf;           /* scratch for one file */
	size_t cap;
};

struct process_thread {
	pid_t tid;
	int children_fd; /* -1: opened for each reading */
};

struct process {
	pid_t pid, ppid;
	uint64_t start_ticks; /* identity where no status descriptor is kept, else 0 */
	int status_fd; /* -1: opened for each reading. Otherwise it is the identity: ESRCH once reaped */
	int thread_fd; /* status of a living thread when the leader alone has ended, else -1 */
	int rollup_fd; /* smaps_rollup, -1: not open */
	struct process_thread *threads;
	uint32_t thread_count, thread_cap;
	struct proc_hints hints;
	struct proc_status now;  /* last reading */
	struct proc_status last; /* the one before, where the process has ended since */
	bool root, gone, live, was_live, relist;
	uint32_t pass; /* last PSS pass it took part in */
	uint64_t seen_ticks;
	struct shared_once_process shared;
	char name[PROC_NAME_MAX];
	char name_seen[PROC_NAME_MAX]; /* what stands after "Name:", to notice a change */
};

/* root: path of /proc; keeps at most fds_max descriptors. 0 or -errno. */
int procfs_open(struct procfs *p, const char *root, bool children, size_t fds_max);
void procfs_close(struct procfs *p);

/* Opens process pid and reads it once. m's threads array is reused, all else is set. 0, or -errno: -ESRCH no
 * such process, -EACCES hidden, -ENODEV pid is a thread's id (m->pid is then its leader's). */
int process_open(struct procfs *p, struct process *m, pid_t pid);
/* Reads status again: 0, or -ESRCH once it is gone. Other failures leave the last values and are 0. */
int process_refresh(struct procfs *p, struct process *m);
/* Whether it is a zombie or gone by now; unlike process_refresh() it leaves m as it is. */
bool process_has_ended(struct procfs *p, const struct process *m);
/* Hands each child's pid to each(). Lists the threads again when their number has changed. */
void process_children(struct procfs *p, struct process *m, void (*each)(void *ctx, pid_t child), void *ctx);
/* Reads smaps_rollup: 0, -ESRCH (no memory, or gone), -EACCES (not ours to read), or other -errno. */
int process_rollup(struct procfs *p, struct process *m, struct proc_rollup *out);
/* Closes the descriptors and keeps the array of threads for the next process in this place. */
void process_close(struct procfs *p, struct process *m);

/* Reads one children file, kept (fd >= 0) or by path, and hands each pid to each(): 0 or -errno. */
int procfs_children(struct procfs *p, int fd, const char *path, void (*each)(void *ctx, pid_t), void *ctx);

#endif
