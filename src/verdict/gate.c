/* SPDX-License-Identifier: MIT */
/* Says of a run that is judged whether it passes. */
#include "verdict/gate.h"

#include "verdict/forecast.h"

static bool series_fails(const struct series_verdict *s, unsigned fail_on)
{
	bool at_limit = s->kind == SERIES_HOST && s->limit_bytes > 0 &&
			(double)s->v.peak_bytes >= FORECAST_TIGHT_SHARE * (double)s->limit_bytes;

	if ((fail_on & FAIL_ON_GROWTH) && s->v.shape == SHAPE_GROWTH)
		return true;
	if (!(fail_on & FAIL_ON_LIMIT))
		return false;
	if (s->end.outlook != OUTLOOK_UNKNOWN)
		return at_limit || s->end.outlook == OUTLOOK_EXCEEDS;
	return at_limit || forecast_soon_full(s);
}

bool gate_fails(const struct run_verdict *run, unsigned fail_on)
{
	if (run->ran_out && (fail_on & FAIL_ON_LIMIT))
		return true;
	for (int i = 0; i < run->n; i++)
		if (series_fails(&run->series[i], fail_on))
			return true;
	return false;
}
