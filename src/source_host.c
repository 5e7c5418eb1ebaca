/* SPDX-License-Identifier: MIT */
/* Resident memory of one process. */
#include "source_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "xalloc.h"

struct host {
	int statm_fd;
};

struct host *host_new(const struct host_conf *conf)
{
	struct host *h = xcalloc(1, sizeof(*h));

	(void)conf;
	h->statm_fd = -1;
	return h;
}

void host_free(struct host *h)
{
	if (h && h->statm_fd >= 0)
		close(h->statm_fd);
	free(h);
}

int host_add_root(struct host *h, pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	h->statm_fd = open(path, O_RDONLY | O_CLOEXEC);
	return h->statm_fd < 0 ? -errno : 0;
}

void host_ignore_child(struct host *h, pid_t pid)
{
	(void)h;
	(void)pid;
}

int host_read(struct host *h, int64_t now_ns, struct sample *out)
{
	char buf[128];
	ssize_t n = pread(h->statm_fd, buf, sizeof(buf) - 1, 0);
	unsigned long pages;

	(void)now_ns;
	if (n <= 0)
		return -ESRCH;
	buf[n] = '\0';
	if (sscanf(buf, "%*u %lu", &pages) != 1)
		return -ESRCH;
	out->procs = 1;
	out->v[CH_RSS] = (struct reading){pages * 4096, true};
	return 0;
}

void host_totals(const struct host *h, struct host_totals *out)
{
	(void)h;
	*out = (struct host_totals){.processes_seen = 1};
}
