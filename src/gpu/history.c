/* SPDX-License-Identifier: MIT */
/* Remembers who of the tree held GPU memory, for the question who still does after it ended. Knows /proc, no
 * drivers. */
#include "gpu/history.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/procfile.h"
#include "base/xalloc.h"

/* The name may hold anything but ends at the last ')'. */
static bool read_stat(pid_t pid, const char *proc_root, uint64_t *start_ticks, char name[PROC_NAME_MAX])
{
	char path[256], line[1024];
	const char *open, *close;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%d/stat", proc_root, (int)pid);
	n = proc_read_at(AT_FDCWD, path, line, sizeof(line));
	if (n <= 0 || proc_parse_start(line, (size_t)n, start_ticks) != 0)
		return false;
	open = memchr(line, '(', (size_t)n);
	close = memrchr(line, ')', (size_t)n);
	if (!open || close < open)
		return false;
	snprintf(name, PROC_NAME_MAX, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

static size_t position(const struct gpu_history *h, pid_t pid)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (h->seen[mid].pid < pid)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void insert(struct gpu_history *h, size_t at, pid_t pid, const char *proc_root)
{
	struct gpu_seen seen = {.pid = pid};
	char name[PROC_NAME_MAX];

	if (h->n == GPU_HISTORY_MAX)
		return;
	if (h->n == h->cap) {
		h->cap = h->cap ? 2 * h->cap : 16;
		h->seen = xrealloc(h->seen, h->cap, sizeof(h->seen[0]));
	}
	if (!read_stat(pid, proc_root, &seen.start_ticks, name))
		seen.start_ticks = 0;
	memmove(&h->seen[at + 1], &h->seen[at], (h->n - at) * sizeof(h->seen[0]));
	h->seen[at] = seen;
	h->n++;
}

void gpu_history_add(struct gpu_history *h, const struct gpu_rows *rows, const char *proc_root)
{
	for (size_t i = 0; i < rows->n; i++) {
		pid_t pid = rows->row[i].pid;
		size_t at = position(h, pid);

		if (at == h->n || h->seen[at].pid != pid)
			insert(h, at, pid, proc_root);
	}
}

void gpu_history_free(struct gpu_history *h)
{
	free(h->seen);
	memset(h, 0, sizeof(*h));
}

enum gpu_now gpu_history_now(const struct gpu_history *h, pid_t pid, const char *proc_root, char *name)
{
	size_t at = position(h, pid);
	uint64_t start_ticks;

	name[0] = '\0';
	if (!read_stat(pid, proc_root, &start_ticks, name))
		return GPU_NOW_GONE;
	if (at < h->n && h->seen[at].pid == pid && h->seen[at].start_ticks &&
	    h->seen[at].start_ticks != start_ticks)
		return GPU_NOW_ANOTHER;
	return GPU_NOW_ALIVE;
}
