/* SPDX-License-Identifier: MIT */
/* A kept run is one of this process if its name has the number and it began after the process did. */
#include "watch/earlier.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/procfile.h"
#include "base/xalloc.h"
#include "record/kept.h"
#include "record/recording.h"

enum { SPANS = 512 };

struct search {
	pid_t pid;
	int64_t now_s;
	int answer_fd;
};

/* When the process began, in seconds since 1970; 0 unknown. Rounded once, at the end: a run that was kept since the same
 * second is one of it. */
static int64_t born_s(pid_t pid)
{
	char path[PROC_PATH_MAX], buf[PROC_CHUNK];
	struct timespec boot;
	int64_t booted_ns;
	uint64_t ticks;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	n = proc_read_at(AT_FDCWD, path, buf, sizeof(buf));
	if (n <= 0 || proc_parse_start(buf, (size_t)n, &ticks) != 0 ||
	    clock_gettime(CLOCK_BOOTTIME, &boot) != 0)
		return 0;
	booted_ns = clock_wall_ns() - (int64_t)boot.tv_sec * NS_PER_S - boot.tv_nsec;
	return (booted_ns + (int64_t)ticks * (NS_PER_S / sysconf(_SC_CLK_TCK))) / NS_PER_S;
}

static void add_row(struct earlier *e, const struct sample *s, int64_t *last_ms)
{
	struct sample row;

	if (s->wall_ms < 0 || s->wall_ms <= *last_ms)
		return;
	if (e->began_ms == 0)
		e->began_ms = s->wall_ms;
	*last_ms = s->wall_ms;
	row = *s;
	row.elapsed_ms = s->wall_ms - e->began_ms;
	history_push(e->history, &row, s->v[CH_HELD].ok ? s->v[CH_HELD] : s->v[CH_RSS]);
}

static void add_run(struct earlier *e, const char *path, int64_t *last_ms)
{
	struct log_request how = {0};
	const struct channel *channels;
	const struct sample *s;
	char why[CSV_WHY_MAX];
	struct recording *r;
	int n;

	if (recording_open(&r, path, &how, why) != 0)
		return;
	channels = recording_channels(r, &n);
	history_channels(e->history, channels, n);
	while (recording_next(r, &s) == 1)
		add_row(e, s, last_ms);
	recording_close(r);
}

static void read_runs(struct earlier *e, const struct search *q)
{
	char *folder = kept_folder(getenv), *paths[KEPT_RUNS];
	int64_t last_ms = 0;
	size_t n = folder ? kept_of_process(folder, q->pid, born_s(q->pid), q->now_s, paths) : 0;

	e->history = history_new(SPANS);
	for (size_t i = 0; i < n; i++) {
		add_run(e, paths[i], &last_ms);
		free(paths[i]);
	}
	free(folder);
	if (e->history->times.n == 0) {
		history_free(e->history);
		e->history = NULL;
	}
}

static void *search(void *arg)
{
	struct search *q = arg;
	struct earlier e = {0};

	read_runs(&e, q);
	if (write(q->answer_fd, &e, sizeof(e)) != (ssize_t)sizeof(e))
		history_free(e.history);
	close(q->answer_fd);
	free(q);
	return NULL;
}

int earlier_start(pid_t pid)
{
	struct search *q;
	pthread_t thread;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	q = xcalloc(1, sizeof(*q));
	*q = (struct search){pid, clock_wall_ns() / NS_PER_S, ends[1]};
	if (pthread_create(&thread, NULL, search, q) == 0) {
		pthread_detach(thread);
		return ends[0];
	}
	close(ends[0]);
	close(ends[1]);
	free(q);
	return -1;
}

struct earlier earlier_take(int fd)
{
	struct earlier e;

	return read(fd, &e, sizeof(e)) == (ssize_t)sizeof(e) ? e : (struct earlier){0};
}
