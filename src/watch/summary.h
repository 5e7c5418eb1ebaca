/* SPDX-License-Identifier: MIT */
/* The lines that close a run. Knows no verdicts. */
#ifndef WATCH_SUMMARY_H
#define WATCH_SUMMARY_H

#include <stdint.h>

#include "record/sample.h"

/* What the lines at the end of a run need; filled sample by sample. */
struct summary {
	uint64_t samples;
	struct reading first_rss, last_rss, peak_rss;
	int64_t peak_ms;     /* elapsed time of the peak */
	struct reading held; /* what is judged, at the peak */
	int64_t procs;       /* alive at the peak */
};

struct summary_end {
	const char *command;
	const char *others; /* ", NAME (pid N)" of further processes given; "" none */
	int64_t pid;
	int64_t duration_ns, interval_ns;
	uint64_t missed, processes_seen;
	const char *stopped_by; /* the option that ended the watching before the run; NULL none */
	int64_t stopped_ns;
	bool unbuffered;     /* PYTHONUNBUFFERED=1 was set without being asked for */
	uint64_t heap_walks; /* readings of the heaps, and the CPU time they took */
	int64_t heap_cpu_ns;
	bool kept;       /* for a later report */
	const char *how; /* "exit status 0", "killed by SIGKILL", "still running" */
};

void summary_add(struct summary *s, const struct sample *sample);

/* Says what was seen, on standard error. */
void summary_say(const struct summary *s, const struct summary_end *end);

#endif
