/* SPDX-License-Identifier: MIT */
/* The sentences. One function per verdict; each says what was seen, since when, how exactly it is known and,
 * when nothing was found, how small a growth could still hide. Knows nothing of where the text goes. */
#include "verdict/sentences.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "verdict/forecast.h"
#include "verdict/sentence_parts.h"

#define S_PER_YEAR       31557600.0
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

/* What the level of a GPU reminds of: the whole device, a bare context (0.2 to 0.6 GiB with today's drivers),
 * regions that double in size as TensorFlow's allow_growth takes them. */
static void say_device(struct text *t, const struct series_verdict *s)
{
	const struct verdict *v = &s->v;
	double level = (double)v->plateau_bytes, share = s->limit_bytes ? level / (double)s->limit_bytes : 0;
	double step = level > 0 ? v->jump_bytes / level : 0;

	if (share >= 0.8)
		text_add(t, " That is %.0f %% of the device, taken in advance as TensorFlow and JAX do.",
			 share * 100);
	else if (level >= 0.1 * 0x1p30 && level <= 0.65 * 0x1p30)
		text_add(t, " That is little more than a CUDA context takes by itself.");
	else if (v->shape == SHAPE_RESERVATION && level >= 0x1p30 && step >= 0.42 && step <= 0.58)
		text_add(t, " Its largest step doubled it, as TensorFlow's allow_growth does.");
	else if (share >= 0.1)
		text_add(t, " That is %.0f %% of the device.", share * 100);
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

/* 5,767 is 6,000. */
static uint64_t round_to_figure(double x)
{
	double figure = pow(10, floor(log10(fmax(1, x))));

	return (uint64_t)(figure * round(x / figure));
}

/* 1 h 48 min is 2 h. */
static void add_rough_duration(struct text *t, double s)
{
	static const struct {
		double s;
		const char *name;
	} units[] = {{86400, "day"}, {3600, "h"}, {60, "min"}, {1, "s"}};
	char b[UNITS_TEXT_MAX];
	int i = 0;

	while (i < 3 && s < units[i].s)
		i++;
	text_add(t, "%s %s%s", units_count(b, round_to_figure(s / units[i].s)), units[i].name,
		 i == 0 && s >= 1.5 * units[i].s ? "s" : "");
}

/* "24.0 GiB is full in ", "The 3.00 GiB that are left would have been enough for some " */
static void add_room(struct text *t, const struct series_verdict *s, enum tense tense)
{
	static const char *const is[] = {" would be ", " is ", " would have been "};

	text_add(t, "%s", s->machine_full ? "The " : "");
	text_bytes(t, (double)(s->machine_full ? s->room_bytes : s->limit_bytes));
	if (s->machine_full)
		text_add(t, " that are left%s", tense == TENSE_NOW ? " are " : is[tense]);
	else
		text_add(t, "%s", is[tense]);
	text_add(t, "%s",
		 forecast_far_from_full(s) ? "enough for some "
		 : s->machine_full         ? "used up in "
					   : "full in ");
}

/* "2,900 epochs", or fits; said afterwards, they are more than there were. */
static void add_rounds_left(struct text *t, const struct series_verdict *s, enum tense tense)
{
	const char *round = s->fits.bytes > 0 ? "fit" : "epoch";
	double left = s->fits.bytes > 0 ? s->full_in_fits : s->full_in_epochs;
	double rounds = forecast_far_from_full(s) ? (double)round_to_figure(left) : left;
	char b[UNITS_TEXT_MAX];

	if (rounds >= 1)
		text_add(t, "%s %s%s%s", units_count(b, (uint64_t)rounds), tense == TENSE_NOW ? "" : "more ",
			 round, rounds < 2 ? "" : "s");
	else
		text_add(t, "less than %s %s", round[0] == 'e' ? "an" : "a", round);
}

char *sentence_planned_end(char buf[SENTENCE_MAX], const struct series_verdict *s)
{
	static const char *const meaning[] = {
	    [OUTLOOK_FITS] = "harmless", [OUTLOOK_TIGHT] = "tight", [OUTLOOK_EXCEEDS] = "it does not fit"};
	struct text t = {.buf = buf};

	buf[0] = '\0';
	if (s->end.outlook == OUTLOOK_UNKNOWN || s->end.epochs <= s->v.epochs)
		return buf;
	text_bytes(&t, s->end.bytes);
	text_add(&t, " (up to ");
	text_bytes(&t, s->end.high);
	text_add(&t, ") at the planned end (epoch %" PRId64 "): %s.", s->end.epochs, meaning[s->end.outlook]);
	return buf;
}

char *sentence_forecast(char buf[SENTENCE_MAX], const struct series_verdict *s, enum tense tense)
{
	struct text t = {.buf = buf};
	bool far = forecast_far_from_full(s), by_epochs = s->full_in_epochs >= 0;

	buf[0] = '\0';
	if (s->full_in_s < 0 || (!by_epochs && s->full_in_s >= S_PER_YEAR))
		return buf;
	if (forecast_above_limit(s) && s->room_bytes == 0)
		return buf;
	add_room(&t, s, tense);
	if (by_epochs)
		add_rounds_left(&t, s, tense);
	if (s->full_in_s >= S_PER_YEAR)
		return buf;
	text_add(&t, "%s", by_epochs ? ", about " : far ? "" : "about ");
	if (far)
		add_rough_duration(&t, s->full_in_s);
	else
		text_duration(&t, s->full_in_s);
	if (!by_epochs && tense != TENSE_NOW)
		text_add(&t, " more");
	return buf;
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
		say_device(&t, s);
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

static bool in_one_process(const struct growth_place_findings *w)
{
	return w->n_processes > 0 && w->processes[0].share >= 0.5;
}

char *sentence_process(char buf[SENTENCE_MAX], const struct growth_place_findings *w)
{
	const struct growing_process *p = &w->processes[0];
	struct text t = {.buf = buf};

	buf[0] = '\0';
	if (in_one_process(w))
		text_add(&t, "mostly in %s %d (%s): %.0f %% of what grows",
			 p->root ? "the main process," : "process", (int)p->pid, p->name, p->share * 100);
	for (int i = 0; !in_one_process(w) && w->n_processes > 1 && i < w->n_processes; i++)
		text_add(&t, "%s%d (%s) %.0f %%",
			 i ? ", " : "spread over processes, most of it in: ", (int)p[i].pid, p[i].name,
			 p[i].share * 100);
	return buf;
}

/* The kernel's names, in words of people who train models. */
static const char *place_name(const char *mapping)
{
	if (strcmp(mapping, "anonymous") == 0)
		return "mapped blocks (large arrays, Python objects)";
	return strcmp(mapping, "[heap]") == 0 ? "malloc's heap (arrays, objects)" : mapping;
}

char *sentence_mappings(char buf[SENTENCE_MAX], const struct growth_place_findings *w)
{
	struct text t = {.buf = buf};
	char from[UNITS_TEXT_MAX], to[UNITS_TEXT_MAX];

	buf[0] = '\0';
	if (w->n_mappings == 0)
		return buf;
	if (in_one_process(w))
		text_add(&t, "in its memory");
	else
		text_add(&t, "in the memory of %d", (int)w->mappings_pid);
	text_add(&t, ", from %s to %s: ", units_clock(from, w->mappings_from_ms),
		 units_clock(to, w->mappings_to_ms));
	for (int i = 0; i < w->n_mappings; i++) {
		char b[UNITS_TEXT_MAX];

		text_add(&t, "%s%s %s", i ? ", " : "", place_name(w->mappings[i].name),
			 units_bytes_signed(b, (double)w->mappings[i].change));
	}
	return buf;
}
