/* SPDX-License-Identifier: MIT */
/* The processes that memwatch starts for itself: waiting for one that may have been stopped together with it. */
#ifndef COMMAND_HELPER_H
#define COMMAND_HELPER_H

#include <stddef.h>
#include <sys/types.h>

/* First thing in a new one: its name for ps(1), and no folder of the user's is kept busy. */
void helper_settle(const char *name);

/* As recv(2) on the socket to the helper; a helper that is stopped is continued, and after some seconds it is taken
 * for gone: -1. */
ssize_t helper_receive(pid_t pid, int fd, void *buf, size_t size);

/* Ends the helper at once and reaps it; 0 or less stands for none. */
void helper_end(pid_t pid);

#endif
