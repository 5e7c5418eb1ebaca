/* SPDX-License-Identifier: MIT */
/* The rules of host_verdict.h, in their order. Judges no series itself. */
#include "verdict/host_verdict.h"

#include <math.h>
#include <stddef.h>

#define GROWTH_LEAST_BYTES 16384.0 /* per epoch: what histories and logs of a training take is less */

static bool grows(const struct verdict *v)
{
	return v->shape == SHAPE_GROWTH && v->slope_known && v->per_epoch &&
	       v->slope_bytes_per_epoch >= GROWTH_LEAST_BYTES;
}

/* A rise too small to matter has settled for this purpose. */
static bool is_small(const struct verdict *v)
{
	return v->slope_known && v->per_epoch && v->slope_high < GROWTH_LEAST_BYTES;
}

static bool has_settled(const struct verdict *v)
{
	return is_small(v) || (v->shape != SHAPE_UNDETERMINED && v->shape != SHAPE_GROWTH);
}

static bool settled_firmly(const struct verdict *v)
{
	return is_small(v) || (v->firm && has_settled(v));
}

static bool rises(const struct verdict *v)
{
	return v->shape == SHAPE_GROWTH || (v->shape == SHAPE_UNDETERMINED && v->rises);
}

/* Nearer to all of it than to none. A third or two thirds instead moves what "make score" counts by one run at most. */
#define MOST 0.5

/* Of what moves from the heap to outside of it, or back, one part grows and both together do not. */
static bool stays(const struct verdict *part, const struct verdict *kept)
{
	return !kept->slope_known || kept->slope_high >= MOST * part->slope_bytes_per_epoch;
}

static double width(const struct verdict *v)
{
	return v->slope_high - v->slope_low;
}

/* How it grows; how much there is stays that of all that is held. */
static void take_growth(struct verdict *v, const struct verdict *from)
{
	v->shape = SHAPE_GROWTH;
	v->firm = from->firm;
	v->weight = from->weight;
	v->basis = from->basis;
	v->slope_known = true;
	v->per_epoch = from->per_epoch;
	v->slope_bytes_per_epoch = from->slope_bytes_per_epoch;
	v->slope_bytes_per_s = from->slope_bytes_per_s;
	v->slope_low = from->slope_low;
	v->slope_high = from->slope_high;
	v->onset_ms = from->onset_ms;
	v->onset_epoch = from->onset_epoch;
	v->epochs_judged = from->epochs_judged;
	v->epochs_rising = from->epochs_rising;
	v->epochs_span = from->epochs_span;
	v->rises = false;
	v->more_epochs = 0;
	v->so_far = SO_FAR_UNKNOWN;
}

static void add_slope(struct verdict *v, const struct verdict *other)
{
	v->slope_bytes_per_epoch += other->slope_bytes_per_epoch;
	v->slope_bytes_per_s += other->slope_bytes_per_s;
	v->slope_low += other->slope_low;
	v->slope_high += other->slope_high;
}

/* The median of all rises between two readings bears single odd ones. Where the fit says otherwise, nobody knows better
 * than both bounds together, and as far beyond the median as it lies from the fit. */
static void take_median_slope(struct verdict *v, double slope)
{
	if (slope <= 0)
		return;
	v->slope_low = fmin(v->slope_low, 2 * slope - v->slope_low);
	v->slope_high = fmax(v->slope_high, 2 * slope - v->slope_high);
	v->slope_bytes_per_s *= slope / v->slope_bytes_per_epoch;
	v->slope_bytes_per_epoch = slope;
}

/* Beside a part that grows for certain, one that only rises counts as well. */
static double rate_of_parts(const struct heap_evidence *h, const struct verdict *used,
			    const struct verdict *outside)
{
	if ((!used && rises(&h->used)) || (!outside && rises(&h->outside)))
		return h->rate.kept;
	return (used ? h->rate.used : 0) + (outside ? h->rate.outside : 0);
}

/* used and outside: NULL where that part does not grow. Both together are taken where their bounds are narrower. */
static void take_kept(const struct heap_evidence *h, const struct verdict *used,
		      const struct verdict *outside, const struct verdict *kept, struct verdict *out)
{
	bool more = !used || (outside && outside->slope_bytes_per_epoch > used->slope_bytes_per_epoch);

	if (kept && ((!used && !outside) || width(kept) < width(more ? outside : used))) {
		take_growth(out, kept);
		take_median_slope(out, h->rate.kept);
		return;
	}
	take_growth(out, more ? outside : used);
	if (used && outside)
		add_slope(out, more ? used : outside);
	take_median_slope(out, rate_of_parts(h, used, outside));
}

static bool is_firm_growth(const struct verdict *v)
{
	return v->shape == SHAPE_GROWTH && v->firm;
}

/* The first rule, with parts that grow for certain, else with those that do so far. */
static bool kept_grows(const struct heap_evidence *h, bool firm, struct verdict *out)
{
	const struct verdict *u = &h->used, *o = &h->outside, *k = &h->kept;

	u = grows(u) && u->firm >= firm && stays(u, k) ? u : NULL;
	o = grows(o) && o->firm >= firm && stays(o, k) ? o : NULL;
	k = grows(k) && k->firm >= firm ? k : NULL;
	if (!u && !o && !k)
		return false;
	take_kept(h, u, o, k, out);
	return true;
}

/* What rises must be seen to be free, by readings that would tell if the program kept it. */
static bool is_freed(const struct heap_evidence *h, const struct verdict *held)
{
	const struct heap_split *s = &h->split;

	if (!is_small(&h->kept) && stays(held, &h->kept))
		return false;
	return ((has_settled(&h->used) && has_settled(&h->outside)) || has_settled(&h->kept)) &&
	       s->slope_known && s->kept_slope < s->unused.slope / 3;
}

static void settle(struct verdict *v, bool firm)
{
	v->shape = SHAPE_WARMUP;
	v->firm = firm;
	v->rises = false;
	v->so_far = SO_FAR_UNKNOWN;
}

/* What is held rises, and by far less of it is kept: that much may go on. */
static void take_rise(struct verdict *v, const struct verdict *kept)
{
	take_growth(v, kept);
	v->shape = SHAPE_UNDETERMINED;
	v->firm = false;
	v->rises = true;
	v->more_epochs = kept->more_epochs;
}

static bool is_mostly_kept(const struct heap_split *split, const struct verdict *held)
{
	return split->slope_known && held->per_epoch &&
	       split->kept_slope >= MOST * held->slope_bytes_per_epoch;
}

/* Growth of all that is held, while no part is seen to grow by itself. */
static void take_whole(const struct heap_evidence *h, struct verdict *v, struct heap_split *split)
{
	if (!split->slope_known || !v->per_epoch)
		return;
	if (is_mostly_kept(split, v)) {
		split->kept = true;
		take_median_slope(v, split->kept_slope);
	} else if (h->dense && !stays(v, &h->kept)) {
		take_rise(v, &h->kept);
	} else if (h->dense) {
		v->firm = false;
	}
}

void host_verdict(const struct host_evidence *e, struct verdict *out, struct heap_split *split)
{
	const struct heap_evidence *h = &e->heap;

	*out = e->held;
	*split = h->split;
	split->kept = split->known && (kept_grows(h, true, out) || kept_grows(h, false, out));
	if (split->kept) {
		out->firm = out->firm || (is_firm_growth(&e->held) && is_mostly_kept(split, &e->held));
		return;
	}
	if (split->known && rises(&e->held) && is_freed(h, &e->held)) {
		split->freed = true;
		settle(out,
		       settled_firmly(&h->kept) || (settled_firmly(&h->used) && settled_firmly(&h->outside)));
	} else if (e->unshared) {
		settle(out, false);
	} else if (split->known && e->held.shape == SHAPE_GROWTH) {
		take_whole(h, out, split);
	}
}
