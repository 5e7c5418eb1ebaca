/* SPDX-License-Identifier: MIT */
/* Opens a recorded run and says in words why it cannot be one. Knows no verdicts. */
#include "record/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

struct replay {
	int fd;
	struct csv_reader *csv;
};

static int open_path(const char *path)
{
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
					: open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int replay_open(struct replay **out, const char *path, char why[CSV_WHY_MAX])
{
	struct replay *r = xcalloc(1, sizeof(*r));
	int err;

	*out = NULL;
	why[0] = '\0';
	r->fd = open_path(path);
	err = r->fd < 0 ? r->fd : csv_reader_new(&r->csv, r->fd, why);
	if (!err) {
		*out = r;
		return 0;
	}
	if (err == -ENODATA)
		snprintf(why, CSV_WHY_MAX, "empty file");
	else if (!why[0])
		snprintf(why, CSV_WHY_MAX, "%s", strerror(-err));
	replay_close(r);
	return err;
}

void replay_close(struct replay *r)
{
	if (!r)
		return;
	csv_reader_free(r->csv);
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}

const struct channel *replay_channels(const struct replay *r, int *n)
{
	return csv_reader_channels(r->csv, n);
}

int replay_next(struct replay *r, const struct sample **out)
{
	return csv_reader_next(r->csv, out);
}

const struct csv_reader_damage *replay_damage(const struct replay *r)
{
	return csv_reader_damage(r->csv);
}
