/* SPDX-License-Identifier: MIT */
/* What grows by name, as part of a report. */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include "report/report.h"

struct json_out;

/* Indented lines below those of a series: a name in each; what else is to be said of them, and what asking took. */
void report_names_text(FILE *out, const struct report_head *head, const struct series_verdict *s);
void report_names_rest(FILE *out, const struct report_head *head, const struct run_verdict *run,
		       const struct series_verdict *s);
/* What asking took, or why nobody was asked; for a run that has no series. */
void report_names_effort(FILE *out, const struct report_head *head);
/* "names" of a series, left out without --explain. */
void report_names_json(struct json_out *j, const struct report_head *head, const struct series_verdict *s);
/* "explain" of the run: what asking took, types, the frameworks' counters; likewise. */
void report_explain_json(struct json_out *j, const struct report_head *head);

#endif
