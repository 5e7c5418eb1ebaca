/* SPDX-License-Identifier: MIT */
/* Host memory of the watched processes and all their descendants, summed over the tree at each tick. */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/sample.h"

struct host; /* opaque */

struct host_conf {
	const char *proc_root; /* a made one, which libproc2 cannot read; NULL is /proc. Borrowed */
	bool children;         /* descendants too */
};

struct host_process { /* one member as of the last tick; sizes in bytes */
	pid_t pid, ppid;
	char name[16];
	bool root;
	bool live; /* false: a zombie, without memory */
	uint64_t held_bytes, rss, anon, file, shmem, swap;
	uint64_t mapped_bytes; /* as held_bytes, but with all that it shares with others */
	uint64_t seen_ticks;
};

struct host_totals {
	uint64_t processes_seen; /* that lived in some tick */
	int pss_errno; /* why PSS is not read for some: EACCES another user's, ENOENT old kernel; 0 it is */
};

/* Call it after raising RLIMIT_NOFILE: all but 64 of the soft limit's descriptors may be kept. NULL and errno
 * when proc_root cannot be opened. */
struct host *host_new(const struct host_conf *conf);
void host_free(struct host *h);

/* Takes in a process; the descriptor of its status file holds its identity. Returns the pid that is held (the
 * leader's when pid is a thread's id), or -EINVAL, -ESRCH no such process, -ENODATA it has ended (a zombie),
 * -EACCES hidden by hidepid. PID 1, kernel threads and memwatch itself can be watched. */
pid_t host_add_root(struct host *h, pid_t pid);

/* For a subreaper, pid being itself: whatever becomes its child is taken in, except what ignore() claims
 * (ignore NULL: nothing). 0 or -errno. */
int host_adopt_children_of(struct host *h, pid_t pid, bool (*ignore)(void *ctx, pid_t pid), void *ctx);

/* One tick: fills procs (processes alive) and CH_RSS to CH_HELD. CH_PSS only in the tick that completes a
 * pass. CH_ANON, CH_FILE and CH_SHMEM are absent where the kernel does not tell them apart; CH_HELD is then
 * rss + swap. 0, or -ESRCH when no process of the tree is alive. */
int host_read(struct host *h, int64_t now_ns, struct sample *out);

/* An epoch has ended: PSS is wanted at the next tick, if its budget allows. */
void host_epoch_ended(struct host *h);

/* pids of the members alive in the last tick; lent until the next host_read(). */
size_t host_pids(const struct host *h, const pid_t **out);
/* Members, zombies included; order changes between ticks. */
size_t host_count(const struct host *h);
void host_process(const struct host *h, size_t index, struct host_process *out);
/* Whether it is a member that was alive in the last tick. */
bool host_lives(const struct host *h, pid_t pid);
void host_totals(const struct host *h, struct host_totals *out);

#endif
