/* SPDX-License-Identifier: MIT */
/* What is known of a run beside its verdicts, as names and values: what ran, for how long, on what, at what cost. */
#ifndef REPORT_RUN_FACTS_H
#define REPORT_RUN_FACTS_H

#include "report/report.h"

typedef void run_fact_fn(void *to, const char *name, const char *value);

/* Calls put for each fact; the machine's and memwatch's own only of a run that was watched here. Values may hold
 * anything. */
void run_facts(const struct report_head *head, const struct run_verdict *run, run_fact_fn *put, void *to);

#endif
