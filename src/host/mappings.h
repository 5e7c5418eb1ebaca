/* SPDX-License-Identifier: MIT */
/* What a process holds by the name of its mappings, and what grew between two readings. */
#ifndef HOST_MAPPINGS_H
#define HOST_MAPPINGS_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum { MAPPINGS_MAX = 192, MAPPING_NAME_MAX = 112 };

struct mapping {
	char name[MAPPING_NAME_MAX]; /* "[heap]", "anonymous", "[stack]", a file; a long path keeps its end */
	uint64_t bytes; /* held: anonymous and swapped pages; for shared memory all that is resident */
};

struct mappings {
	int n;
	pid_t pid;
	int64_t cost_ns; /* time the reading took, in which the process may have waited for its own mmap */
	struct mapping m[MAPPINGS_MAX + 1]; /* the last takes what finds no place: "other" */
};

struct mapping_growth {
	const char *name; /* lent by the later reading */
	uint64_t bytes;
	int64_t change;
};

/* 0 or -errno: -EACCES not ours to read, -ESRCH gone. */
int mappings_read(struct mappings *out, const char *proc_root, pid_t pid);

/* What grew by at least 5 % of all growth, most first; at most max. Returns how many. */
int mappings_compare(const struct mappings *before, const struct mappings *after, struct mapping_growth *out,
		     int max);

#endif
