/* SPDX-License-Identifier: MIT */
/* The lines that close a run: what was watched, what it used, what watching it cost. */
#include "watch/summary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/msg.h"
#include "base/procfile.h"
#include "base/units.h"

void summary_add(struct summary *s, const struct sample *sample)
{
	struct reading rss = sample->v[CH_RSS];

	s->samples++;
	if (!rss.ok)
		return;
	if (!s->first_rss.ok)
		s->first_rss = rss;
	if (!s->peak_rss.ok || rss.bytes > s->peak_rss.bytes) {
		s->peak_rss = rss;
		s->peak_ms = sample->elapsed_ms;
		s->held = sample->v[CH_HELD];
		s->procs = sample->procs;
	}
	s->last_rss = rss;
}

enum { JUDGED_MAX = 128 };

/* The verdicts below speak of another figure where that is clearly less. */
static const char *judged_of_it(const struct summary *s, char text[JUDGED_MAX])
{
	char held[UNITS_TEXT_MAX];

	text[0] = '\0';
	if (s->held.ok && s->held.bytes < s->peak_rss.bytes - s->peak_rss.bytes / 10)
		snprintf(text, JUDGED_MAX, "; judged: %s of the peak, without mapped files%s",
			 units_bytes(held, s->held.bytes), s->procs > 1 ? ", shared pages counted once" : "");
	return text;
}

static void say_rss(const struct summary *s)
{
	char judged[JUDGED_MAX];
	char first[UNITS_TEXT_MAX], peak[UNITS_TEXT_MAX], last[UNITS_TEXT_MAX], at[UNITS_TEXT_MAX];

	if (!s->first_rss.ok) {
		say("  RSS: not read, the process ended too soon");
		return;
	}
	say("  RSS: first %s, peak %s at %s, last %s%s", units_bytes(first, s->first_rss.bytes),
	    units_bytes(peak, s->peak_rss.bytes), units_clock(at, s->peak_ms),
	    units_bytes(last, s->last_rss.bytes), judged_of_it(s, judged));
}

/* VmHWM and not getrusage: ru_maxrss keeps the peak of what the process was before it became memwatch. */
static uint64_t own_peak_bytes(void)
{
	char buf[PROC_CHUNK];
	ssize_t n = proc_read_at(AT_FDCWD, "/proc/self/status", buf, sizeof(buf) - 1);
	const char *line;

	buf[n > 0 ? n : 0] = '\0';
	line = strstr(buf, "VmHWM:");
	return line ? strtoull(line + strlen("VmHWM:"), NULL, 10) * KIB : 0;
}

static void say_cost(const struct summary *s, const struct summary_end *end)
{
	char interval[UNITS_TEXT_MAX], samples[UNITS_TEXT_MAX], missed[UNITS_TEXT_MAX], own[UNITS_TEXT_MAX];
	double cpu_s = (double)clock_cpu_ns() / 1e9;
	double share = 100 * cpu_s / ((double)end->duration_ns / 1e9 + cpu_s);

	say("  %s sample%s, one every %s, %s missed; memwatch itself: %.3f s CPU (%.2g %% of a core), %s",
	    units_count(samples, s->samples), s->samples == 1 ? "" : "s",
	    units_duration(interval, end->interval_ns), units_count(missed, end->missed), cpu_s, share,
	    units_bytes(own, own_peak_bytes()));
}

static void say_heap_cost(const struct summary_end *end)
{
	char count[UNITS_TEXT_MAX];

	if (end->heap_walks > 0)
		say("  of that, %.3f s for %s reading%s of the heaps", (double)end->heap_cpu_ns / 1e9,
		    units_count(count, end->heap_walks), end->heap_walks == 1 ? "" : "s");
}

static void say_stopped(const struct summary_end *end)
{
	char watched[UNITS_TEXT_MAX], all[UNITS_TEXT_MAX];

	if (end->stopped_by && end->duration_ns - end->stopped_ns > end->interval_ns)
		say("  watched for %s of %s only: %s", units_duration(watched, end->stopped_ns),
		    units_duration(all, end->duration_ns), end->stopped_by);
}

void summary_say(const struct summary *s, const struct summary_end *end)
{
	char duration[UNITS_TEXT_MAX], count[UNITS_TEXT_MAX];

	say("%smemwatch: %s%s (pid %d)%s: %s after %s, %s process%s", msg_paint(PAINT_BOLD), end->command,
	    msg_paint(PAINT_NONE), (int)end->pid, end->others, end->how,
	    units_duration(duration, end->duration_ns), units_count(count, end->processes_seen),
	    end->processes_seen == 1 ? "" : "es");
	say_stopped(end);
	if (end->unbuffered)
		say("  PYTHONUNBUFFERED=1 was set for it, so that its lines come in time (--unbuffered never "
		    "leaves it out)");
	say_rss(s);
	say_cost(s, end);
	say_heap_cost(end);
	if (end->kept && isatty(STDERR_FILENO))
		say("  kept for memwatch report and memwatch compare (--no-keep leaves that out)");
}
