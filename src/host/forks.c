/* SPDX-License-Identifier: MIT */
/* The last field of loadavg is the last number given to a process or thread in the reader's pid namespace,
 * those of inner namespaces included. One read of it saves those of the children files, of
 * which a training process has one for each of its dozens of threads. */
#include "host/forks.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fds.h"
#include "base/procfile.h"

/* lxcfs puts a file of its own here that is seconds old; a /proc of another pid namespace shows processes
 * that our numbers say nothing about. */
static bool is_ours(int fd, int proc_fd)
{
	struct statfs fs;
	char self[PROC_PATH_MAX] = "";

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC &&
	       readlinkat(proc_fd, "self", self, sizeof(self) - 1) > 0 && atoi(self) == (int)getpid();
}

void forks_open(struct forks *f, int proc_fd)
{
	*f = (struct forks){.fd = proc_open_at(proc_fd, "loadavg"), .moved = true};
	if (f->fd >= 0 && !is_ours(f->fd, proc_fd))
		forks_close(f);
}

void forks_close(struct forks *f)
{
	fds_close(&f->fd);
}

uint64_t forks_last_pid(const struct forks *f)
{
	char buf[128];
	ssize_t n = f->fd < 0 ? -1 : proc_pread(f->fd, buf, sizeof(buf), 0);
	uint64_t last_pid;

	return n > 0 && proc_parse_last_pid(buf, (size_t)n, &last_pid) == 0 ? last_pid : 0;
}

bool forks_possible(struct forks *f, int64_t now_ns)
{
	uint64_t last_pid = forks_last_pid(f);
	bool before = f->moved;

	/* gVisor always says 0. After more than a second the numbers may have come round. */
	f->moved = last_pid == 0 || last_pid != f->last_pid || now_ns - f->last_ns > NS_PER_S;
	f->last_pid = last_pid;
	f->last_ns = now_ns;
	return f->moved || before;
}
