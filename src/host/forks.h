/* SPDX-License-Identifier: MIT */
/* Whether anything on the machine was forked since the last look: one read instead of a children file for
 * each thread of the tree. */
#ifndef HOST_FORKS_H
#define HOST_FORKS_H

#include <stdbool.h>
#include <stdint.h>

struct forks {
	int fd;            /* loadavg, -1: not to be trusted */
	uint64_t last_pid; /* handed out when last looked at */
	int64_t last_ns;
	bool moved; /* in the last look */
};

void forks_open(struct forks *f, int proc_fd);
void forks_close(struct forks *f);

/* The last number given to a process or thread, 0 when that is not known. */
uint64_t forks_last_pid(const struct forks *f);
/* False when no process or thread can have been started since the last call but one. That call too, because a
 * process may move from one children list to another while they are being read. */
bool forks_possible(struct forks *f, int64_t now_ns);

#endif
