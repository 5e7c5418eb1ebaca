/* SPDX-License-Identifier: MIT */
/* Which series a run has, what goes into each, and what their verdicts mean together: where growth sits, when
 * memory is full, which series is worst. How one series is judged is the detector's business. */
#include "verdict/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "series/imports.h"
#include "series/process_count.h"

/* What the host series is made of, from worst to best (the contract's order for files of other origin). */
enum hold { HOLD_NOTHING, HOLD_RSS, HOLD_ANON, HOLD_HELD };

enum { RECENT_SHARE = 16, RECENT_STEP_MS = 5000 };

/* A level and what the machine had left beside it, for the forecast. */
struct level {
	uint64_t bytes;
	struct reading available;
};

struct track {
	struct series *series;
	char name[CHANNEL_NAME_MAX];
	enum series_kind kind;
	int channel; /* GPU: index of the device's cell; the next one is its total */
	uint64_t pushed;
	struct level last;      /* newest row */
	struct level mark;      /* last row before the newest epoch end: tear-down has not begun there */
	struct level recent[2]; /* of the last eighth of the run, for the same where time counts */
	int64_t recent_next_ms;
	struct reading limit;
};

struct judge {
	struct track host;
	struct series *parts[PART_COUNT]; /* quiet ones; none for PART_UNSHARED */
	bool anon_known;                  /* PART_ANON has rows */
	struct heap_share *heap;
	enum hold hold;
	bool swapped; /* something was swapped out at some time */
	struct process_count crowd;
	struct imports code;
	struct track *gpu;
	int gpus, known_channels;
	const struct epoch_fits *fits; /* NULL unknown */
	uint64_t given_limit;          /* --limit; 0 not given */
	int64_t first_ms, last_ms, epoch;
	uint64_t samples, lost;
	struct run_verdict out;
};

static const int part_channels[PART_COUNT] = {
    [PART_ANON] = CH_ANON, [PART_SHMEM] = CH_SHMEM, [PART_SWAP] = CH_SWAP, [PART_FILE] = CH_FILE};

const char *judge_part_name(enum part part)
{
	static const char *const names[PART_COUNT] = {[PART_ANON] = "anon",
						      [PART_SHMEM] = "shmem",
						      [PART_SWAP] = "swap",
						      [PART_FILE] = "file",
						      [PART_UNSHARED] = "unshared"};

	return names[part];
}

struct judge *judge_new(void)
{
	struct judge *j = xcalloc(1, sizeof(*j));

	snprintf(j->host.name, sizeof(j->host.name), "host");
	j->host.kind = SERIES_HOST;
	j->host.series = series_new(SERIES_HOST);
	for (int i = 0; i < PART_UNSHARED; i++)
		j->parts[i] = series_new(SERIES_HOST);
	j->known_channels = CH_HOST_COUNT;
	j->epoch = -1;
	j->heap = heap_share_new();
	process_count_init(&j->crowd);
	imports_init(&j->code);
	j->out.series = xcalloc(1, sizeof(*j->out.series));
	return j;
}

void judge_free(struct judge *j)
{
	if (!j)
		return;
	series_free(j->host.series);
	for (int i = 0; i < PART_UNSHARED; i++)
		series_free(j->parts[i]);
	for (int i = 0; i < j->gpus; i++)
		series_free(j->gpu[i].series);
	heap_share_free(j->heap);
	free(j->gpu);
	free(j->out.series);
	free(j);
}

void judge_series_name(const struct channel *channel, char name[CHANNEL_NAME_MAX])
{
	snprintf(name, CHANNEL_NAME_MAX, "%.*s", (int)(strlen(channel->name) - strlen("_bytes")),
		 channel->name);
}

void judge_channels(struct judge *j, const struct channel *channels, int n)
{
	for (int i = j->known_channels; i + 1 < n; i += 2) {
		struct track *t;

		j->gpu = xrealloc(j->gpu, (size_t)j->gpus + 1, sizeof(*j->gpu));
		t = &j->gpu[j->gpus++];
		memset(t, 0, sizeof(*t));
		judge_series_name(&channels[i], t->name);
		t->kind = SERIES_GPU;
		t->channel = i;
		t->series = series_new(SERIES_GPU);
		j->known_channels = i + 2;
	}
	j->out.series = xrealloc(j->out.series, (size_t)j->gpus + 1, sizeof(*j->out.series));
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

void judge_frameworks(struct judge *j, const struct frameworks *f)
{
	j->out.frameworks = f->found;
}

void judge_lost(struct judge *j, uint64_t rows)
{
	j->lost = rows;
}

static enum hold host_bytes(const struct sample *s, uint64_t *bytes)
{
	const struct reading *v = s->v;
	uint64_t swap = v[CH_SWAP].ok ? v[CH_SWAP].bytes : 0;

	if (v[CH_HELD].ok) {
		*bytes = v[CH_HELD].bytes;
		return HOLD_HELD;
	}
	if (v[CH_ANON].ok) {
		*bytes = v[CH_ANON].bytes + (v[CH_SHMEM].ok ? v[CH_SHMEM].bytes : 0) + swap;
		return HOLD_ANON;
	}
	if (v[CH_RSS].ok) {
		*bytes = v[CH_RSS].bytes + swap;
		return HOLD_RSS;
	}
	return HOLD_NOTHING;
}

struct reading judge_host_bytes(const struct judge *j, const struct sample *s)
{
	struct reading r = {0};
	enum hold hold = host_bytes(s, &r.bytes);

	r.ok = hold != HOLD_NOTHING && hold >= j->hold;
	return r;
}

static void track_push(struct track *t, const struct sample *s, uint64_t bytes, bool new_epoch)
{
	if (new_epoch && t->pushed > 0)
		t->mark = t->last;
	if (t->pushed > 0 && s->elapsed_ms >= t->recent_next_ms) {
		t->recent[1] = t->recent[0];
		t->recent[0] = t->last;
		t->recent_next_ms = s->elapsed_ms + s->elapsed_ms / RECENT_SHARE + RECENT_STEP_MS;
	}
	t->last.bytes = bytes;
	t->last.available = s->v[CH_AVAILABLE];
	t->pushed++;
	series_push(t->series, s->elapsed_ms, s->epoch, bytes);
}

static void host_restart(struct track *t)
{
	series_free(t->series);
	t->series = series_new(SERIES_HOST);
	t->pushed = 0;
	memset(&t->mark, 0, sizeof(t->mark));
	memset(t->recent, 0, sizeof(t->recent));
	t->recent_next_ms = 0;
}

/* One kind of figure per series: rows that lack it are left out, and a better kind that turns up late (a
 * first row without held_bytes) starts the series anew. */
static void host_push(struct judge *j, const struct sample *s, bool new_epoch)
{
	uint64_t bytes;
	enum hold hold = host_bytes(s, &bytes);

	if (s->v[CH_LIMIT].ok)
		j->host.limit = s->v[CH_LIMIT];
	if (hold < j->hold || hold == HOLD_NOTHING)
		return;
	if (hold > j->hold && j->host.pushed > 0)
		host_restart(&j->host);
	j->hold = hold;
	track_push(&j->host, s, bytes, new_epoch);
}

/* Imports raise what is held as a leak does; the code that they map tells them apart. */
static void note_set_up(struct judge *j, const struct sample *s)
{
	struct reading file = s->v[CH_FILE];

	if (!file.ok || !imports_push(&j->code, s->elapsed_ms, file.bytes))
		return;
	series_set_up_until(j->host.series, j->code.until_ms);
	for (int i = 0; i < PART_UNSHARED; i++)
		series_set_up_until(j->parts[i], j->code.until_ms);
}

/* After the first rows one in eight is enough to say where growth sits, and three quiet series then cost a
 * row no more than a third of one (replay of 10^6 rows: 4.3 against 8.2 million rows a second). */
static bool parts_due(const struct judge *j, bool new_epoch)
{
	return new_epoch || j->samples <= 4096 || j->samples % 8 == 0;
}

static void parts_push(struct judge *j, const struct sample *s)
{
	for (int i = 0; i < PART_UNSHARED; i++) {
		struct reading r = s->v[part_channels[i]];

		if (i == PART_SWAP && r.ok && r.bytes > 0)
			j->swapped = true;
		if (i == PART_ANON && r.ok)
			j->anon_known = true;
		if (r.ok && (i != PART_SWAP || j->swapped))
			series_push(j->parts[i], s->elapsed_ms, s->epoch, r.bytes);
	}
}

void judge_push(struct judge *j, const struct sample *s)
{
	bool new_epoch = s->epoch >= 0 && s->epoch != j->epoch;

	if (j->samples++ == 0)
		j->first_ms = s->elapsed_ms;
	j->last_ms = s->elapsed_ms;
	process_count_push(&j->crowd, s->elapsed_ms, s->epoch, s->procs);
	host_push(j, s, new_epoch);
	heap_share_push(j->heap, s);
	note_set_up(j, s);
	if (parts_due(j, new_epoch))
		parts_push(j, s);
	for (int i = 0; i < j->gpus; i++) {
		struct track *t = &j->gpu[i];

		if (t->channel + 1 >= s->n)
			break;
		if (s->v[t->channel + 1].ok)
			t->limit = s->v[t->channel + 1];
		if (s->v[t->channel].ok)
			track_push(t, s, s->v[t->channel].bytes, new_epoch);
	}
	if (new_epoch)
		j->epoch = s->epoch;
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

/* Parts that carry at least a twentieth of the rise; less is noise beside it. */
static void name_parts(struct judge *j, struct series_verdict *s)
{
	double slope[PART_COUNT] = {0}, rise = 0, whole = slope_of(&s->v, s->v.per_epoch);

	if (s->heap.kept) { /* seen in the heaps and beside them: it is the program's */
		s->parts[s->n_parts++] = (struct part_growth){.part = PART_ANON, .slope = whole, .share = 1};
		return;
	}
	for (int i = PART_ANON; i <= PART_SWAP; i++) {
		struct verdict v;

		detector_judge(j->parts[i], &v);
		slope[i] = slope_of(&v, s->v.per_epoch);
		rise += slope[i] > 0 ? slope[i] : 0;
	}
	/* Shared pages are counted once in held_bytes and once per process in the sums: only un-sharing parts
	 * the two. */
	if (j->hold == HOLD_HELD && j->anon_known && rise < 0.25 * whole) {
		slope[PART_UNSHARED] = whole - rise;
		rise = whole;
	}
	for (int i = 0; i < PART_COUNT && rise > 0; i++)
		if (slope[i] >= 0.05 * rise)
			s->parts[s->n_parts++] = (struct part_growth){
			    .part = (enum part)i, .slope = slope[i], .share = slope[i] / rise};
	sort_parts(s);
}

/* Un-sharing ends when every page is copied: a rise with a known end, whatever its slope now. */
static void excuse_unsharing(struct series_verdict *s)
{
	if (s->n_parts == 0 || s->parts[0].part != PART_UNSHARED)
		return;
	s->unshared = true;
	s->v.shape = SHAPE_WARMUP;
	s->v.firm = false;
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

	if (s->v.shape == SHAPE_GROWTH || j->hold < HOLD_ANON)
		return;
	detector_judge(j->parts[PART_FILE], &v);
	if (v.shape == SHAPE_GROWTH && v.firm)
		s->file_slope = slope_of(&v, s->v.per_epoch);
}

/* The level before tear-down: what the run had when it last trained. */
static const struct level *level_before_end(const struct track *t, const struct verdict *v)
{
	bool by_epochs = v->basis == BASIS_EPOCHS && v->so_far == SO_FAR_UNKNOWN;
	const struct level *from = by_epochs ? &t->mark : &t->recent[t->recent[1].bytes > t->recent[0].bytes];

	return from->bytes > t->last.bytes ? from : &t->last;
}

static void find_room(const struct judge *j, const struct track *t, struct series_verdict *s)
{
	bool host = t->kind == SERIES_HOST, given = host && j->given_limit > 0;
	const struct level *from = level_before_end(t, &s->v);

	s->limit_bytes = given ? j->given_limit : t->limit.ok ? t->limit.bytes : 0;
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

static void forecast(const struct judge *j, const struct track *t, struct series_verdict *s)
{
	find_room(j, t, s);
	s->full_in_s = s->full_in_epochs = s->full_in_fits = -1;
	if (!rises(s) || !s->v.slope_known || s->v.slope_bytes_per_s <= 0)
		return;
	if (s->limit_bytes == 0 && !s->machine_full)
		return;
	s->full_in_s = (double)s->room_bytes / s->v.slope_bytes_per_s;
	s->risen_s = (double)(j->last_ms - s->v.onset_ms) / MS_PER_S;
	if (s->v.per_epoch && s->v.slope_bytes_per_epoch > 0)
		s->full_in_epochs = (double)s->room_bytes / s->v.slope_bytes_per_epoch;
	if (s->fits.bytes > 0)
		s->full_in_fits = (double)s->room_bytes / s->fits.bytes;
}

static void judge_track(struct judge *j, struct track *t)
{
	struct series_verdict *s = &j->out.series[j->out.n];

	if (t->pushed == 0)
		return;
	memset(s, 0, sizeof(*s));
	memcpy(s->name, t->name, sizeof(s->name));
	s->kind = t->kind;
	detector_judge(t->series, &s->v);
	if (t->kind == SERIES_HOST)
		heap_share_judge(j->heap, j->epoch, &s->v, &s->heap);
	s->v.firm = s->v.firm && j->lost <= j->samples;
	if (t->kind == SERIES_HOST && s->v.shape == SHAPE_GROWTH) {
		name_parts(j, s);
		s->crowded = process_count_rises(&j->crowd, &s->procs_from, &s->procs_to);
		excuse_unsharing(s);
		name_fits(j, s);
	}
	if (t->kind == SERIES_HOST) {
		s->rss_only = j->hold == HOLD_RSS;
		notice_files(j, s);
	}
	forecast(j, t, s);
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
	out->samples = j->samples;
	out->duration_ms = j->last_ms - j->first_ms;
	judge_track(j, &j->host);
	for (int i = 0; i < j->gpus; i++)
		judge_track(j, &j->gpu[i]);
	for (int i = 0; i < out->n; i++)
		if (out->worst < 0 || judge_rank(&out->series[i].v) > judge_rank(&out->series[out->worst].v))
			out->worst = i;
	return out;
}

bool judge_above_limit(const struct series_verdict *s)
{
	return s->kind == SERIES_HOST && s->limit_bytes > 0 && s->v.peak_bytes > s->limit_bytes;
}

bool judge_far_from_full(const struct series_verdict *s)
{
	enum { TIMES = 20 };

	return s->risen_s > 0 && s->full_in_s > TIMES * s->risen_s;
}

/* A small leak of a quick loop fills any machine within an hour, at a pace known from five epochs. */
bool judge_soon_full(const struct series_verdict *s)
{
	if (!rises(s) || judge_far_from_full(s))
		return false;
	if (s->v.shape != SHAPE_GROWTH && s->risen_s < s->full_in_s)
		return false; /* no verdict: the half of the way that is seen must be the longer one */
	return (s->full_in_s >= 0 && s->full_in_s < 3600) ||
	       (s->full_in_epochs >= 0 && s->full_in_epochs < 10);
}

bool judge_nearly_full(const struct series_verdict *s)
{
	return judge_soon_full(s) && (s->full_in_s <= s->risen_s || s->room_bytes <= s->limit_bytes / 10);
}

static bool series_fails(const struct series_verdict *s, unsigned fail_on)
{
	bool at_limit = s->kind == SERIES_HOST && s->limit_bytes > 0 &&
			(double)s->v.peak_bytes >= 0.95 * (double)s->limit_bytes;

	if ((fail_on & FAIL_ON_GROWTH) && s->v.shape == SHAPE_GROWTH)
		return true;
	return (fail_on & FAIL_ON_LIMIT) && (at_limit || judge_soon_full(s));
}

bool judge_fails(const struct run_verdict *run, unsigned fail_on)
{
	if (run->ran_out && (fail_on & FAIL_ON_LIMIT))
		return true;
	for (int i = 0; i < run->n; i++)
		if (series_fails(&run->series[i], fail_on))
			return true;
	return false;
}
