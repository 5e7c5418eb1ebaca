/* SPDX-License-Identifier: MIT */
/* pid -> place in an array, constant time, no allocation while it does not grow. */
#ifndef HOST_PIDMAP_H
#define HOST_PIDMAP_H

#include <stddef.h>
#include <sys/types.h>

struct pidmap_slot {
	pid_t pid; /* 0: free */
	size_t index;
};

struct pidmap { /* zeros to begin with */
	struct pidmap_slot *slots;
	size_t count, cap; /* cap is a power of two, or 0 */
};

#define PIDMAP_NONE ((size_t)-1)

size_t pidmap_get(const struct pidmap *map, pid_t pid); /* PIDMAP_NONE when absent */
void pidmap_set(struct pidmap *map, pid_t pid, size_t index);
void pidmap_remove(struct pidmap *map, pid_t pid);
void pidmap_free(struct pidmap *map);

#endif
