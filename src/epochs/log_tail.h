/* SPDX-License-Identifier: MIT */
/* A regular file that a program writes its output to, read as it grows. */
#ifndef EPOCHS_LOG_TAIL_H
#define EPOCHS_LOG_TAIL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "epochs/line_reader.h"

struct log_tail;

/* from: bytes to skip, or one of these. */
enum { LOGTAIL_WITH_OLD = -1, LOGTAIL_FROM_END = -2 };

/* Follows the file that path names now, whatever becomes of the name: /proc/PID/fd/1, /proc/self/fd/2. With
 * LOGTAIL_WITH_OLD what it holds already (its last 64 MiB) is told first, with LINE_TIME_UNKNOWN.
 * 0; -ENOTSUP when it is no regular file; another -errno. */
int log_tail_open(struct log_tail **out, const char *path, int64_t from);

/* Follows the name instead, over rotation (renamed, removed, made anew); the file may not exist yet. */
int log_tail_open_name(struct log_tail **out, const char *path, int64_t from);

/* False as long as the name has stood for nothing that can be read. */
bool log_tail_seen(const struct log_tail *t);

/* How far the file has been read, in bytes from its start. */
int64_t log_tail_offset(const struct log_tail *t);

/* Of the file that is open; 0 or -errno. */
int log_tail_stat(const struct log_tail *t, struct stat *st);

/* Readable when log_tail_ready() has something to do; -1 when the kernel gave no inotify instance. */
int log_tail_fd(const struct log_tail *t);

/* Tells fn the lines that have come. May be called at any time, and should be once a second or so: on network
 * file systems nobody tells of another machine's writes. 1 when there is more to read at once (call again
 * soon: one call reads 1 MiB at most), 0, or -errno. */
int log_tail_ready(struct log_tail *t, int64_t now_ns, line_fn *fn, void *ctx);

/* The program has ended: reads what is left and tells the open line as ended. */
void log_tail_finish(struct log_tail *t, int64_t now_ns, line_fn *fn, void *ctx);

void log_tail_close(struct log_tail *t); /* NULL is legal */

#endif
