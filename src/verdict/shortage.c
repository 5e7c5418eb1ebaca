/* SPDX-License-Identifier: MIT */
/* Readings of pressure two seconds apart, and the spans of time in which they were high. */
#include "verdict/shortage.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/units.h"
#include "verdict/sentence_parts.h"

enum {
	US_PER_MS = 1000,
	US_PER_S = 1000000,
	CALM_MS = 30000,         /* so long without waiting ends it */
	TOLD_US = 2 * US_PER_S,  /* less is a moment, as when a model is loaded */
	STRAINED_PERMILLE = 100, /* of the time between two readings */
};

static int64_t permille(int64_t stalled_us, int64_t ms)
{
	return ms > 0 ? stalled_us / ms : 0; /* a thousandth of a millisecond is a microsecond */
}

static bool is_worth_telling(const struct shortage_span *s)
{
	return s->stalled_us >= TOLD_US &&
	       permille(s->stalled_us, s->until_ms - s->from_ms) >= STRAINED_PERMILLE;
}

static void end_span(struct shortage_course *c)
{
	if (is_worth_telling(&c->now) && c->now.stalled_us > c->worst.stalled_us)
		c->worst = c->now;
	c->strained = false;
}

/* It began when the reading before was taken. */
static void begin_span(struct shortage_course *c, const struct sample *s)
{
	c->strained = true;
	c->now = (struct shortage_span){
	    .from_ms = c->last_ms,
	    .until_ms = c->last_ms,
	    .from_epoch = c->last_epoch,
	    .epochs = {.warmed = true},
	    .faults_from = c->last_faults,
	    .faults_until = c->last_faults,
	    .swap_from = s->v[CH_SWAP],
	};
}

static void take_interval(struct shortage_course *c, const struct sample *s, int64_t stalled_us)
{
	bool high = permille(stalled_us, s->elapsed_ms - c->last_ms) >= STRAINED_PERMILLE;

	if (high && !c->strained)
		begin_span(c, s);
	if (!c->strained)
		return;
	c->now.since_us += stalled_us;
	if (high) {
		c->now.stalled_us += c->now.since_us;
		c->now.since_us = 0;
		c->now.until_ms = s->elapsed_ms;
		c->now.faults_until = s->major_faults;
	} else if (s->elapsed_ms - c->now.until_ms >= CALM_MS) {
		end_span(c);
	}
}

static void take_reading(struct shortage_course *c, const struct sample *s)
{
	if (!c->begun || s->pressure_us < c->last_us) {
		c->first_ms = s->elapsed_ms;
		c->first_us = s->pressure_us;
	} else {
		take_interval(c, s, s->pressure_us - c->last_us);
	}
	c->begun = true;
	c->last_ms = s->elapsed_ms;
	c->last_us = s->pressure_us;
	c->last_epoch = s->epoch;
	c->last_faults = s->major_faults;
}

/* An epoch that lies partly in a time of shortage says nothing of either. */
static void end_epoch(struct shortage_course *c, int64_t now_ms)
{
	double ms = (double)(now_ms - c->epoch_ms);

	if (c->strained && c->epoch_ms >= c->now.from_ms)
		epoch_lengths_add(&c->now.epochs, ms, 1);
	else if (!c->strained && c->epoch_ms >= c->now.until_ms)
		epoch_lengths_add(&c->calm, ms, 1);
}

static void take_epoch(struct shortage_course *c, const struct sample *s)
{
	if (s->epoch < 0 || (c->epoch_begun && s->epoch == c->epoch))
		return;
	if (c->epoch_begun && s->epoch == c->epoch + 1)
		end_epoch(c, s->elapsed_ms);
	c->epoch_begun = true;
	c->epoch = s->epoch;
	c->epoch_ms = s->elapsed_ms;
}

void shortage_push(struct shortage_course *c, const struct sample *s)
{
	if (s->pressure_us >= 0)
		take_reading(c, s);
	take_epoch(c, s);
	if (c->strained && s->v[CH_SWAP].ok && s->v[CH_SWAP].bytes > c->now.swap_most_bytes)
		c->now.swap_most_bytes = s->v[CH_SWAP].bytes;
}

static double seconds_of(const struct epoch_lengths *l)
{
	return l->n > 0 ? l->mean / MS_PER_S : -1;
}

static void describe(const struct shortage_course *c, const struct shortage_span *s, struct shortage *out)
{
	double span_s = (double)(s->until_ms - s->from_ms) / MS_PER_S;

	out->found = true;
	out->since_ms = s->from_ms;
	out->since_epoch = s->from_epoch < 0 ? -1 : s->from_epoch + 1;
	out->until_ms = s == &c->now ? -1 : s->until_ms;
	out->stalled_share = (double)s->stalled_us / US_PER_S / span_s;
	out->epoch_s_before = seconds_of(&c->calm);
	out->epoch_s_after = seconds_of(&s->epochs);
	if (s->faults_from >= 0 && s->faults_until >= s->faults_from)
		out->faults_per_s = (double)(s->faults_until - s->faults_from) / span_s;
	if (s->swap_from.ok && s->swap_most_bytes > s->swap_from.bytes)
		out->swapped_bytes = s->swap_most_bytes - s->swap_from.bytes;
}

struct shortage shortage_find(const struct shortage_course *c)
{
	struct shortage out = {.since_ms = -1,
			       .since_epoch = -1,
			       .until_ms = -1,
			       .epoch_s_before = -1,
			       .epoch_s_after = -1,
			       .faults_per_s = -1};
	bool lasts = c->strained && is_worth_telling(&c->now);

	out.known = c->begun && c->last_ms > c->first_ms;
	if (out.known)
		out.stalled_share =
		    (double)(c->last_us - c->first_us) / US_PER_MS / (double)(c->last_ms - c->first_ms);
	if (lasts && c->now.stalled_us >= c->worst.stalled_us)
		describe(c, &c->now, &out);
	else if (c->worst.stalled_us > 0)
		describe(c, &c->worst, &out);
	return out;
}

/* "since epoch 12 (3:20)", "since 3:20", "from epoch 12 (3:20) to 5:10" */
static void add_when(struct text *t, const struct shortage *s)
{
	char clock[UNITS_TEXT_MAX];

	units_clock(clock, s->since_ms);
	text_add(t, s->until_ms < 0 ? "since " : "from ");
	if (s->since_epoch >= 0)
		text_add(t, "epoch %" PRId64 " (%s)", s->since_epoch, clock);
	else
		text_add(t, "%s", clock);
	if (s->until_ms >= 0)
		text_add(t, " to %s", units_clock(clock, s->until_ms));
}

static void add_epochs(struct text *t, const struct shortage *s)
{
	double times = s->epoch_s_before > 0 ? s->epoch_s_after / s->epoch_s_before : 0;

	if (s->epoch_s_before <= 0 || s->epoch_s_after < 0)
		return;
	if (times < 1.1) { /* "1.1 times as long" is the least that can be shown */
		text_add(t, ", though epochs took no longer");
		return;
	}
	text_add(t, ", and epochs took %.1f times as long (", times);
	text_duration(t, s->epoch_s_after);
	text_add(t, " instead of ");
	text_duration(t, s->epoch_s_before);
	text_add(t, ")");
}

const char *shortage_sentence(char *buf, const struct shortage *s, bool grows)
{
	struct text t = {.buf = buf};

	buf[0] = '\0';
	if (!s->found)
		return buf;
	text_add(&t, "memory pressure ");
	add_when(&t, s);
	text_add(&t, ": processes waited for memory %.0f %% of the time", 100 * s->stalled_share);
	add_epochs(&t, s);
	if (s->swapped_bytes > 0) {
		text_add(&t, "; ");
		text_bytes(&t, (double)s->swapped_bytes);
		text_add(&t, " were swapped out meanwhile");
	}
	text_add(
	    &t,
	    grows ? "; the growth of the host leads there"
		  : ": not a leak but too little memory; a smaller batch, fewer workers or more memory help");
	return buf;
}
