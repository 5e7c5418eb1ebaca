/* SPDX-License-Identifier: MIT */
/* Every process of the machine with its parent, by libproc2. */
#ifndef HOST_PROCESS_LIST_H
#define HOST_PROCESS_LIST_H

#include <stddef.h>
#include <sys/types.h>

struct proc_link {
	pid_t pid, ppid;
};

/* *list (capacity *cap, the caller's to free) receives all processes. Their number, or -errno. */
ssize_t process_list_read(struct proc_link **list, size_t *cap);
/* Takes the memory that libproc2 needs for it, so that the first list adds none later in a
 * run. */
void process_list_prepare(void);

#endif
