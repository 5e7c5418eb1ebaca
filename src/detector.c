/* SPDX-License-Identifier: MIT */
/* A series -> a verdict. Floors and medians of the windows are judged at several scales; growth must stand up
 * to what the others say. Pure: no clock, no I/O, no allocation. */
#include "detector.h"

#include <math.h>
#include <string.h>

#include "detector_parts.h"

const char *detector_shape_name(enum shape shape)
{
	static const char *const names[] = {
	    [SHAPE_UNDETERMINED] = "undetermined",
	    [SHAPE_FLAT] = "flat",
	    [SHAPE_RESERVATION] = "reservation",
	    [SHAPE_WARMUP] = "warmup",
	    [SHAPE_CYCLIC] = "cyclic",
	    [SHAPE_RELEASE] = "release",
	    [SHAPE_GROWTH] = "growth",
	};
	return names[shape];
}

static void fill_slope(const struct view *v, const struct trend *p, struct verdict *out)
{
	int n = v->n - v->first;
	const double *y = (p->floor ? v->lo : v->med) + v->first;
	double d[STATS_MAX];
	stats_diff(y, n, d);
	double mid = stats_median(d, n - 1);
	for (int i = 0; i < n - 1; i++)
		d[i] = fabs(d[i] - mid);
	double step = stats_quantile(d, n - 1, 0.8);
	double span = fmax(1e-9, v->x[v->n - 1] - v->x[v->first]);
	double a = 1.15 * stats_t975(p->dof) * p->se, b = 0.004 * p->slope,
	       c = 0.8 * (step + v->quantum) / span;
	double h = sqrt(a * a + b * b + c * c), per_s = v->seconds_per_x > 0 ? 1 / v->seconds_per_x : 0;
	out->slope_known = true;
	out->per_epoch = v->basis == BASIS_EPOCHS;
	out->slope_bytes_per_epoch = out->per_epoch ? p->slope : 0;
	out->slope_bytes_per_s = p->slope * per_s;
	out->slope_low = (p->slope - h) * (out->per_epoch ? 1 : per_s);
	out->slope_high = (p->slope + h) * (out->per_epoch ? 1 : per_s);
}

void detector_judge(const struct series *s, struct verdict *out)
{
	struct series whole = *s;
	struct view v, fine;
	struct growth g;
	memset(out, 0, sizeof(*out));
	out->jump_ms = out->jump_epoch = out->onset_ms = out->onset_epoch = out->epochs = -1;
	out->first_bytes = s->opening[0];
	out->last_bytes = s->last_bytes;
	out->peak_bytes = s->peak_bytes;
	if (s->rows < 6)
		return;
	series_settle(&whole);
	view_build(&whole, false, &v);
	view_build(&whole, true, &fine);
	out->basis = v.basis;
	out->epochs = v.epochs;
	growth_judge(&v, &fine, &g);
	if (g.known)
		fill_slope(g.fine ? &fine : &v, &g.pick, out);
	out->shape = g.growth ? SHAPE_GROWTH : classes_judge(&fine);
	out->firm = g.growth ? g.firm : out->shape != SHAPE_UNDETERMINED;
}
