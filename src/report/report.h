/* SPDX-License-Identifier: MIT */
/* A judged run as text and as JSON; what all forms of report are made from. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/charts.h"
#include "report/epoch_source.h"
#include "series/history.h"
#include "verdict/growth_place.h"
#include "verdict/judge.h"

struct gpu;
struct explanation;

/* What a report knows beside the verdicts. */
struct report_head {
	const char *command;                       /* live: what ran; NULL unknown */
	int64_t pid;                               /* -1 unknown */
	const struct growth_place_findings *where; /* live: who grows; NULL unknown */
	const struct epochs_found *from;           /* how epochs were found; NULL unknown */
	const struct epoch_fits *fits;             /* live: what each fit held; NULL unknown */
	const struct explanation *names;           /* live: --explain; NULL not asked for */
	const struct gpu *gpu;                     /* live: the devices behind the GPU series; NULL none */
	const char *gpu_numbers;       /* live: how CUDA numbers them, when otherwise; NULL or "" as here */
	const struct history *history; /* what the run looked like, for pictures; NULL unknown */
	enum symbols symbols;          /* what charts on a terminal are to be drawn in */
	const struct report_charts *charts; /* text: how they are drawn; NULL none */
	const char *tool;                   /* a log of this tool; NULL: memwatch's own CSV, or live */
	const char *title;                  /* text: name for the first line; NULL: no such line */
	const char *notes;                  /* live: lines below it, each with its line end; NULL none */
	const char
	    *heap_why; /* live: why what malloc keeps free is not known; NULL or "" it is, or was not asked */
	int64_t oom_kills; /* live: processes of the cgroup that the kernel killed; -1 unknown */
	bool over;         /* text: the run has ended; a recording is taken for one that has */
	const char *ended; /* live: "exit status 0", for that line; NULL unknown */
};

/* Does this text, the beginning of a file, come from report_text() or report_json()? */
bool report_text_wrote(const char *head);
bool report_json_wrote(const char *head);

/* One object and a line end. */
void report_json(FILE *out, const struct report_head *head, const struct run_verdict *run);
/* The object without its line end, as part of a larger document; file is the run's file name. */
struct json_out;
void report_json_run(struct json_out *j, const char *file, const struct report_head *head,
		     const struct run_verdict *run);

/* A paragraph per series, advice indented below it: once for all series of a kind that it applies to. */
void report_text(FILE *out, const struct report_head *head, const struct run_verdict *run);
/* Parts of it for other forms, each line with its line end; the caller frees them: what stands below the sentence of
 * series i, its advice left out, and the names of what grows unless wanted; what stands between the title and the first
 * series. */
char *report_text_notes(const struct report_head *head, const struct run_verdict *run, int i, bool names);
char *report_text_epochs(const struct report_head *head);

/* One line: title, verdict and reason of the worst series. */
void report_text_line(FILE *out, const char *title, const struct run_verdict *run, bool over);

#endif
