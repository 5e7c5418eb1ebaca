/* SPDX-License-Identifier: MIT */
/* Epochs unknown, but the process was watched from its launch on: where imports and set-up end. They are a
 * steep and irregular rise from next to nothing, and no part of the training. Knows nothing of trends. */
#include "series/launch.h"

#include <math.h>

#include "base/stats.h"
#include "series/spans.h"

/* A process whose first rows held less than this share of its level was watched from its launch on. */
#define LAUNCH_SHARE 0.3

/* Where set-up takes longer, the code that a program maps tells. */
#define SETUP_MS 40000

enum { AHEAD = 4 }; /* windows looked ahead */

/* Pace of the windows after k, per window, but for their largest step. */
static double pace_ahead(const double *y, int k)
{
	double step = 0;
	for (int i = k; i < k + AHEAD; i++)
		step = fmax(step, y[i + 1] - y[i]);
	return (y[k + AHEAD] - y[k] - step) / AHEAD;
}

/* The last of the windows looked ahead that still rose at 0.4 of the pace: the step left out above. */
static int last_step(const double *y, int k, double pace)
{
	int end = k;
	for (int i = k + 1; i <= k + AHEAD; i++)
		if (y[i] - y[i - 1] > 0.4 * pace)
			end = i;
	return end;
}

/* Of a run that is hardly longer than its set-up: held since, for five windows. */
static bool held_since(const double *y, int k, int n)
{
	return n - 1 - k >= 5 && fabs(y[n - 1] - y[k]) < 0.01 * y[k];
}

/* Imports in two parts, the second one slower, as from a busy disk. Where the second half of the run rises clearly, set-up goes on
 * while the windows ahead rise at four times that pace. */
static int second_part_end(const struct spans *a, const double *y, int k, double level)
{
	int n = a->n, half = n / 2;
	double later = (y[n - 1] - y[half]) / (n - 1 - half);
	if (later * half < 0.01 * level)
		return k;
	while (k + AHEAD < half && a->w[k].first_ms - a->w[0].first_ms < SETUP_MS &&
	       y[k + AHEAD] - y[k] > 4 * AHEAD * later)
		k++;
	return k;
}

/* Set-up ends where the windows ahead rise at a fifth of its pace. The first window is left out of the pace, for one
 * import can take half of all. A fall of a tenth is none of set-up's: imports give nothing back. */
static int rise_end(const struct spans *a, const double *y, double level)
{
	int n = a->n;
	if (n < 16)
		return 0;
	if (y[1] > 0.8 * level)
		return 0; /* over within the first window: what rises since is no set-up */
	for (int k = 2; k + AHEAD < n && a->w[k].first_ms - a->w[0].first_ms < SETUP_MS; k++) {
		if (k >= n / 2 && !held_since(y, k, n))
			continue;
		double pace = (y[k] - y[1]) / (k - 1);
		if (y[k + 1] < 0.9 * y[k])
			return k;
		if (pace > 0 && pace_ahead(y, k) < 0.2 * pace)
			return second_part_end(a, y, last_step(y, k, pace), level);
	}
	return 0;
}

/* What was seen of it beside the memory held; in its first half second every program maps code. */
static int told_end(const struct spans *a, int64_t setup_ms)
{
	int k = 0;
	if (setup_ms < a->w[0].first_ms + 500)
		return 0;
	while (k < a->n - 1 && a->w[k].first_ms <= setup_ms)
		k++;
	return k > 1 ? k : 0;
}

int launch_end(const struct spans *a, double start, int64_t setup_ms)
{
	double y[STATS_MAX];
	int n = a->n, part = n / 6 > 3 ? n / 6 : 3, tail = part < n ? part : n;
	if (n < 2)
		return 0;
	for (int i = 0; i < n; i++)
		y[i] = a->w[i].med;
	double level = stats_median(y + n - tail, tail);
	int rise = start > LAUNCH_SHARE * level ? 0 : rise_end(a, y, level), told = told_end(a, setup_ms);
	return rise > told ? rise : told;
}

/* Watched from exec on, when a process holds 1 to 4 MiB; attached to, even a bare Python has 9. */
static bool seen_from_exec(const struct series *s)
{
	return s->kind != SERIES_GPU && s->opening[0] < 6 << 20;
}

static double watched_s(const struct series *s, const struct view *v)
{
	return v->t[v->n - 1] - (double)s->first_ms / 1000;
}

/* How long it is known to have come up; 0 unknown. */
static double set_up_s(const struct series *s)
{
	return s->setup_ms < 0 ? 0 : (double)(s->setup_ms - s->first_ms) / 1000;
}

/* Without epochs: a process that comes up rises from its first row on, to several times what it had, and what follows is
 * hard to tell from it while that may still go on: 20 s, or four times as long as code was mapped, for modules load for as
 * long again and longer. One that was attached to had most of its level at once, or was coming up as well; a GPU takes no
 * part in imports. */
bool launch_is_recent(const struct series *s, const struct view *v)
{
	double most_s = s->kind == SERIES_GPU ? 2 : fmax(20, 4 * set_up_s(s));
	return v->basis != BASIS_EPOCHS && watched_s(s, v) < most_s && v->start < 0.8 * v->level;
}

bool launch_goes_on(const struct series *s, const struct view *v)
{
	bool imports = seen_from_exec(s) || set_up_s(s) > 0.5;
	return imports && launch_is_recent(s, v) &&
	       (v->launch == 0 || watched_s(s, v) < fmax(5, 1.5 * set_up_s(s)));
}

bool launch_was_all(const struct series *s, const struct view *v)
{
	if (v->n == 0 || !seen_from_exec(s) || !launch_is_recent(s, v))
		return false;
	int i = v->n - 1;
	double top = v->med[i], life_s = (double)(s->last_ms - s->first_ms) / 1000;
	while (i > 0 && v->med[i - 1] > top - 0.002 * v->level)
		i--;
	/* with its tear-down, which no window holds */
	return (double)s->last_ms / 1000 - v->t[i] > 0.2 * life_s;
}
