/* SPDX-License-Identifier: MIT */
/* Per epoch where epochs are known; else per minute, since seconds are short beside a training. */
#include "view/slope.h"

#include <stdio.h>

#include "base/units.h"

static const double minute_s = 60.0;

char *slope_words(char buf[SLOPE_WORDS_MAX], const struct verdict *v)
{
	char text[UNITS_TEXT_MAX];

	buf[0] = '\0';
	if (!v->slope_known || (v->shape != SHAPE_GROWTH && !v->rises && v->so_far != SO_FAR_RISING))
		return buf;
	if (v->per_epoch)
		snprintf(buf, SLOPE_WORDS_MAX, "%s per epoch",
			 units_bytes_signed(text, v->slope_bytes_per_epoch));
	else
		snprintf(buf, SLOPE_WORDS_MAX, "%s per minute",
			 units_bytes_signed(text, v->slope_bytes_per_s * minute_s));
	return buf;
}
