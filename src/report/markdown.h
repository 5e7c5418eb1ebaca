/* SPDX-License-Identifier: MIT */
/* A judged run as Markdown, to be pasted into an issue. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "report/report.h"

void report_markdown(FILE *out, const struct report_head *head, const struct run_verdict *run);
bool report_markdown_wrote(const char *head);

/* Text that may hold anything, as Markdown shows it: nothing in it is markup, a reference or a table's edge. */
void markdown_escape(FILE *out, const char *text);

#endif
