/* SPDX-License-Identifier: MIT */
/* A judged run as a picture. */
#ifndef REPORT_PICTURE_H
#define REPORT_PICTURE_H

#include "report/report.h"

void report_svg(FILE *out, const struct report_head *head, const struct run_verdict *run);
/* 0 or -errno, as image_png(). */
int report_png(FILE *out, const struct report_head *head, const struct run_verdict *run);
int report_pdf(FILE *out, const struct report_head *head, const struct run_verdict *run);

/* The worst verdict of the run in a word; "no samples". */
const char *report_verdict(const struct run_verdict *run);
/* "python fit.py (pid 1234): 64 s, 120 epochs, 642 samples; exit status 0"; the caller frees it. */
char *report_facts(const struct report_head *head, const struct run_verdict *run);

#endif
