/* SPDX-License-Identifier: MIT */
/* Rows -> windows, in bounded memory: one window per finished epoch and, beside them, windows of equal time.
 * Knows nothing of what the windows mean. */
#include "series/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "series/series_state.h"

/* 285,000 years: far from overflow when slots are counted. */
#define LATEST_MS (INT64_C(1) << 53)

static void filling_start(struct filling *f)
{
	f->lo = UINT64_MAX;
	f->hi = 0;
	f->rows = f->picks = 0;
	f->stride = 1;
	f->left = 1;
}

struct series *series_new(enum series_kind kind)
{
	struct series *s = xcalloc(1, sizeof(*s));
	s->kind = kind;
	s->epoch_raw = s->epoch = s->epoch_base = s->setup_ms = -1;
	s->window_epochs = 1;
	filling_start(&s->open_epoch);
	filling_start(&s->open_slot);
	return s;
}

void series_set_up_until(struct series *s, int64_t elapsed_ms)
{
	s->setup_ms = elapsed_ms;
}

void series_lose(struct series *s, uint64_t rows)
{
	s->lost = rows;
}

void series_free(struct series *s)
{
	free(s);
}

/* The reservoir is full: every second pick goes, and from now on every second of the rows picked so far. */
static void filling_thin(struct filling *f)
{
	for (uint32_t i = 0; i < SERIES_PICKS / 2; i++)
		f->pick[i] = f->pick[2 * i];
	f->picks = SERIES_PICKS / 2;
	f->stride *= 2;
}

static inline void filling_add(struct filling *f, const struct row *r)
{
	if (r->bytes < f->lo)
		f->lo = r->bytes;
	if (r->bytes > f->hi)
		f->hi = r->bytes;
	f->last_ms = r->ms;
	f->epoch1 = r->epoch;
	if (f->rows++ == 0) {
		f->first_ms = r->ms;
		f->epoch0 = r->epoch;
	}
	if (--f->left == 0) {
		f->pick[f->picks++] = r->bytes;
		if (f->picks == SERIES_PICKS)
			filling_thin(f);
		f->left = f->stride;
	}
}

static double picks_median(const struct filling *f)
{
	uint64_t a[SERIES_PICKS];
	uint32_t n = f->picks;
	memcpy(a, f->pick, n * sizeof(a[0]));
	for (uint32_t i = 1; i < n; i++) {
		uint64_t v = a[i];
		uint32_t k = i;
		for (; k > 0 && a[k - 1] > v; k--)
			a[k] = a[k - 1];
		a[k] = v;
	}
	return n % 2 ? (double)a[n / 2] : ((double)a[n / 2 - 1] + (double)a[n / 2]) / 2;
}

struct span series_close(const struct filling *f)
{
	struct span w = {.rows = f->rows, .epochs = 1};
	if (f->rows == 0)
		return w;
	w.lo = (double)f->lo;
	w.hi = (double)f->hi;
	w.med = picks_median(f);
	w.first_ms = f->first_ms;
	w.last_ms = f->last_ms;
	w.epoch0 = f->epoch0;
	w.epoch1 = f->epoch1;
	return w;
}

void series_join(struct span *a, const struct span *b)
{
	double na = a->rows, nb = b->rows;
	a->lo = b->lo < a->lo ? b->lo : a->lo;
	a->hi = b->hi > a->hi ? b->hi : a->hi;
	a->med = (a->med * na + b->med * nb) / (na + nb);
	a->last_ms = b->last_ms;
	a->epoch1 = b->epoch1;
	a->rows += b->rows;
	a->epochs += b->epochs;
}

static int64_t epoch_window(const struct series *s, const struct span *w)
{
	return (w->epoch0 - s->epoch_base) / s->window_epochs;
}

static int64_t time_window(const struct series *s, const struct span *w)
{
	return (w->first_ms - s->first_ms) >> s->slot_shift;
}

/* Spans that fall into the same window become one. */
static void join_all(const struct series *s, struct span *spans, int *count,
		     int64_t (*window)(const struct series *s, const struct span *w))
{
	int n = 0;
	for (int i = 1; i < *count; i++)
		if (window(s, &spans[n]) == window(s, &spans[i]))
			series_join(&spans[n], &spans[i]);
		else
			spans[++n] = spans[i];
	*count = n + 1;
}

static void epochs_join(struct series *s)
{
	s->window_epochs *= 2;
	join_all(s, s->epochs, &s->epoch_n, epoch_window);
}

static void slots_join(struct series *s)
{
	s->slot_shift++;
	join_all(s, s->slots, &s->slot_n, time_window);
}

static void epoch_end(struct series *s)
{
	struct span w = series_close(&s->open_epoch);
	filling_start(&s->open_epoch);
	if (w.rows == 0)
		return;
	if (s->early_n < SERIES_EARLY)
		s->early[s->early_n++] = w;
	if (s->epoch_n > 0) {
		struct span *last = &s->epochs[s->epoch_n - 1];
		int64_t end =
		    last->epoch0 - (last->epoch0 - s->epoch_base) % s->window_epochs + s->window_epochs;
		if (w.epoch0 < end) {
			series_join(last, &w);
			return;
		}
	}
	while (s->epoch_n == SERIES_EPOCHS)
		epochs_join(s);
	s->epochs[s->epoch_n++] = w;
}

static void slot_end(struct series *s, int64_t now_ms)
{
	struct span w = series_close(&s->open_slot);
	filling_start(&s->open_slot);
	if (w.rows > 0) {
		while (s->slot_n == SERIES_SLOTS)
			slots_join(s);
		struct span *last = s->slot_n > 0 ? &s->slots[s->slot_n - 1] : NULL;
		if (last && (last->first_ms - s->first_ms) >> s->slot_shift ==
				(w.first_ms - s->first_ms) >> s->slot_shift)
			series_join(last, &w);
		else
			s->slots[s->slot_n++] = w;
	}
	int64_t at = (now_ms - s->first_ms) >> s->slot_shift;
	s->slot_end_ms = s->first_ms + ((at + 1) << s->slot_shift);
}

/* Kept as it ends: slots are joined later, and would hold more than the first epoch. */
static void first_epoch_keep(struct series *s)
{
	double sum = 0, squares = 0, first = 0, last = 0;
	int n = 0;
	for (int i = 0; i < s->slot_n; i++) {
		const struct span *w = &s->slots[i];
		if (w->epoch0 != s->epoch_base || w->epoch1 != s->epoch_base)
			continue;
		double rise = n > 0 && w->med > last ? w->med - last : 0;
		first = n++ > 0 ? first : w->med;
		last = w->med;
		sum += rise;
		squares += rise * rise;
	}
	s->first_rise = last > first ? last - first : 0;
	s->first_even = n > 4 && squares > 0 ? sum * sum / squares / n : 0;
}

/* The epoch counter moved: on, or back to the start because a second training began. */
static void epoch_turn(struct series *s, struct row *r)
{
	int64_t raw = r->epoch;
	if (s->epoch >= 0 && s->epoch == s->epoch_base && s->setup_seen)
		first_epoch_keep(s);
	if (s->epoch < 0) {
		s->epoch = s->epoch_base = raw;
		s->setup_seen = r->ms > s->first_ms;
	} else if (raw > s->epoch_raw && raw - s->epoch_raw < INT64_MAX / 4 - s->epoch) {
		s->epoch += raw - s->epoch_raw;
	} else {
		s->epoch++;
	}
	epoch_end(s);
	s->epoch_raw = raw;
}

static inline void row_take(struct series *s, struct row *r)
{
	if (r->epoch >= 0) {
		if (r->epoch != s->epoch_raw)
			epoch_turn(s, r);
		r->epoch = s->epoch;
		filling_add(&s->open_epoch, r);
	} else if (s->epoch_raw >= 0) {
		r->epoch = s->epoch; /* a hole in the column: still the same epoch */
		filling_add(&s->open_epoch, r);
	}
	if (r->ms >= s->slot_end_ms)
		slot_end(s, r->ms);
	filling_add(&s->open_slot, r);
}

void series_push(struct series *s, int64_t elapsed_ms, int64_t epoch, uint64_t bytes)
{
	if (elapsed_ms > LATEST_MS)
		elapsed_ms = LATEST_MS;
	if (s->rows++ == 0) {
		s->first_ms = s->last_ms = elapsed_ms > 0 ? elapsed_ms : 0;
		s->slot_end_ms = s->first_ms + 1;
	}
	if (s->rows <= 3)
		s->opening[s->rows - 1] = bytes;
	if (elapsed_ms < s->last_ms)
		elapsed_ms = s->last_ms;
	s->last_ms = elapsed_ms;
	s->last_bytes = bytes;
	if (bytes > s->peak_bytes)
		s->peak_bytes = bytes;
	struct row *held = &s->tail[s->tail_at];
	if (s->tail_n == SERIES_TAIL) {
		struct row old = *held;
		row_take(s, &old);
	} else {
		s->tail_n++;
	}
	*held = (struct row){elapsed_ms, epoch, bytes};
	s->tail_at = (s->tail_at + 1) % SERIES_TAIL;
}

static int by_bytes(const void *a, const void *b)
{
	uint64_t x = ((const struct row *)a)->bytes, y = ((const struct row *)b)->bytes;
	return (x > y) - (x < y);
}

/* How far back an end can begin. On an overloaded machine it takes longer and is not seen: looking farther back takes
 * dips of the training for an end (imports-and-tear-down-change-no-verdict.bats). At long intervals these are few
 * rows. */
static uint32_t tail_latest(const struct row *r, uint32_t n)
{
	enum { ENDING_MS = 3000, ROWS_LEAST = 12 };
	uint32_t k = 0;
	while (k + 1 < n && (k < ROWS_LEAST || r[n - 1].ms - r[n - 2 - k].ms < ENDING_MS))
		k++;
	return k;
}

/* Half or about twice of each, of the fall of 3 % too, moves what "make score" counts by one run at most. */
enum { TAIL_RUN_ROWS = 21 }; /* a run must be longer than the end that is looked for in it */
#define FALLEN_TO  0.97
#define FALL_LEAST 0.002

/* How many of the newest rows are the end of a process that gives its memory back: all since the first fall that was
 * never made good, ending 3 % below their upper quarter. An interpreter falls in steps, with rests between them. */
static uint32_t tail_falls(const struct row *r, uint32_t n, uint64_t rows)
{
	struct row sorted[SERIES_TAIL];
	if (rows < TAIL_RUN_ROWS)
		return 0;
	memcpy(sorted, r, n * sizeof(r[0]));
	qsort(sorted, n, sizeof(sorted[0]), by_bytes);
	double ref = (double)sorted[n - 1 - n / 4].bytes, top = 0;
	uint32_t cut = 0, most = tail_latest(r, n);
	if ((double)r[n - 1].bytes >= FALLEN_TO * ref)
		return 0;
	for (uint32_t k = 1; k <= most; k++) {
		top = (double)r[n - k].bytes > top ? (double)r[n - k].bytes : top;
		if (top <= (double)r[n - 1 - k].bytes - FALL_LEAST * ref)
			cut = k;
	}
	return cut;
}

/* The same of a reading at the end of an epoch, which may have been the last one: 3 % below all of the eight before it,
 * until another one follows. */
static uint32_t end_falls(const struct row *r, uint32_t n)
{
	double least = n > 1 ? (double)r[n - 2].bytes : 0;
	for (uint32_t k = 3; k <= n && k <= 9; k++)
		least = (double)r[n - k].bytes < least ? (double)r[n - k].bytes : least;
	return n > 1 && (double)r[n - 1].bytes < FALLEN_TO * least;
}

/* What was held before the end: of a few rows, for one alone may be a spike. */
static uint64_t level_before(const struct row *r, uint32_t n)
{
	struct row few[5];
	uint32_t k = n < 5 ? n : 5;
	memcpy(few, r + n - k, k * sizeof(r[0]));
	qsort(few, k, sizeof(few[0]), by_bytes);
	return few[k / 2].bytes;
}

void series_settle(struct series *s)
{
	struct row r[SERIES_TAIL];
	uint32_t n = s->tail_n;
	if (n == 0)
		return;
	for (uint32_t i = 0; i < n; i++)
		r[i] = s->tail[(s->tail_at + SERIES_TAIL - n + i) % SERIES_TAIL];
	bool ends = series_is_of_ends(s->kind);
	uint32_t cut = ends ? end_falls(r, n) : tail_falls(r, n, s->rows);
	if (cut > 0)
		s->last_bytes = level_before(r, n - cut);
	/* With epochs known the open one is not judged at all, so that its end needs no care. */
	if (cut > 0 && !ends && (r[n - 1].epoch >= 0 || s->epoch_raw >= 0))
		cut = 0;
	for (uint32_t i = 0; i < n - cut; i++)
		row_take(s, &r[i]);
	s->tail_n = 0;
	if (ends && s->open_epoch.rows > 0) { /* no more will come of it */
		s->epoch++;
		epoch_end(s);
	}
	if (cut > 0 && cut < n) { /* so that windows are those of a run that stopped there */
		s->last_ms = r[n - cut - 1].ms;
		s->rows -= cut;
	}
}

struct quiet series_quiet(const struct series *s)
{
	struct quiet q = {0};
	if (s->open_epoch.rows == 0)
		return q;
	q.since_ms = s->open_epoch.first_ms;
	/* A line at the end of the first epoch: that and set-up are all that came before it. */
	int64_t begin_ms = s->epoch_n > 0 ? s->epochs[0].first_ms : s->first_ms;
	if (s->epoch_n == 0 && (s->epoch < 1 || begin_ms == q.since_ms))
		return q;
	q.longest_ms = s->epoch_n > 0 ? 0 : q.since_ms - begin_ms;
	for (int i = 0; i < s->epoch_n; i++) {
		const struct span *w = &s->epochs[i];
		int64_t next_ms = i + 1 < s->epoch_n ? w[1].first_ms : q.since_ms;
		int64_t each_ms = (next_ms - w->first_ms) / w->epochs;
		q.longest_ms = each_ms > q.longest_ms ? each_ms : q.longest_ms;
	}
	q.told_ms = q.since_ms - begin_ms;
	q.ms = s->open_epoch.last_ms - q.since_ms;
	return q;
}

void series_forget_epochs(struct series *s)
{
	for (uint32_t i = 0; i < s->tail_n; i++)
		s->tail[i].epoch = -1;
	s->epoch_raw = s->epoch = s->epoch_base = -1;
	s->epoch_n = s->early_n = 0;
	s->setup_seen = false;
	s->first_rise = s->first_even = 0;
	filling_start(&s->open_epoch);
}
