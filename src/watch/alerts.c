/* SPDX-License-Identifier: MIT */
/* When to look at a run that goes on, and what is worth a line. A look is paid for: at most one hundredth of
 * a percent of a core, after a first grant that covers the short runs. An alarm needs the same answer at two
 * looks in a row, and at more of them where one was taken back. */
#include "watch/alerts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/msg.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "verdict/forecast.h"
#include "verdict/sentence_outlook.h"
#include "verdict/sentences.h"
#include "watch/hook.h"

enum {
	GRANT_NS = 150 * NS_PER_MS, /* a look at each of the first 40 epochs or more */
	SHARE = 10000,              /* then one ns of looking in so many of the run */
	BLIND_FIRST_MS = 30000, /* first look without epochs: imports of TensorFlow rise steadily for long */
	BLIND_STEP_MS = 5000,   /* least time between such looks */
	BLIND_STEP_SHARE = 16,  /* and a sixteenth of the run more: old runs change slowly */
	BLIND_AGE_MS =
	    60000, /* programs load for so long, and rise steadily: before, only twice as old will do */
	BLIND_STAND_SHARE = 2, /* then half as old again: a swing of a minute or two rises for less */
	LOOKS = 2,             /* in a row; twice as many each time it has settled after all */
	SETTLED_MOST = 5,      /* of these times: 64 looks in a row are asked for at most */
};

struct told {
	char name[CHANNEL_NAME_MAX];
	enum shape shape;
	bool firm;
	int looks;        /* the same answer so many times in a row */
	int64_t since_ms; /* how old what is judged was at the first of them */
	bool stands;
	bool growth, nearly_full; /* said, and not taken back */
	int room_looks;           /* so many in a row at which it was nearly full, and no verdict */
	bool room_said;
	int settled; /* how often it was */
};

struct alerts {
	struct alerts_conf conf;
	int64_t epoch;    /* at the last look */
	int64_t next_ms;  /* no look before, but at the end of an epoch */
	int64_t spent_ns; /* CPU time of all looks */
	bool hook_tried;
	pid_t hook;
	int growing;    /* looks in a row at which the host grew */
	bool per_epoch; /* by epochs, at the last of them */
	struct told *told;
	int n;
};

struct alerts *alerts_new(const struct alerts_conf *conf)
{
	struct alerts *a = xcalloc(1, sizeof(*a));

	a->conf = *conf;
	a->epoch = -1;
	a->next_ms = BLIND_FIRST_MS;
	return a;
}

void alerts_free(struct alerts *a)
{
	if (!a)
		return;
	free(a->told);
	free(a);
}

int alerts_growing(const struct alerts *a, bool *per_epoch)
{
	*per_epoch = a->per_epoch;
	return a->growing;
}

bool alerts_said_growth(const struct alerts *a)
{
	for (int i = 0; i < a->n; i++)
		if (a->told[i].growth)
			return true;
	return false;
}

pid_t alerts_hook(const struct alerts *a)
{
	return a->hook;
}

static bool new_epoch(const struct alerts *a, const struct sample *s)
{
	return s->epoch >= 0 && s->epoch != a->epoch;
}

static bool due(const struct alerts *a, const struct sample *s)
{
	if (a->spent_ns > GRANT_NS + s->elapsed_ms * (NS_PER_MS / SHARE))
		return false;
	return new_epoch(a, s) || s->elapsed_ms >= a->next_ms;
}

static struct told *told_of(struct alerts *a, const char *name)
{
	struct told *t;

	for (int i = 0; i < a->n; i++)
		if (strcmp(a->told[i].name, name) == 0)
			return &a->told[i];
	a->told = xrealloc(a->told, (size_t)a->n + 1, sizeof(*a->told));
	t = &a->told[a->n++];
	memset(t, 0, sizeof(*t));
	memcpy(t->name, name, sizeof(t->name));
	return t;
}

static void start_hook(struct alerts *a, const struct sample *now, const struct series_verdict *s)
{
	struct hook_facts facts = {.command = a->conf.command,
				   .pid = a->conf.pid,
				   .elapsed_ms = now->elapsed_ms,
				   .epoch = now->epoch};
	pid_t pid;

	if (!a->conf.on_growth || a->hook_tried)
		return;
	a->hook_tried = true;
	pid = hook_start(a->conf.on_growth, &facts, s);
	if (pid < 0)
		warn("--on-growth: cannot run '%s': %s", a->conf.on_growth, strerror(-pid));
	else
		a->hook = pid;
}

/* The head in colour, all of it bold. */
static void shout_of(const struct series_verdict *s, const char *what, const char *words)
{
	shout("%s%s: %s.%s%s %s%s", msg_paint(PAINT_ALARM), s->name, what, msg_paint(PAINT_NONE),
	      msg_paint(PAINT_BOLD), words, msg_paint(PAINT_NONE));
}

/* A leak that nobody has to get up for: short, and nothing that alarms. */
static void say_calmly(const struct series_verdict *s, const char *end)
{
	char slope[UNITS_TEXT_MAX];

	note("%s: growth. %s per epoch, %s", s->name, units_bytes_signed(slope, s->v.slope_bytes_per_epoch),
	     end);
}

static void tell_new_growth(const struct series_verdict *s)
{
	char reason[SENTENCE_MAX], end[SENTENCE_MAX], words[2 * SENTENCE_MAX];

	sentence_planned_end(end, s);
	if (s->end.outlook == OUTLOOK_FITS && end[0] && s->v.per_epoch && s->fits.bytes <= 0) {
		say_calmly(s, end);
		return;
	}
	snprintf(words, sizeof(words), "%s%s%s", sentence_reason(reason, s, TENSE_NOW), end[0] ? " " : "",
		 end);
	shout_of(s, "growth", words);
}

/* The line of growth holds the forecast already: being nearly full is news of its own only later. */
static void tell_growth(struct alerts *a, struct told *t, const struct sample *now,
			const struct series_verdict *s)
{
	bool full = forecast_nearly_full(s);
	char line[SENTENCE_MAX + 1];

	if (!t->growth)
		tell_new_growth(s);
	else if (forecast_above_limit(s) && !t->nearly_full)
		shout_of(s, "above its limit", sentence_reason(line, s, TENSE_NOW));
	else if (full && !t->nearly_full)
		shout_of(s, "nearly full", strcat(sentence_forecast(line, s, TENSE_NOW), "."));
	t->growth = true;
	t->nearly_full = t->nearly_full || full;
	if (s->end.outlook != OUTLOOK_FITS) /* else there is time to look into it */
		start_hook(a, now, s);
}

/* Within an epoch nothing new can be said of epochs. */
static bool is_new(const struct alerts *a, const struct sample *now, const struct series_verdict *s)
{
	return s->v.basis != BASIS_EPOCHS || new_epoch(a, now);
}

/* The age of what is judged: of the run, or of what follows its last epoch. */
static int64_t age_ms(const struct sample *now, const struct series_verdict *s)
{
	return s->v.silent_ms > 0 ? s->v.silent_ms : now->elapsed_ms;
}

/* Without epochs set-up cannot be told from training. An answer stands once it is as old again as what was judged at the
 * first look that gave it, but after the first minute half as old again is enough: a steady leak is said within two
 * minutes. */
static bool is_old_enough(const struct told *t, int64_t age)
{
	int64_t doubled = 2 * t->since_ms, late = t->since_ms + t->since_ms / BLIND_STAND_SHARE;

	if (late < BLIND_AGE_MS)
		late = BLIND_AGE_MS;
	return age >= (doubled < late ? doubled : late);
}

/* The same answer twice in a row; without epochs also for some time. */
static bool stands(struct told *t, const struct sample *now, const struct series_verdict *s)
{
	if (t->looks == 0 || t->shape != s->v.shape || t->firm != s->v.firm) {
		t->looks = 0;
		t->since_ms = age_ms(now, s);
	}
	t->shape = s->v.shape;
	t->firm = s->v.firm;
	t->looks++;
	t->stands = t->looks >= LOOKS << t->settled &&
		    (s->v.basis == BASIS_EPOCHS || is_old_enough(t, age_ms(now, s)));
	return t->stands;
}

/* Epochs so long that memory may be full before a verdict is due. */
static void tell_room(struct told *t, const struct series_verdict *s)
{
	bool is_short = s->v.so_far == SO_FAR_RISING && forecast_nearly_full(s);
	char line[SENTENCE_MAX];

	t->room_looks = is_short ? t->room_looks + 1 : 0;
	if (t->room_looks >= LOOKS && !t->room_said) {
		shout_of(s, "nearly full", sentence_so_far(line, s, TENSE_NOW));
		t->room_said = true;
	}
}

static void tell(struct alerts *a, const struct sample *now, const struct series_verdict *s)
{
	struct told *t = told_of(a, s->name);
	char reason[SENTENCE_MAX];
	bool grows = s->v.shape == SHAPE_GROWTH;

	tell_room(t, s);
	if (!is_new(a, now, s) || !stands(t, now, s))
		return;
	t->room_said = t->room_said && (grows || !s->v.firm);
	if (grows && s->v.firm) {
		tell_growth(a, t, now, s);
	} else if (!grows && s->v.firm && t->growth) {
		t->growth = t->nearly_full = false;
		t->settled += t->settled < SETTLED_MOST;
		note("%s: settled after all: %s. %s", s->name, detector_shape_name(s->v.shape),
		     sentence_reason(reason, s, TENSE_NOW));
	}
}

void alerts_look(struct alerts *a, struct judge *j, const struct sample *s)
{
	const struct run_verdict *run;
	int64_t began;

	if (!due(a, s))
		return;
	began = clock_cpu_ns();
	run = judge_run(j);
	for (int i = 0; i < run->n; i++)
		tell(a, s, &run->series[i]);
	if (run->n > 0 && is_new(a, s, &run->series[0])) {
		a->growing = run->series[0].v.shape == SHAPE_GROWTH ? a->growing + 1 : 0;
		a->per_epoch = run->series[0].v.per_epoch;
	}
	a->epoch = s->epoch;
	a->next_ms = s->elapsed_ms + s->elapsed_ms / BLIND_STEP_SHARE + BLIND_STEP_MS;
	a->spent_ns += clock_cpu_ns() - began;
}

bool alerts_all_firm(const struct alerts *a)
{
	for (int i = 0; i < a->n; i++)
		if (!a->told[i].firm || !a->told[i].stands)
			return false;
	return a->n > 0;
}
