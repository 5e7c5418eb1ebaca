/* SPDX-License-Identifier: MIT */
/* What is still to come, in words: exact where it is near, rounded where it is far off. */
#include "verdict/sentence_outlook.h"

#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "verdict/forecast.h"

#define S_PER_YEAR 31557600.0

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
	if (forecast_far_from_full(s))
		text_add(t, "enough for %s ", s->full_in_epochs >= 0 ? "some" : "about");
	else
		text_add(t, "%s ", s->machine_full ? "used up in" : "full in");
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
	static const char *const meaning[] = {[OUTLOOK_FITS] =
						  "a leak unless it is meant, but it fits until then",
					      [OUTLOOK_TIGHT] = "tight",
					      [OUTLOOK_EXCEEDS] = "it does not fit"};
	struct text t = {.buf = buf};

	buf[0] = '\0';
	if (s->end.outlook == OUTLOOK_UNKNOWN || s->end.left <= 0)
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
