/* SPDX-License-Identifier: MIT */
/* The epochs that one format has shown. Knows numbers and times, not what the lines looked like. */
#include "epochs/track.h"

#include "base/clock.h"

enum {
	BURST_NS = 5 * NS_PER_MS, /* boundaries closer than this came in one piece, even over several reads */
	BURST_MIN = 3,            /* so many at once, after a silence, are a buffer that was written out */
	PAIRS_MIN = 2,
	SINGLES_MIN = 8, /* so many alone in a row, and the burst before them was a stopped memwatch */
	TRUST_AT_ONCE = 4,
	PACED_STEPS = 3,    /* of a mere counter show its pace: the stages of a pipeline are seldom more */
	HASTY_STEPS = 12,   /* show that it is too fast: the first line may have been read late */
	VALIDATED_MS = 100, /* nobody validates after each batch: only what is no training at all is faster */
	LATE_SHARE = 4,     /* a rank may be a quarter of an epoch behind the others */
};

/* Shorter silences are fast epochs that a busy machine delivered late. */
static const int64_t quiet_min_ns = 200 * (int64_t)NS_PER_MS;

/* Slow batches look like epochs until the first epoch says that it is over. */
static const int64_t batches_ns = 60 * (int64_t)NS_PER_S;

void epoch_track_init(struct epoch_track *t, int64_t start_ns)
{
	*t = (struct epoch_track){.last = -1,
				  .total = -1,
				  .changed_ns = start_ns,
				  .burst_ns = LINE_TIME_UNKNOWN,
				  .paced_ns = LINE_TIME_UNKNOWN};
}

int64_t epoch_track_finished(const struct epoch_track *t)
{
	return t->seen ? t->before + t->done : -1;
}

bool epoch_track_over(const struct epoch_track *t)
{
	return t->seen && (t->closed || (t->base == 1 && t->total > 0 && t->done >= t->total));
}

/* A first number of 0 or 1 says how the program counts; any other one is a run that was resumed or joined
 * late. */
static int infer_base(const struct epoch_format_info *info, int64_t number)
{
	return info->base_fixed || number > 1 ? info->base : (int)number;
}

static int64_t value(const struct epoch_track *t, const struct epoch_line *l)
{
	int64_t done = l->number - t->base + (l->when == EPOCH_END);

	if (epoch_format_info(l->format)->full_ends_last && l->full && t->base == 1 && l->number == l->total)
		done++;
	if (l->closes && l->part_milli >= EPOCH_PART_ALL)
		done++;
	return done > 0 ? done : 0;
}

static void set_number(struct epoch_track *t, const struct epoch_line *l)
{
	t->last = l->number;
	t->part_milli = l->part_milli;
	t->total = l->total;
	t->full = l->full;
	t->closed = l->closes;
	t->done = value(t, l);
}

static void begin_fit(struct epoch_track *t, const struct epoch_line *l)
{
	const struct epoch_format_info *info = epoch_format_info(l->format);
	int64_t shown = t->last - t->base + 1;

	if (!info->shows_finished && shown > t->done)
		t->done = shown;
	if (t->part_milli >= EPOCH_PART_ALL && !t->closed)
		t->done++;
	t->before += t->done;
	t->fits++;
	t->base = infer_base(info, l->number);
	set_number(t, l);
}

static void begin_track(struct epoch_track *t, const struct epoch_line *l)
{
	const struct epoch_format_info *info = epoch_format_info(l->format);

	t->seen = true;
	t->fits = 1;
	t->base = infer_base(info, l->number);
	t->confirmed = info->pace_ms == 0 &&
		       (info->trust >= TRUST_AT_ONCE || l->closes || (!l->doubtful && l->number == t->base));
	/* A lone last line: nothing was said until all was over. */
	t->buffered = l->number > t->base && (l->closes || (info->once_in_pipe && l->full));
	set_number(t, l);
	t->before_all = l->number > t->base && !l->closes ? l->number - t->base + (l->part_milli > 0) : 0;
}

/* Another rank that prints the epoch the first rank has just left. Without times only an end can be told from
 * a new fit of few epochs. */
static bool is_straggler(const struct epoch_track *t, const struct epoch_line *l, int64_t time_ns)
{
	if (l->number != t->last - 1 || epoch_format_info(l->format)->one_writer)
		return false;
	if (time_ns == LINE_TIME_UNKNOWN || t->changed_ns == LINE_TIME_UNKNOWN || t->lengths.n == 0)
		return l->when == EPOCH_END;
	return (double)(time_ns - t->changed_ns) < t->lengths.mean / LATE_SHARE;
}

static void advance(struct epoch_track *t, const struct epoch_line *l)
{
	int64_t step = l->number - t->last;

	/* 10, 20, ...: every tenth is shown, and the first nine were not of an earlier run. */
	if (t->steps + t->skips == 0 && t->fits == 1 && step > 1 && step == t->last)
		t->before_all = 0;
	if (step == 1)
		t->steps++;
	else if (step > 1)
		t->skips += step - 1;
	if (step > 0 && epoch_format_info(l->format)->pace_ms == 0)
		t->confirmed = true;
	set_number(t, l);
}

static void prove_pace(struct epoch_track *t, const struct epoch_line *l, int64_t time_ns)
{
	int pace_ms = epoch_format_info(l->format)->pace_ms;
	bool batches = t->bare && pace_ms > VALIDATED_MS;
	int64_t least_ns = (int64_t)(batches ? pace_ms : VALIDATED_MS) * NS_PER_MS;
	int64_t steps = l->number - t->paced, took_ns = time_ns - t->paced_ns;

	if (t->stride == 0 || steps < PACED_STEPS * t->stride)
		return;
	if (took_ns < steps * least_ns)
		t->refuted |= steps >= HASTY_STEPS * t->stride;
	else
		t->confirmed = !t->refuted && (!batches || took_ns >= batches_ns);
}

/* What a mere counter counts may be anything, batches above all. It is believed once it has counted from 0, 1 or
 * its own stride evenly (by ones if it may well be optimiser steps, of which every tenth is logged), and
 * slowly enough. Those that run faster over batches go back sooner or later, and one that goes back before it
 * was believed never is. */
static void prove(struct epoch_track *t, const struct epoch_line *l, int64_t step, int64_t time_ns)
{
	int64_t first = l->number - step;

	if (step > 0 && t->stride == 0) {
		t->stride = step;
		t->refuted |= first > 1 && first != step;
	}
	t->refuted |= step < -1 || (step > 0 && step != t->stride) ||
		      (step > 1 && epoch_format_info(l->format)->pace_ms > VALIDATED_MS);
	t->bare |= !l->evaluates;
	if (time_ns == LINE_TIME_UNKNOWN)
		return;
	if (t->paced_ns == LINE_TIME_UNKNOWN) {
		t->paced_ns = time_ns;
		t->paced = l->number;
	}
	prove_pace(t, l, time_ns);
}

static void repeat(struct epoch_track *t, const struct epoch_line *l)
{
	const struct epoch_format_info *info = epoch_format_info(l->format);
	int64_t done = value(t, l);

	if (t->closed && !l->evaluates && !l->closes && (l->when == EPOCH_START || info->restarts_fit)) {
		if (info->lone_number && t->fits == 1 && t->steps + t->skips == 0)
			t->before_all = 0;
		begin_fit(t, l);
		return;
	}
	if (done > t->done)
		t->done = done;
	t->full |= l->full;
	t->closed |= l->closes;
}

static void end_burst(struct epoch_track *t)
{
	if (t->burst == 1 && ++t->singles >= SINGLES_MIN) {
		t->buffered = false;
		t->pairs = 0;
	}
	if (t->burst > 1)
		t->singles = 0;
}

static void note_burst(struct epoch_track *t, int64_t time_ns)
{
	if (t->burst > 0 && time_ns - t->burst_ns <= BURST_NS) {
		t->burst++;
	} else {
		end_burst(t);
		t->quiet_ns = t->changed_ns == LINE_TIME_UNKNOWN ? 0 : time_ns - t->changed_ns;
		t->burst_ns = time_ns;
		t->burst = 1;
	}
	if (t->quiet_ns < quiet_min_ns)
		return;
	if (t->burst == 2)
		t->pairs++;
	if (t->burst >= BURST_MIN || t->pairs >= PAIRS_MIN)
		t->buffered = true;
}

/* The epoch count has risen, or the track has begun (rise 0). */
static void note_boundary(struct epoch_track *t, int64_t time_ns, int64_t rise, bool first)
{
	if (time_ns != LINE_TIME_UNKNOWN) {
		note_burst(t, time_ns);
		if (!first && t->changed_ns != LINE_TIME_UNKNOWN)
			epoch_lengths_add(&t->lengths, (double)(time_ns - t->changed_ns) / (double)rise, 1);
	}
	t->changed_ns = time_ns;
}

bool epoch_track_see(struct epoch_track *t, const struct epoch_line *l, int64_t time_ns)
{
	struct epoch_line numbered = *l;
	int64_t was = epoch_track_finished(t), step;
	bool first = !t->seen;

	if (l->number < 0)
		numbered.number = t->seen ? t->last + 1 : 1;
	l = &numbered;
	step = first ? 0 : l->number - t->last;
	if (first)
		begin_track(t, l);
	else if (l->number > t->last || (l->number == t->last && l->part_milli > t->part_milli))
		advance(t, l);
	else if (l->number == t->last && l->part_milli == t->part_milli)
		repeat(t, l);
	else if (!is_straggler(t, l, time_ns))
		begin_fit(t, l);
	if (epoch_format_info(l->format)->pace_ms > 0 && !t->confirmed && !t->refuted)
		prove(t, l, step, time_ns);
	if (!first && epoch_track_finished(t) <= was)
		return false;
	note_boundary(t, time_ns, epoch_track_finished(t) - was, first);
	return true;
}

bool epoch_track_close(struct epoch_track *t, int64_t time_ns)
{
	int64_t shown = t->last - t->base + 1, rise = shown - t->done;

	if (!t->seen || t->closed)
		return false;
	t->closed = true;
	if (rise <= 0)
		return false;
	t->done = shown;
	note_boundary(t, time_ns, rise, false);
	return true;
}
