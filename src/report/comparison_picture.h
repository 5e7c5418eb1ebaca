/* SPDX-License-Identifier: MIT */
/* Comparisons as a picture: all runs in one chart, the sentence as its title. */
#ifndef REPORT_COMPARISON_PICTURE_H
#define REPORT_COMPARISON_PICTURE_H

#include "report/comparison.h"

/* The picture and the tables as one page. */
void comparison_html(FILE *out, const struct comparison_report *r);
void comparison_svg(FILE *out, const struct comparison_report *r);
/* 0 or -errno, as image_png(). */
int comparison_png(FILE *out, const struct comparison_report *r);
int comparison_pdf(FILE *out, const struct comparison_report *r);

#endif
