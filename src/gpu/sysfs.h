/* SPDX-License-Identifier: MIT */
/* Small files of /proc and /sys, whole. */
#ifndef GPU_SYSFS_H
#define GPU_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file's text, cut at size, ends with NUL. The number of bytes, or -errno. */
int gpu_sysfs_read(char *buf, size_t size, const char *path_fmt, ...) __attribute__((format(printf, 3, 4)));
bool gpu_sysfs_exists(const char *path_fmt, ...) __attribute__((format(printf, 1, 2)));
/* A file that is one decimal number. */
bool gpu_sysfs_number(uint64_t *out, const char *path_fmt, ...) __attribute__((format(printf, 2, 3)));
/* "KEY VALUE" or "KEY=VALUE" lines: the value's beginning, which ends at the line's end; NULL when there is
 * no such key. */
const char *gpu_sysfs_value(const char *text, const char *key);
/* True in the first namespace of processes, where the drivers' numbers are everybody's (and when it cannot be
 * told). */
bool gpu_sysfs_initial_pids(const char *proc_root);

#endif
