/* SPDX-License-Identifier: MIT */
/* A judged run as one HTML page that needs nothing else: no network, no other file, no script to be read. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/report.h"

/* At most 300 KB, whatever the run was. */
void report_html(FILE *out, const struct report_head *head, const struct run_verdict *run);
bool report_html_wrote(const char *head);

/* The beginning of such a page, up to its body. */
void html_open(FILE *out, const char *title);

/* page.css and page.js beside this file, as text. */
extern const char html_css[], html_js[];

#endif
