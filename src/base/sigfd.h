/* SPDX-License-Identifier: MIT */
/* Blocked signals, read from a descriptor. */
#ifndef BASE_SIGFD_H
#define BASE_SIGFD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

struct sigfd {
	int fd;       /* readable when a signal may have come; -1: closed */
	bool by_time; /* a timer stands in for signalfd(2) */
	sigset_t set;
};

/* The signals of the set, which must be blocked already. Where signalfd(2) is refused they are looked for by time.
 * 0 or -errno. */
int sigfd_open(struct sigfd *s, const sigset_t *set);
void sigfd_close(struct sigfd *s);

/* The next one that has come; false when there is none. Never waits. */
bool sigfd_take(struct sigfd *s, struct signalfd_siginfo *info);

/* One signal that is blocked and has come, without any descriptor; info may be NULL. Never waits. */
bool sigfd_take_pending(int signo, siginfo_t *info);

#endif
