/* SPDX-License-Identifier: MIT */
/* What a row of the view says of each series, one behind the other. */
#include "view/title.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "view/slope.h"

enum { SERIES_NAMED = 3 }; /* a title is short: the rest is in the report */

static void add(char *buf, const char *text)
{
	size_t at = strlen(buf);

	snprintf(buf + at, TERMINAL_TITLE_MAX - at, "%s", text);
}

static void add_series(char *buf, const struct view_series *s, bool first)
{
	char slope[SLOPE_WORDS_MAX], value[UNITS_TEXT_MAX];

	add(buf, first ? "" : ", ");
	if (s->verdict.kind != SERIES_HOST) {
		add(buf, s->verdict.name);
		add(buf, " ");
	}
	add(buf, s->now.ok ? units_bytes(value, s->now.bytes) : "-");
	add(buf, " ");
	add(buf, detector_shape_name(s->verdict.v.shape));
	if (slope_words(slope, &s->verdict.v)[0]) {
		add(buf, " ");
		add(buf, slope);
	}
}

char *view_title(char buf[TERMINAL_TITLE_MAX], const struct view_model *m)
{
	buf[0] = '\0';
	for (int i = 0; i < m->n_series && i < SERIES_NAMED; i++)
		add_series(buf, &m->series[i], i == 0);
	if (m->n_series > 0)
		add(buf, ": ");
	add(buf, m->command);
	return buf;
}
