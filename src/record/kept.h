/* SPDX-License-Identifier: MIT */
/* The last runs, kept in the user's state folder: where that is, a file for a new run, the newest of those that ended.
 * Names hold when a run began and the number of its process, and nothing of what ran. */
#ifndef RECORD_KEPT_H
#define RECORD_KEPT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { KEPT_RUNS = 10 };

/* $XDG_STATE_HOME/memwatch, else $HOME/.local/state/memwatch; env is as getenv(). The caller frees it; NULL: neither is
 * set to an absolute path. */
char *kept_folder(char *(*env)(const char *name));

/* A new file for a run, locked for as long as it is open; the folder is made if need be, only in one that belongs to the
 * user. Files of older runs that have ended are removed, but for the last KEPT_RUNS. A descriptor or -errno. */
int kept_create(const char *path, int64_t began_s, pid_t pid);

/* Paths of the newest runs, the newest first, to be freed; one that still goes on counts only if there is no other. How
 * many there are, no more than `most`, itself no more than KEPT_RUNS. */
size_t kept_newest(const char *path, char **paths, size_t most);

/* Paths of runs that watched this process, the first one first, to be freed: those that began from from_s on and before
 * to_s, in seconds since 1970. How many there are. */
size_t kept_of_process(const char *path, pid_t pid, int64_t from_s, int64_t to_s, char *paths[KEPT_RUNS]);

#endif
