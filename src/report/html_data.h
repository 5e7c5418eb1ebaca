/* SPDX-License-Identifier: MIT */
/* The figures behind a chart, for the page's script: what is under the pointer, and the curve when it is zoomed. */
#ifndef REPORT_HTML_DATA_H
#define REPORT_HTML_DATA_H

#include <stdio.h>

#include "draw/picture.h"

/* A script element that holds JSON: places of the frames, and the series in KiB, each number but the first as its
 * difference from the one before. detail: the share of all spans that is kept. */
void html_data(FILE *out, const struct picture_series *s, double detail);
/* When each epoch ended: once for the page. */
void html_data_epochs(FILE *out, const struct history *h);

#endif
