/* SPDX-License-Identifier: MIT */
/* Joins the command line's --epochs to the feed of lines and marks. Knows nothing of memory. */
#include "watch/epochs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/msg.h"
#include "base/procfile.h"
#include "base/status.h"
#include "command/python.h"

enum { POLL_MS = 1000, MISS_LINES_MS = 45000, MISS_LOG_MS = 60000 };

static int set_regex(struct watch_epochs *e, const char *regex)
{
	char why[128];

	if (!regex || epochs_set_regex(epoch_feed_tracker(e->feed), regex, why, sizeof(why)) == 0)
		return 0;
	warn("--epoch-regex: '%s': %s", regex, why);
	return STATUS_OWN_FAILURE;
}

/* Of a COMMAND that is yet to start nothing can be in it: what is there is an earlier run's. */
static int follow_log(struct watch_epochs *e, const char *path, bool attached)
{
	int err = path ? epoch_feed_follow_name(e->feed, path, attached) : 0;

	if (!err)
		return 0;
	warn("--epochs: cannot follow '%s': %s", path,
	     err == -ENOTSUP ? "not a regular file" : strerror(-err));
	return STATUS_OWN_FAILURE;
}

int watch_epochs_open(struct watch_epochs *e, const struct options *o, struct loop *loop)
{
	int status;

	*e = (struct watch_epochs){
	    .every_ms = o->epochs_every_ns / NS_PER_MS, .log = o->epochs_log, .regex = o->epoch_regex};
	if (o->epochs == EPOCHS_NONE || o->epochs == EPOCHS_EVERY)
		return 0;
	e->feed = epoch_feed_new(loop, clock_mono_ns());
	status = set_regex(e, o->epoch_regex);
	if (status == 0)
		status = follow_log(e, o->epochs_log, !o->argv);
	if (status == 0 && o->argv && epoch_feed_open_marks(e->feed, &e->marks_path) != 0)
		e->marks_path = NULL;
	return status;
}

void watch_epochs_outlived(struct watch_epochs *e)
{
	if (e->feed)
		epoch_feed_leave_marks(e->feed);
}

void watch_epochs_close(struct watch_epochs *e)
{
	epoch_feed_free(e->feed);
	*e = (struct watch_epochs){0};
}

static bool is_device(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && !isatty(fd);
}

const char *watch_epochs_blocks(const struct stat *st)
{
	return S_ISREG(st->st_mode)    ? "a file"
	       : S_ISFIFO(st->st_mode) ? "a pipe"
	       : S_ISSOCK(st->st_mode) ? "a socket"
				       : NULL;
}

void watch_epochs_follow_own(struct watch_epochs *e, const char *writes_to)
{
	if (!e->feed)
		return;
	e->writes_to = writes_to;
	e->discarded = is_device(STDOUT_FILENO);
	epoch_feed_follow_own(e->feed, STDOUT_FILENO);
	epoch_feed_follow_own(e->feed, STDERR_FILENO);
	e->seeks = true;
	log_search_init(&e->seek, e->feed);
}

void watch_epochs_seek(struct watch_epochs *e, const pid_t *pids, size_t count, int64_t elapsed_ms)
{
	if (e->seeks)
		log_search_look(&e->seek, pids, count, elapsed_ms);
}

static const char *blocks_of(pid_t pid)
{
	char path[PROC_PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, STDOUT_FILENO);
	return stat(path, &st) == 0 && !python_is_unbuffered(pid) ? watch_epochs_blocks(&st) : NULL;
}

void watch_epochs_follow_pid(struct watch_epochs *e, pid_t pid)
{
	bool first = !e->followed;

	if (!e->feed)
		return;
	e->followed = true;
	e->writes_to = e->writes_to ? e->writes_to : blocks_of(pid);
	e->unseen = epoch_feed_follow_pid(e->feed, pid) != 0 && (first || e->unseen);
}

void watch_epochs_bytes(struct watch_epochs *e, int stream, const char *bytes, size_t n, int64_t time_ns)
{
	if (e->feed)
		epoch_feed_bytes(e->feed, stream, bytes, n, time_ns);
}

void watch_epochs_mark(struct watch_epochs *e)
{
	if (e->feed)
		epochs_mark(epoch_feed_tracker(e->feed), -1, clock_mono_ns());
}

bool watch_epochs_from_lines(const struct watch_epochs *e)
{
	struct epochs_summary s = {0};

	if (e->feed)
		epochs_summarize(epoch_feed_tracker(e->feed), &s);
	return s.format && !s.marks;
}

void watch_epochs_finish(struct watch_epochs *e, bool clean)
{
	if (e->feed)
		epoch_feed_finish(e->feed, clean);
}

/* Imports come before the first line of a log; after them a wrong name is worth knowing while the run is young. */
static void miss_log(struct watch_epochs *e, int64_t elapsed_ms)
{
	if (!e->log || e->log_missed || elapsed_ms < MISS_LOG_MS || epoch_feed_name_seen(e->feed))
		return;
	e->log_missed = true;
	note("--epochs: '%s' has not appeared yet", e->log);
}

static void tell_given_up(struct watch_epochs *e)
{
	if (e->regex_told || !epochs_regex_given_up(epoch_feed_tracker(e->feed)))
		return;
	e->regex_told = true;
	warn("--epoch-regex: it takes too long on these lines; no more of them are matched");
}

/* While there is still time to begin anew: said once. */
static void miss_lines(struct watch_epochs *e, int64_t elapsed_ms)
{
	int seconds = MISS_LINES_MS / MS_PER_S;

	if (e->late_told || elapsed_ms < MISS_LINES_MS || epoch_feed_epoch(e->feed) >= 0)
		return;
	e->late_told = true;
	if (e->regex && epochs_regex_missed(epoch_feed_tracker(e->feed)))
		note("no line has matched --epoch-regex '%s' in %d s", e->regex, seconds);
	if (e->unseen)
		note("no epoch can be seen: the output goes to no file and cannot be read from outside; "
		     "--epochs log:FILE, or SIGUSR1 to memwatch at the end of each epoch, tells of them");
	else if (e->writes_to && e->followed)
		note("no epoch line in %d s: the process writes to %s and may hold lines back until a block "
		     "is "
		     "full; start it with python -u or PYTHONUNBUFFERED=1, or send memwatch SIGUSR1 at the "
		     "end of "
		     "each epoch",
		     seconds, e->writes_to);
	else if (e->writes_to)
		note("no epoch line in %d s: the command writes to %s and may hold lines back until a block "
		     "is "
		     "full; --unbuffered always (if Python is in it) or stdbuf -oL makes them come in time",
		     seconds, e->writes_to);
}

int64_t watch_epochs_now(struct watch_epochs *e, int64_t elapsed_ms)
{
	if (e->every_ms > 0)
		return elapsed_ms / e->every_ms;
	if (!e->feed)
		return -1;
	if (elapsed_ms - e->polled_ms >= POLL_MS) {
		epoch_feed_poll(e->feed);
		e->polled_ms = elapsed_ms;
		miss_log(e, elapsed_ms);
		tell_given_up(e);
		miss_lines(e, elapsed_ms);
	}
	return epoch_feed_epoch(e->feed);
}

int64_t watch_epochs_finished(const struct watch_epochs *e)
{
	return e->feed ? epochs_finished(epoch_feed_tracker(e->feed)) : -1;
}

int64_t watch_epochs_planned(const struct watch_epochs *e)
{
	return e->feed ? epochs_planned(epoch_feed_tracker(e->feed)) : -1;
}

void watch_epochs_level(struct watch_epochs *e, const struct sample *s, uint64_t held_bytes)
{
	if (e->feed && s->epoch >= 0)
		epoch_fits_push(&e->fits, epochs_fits(epoch_feed_tracker(e->feed)), s->epoch, s->elapsed_ms,
				held_bytes);
}

static void from_feed(struct watch_epochs *e, struct epochs_found *out)
{
	struct epochs_summary s;

	epochs_summarize(epoch_feed_tracker(e->feed), &s);
	out->no_log = e->log && !epoch_feed_name_seen(e->feed) ? e->log : NULL;
	out->no_match = epochs_regex_missed(epoch_feed_tracker(e->feed)) ? e->regex : NULL;
	out->unseen = e->unseen;
	out->discarded = e->discarded;
	if (s.found < 0)
		return;
	out->format = s.marks ? NULL : s.format;
	out->found = s.found;
	out->fits = s.fits;
	out->buffered = s.buffered;
	if (epoch_feed_epoch(e->feed) < 0)
		return;
	if (out->silent_s <= 0)
		out->way = s.marks ? WAY_MARKS : WAY_OUTPUT;
	out->timed = s.timed;
	out->mean_s = s.mean_s;
	out->spread = s.spread;
}

void watch_epochs_end_fits(struct watch_epochs *e)
{
	if (e->feed)
		epoch_fits_finish(&e->fits, epochs_finished(epoch_feed_tracker(e->feed)));
}

void watch_epochs_from(struct watch_epochs *e, const struct run_verdict *run, struct epochs_found *out)
{
	epoch_source_run(out, run, NULL);
	if (e->every_ms > 0) {
		out->way = WAY_EVERY;
		out->found = run->epochs;
		out->timed = run->epochs;
		out->mean_s = (double)e->every_ms / MS_PER_S;
	} else if (e->feed) {
		from_feed(e, out);
	}
}
