/* SPDX-License-Identifier: MIT */
/* Small files of /proc: read whole through a descriptor, parsed as buffers. The parsers are pure: they know
 * no path and no process. All sizes are bytes. */
#ifndef BASE_PROCFILE_H
#define BASE_PROCFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum { PROC_NAME_MAX = 16, PROC_PATH_MAX = 64, PROC_CHUNK = 4096, PROC_LINE_MAX = 4608 };

struct proc_identity {
	pid_t tgid, ppid;
	char state; /* R, S, D, T, Z, ... */
	char name[PROC_NAME_MAX];
};

/* proc(5) calls these inexact, but they are what statm says, too. */
struct proc_status {
	uint64_t rss, anon, file, shmem, swap;
	int threads;
	char state;
	bool mm;    /* has memory at all: neither zombie nor kernel thread */
	bool split; /* anon, file and shmem are known (Linux 4.5) */
};

/* Where the wanted lines were last time; zeros to begin with. Only speed depends on them. */
struct proc_hints {
	uint16_t rss, swap, threads;
};

/* Where a program's parts lie in its memory, as exec drew it and a fork inherits it; and when its process began. */
struct proc_layout {
	uint64_t code, stack, brk;
	uint64_t start_ticks; /* since boot */
};

struct proc_rollup {
	uint64_t pss, anonymous, pss_anon, pss_shmem, swap_pss, private_dirty;
	bool parts; /* Pss_Anon and Pss_Shmem are known (Linux 5.9) */
};

/* Bytes read at offset into buf, or -errno. Tries again after EINTR. */
ssize_t proc_pread(int fd, char *buf, size_t cap, off_t offset);
/* Opens, reads from the start, closes: bytes read or -errno. */
ssize_t proc_read_at(int dir_fd, const char *path, char *buf, size_t cap);
/* Kept descriptor for reading, close-on-exec, or -errno. */
int proc_open_at(int dir_fd, const char *path);
/* A file of a process that is too large to be read whole, for reading by lines of up to PROC_LINE_MAX bytes: maps,
 * smaps. NULL and errno. */
FILE *proc_open_lines(const char *proc_root, pid_t pid, const char *name);

/* 0, or -EINVAL when the buffer is no status file or is cut off before "Threads:". */
int proc_parse_status(const char *buf, size_t len, struct proc_hints *hints, struct proc_status *out);
/* The same of a file that is opened and closed for it, or -errno. */
int proc_status_at(int dir_fd, const char *path, struct proc_status *out);
int proc_parse_identity(const char *buf, size_t len, struct proc_identity *out);
/* Start time in clock ticks since boot, from stat; the name may hold any bytes, ") " among them. 0 or
 * -EINVAL. */
int proc_parse_start(const char *buf, size_t len, uint64_t *out_ticks);
/* From stat. 0, or -EINVAL: also where it is not told, as of a process of another user. */
int proc_parse_layout(const char *buf, size_t len, struct proc_layout *out);
/* Whether it is a thread of the kernel's own, from stat. 0 or -EINVAL. */
int proc_parse_kernel_thread(const char *buf, size_t len, bool *out);
/* Pages that had to be read from a disk or from swap for it so far, from stat. 0 or -EINVAL. */
int proc_parse_major_faults(const char *buf, size_t len, uint64_t *out);
/* Time in microseconds in which some task waited, from a file of pressure stall information. 0 or -EINVAL. */
int proc_parse_pressure(const char *buf, size_t len, uint64_t *out_us);
/* Last number given to a process or thread, from loadavg. 0 or -EINVAL. */
int proc_parse_last_pid(const char *buf, size_t len, uint64_t *out_pid);
/* 0, or -EINVAL when there is no "Pss:". */
int proc_parse_rollup(const char *buf, size_t len, struct proc_rollup *out);
/* Soft limit of "Max address space" from limits; UINT64_MAX is unlimited. 0 or -EINVAL. */
int proc_parse_limit_as(const char *buf, size_t len, uint64_t *out_bytes);
/* Next number of a list such as children at *at, which moves on; false at the end. */
bool proc_next_pid(const char **at, const char *end, pid_t *out);

#endif
