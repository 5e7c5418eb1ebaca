/* SPDX-License-Identifier: MIT */
/* The sentences. One function per verdict; each says what was seen, since when, how exactly it is known and,
 * when nothing was found, how small a growth could still hide. Knows nothing of where the text goes. */
#include "verdict/sentences.h"

#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/units.h"
#include "verdict/forecast.h"
#include "verdict/sentence_device.h"
#include "verdict/sentence_outlook.h"
#include "verdict/sentence_parts.h"

#define HEAP_WORTH_BYTES 16384.0              /* per epoch, to be worth a word */
#define HEAP_SPLIT_BYTES (UINT64_C(16) << 20) /* free in the heap, likewise */

/* The span of time in which a slope without epochs is easy to picture. */
static const char *rate_span(double per_s, double *factor)
{
	*factor = fabs(per_s) >= 0x1p20 ? 1 : fabs(per_s) * 60 >= 0x1p20 ? 60 : 3600;
	return *factor == 1 ? "second" : *factor == 60 ? "minute" : "hour";
}

/* A bound in the unit of the value it belongs to: 7.81 beside 8.00 MiB. */
static void add_bound(struct text *t, double bound, double value)
{
	int decimals = 0;

	while (fabs(value) >= 1023.5) {
		value /= 1024;
		bound /= 1024;
		decimals = fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;
	}
	text_add(t, "%.*f", decimals, bound);
}

/* "+8.00 MiB per epoch (7.81 to 8.20)" */
static void add_slope(struct text *t, const struct verdict *v)
{
	char b[UNITS_TEXT_MAX];
	double factor = 1, slope = v->slope_bytes_per_epoch;
	const char *span = "epoch";

	if (!v->per_epoch) {
		span = rate_span(v->slope_bytes_per_s, &factor);
		slope = v->slope_bytes_per_s * factor;
	}
	text_add(t, "%s per %s (", units_bytes_signed(b, slope), span);
	add_bound(t, v->slope_low * factor, slope);
	text_add(t, " to ");
	add_bound(t, v->slope_high * factor, slope);
	text_add(t, ")");
}

/* "8.0 s (epoch 1)": a moment and the epoch that ran then, counted from 1. */
static void add_moment(struct text *t, int64_t ms, int64_t epoch)
{
	char b[UNITS_TEXT_MAX];

	text_add(t, "%s", units_clock(b, ms));
	if (epoch >= 0)
		text_add(t, " (epoch %" PRId64 ")", epoch);
}

/* "11 epochs within ±3.1 MiB" since the onset of the plateau. */
static void add_steadiness(struct text *t, const struct verdict *v)
{
	if (v->epochs >= 0 && v->onset_epoch > 0 && v->epochs >= v->onset_epoch) {
		text_add(t, ": ");
		text_epochs(t, v->epochs - v->onset_epoch + 1);
		text_add(t, " within ±");
	} else {
		text_add(t, ", within ±");
	}
	text_bytes(t, v->spread_bytes);
}

/* How small a growth would have been seen. */
static void add_blind_spot(struct text *t, const struct verdict *v)
{
	char b[UNITS_TEXT_MAX];
	double factor = 1;
	const char *span = "epoch";

	if (v->detectable_bytes <= 0)
		return;
	if (!v->per_epoch)
		span = rate_span(v->detectable_bytes, &factor);
	text_add(t, " Growth above %s per %s would have shown.",
		 units_bytes(b, (uint64_t)llround(v->detectable_bytes * factor)), span);
}

static void say_flat(struct text *t, const struct verdict *v)
{
	text_bytes(t, (double)v->plateau_bytes);
	if (v->epochs >= 0 && v->onset_epoch > 0 && v->epochs >= v->onset_epoch) {
		text_add(t, ", the last ");
		text_epochs(t, v->epochs - v->onset_epoch + 1);
	}
	text_add(t, " within ±");
	text_bytes(t, v->spread_bytes);
	text_add(t, ".");
	add_blind_spot(t, v);
}

static void say_reservation(struct text *t, const struct verdict *v)
{
	char b[UNITS_TEXT_MAX], until[UNITS_TEXT_MAX];

	if (v->jump_bytes > 0 && v->jump_ms >= 0 && v->jump_ms < v->setup_ms) {
		text_add(t, "%s while the program started, until %s", units_bytes_signed(b, v->jump_bytes),
			 units_clock(until, v->setup_ms));
	} else if (v->jump_bytes > 0 && v->jump_ms >= 0) {
		if (v->jumps > 1)
			text_add(t, "%s in %d jumps, the largest ", units_bytes_signed(b, v->jumps_bytes),
				 v->jumps);
		text_add(t, "%s at ", units_bytes_signed(b, v->jump_bytes));
		add_moment(t, v->jump_ms, v->jump_epoch);
	} else {
		text_bytes(t, (double)v->plateau_bytes);
		text_add(t, " taken");
		if (v->onset_ms >= 0) {
			text_add(t, " by ");
			add_moment(t, v->onset_ms, v->onset_epoch);
		}
	}
	text_add(t, ", flat since");
	if (v->jump_ms >= 0 && v->jump_epoch >= 0 && v->onset_epoch > v->jump_epoch + 1)
		text_add(t, " epoch %" PRId64, v->onset_epoch);
	add_steadiness(t, v);
	text_add(t, ".");
	add_blind_spot(t, v);
}

static void say_warmup(struct text *t, const struct verdict *v)
{
	text_add(t, "Rose to ");
	text_bytes(t, (double)v->plateau_bytes);
	if (v->onset_ms >= 0) {
		text_add(t, " by ");
		add_moment(t, v->onset_ms, v->onset_epoch);
	}
	text_add(t, ", settled since");
	add_steadiness(t, v);
	text_add(t, ".");
	add_blind_spot(t, v);
}

static void say_cyclic(struct text *t, const struct verdict *v)
{
	text_add(t, "Up and down by ");
	text_bytes(t, v->swing_bytes);
	text_add(t,
		 2 * v->spread_bytes < v->swing_bytes ? ", and the floor stays" : "; the floor has no trend");
	add_steadiness(t, v);
	text_add(t, ".");
	add_blind_spot(t, v);
}

static void say_release(struct text *t, const struct verdict *v)
{
	text_bytes(t, v->released_bytes);
	text_add(t, " given back");
	if (v->onset_ms >= 0) {
		text_add(t, " by ");
		add_moment(t, v->onset_ms, v->onset_epoch);
	}
	text_add(t, "; ");
	text_bytes(t, (double)v->plateau_bytes);
	text_add(t, " since");
	add_steadiness(t, v);
	text_add(t, ".");
}

static void add_parts(struct text *t, const struct series_verdict *s)
{
	static const char *const where[PART_COUNT] = {
	    [PART_ANON] = "the program's own data (arrays, tensors, objects)",
	    [PART_SHMEM] = "shared memory",
	    [PART_SWAP] = "memory that is swapped out",
	    [PART_FILE] = "mapped files",
	    [PART_UNSHARED] = "pages that forked processes copy",
	};

	for (int i = 0; i < s->n_parts && i < 2; i++) {
		text_add(t, "%s%s", i == 0 ? "; sits in " : " and ", where[s->parts[i].part]);
		if (s->n_parts > 1)
			text_add(t, " (%.0f %%)", s->parts[i].share * 100);
	}
}

/* ", up in 11 of the last 12 ", ", up in each of the last 12 " */
static void add_count(struct text *t, int rises, int of)
{
	if (rises == of)
		text_add(t, ", up in each of the last %d ", of);
	else
		text_add(t, "%s in %s%d of the last %d ", 2 * rises < of ? ", but up" : ", up",
			 2 * rises < of ? "only " : "", rises, of);
}

/* One rise alone says nothing that the slope does not. */
static void add_rising(struct text *t, const struct verdict *v)
{
	if (v->epochs_judged < 2)
		return;
	add_count(t, v->epochs_rising, v->epochs_judged);
	if (v->epochs_span > 1)
		text_add(t, "groups of %d epochs", v->epochs_span);
	else
		text_add(t, "epochs");
}

/* "+7.29 MiB per fit, up in 12 of the last 13 fits": models are built one after another. */
static void add_fits(struct text *t, const struct fits_growth *fits)
{
	char b[UNITS_TEXT_MAX];

	text_add(t, "%s per fit", units_bytes_signed(b, fits->bytes));
	add_count(t, fits->rises, fits->changes);
	text_add(t, "fits");
}

/* Where what the program keeps is known apart from what it has freed. */
static void add_kept(struct text *t, const struct heap_split *h)
{
	char b[UNITS_TEXT_MAX];

	text_add(t, " kept by the program");
	if (h->slope_known && h->unused.slope >= HEAP_WORTH_BYTES)
		text_add(t, " (another %s were freed, and stay with its allocator)",
			 units_bytes(b, (uint64_t)h->unused.slope));
}

/* A slope is a mean over the epochs that did not rise, too. */
static bool seldom_rises(const struct verdict *v)
{
	return v->per_epoch && v->epochs_judged > 0 && 2 * v->epochs_rising < v->epochs_judged;
}

/* "+8.00 MiB per epoch (7.81 to 8.20) since epoch 2, up in 11 of the last 12 epochs" */
static void add_pace(struct text *t, const struct series_verdict *s)
{
	const struct verdict *v = &s->v;
	char b[UNITS_TEXT_MAX];

	add_slope(t, v);
	if (s->heap.kept)
		add_kept(t, &s->heap);
	text_add(t, "%s", seldom_rises(v) ? " on average" : "");
	if (v->per_epoch && v->onset_epoch >= 0)
		text_add(t, " since epoch %" PRId64, v->onset_epoch);
	else if (v->onset_ms >= 0)
		text_add(t, " since %s", units_clock(b, v->onset_ms));
	if (v->per_epoch)
		add_rising(t, v);
}

/* "+338 KiB per epoch were freed by the program and kept by its allocator (...): not a leak" */
static void say_freed(struct text *t, const struct series_verdict *s)
{
	const struct heap_split *h = &s->heap;
	char b[UNITS_TEXT_MAX];

	if (h->slope_known && h->unused.slope > 0)
		text_add(t, "%s per epoch were", units_bytes_signed(b, h->unused.slope));
	else
		text_add(t, "What rises was");
	text_add(t, " freed by the program and kept by its allocator (free inside the heap: ");
	text_bytes(t, (double)h->unused.first_bytes);
	text_add(t, " to ");
	text_bytes(t, (double)h->unused.last_bytes);
	text_add(t, "): not a leak; MALLOC_ARENA_MAX=2, MALLOC_TRIM_THRESHOLD_ or jemalloc would lower it.");
}

/* "Of 1.20 GiB, 410 MiB is free inside the heap." */
static void say_split(struct text *t, const struct series_verdict *s)
{
	const struct heap_split *h = &s->heap;
	uint64_t all = h->used.last_bytes + h->unused.last_bytes + h->outside.last_bytes;

	if (!h->known || h->freed || h->kept || h->unused.last_bytes < all / 8 ||
	    h->unused.last_bytes < HEAP_SPLIT_BYTES)
		return;
	text_add(t, " Of ");
	text_bytes(t, (double)all);
	text_add(t, ", ");
	text_bytes(t, (double)h->unused.last_bytes);
	text_add(t, " is free inside the heap.");
}

static void say_growth(struct text *t, const struct series_verdict *s, enum tense tense)
{
	const struct verdict *v = &s->v;
	char b[UNITS_TEXT_MAX], forecast[SENTENCE_MAX];

	if (!v->firm)
		text_add(t, "Rising so far, not yet certain: ");
	if (s->fits.bytes > 0)
		add_fits(t, &s->fits);
	else
		add_pace(t, s);
	if (!s->heap.kept)
		add_parts(t, s);
	if (s->crowded)
		text_add(t, "; the tree grew from %" PRId64 " to %" PRId64 " processes", s->procs_from,
			 s->procs_to);
	if (v->jump_bytes > 0 && v->jump_ms >= 0 && v->jump_ms < v->onset_ms) {
		text_add(t, "; before that, %s at ", units_bytes_signed(b, v->jump_bytes));
		add_moment(t, v->jump_ms, v->jump_epoch);
	}
	text_add(t, ".");
	if (sentence_forecast(forecast, s, tense)[0])
		text_add(t, " %s%s.", forecast, forecast_far_from_full(s) ? ", at this pace" : "");
}

static void say_unshared(struct text *t, const struct verdict *v)
{
	add_slope(t, v);
	text_add(
	    t,
	    " while no process grows: forked workers copy pages they shared; it ends when all are copied.");
}

char *sentence_so_far(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense)
{
	struct text t = {.buf = buf};
	const struct verdict *v = &s->v;
	char b[UNITS_TEXT_MAX], forecast[SENTENCE_MAX];

	buf[0] = '\0';
	if (v->so_far == SO_FAR_RISING) {
		text_add(&t, "Rising so far: ");
		add_slope(&t, v);
		text_add(&t, ", since %s.", units_clock(b, v->onset_ms));
		if (sentence_forecast(forecast, s, tense)[0])
			text_add(&t, " %s at that pace.", forecast);
	} else if (v->so_far == SO_FAR_LEVEL) {
		text_add(&t, "Level so far: within ±");
		text_bytes(&t, v->spread_bytes);
		text_add(&t, " since %s.", units_clock(b, v->onset_ms));
	}
	return buf;
}

/* Neither settled nor growth yet. */
static void say_rises(struct text *t, const struct verdict *v)
{
	bool slope = v->slope_known && v->slope_bytes_per_s > 0;

	text_add(t, ": still rising, ");
	if (slope)
		add_slope(t, v);
	text_add(t, "%s", slope ? "; " : "and ");
	if (v->more_epochs > 0)
		text_add(t, "whether it settles will show in about %d epoch%s.", v->more_epochs,
			 v->more_epochs == 1 ? "" : "s");
	else
		text_add(t, "whether that goes on cannot be told yet.");
}

/* The last sample may have caught a program that gives all back as it ends: then its top says more. */
static void say_undetermined(struct text *t, const struct series_verdict *s, enum tense tense)
{
	const struct verdict *v = &s->v;
	char so_far[SENTENCE_MAX];
	bool torn_down = v->last_bytes < v->peak_bytes / 2;
	text_bytes(t, (double)v->first_bytes);
	text_add(t, " at first, ");
	text_bytes(t, (double)(torn_down ? v->peak_bytes : v->last_bytes));
	text_add(t, torn_down ? " at most" : " at last");
	if (v->epochs >= 0) {
		text_add(t, ", ");
		text_epochs(t, v->epochs);
		text_add(t, " finished");
	}
	if (v->rises)
		say_rises(t, v);
	else if (v->more_epochs > 0)
		text_add(t, ": too early to tell, %d more epoch%s would decide it.", v->more_epochs,
			 v->more_epochs == 1 ? "" : "s");
	else
		text_add(t, ": %s to tell.", v->epochs >= 4 ? "too few samples" : "too early");
	if (sentence_so_far(so_far, s, tense)[0])
		text_add(t, " %s", so_far);
}

static void say_after(struct text *t, const struct verdict *v)
{
	char b[UNITS_TEXT_MAX];

	text_add(t, " In the ");
	text_duration(t, (double)v->after_ms / MS_PER_S);
	text_add(t, " since the last epoch: %s.", units_bytes_signed(b, v->after_bytes));
}

static void say_files(struct text *t, const struct series_verdict *s)
{
	char b[UNITS_TEXT_MAX];
	double factor = 1;
	const char *span = s->v.per_epoch ? "epoch" : rate_span(s->file_slope, &factor);

	text_add(t,
		 " RSS also rises by %s per %s of file pages, which the kernel takes back when it needs to.",
		 units_bytes(b, (uint64_t)llround(s->file_slope * factor)), span);
}

/* The run itself has shown that the limit is not where it ends, or --limit asks what would not fit. */
static void say_above(struct text *t, const struct series_verdict *s)
{
	text_add(t, " Its peak of ");
	text_bytes(t, (double)s->v.peak_bytes);
	text_add(t, " is above the limit of ");
	text_bytes(t, (double)s->limit_bytes);
	text_add(t, ".");
}

char *sentence_reason(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense)
{
	struct text t = {.buf = buf};

	buf[0] = '\0';
	if (s->unshared)
		say_unshared(&t, &s->v);
	else if (s->heap.freed)
		say_freed(&t, s);
	else if (s->v.shape == SHAPE_GROWTH)
		say_growth(&t, s, tense);
	else if (s->v.shape == SHAPE_FLAT)
		say_flat(&t, &s->v);
	else if (s->v.shape == SHAPE_RESERVATION)
		say_reservation(&t, &s->v);
	else if (s->v.shape == SHAPE_WARMUP)
		say_warmup(&t, &s->v);
	else if (s->v.shape == SHAPE_CYCLIC)
		say_cyclic(&t, &s->v);
	else if (s->v.shape == SHAPE_RELEASE)
		say_release(&t, &s->v);
	else
		say_undetermined(&t, s, tense);
	if (!s->v.firm && !s->unshared && s->v.shape != SHAPE_GROWTH && s->v.shape != SHAPE_UNDETERMINED)
		text_add(&t, " Not yet certain.");
	if (s->kind == SERIES_GPU && (s->v.shape == SHAPE_RESERVATION || s->v.shape == SHAPE_FLAT))
		sentence_device(&t, s);
	say_split(&t, s);
	if (s->v.after_bytes != 0)
		say_after(&t, &s->v);
	if (s->file_slope > 0)
		say_files(&t, s);
	if (forecast_above_limit(s))
		say_above(&t, s);
	return buf;
}

char *sentence_line(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense)
{
	struct text t = {.buf = buf};
	char reason[SENTENCE_MAX];

	text_add(&t, "%s: %s. %s", s->name, detector_shape_name(s->v.shape),
		 sentence_reason(reason, s, tense));
	return buf;
}

char *sentence_run(char buf[SENTENCE_MAX], const struct run_verdict *r)
{
	struct text t = {.buf = buf};
	char b[UNITS_TEXT_MAX];

	text_duration(&t, (double)r->duration_ms / MS_PER_S);
	if (r->epochs >= 0) {
		text_add(&t, ", ");
		text_epochs(&t, r->epochs);
	}
	text_add(&t, ", %s sample%s", units_count(b, r->samples), r->samples == 1 ? "" : "s");
	return buf;
}
