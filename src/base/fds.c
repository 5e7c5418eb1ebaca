/* SPDX-License-Identifier: MIT */
/* Descriptors as bare numbers; knows nothing of what they stand for. */
#include "base/fds.h"

#include <stdlib.h>
#include <unistd.h>

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void fds_keep_only(int *fds, size_t count)
{
	unsigned next = 0;

	qsort(fds, count, sizeof(*fds), by_number);
	for (size_t i = 0; i < count; i++) {
		if (fds[i] < 0)
			continue;
		if ((unsigned)fds[i] > next)
			close_range(next, (unsigned)fds[i] - 1, 0);
		next = (unsigned)fds[i] + 1;
	}
	close_range(next, ~0U, 0);
}

void fds_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}
