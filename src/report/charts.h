/* SPDX-License-Identifier: MIT */
/* The charts of a report in text: whether there are any, and how they fit where they are shown. */
#ifndef REPORT_CHARTS_H
#define REPORT_CHARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "draw/canvas.h"
#include "series/history.h"
#include "verdict/run_verdict.h"

struct report_charts {
	enum symbols symbols; /* SYMBOLS_NONE: no charts */
	int columns, rows;
	bool colours;
};

/* For what is written to this descriptor. SYMBOLS_AUTO: on a terminal, in what that can show; other symbols but none are
 * asked for and drawn wherever it goes. */
struct report_charts report_charts_for(int fd, enum symbols wanted);

/* The chart of run->series[i], if it is worth one: it has moved, and there is room for it (plot_chosen()). */
void report_chart(FILE *out, const struct report_charts *how, const struct history *h,
		  const struct run_verdict *run, int i);

#endif
