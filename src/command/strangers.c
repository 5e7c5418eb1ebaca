/* SPDX-License-Identifier: MIT */
/* Reads the children files of /proc; where the kernel has none, nobody is known. */
#include "command/strangers.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/procfile.h"

static bool read_start(pid_t pid, uint64_t *out)
{
	char path[PROC_PATH_MAX], buf[PROC_CHUNK];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf));
	return n > 0 && proc_parse_start(buf, (size_t)n, out) == 0;
}

static bool is_still(const struct stranger *who)
{
	uint64_t start;

	return read_start(who->pid, &start) && start == who->start_ticks;
}

static struct stranger *find(struct strangers *s, pid_t pid)
{
	for (struct stranger *who = s->known; who < s->known + s->count; who++)
		if (who->pid == pid)
			return who;
	return NULL;
}

static void forget_the_gone(struct strangers *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++)
		if (is_still(&s->known[i]))
			s->known[kept++] = s->known[i];
	s->count = kept;
}

static void add(struct strangers *s, pid_t pid)
{
	struct stranger *who = find(s, pid);
	uint64_t start;

	if (!read_start(pid, &start))
		return;
	if (!who && s->count == STRANGERS_MAX)
		forget_the_gone(s);
	if (!who && s->count < STRANGERS_MAX)
		who = &s->known[s->count++];
	if (who)
		*who = (struct stranger){pid, start};
}

static void add_children(struct strangers *s, pid_t parent)
{
	char path[PROC_PATH_MAX], buf[PROC_CHUNK];
	const char *at = buf;
	pid_t pid;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent, (int)parent);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf));
	while (n > 0 && proc_next_pid(&at, buf + n, &pid))
		add(s, pid);
}

void strangers_note(struct strangers *s)
{
	s->count = 0;
	add_children(s, getpid());
	for (size_t i = 0; i < s->count; i++)
		add_children(s, s->known[i].pid);
}

bool strangers_own(struct strangers *s, pid_t pid)
{
	const struct stranger *who = find(s, pid);

	if (!who || !is_still(who))
		return false;
	add_children(s, pid);
	return true;
}
