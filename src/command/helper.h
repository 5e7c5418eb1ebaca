/* SPDX-License-Identifier: MIT */
/* The processes that memwatch starts for itself: waiting for one that may have been stopped together with it. What is
 * sent to and fro after the first word begins with the number of a question: an answer that comes too late is not
 * taken for that to the next question. */
#ifndef COMMAND_HELPER_H
#define COMMAND_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* First thing in a new one: its name for ps(1), and no folder of the user's is kept busy. */
void helper_settle(const char *name);

/* As recv(2) on the socket to the helper; a helper that is stopped is continued, and after some seconds it is taken
 * for gone: -1. */
ssize_t helper_receive(pid_t pid, int fd, void *buf, size_t size);

/* The answer to question `number`, into packet, which begins with that number as an unsigned int; answers to earlier ones
 * are left out. False when none has come within limit_ms. */
bool helper_answer(pid_t pid, int fd, unsigned number, void *packet, size_t size, int limit_ms);

/* Reaps the helper, with its status as from waitpid. False when it has not ended within some seconds. */
bool helper_await_end(pid_t pid, int *status);

/* Ends the helper at once and reaps it; 0 or less stands for none. */
void helper_end(pid_t pid);

#endif
