/* SPDX-License-Identifier: MIT */
/* What the verdicts of a run's series mean together: where growth sits, which series is worst. How one series is judged
 * is the detector's business. */
#include "verdict/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "verdict/forecast.h"
#include "verdict/host_verdict.h"
#include "verdict/run_series.h"

struct judge {
	struct run_series run;
	const struct epoch_fits *fits; /* NULL unknown */
	int64_t planned, finished;     /* epochs; -1 unknown */
	uint64_t given_limit;          /* --limit; 0 not given */
	uint64_t lost;                 /* rows that could not be read */
	struct shortage_course shortage;
	struct run_verdict out;
};

const char *judge_part_name(enum part part)
{
	static const char *const names[PART_COUNT] = {[PART_ANON] = "anon",
						      [PART_SHMEM] = "shmem",
						      [PART_SWAP] = "swap",
						      [PART_FILE] = "file",
						      [PART_UNSHARED] = "unshared"};

	return names[part];
}

bool judge_worth_telling(const struct series_verdict *s)
{
	return s->kind == SERIES_HOST || s->v.peak_bytes > 0;
}

struct judge *judge_new(void)
{
	struct judge *j = xcalloc(1, sizeof(*j));

	run_series_init(&j->run);
	j->planned = j->finished = -1;
	j->out.series = xcalloc(1, sizeof(*j->out.series));
	return j;
}

void judge_free(struct judge *j)
{
	if (!j)
		return;
	run_series_close(&j->run);
	free(j->out.series);
	free(j);
}

void judge_channels(struct judge *j, const struct channel *channels, int n)
{
	int count = run_series_channels(&j->run, channels, n);

	j->out.series = xrealloc(j->out.series, (size_t)count, sizeof(*j->out.series));
}

void judge_push(struct judge *j, const struct sample *s)
{
	run_series_push(&j->run, s);
	shortage_push(&j->shortage, s);
}

struct reading judge_host_bytes(const struct judge *j, const struct sample *s)
{
	return run_series_host_bytes(&j->run, s);
}

void judge_limit(struct judge *j, uint64_t limit_bytes)
{
	j->given_limit = limit_bytes;
}

void judge_ran_out(struct judge *j, bool ran_out)
{
	j->out.ran_out = ran_out;
}

void judge_fits(struct judge *j, const struct epoch_fits *fits)
{
	j->fits = fits;
}

void judge_planned(struct judge *j, int64_t epochs)
{
	j->planned = epochs;
}

void judge_finished(struct judge *j, int64_t epochs)
{
	j->finished = epochs;
}

void judge_named(struct judge *j)
{
	j->out.named = true;
}

void judge_frameworks(struct judge *j, const struct frameworks *f)
{
	j->out.frameworks = frameworks_found(f);
}

void judge_lost(struct judge *j, uint64_t rows)
{
	j->lost = rows;
}

static double slope_of(const struct verdict *v, bool per_epoch)
{
	if (!v->slope_known)
		return 0;
	return per_epoch ? v->slope_bytes_per_epoch : v->slope_bytes_per_s;
}

static void sort_parts(struct series_verdict *s)
{
	for (int i = 1; i < s->n_parts; i++)
		for (int k = i; k > 0 && s->parts[k].slope > s->parts[k - 1].slope; k--) {
			struct part_growth swapped = s->parts[k];

			s->parts[k] = s->parts[k - 1];
			s->parts[k - 1] = swapped;
		}
}

/* What each part of the host grows by. *most: what anonymous memory may grow by at most. */
static double part_slopes(struct judge *j, bool per_epoch, double slope[PART_COUNT], double *most)
{
	double rise = 0;

	for (int i = PART_ANON; i <= PART_SWAP; i++) {
		double high;

		slope[i] = detector_slope(j->run.parts[i], per_epoch, &high);
		rise += slope[i] > 0 ? slope[i] : 0;
		*most = i == PART_ANON ? high : *most;
	}
	return rise;
}

/* Parts that carry at least a twentieth of the rise; less is noise beside it. */
static void name_parts(struct series_verdict *s, const double slope[PART_COUNT], double rise)
{
	for (int i = 0; i < PART_COUNT && rise > 0; i++)
		if (slope[i] >= 0.05 * rise)
			s->parts[s->n_parts++] = (struct part_growth){
			    .part = (enum part)i, .slope = slope[i], .share = slope[i] / rise};
	sort_parts(s);
}

/* Shared pages are counted once in held_bytes and once per process in the sums: only un-sharing parts the two. Sums that go
 * up and down with workers may hide the whole rise, and tell nothing. With a tenth instead of a quarter "make score" counts
 * one false alarm more, with four tenths all is the same. */
static bool only_unshares(const struct judge *j, double whole, double rise, double most)
{
	return j->run.hold == HOLD_HELD && j->run.anon_known && rise < 0.25 * whole && most < whole;
}

static void judge_host(struct judge *j, const struct verdict *held, struct series_verdict *s)
{
	struct host_evidence e = {.held = *held};
	double slope[PART_COUNT] = {0}, rise = 0, most = 0, whole = slope_of(held, held->per_epoch);

	heap_share_judge(j->run.heap, j->run.epoch, &e.heap);
	if (held->shape == SHAPE_GROWTH)
		rise = part_slopes(j, held->per_epoch, slope, &most);
	e.unshared = held->shape == SHAPE_GROWTH && only_unshares(j, whole, rise, most);
	host_verdict(&e, &s->v, &s->heap);
	s->unshared = e.unshared && !s->heap.kept && !s->heap.freed;
	if (s->heap.kept) { /* seen in the heaps and beside them: it is the program's */
		slope[PART_ANON] = rise = slope_of(&s->v, s->v.per_epoch);
		slope[PART_SHMEM] = slope[PART_SWAP] = 0;
	} else if (s->unshared) {
		slope[PART_UNSHARED] = whole - rise;
		rise = whole;
	}
	if (s->v.shape == SHAPE_GROWTH || s->unshared)
		name_parts(s, slope, rise);
}

/* Where models are built one after another, that is what grows: epochs within a fit may all be level. */
static void name_fits(const struct judge *j, struct series_verdict *s)
{
	enum { LEAST = 3 };
	struct fits_growth g = {0};

	if (s->v.shape == SHAPE_GROWTH && s->v.per_epoch && j->fits && j->fits->n >= LEAST)
		g = epoch_fits_growth(j->fits);
	if (g.bytes > 0)
		s->fits = g;
}

/* Growth of file pages makes RSS rise and nobody's memory run out: worth a word, not a verdict. */
static void notice_files(struct judge *j, struct series_verdict *s)
{
	struct verdict v;

	if (s->v.shape == SHAPE_GROWTH || j->run.hold < HOLD_ANON)
		return;
	detector_judge(j->run.parts[PART_FILE], &v);
	if (v.shape == SHAPE_GROWTH && v.firm)
		s->file_slope = slope_of(&v, s->v.per_epoch);
}

static void judge_track(struct judge *j, struct run_track *t)
{
	struct series_verdict *s = &j->out.series[j->out.n];

	if (t->pushed == 0)
		return;
	memset(s, 0, sizeof(*s));
	memcpy(s->name, t->name, sizeof(s->name));
	s->kind = t->kind;
	series_lose(t->series, j->lost);
	detector_judge(t->series, &s->v);
	if (t->kind == SERIES_HOST) {
		struct verdict held = s->v;

		judge_host(j, &held, s);
		s->rss_only = j->run.hold == HOLD_RSS;
		s->crowded = s->v.shape == SHAPE_GROWTH &&
			     process_count_rises(&j->run.processes, &s->procs_from, &s->procs_to);
		name_fits(j, s);
		notice_files(j, s);
	}
	forecast(t, j->given_limit, j->run.last_ms, s);
	forecast_end(t, j->planned, j->finished, s);
	if (s->v.epochs > j->out.epochs)
		j->out.epochs = s->v.epochs;
	j->out.n++;
}

int judge_rank(const struct verdict *v)
{
	static const int order[] = {
	    [SHAPE_FLAT] = 0,   [SHAPE_RELEASE] = 1,      [SHAPE_RESERVATION] = 2, [SHAPE_CYCLIC] = 3,
	    [SHAPE_WARMUP] = 4, [SHAPE_UNDETERMINED] = 5, [SHAPE_GROWTH] = 6,
	};

	return 2 * order[v->shape] + (v->shape == SHAPE_GROWTH && v->firm);
}

const struct run_verdict *judge_run(struct judge *j)
{
	struct run_verdict *out = &j->out;

	out->n = 0;
	out->worst = -1;
	out->epochs = -1;
	out->samples = j->run.samples;
	out->shortage = shortage_find(&j->shortage);
	out->duration_ms = j->run.last_ms - j->run.first_ms;
	judge_track(j, &j->run.host);
	for (int i = 0; i < j->run.gpus; i++)
		judge_track(j, &j->run.gpu[i]);
	if (out->epochs >= 0 && j->finished > out->epochs)
		out->epochs = j->finished;
	for (int i = 0; i < out->n; i++)
		if (out->worst < 0 || judge_rank(&out->series[i].v) > judge_rank(&out->series[out->worst].v))
			out->worst = i;
	return out;
}
