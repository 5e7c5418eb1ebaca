/* SPDX-License-Identifier: MIT */
/* Which files the processes of a tree have as their standard output or standard error, and which part of them
 * this run has written. Knows descriptors, not lines. */
#include "epochs/log_search.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "epochs/log_tail.h"

enum {
	LOOK_MS = 500,  /* a log that COMMAND opens is read from its begin on: no line is missed */
	LOOK_PIDS = 32, /* two stat() of /proc for each */
};

void log_search_init(struct log_search *s, struct epoch_feed *feed)
{
	*s = (struct log_search){.feed = feed, .born_ns = clock_wall_ns()};
}

/* "pos:\t1024\nflags:\t0102001\n...": where the next byte goes, and how the file was opened. */
static bool parse_fdinfo(const char *text, int64_t *pos, int *flags)
{
	const char *at = strstr(text, "flags:\t");

	if (!at || strncmp(text, "pos:\t", 5) != 0)
		return false;
	*pos = strtoll(text + 5, NULL, 10);
	*flags = (int)strtol(at + strlen("flags:\t"), NULL, 8);
	return true;
}

static bool read_fdinfo(pid_t pid, int fd, int64_t *pos, int *flags)
{
	char path[PROC_PATH_MAX], text[256];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)pid, fd);
	n = proc_read_at(AT_FDCWD, path, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return parse_fdinfo(text, pos, flags);
}

/* Not known on every file system, and then the file is taken for an old one; so is one of the first 10 ms, as
 * files are dated by the last tick of the kernel's clock, which is never ahead. */
static bool is_of_this_run(const struct log_search *s, const char *path)
{
	struct statx sx;
	int64_t born_ns;

	if (statx(AT_FDCWD, path, 0, STATX_BTIME, &sx) != 0 || !(sx.stx_mask & STATX_BTIME))
		return false;
	born_ns = sx.stx_btime.tv_sec * NS_PER_S + sx.stx_btime.tv_nsec;
	return born_ns > s->born_ns;
}

/* Where this run's part begins. Opened by ">", everything before the next byte to be written has come from
 * there; opened by ">>", an earlier run may have written it, unless the file is new. */
static int64_t where_from(const struct log_search *s, const char *path, const struct stat *st, int64_t pos,
			  int flags)
{
	bool ours = flags & O_APPEND ? is_of_this_run(s, path) : pos >= st->st_size;

	return ours ? LOGTAIL_WITH_OLD : LOGTAIL_FROM_END;
}

static void look_at(struct log_search *s, pid_t pid, int fd)
{
	char path[PROC_PATH_MAX];
	struct stat st;
	int64_t pos, from;
	int flags;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	/* The size before the position: what is written between the two is then no reason for doubt. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || epoch_feed_knows(s->feed, &st))
		return;
	if (!read_fdinfo(pid, fd, &pos, &flags) || (flags & O_ACCMODE) == O_RDONLY)
		return;
	from = where_from(s, path, &st, pos, flags);
	if (from == LOGTAIL_FROM_END || st.st_size <= EPOCH_FEED_FOUND_BYTES)
		epoch_feed_follow_found(s->feed, path, from);
}

void log_search_look(struct log_search *s, const pid_t *pids, size_t count, int64_t elapsed_ms)
{
	size_t n = count < LOOK_PIDS ? count : LOOK_PIDS;

	if (elapsed_ms < s->due_ms || epochs_finished(epoch_feed_tracker(s->feed)) >= 0)
		return;
	s->due_ms = elapsed_ms + LOOK_MS;
	for (size_t i = 0; i < n; i++, s->turn++)
		for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
			look_at(s, pids[s->turn % count], fd);
}
