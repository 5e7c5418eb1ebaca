/* SPDX-License-Identifier: MIT */
/* Room until the limit over the slope. What the slope is, is the detector's business. */
#include "verdict/forecast.h"

#include "base/clock.h"

/* The level before tear-down: what the run had when it last trained. */
static const struct run_level *level_before_end(const struct run_track *t, const struct verdict *v)
{
	bool by_epochs = v->basis == BASIS_EPOCHS && v->so_far == SO_FAR_UNKNOWN;
	const struct run_level *from =
	    by_epochs ? &t->mark : &t->recent[t->recent[1].bytes > t->recent[0].bytes];

	return from->bytes > t->last.bytes ? from : &t->last;
}

static void find_room(const struct run_track *t, uint64_t given_limit, struct series_verdict *s)
{
	bool host = t->kind == SERIES_HOST, given = host && given_limit > 0;
	const struct run_level *from = level_before_end(t, &s->v);

	s->limit_bytes = given ? given_limit : t->limit.ok ? t->limit.bytes : 0;
	s->room_bytes = s->limit_bytes > from->bytes ? s->limit_bytes - from->bytes : 0;
	if (host && !given && from->available.ok &&
	    (s->limit_bytes == 0 || from->available.bytes < s->room_bytes)) {
		s->room_bytes = from->available.bytes;
		s->machine_full = true;
	}
}

/* Growth, or what may be called so when more epochs are known. */
static bool rises(const struct series_verdict *s)
{
	return s->v.shape == SHAPE_GROWTH || s->v.so_far == SO_FAR_RISING;
}

/* Bytes per epoch that the program frees and its allocator keeps, beside what the program keeps: they fill the memory as well. */
static double kept_free(const struct series_verdict *s)
{
	const struct heap_split *h = &s->heap;

	return s->v.per_epoch && h->kept && h->slope_known && h->unused.slope > 0 ? h->unused.slope : 0;
}

/* By how much faster the memory fills than the growth that is told. */
static double filling_times(const struct series_verdict *s)
{
	double told = s->v.slope_bytes_per_epoch;

	return told > 0 ? (told + kept_free(s)) / told : 1;
}

void forecast(const struct run_track *t, uint64_t given_limit, int64_t now_ms, struct series_verdict *s)
{
	find_room(t, given_limit, s);
	s->full_in_s = s->full_in_epochs = s->full_in_fits = -1;
	if (!rises(s) || !s->v.slope_known || s->v.slope_bytes_per_s <= 0)
		return;
	if (s->limit_bytes == 0 && !s->machine_full)
		return;
	s->full_in_s = (double)s->room_bytes / (s->v.slope_bytes_per_s * filling_times(s));
	s->risen_s = (double)(now_ms - s->v.onset_ms) / MS_PER_S;
	if (s->v.per_epoch && s->v.slope_bytes_per_epoch > 0)
		s->full_in_epochs = (double)s->room_bytes / (s->v.slope_bytes_per_epoch + kept_free(s));
	if (s->fits.bytes > 0)
		s->full_in_fits = (double)s->room_bytes / s->fits.bytes;
}

const char *forecast_outlook_name(enum outlook outlook)
{
	static const char *const names[] = {[OUTLOOK_UNKNOWN] = "unknown",
					    [OUTLOOK_FITS] = "fits",
					    [OUTLOOK_TIGHT] = "tight",
					    [OUTLOOK_EXCEEDS] = "exceeds"};

	return names[outlook];
}

static enum outlook outlook_of(const struct planned_end *e, double top)
{
	if (e->bytes > top)
		return OUTLOOK_EXCEEDS;
	return e->high > FORECAST_TIGHT_SHARE * top ? OUTLOOK_TIGHT : OUTLOOK_FITS;
}

/* What rises goes on as it does; what has settled stays. What the allocator keeps free may go on rising, or be used again. */
static void levels_at_end(const struct series_verdict *s, double now, double left, struct planned_end *e)
{
	const struct verdict *v = &s->v;
	bool rising = v->shape == SHAPE_GROWTH || v->rises;

	e->known = true;
	e->bytes = now + (rising ? v->slope_bytes_per_epoch * left : 0);
	e->low = rising ? now + (v->slope_low > 0 ? v->slope_low * left : 0) : now - v->spread_bytes;
	e->high = rising ? now + (v->slope_high + kept_free(s)) * left : now + v->spread_bytes;
}

void forecast_end(const struct run_track *t, int64_t planned, int64_t finished, struct series_verdict *s)
{
	const struct verdict *v = &s->v;
	int64_t done = finished > v->epochs ? finished : v->epochs;
	double now = (double)level_before_end(t, v)->bytes;

	s->end = (struct planned_end){.epochs = planned};
	if (planned < 0 || v->epochs < 0 || planned < done || v->silent_ms > 0 || s->fits.bytes > 0)
		return;
	if (!v->slope_known || !v->per_epoch || (v->shape == SHAPE_UNDETERMINED && !v->rises))
		return;
	s->end.left = planned - done;
	levels_at_end(s, now, (double)s->end.left, &s->end);
	if (s->limit_bytes > 0 || s->machine_full)
		s->end.outlook = outlook_of(&s->end, now + (double)s->room_bytes);
}

bool forecast_above_limit(const struct series_verdict *s)
{
	return s->kind == SERIES_HOST && s->limit_bytes > 0 && s->v.peak_bytes > s->limit_bytes;
}

bool forecast_far_from_full(const struct series_verdict *s)
{
	enum { TIMES = 20 }; /* as the manual says */

	return s->risen_s > 0 && s->full_in_s > TIMES * s->risen_s;
}

/* As the manual promises for --fail-on limit: somebody who looks now and then still has the time to save the run. */
enum { SOON_S = 3600, SOON_EPOCHS = 10 };

/* A small leak of a quick loop fills any machine within an hour, at a pace known from five epochs. */
bool forecast_soon_full(const struct series_verdict *s)
{
	if (!rises(s) || forecast_far_from_full(s))
		return false;
	if (s->v.shape != SHAPE_GROWTH && s->risen_s < s->full_in_s)
		return false; /* no verdict: the half of the way that is seen must be the longer one */
	return (s->full_in_s >= 0 && s->full_in_s < SOON_S) ||
	       (s->full_in_epochs >= 0 && s->full_in_epochs < SOON_EPOCHS);
}

bool forecast_nearly_full(const struct series_verdict *s)
{
	return forecast_soon_full(s) && (s->full_in_s <= s->risen_s || s->room_bytes <= s->limit_bytes / 10);
}
