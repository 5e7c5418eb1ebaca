/* SPDX-License-Identifier: MIT */
/* The private folder that comes first in COMMAND's PYTHONPATH: each Python of the run that imports from it leaves a FIFO
 * there, in which a thread of it waits for a question, and writes its answer beside it. So do scripts with the lines of
 * `memwatch hook`, in a folder of their user's. */
#ifndef EXPLAIN_FOLDER_H
#define EXPLAIN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct explain_folder;

/* Creates it, with the scripts in it, below TMPDIR, /tmp, /dev/shm or XDG_RUNTIME_DIR. 0 or -errno. */
int explain_folder_open(struct explain_folder **out);
/* What hook.py calls it, with the number of a user. */
#define EXPLAIN_SHARED_FOLDER "/tmp/memwatch-%u"
/* That of this user, if there is one and it is nobody else's. 0 or -errno. */
int explain_folder_open_shared(struct explain_folder **out, uid_t owner);
/* Removes it with all that is in it; of a user's folder only what processes have left that are no more. NULL is legal. */
void explain_folder_close(struct explain_folder *f);

const char *explain_folder_path(const struct explain_folder *f);
/* The value for COMMAND's PYTHONPATH: the folder, then what memwatch itself was given there. */
const char *explain_folder_python_path(const struct explain_folder *f);

/* Removes a folder by its name alone. Allocates nothing. */
void explain_folder_remove(const char *path);

/* Processes that can be asked, or could before they ended; at most max of them. Returns how many. */
size_t explain_folder_pids(const struct explain_folder *f, pid_t *pids, size_t max);

/* It has said that it can be asked. */
bool explain_folder_has(const struct explain_folder *f, pid_t pid);

/* For as long as the folder is open nobody else may ask that process; one claim at a time. 0, -EBUSY: another memwatch has
 * it, or -errno. Nothing to do in a folder of our own. */
int explain_folder_claim(struct explain_folder *f, pid_t pid);

/* Wakes the thread of that process with one word. 0, -ENXIO when it is gone or busy, or -errno. */
int explain_folder_ask(const struct explain_folder *f, pid_t pid, const char *word);

/* Readable when an answer may have come; -1 when the kernel gave no inotify instance. */
int explain_folder_fd(const struct explain_folder *f);

/* The answer of that process, NUL at its end, to be freed; it can be had once. 0, -ENOENT while there is none, -EFBIG for
 * one that is too long, or -errno. */
int explain_folder_answer(struct explain_folder *f, pid_t pid, char **text);

#endif
