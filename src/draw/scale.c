/* SPDX-License-Identifier: MIT */
/* A step is one of a few round numbers times a power of its unit. */
#include "draw/scale.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

/* A curve that reaches a unit is told in it, and so is its axis: quarters and halves of a GiB, not 200 and 500 MiB. */
static double in_units_of(double high, double step)
{
	double unit = 1024.0;

	while (unit <= step)
		unit *= 1024.0;
	if (unit > high || step <= unit / 8)
		return step;
	return step <= unit / 4 ? unit / 4 : step <= unit / 2 ? unit / 2 : unit;
}

/* The smallest round step of which `most` - 1 cover the range. */
static double byte_step(double range, int most)
{
	static const double round[] = {1,  2,  4,   5,   8,   10,  16,  20,  25, 32,
				       50, 64, 100, 128, 200, 250, 256, 500, 512};
	double least = fmax(range, 1.0) / (most - 1);

	for (double unit = 1.0;; unit *= 1024.0)
		for (size_t i = 0; i < sizeof(round) / sizeof(round[0]); i++)
			if (round[i] * unit >= least)
				return round[i] * unit;
}

static double decimal_step(double least)
{
	double unit = pow(10.0, floor(log10(fmax(least, 1e-9))));
	double times = least / unit;

	return unit * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static double time_step(double range_ms, int most)
{
	static const double round_s[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
					 600, 900, 1800, 3600, 7200, 14400, 21600, 43200};
	double least = fmax(range_ms, 1.0) / (most - 1);

	if (least <= MS_PER_S)
		return decimal_step(least);
	for (size_t i = 0; i < sizeof(round_s) / sizeof(round_s[0]); i++)
		if (round_s[i] * MS_PER_S >= least)
			return round_s[i] * MS_PER_S;
	return ceil(least / (86400.0 * MS_PER_S)) * 86400.0 * MS_PER_S;
}

static struct scale enclose(double low, double high, double step)
{
	struct scale s = {.low = floor(low / step) * step, .high = ceil(high / step) * step, .step = step};

	if (s.high <= s.low)
		s.high = s.low + step;
	return s;
}

/* Rounding both ends may add a tick: then the step is a size too small. */
struct scale scale_bytes(double low, double high, int most)
{
	struct scale s = enclose(low, high, in_units_of(high, byte_step(high - low, most)));

	for (int fewer = most - 1; fewer >= 2 && scale_ticks(&s) > most; fewer--)
		s = enclose(low, high, in_units_of(high, byte_step(high - low, fewer)));
	return s;
}

struct scale scale_time(double from_ms, double to_ms, int most)
{
	return (struct scale){
	    .low = from_ms, .high = fmax(to_ms, from_ms + 1), .step = time_step(to_ms - from_ms, most)};
}

struct scale scale_count(double from, double to, int most)
{
	return (struct scale){.low = from,
			      .high = fmax(to, from + 1),
			      .step = fmax(1.0, decimal_step(fmax(to - from, 1.0) / (most - 1)))};
}

static double first_tick(const struct scale *s)
{
	return ceil(s->low / s->step - 1e-9) * s->step;
}

int scale_ticks(const struct scale *s)
{
	return 1 + (int)floor((s->high - first_tick(s)) / s->step + 1e-9);
}

double scale_tick(const struct scale *s, int i)
{
	return first_tick(s) + i * s->step;
}

double scale_place(const struct scale *s, double value)
{
	return (value - s->low) / (s->high - s->low);
}

/* The largest unit in which the step needs no more than two decimals. */
static double unit_of(const struct scale *s, int *power)
{
	double unit = 1.0;

	*power = 0;
	while (*power < 5 && fmax(fabs(s->high), fabs(s->low)) >= unit * 1024.0 &&
	       fmod(s->step * 4.0, unit * 1024.0) == 0.0) {
		unit *= 1024.0;
		++*power;
	}
	return unit;
}

static int decimals_of(double step)
{
	int n = 0;

	while (n < 3 && fabs(step - round(step)) > 1e-9) {
		step *= 10.0;
		n++;
	}
	return n;
}

char *scale_label_bytes(char buf[UNITS_TEXT_MAX], const struct scale *s, double value)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	int power;
	double unit = unit_of(s, &power);

	snprintf(buf, UNITS_TEXT_MAX, "%.*f %s", decimals_of(s->step / unit), value / unit, units[power]);
	return buf;
}

char *scale_label_time(char buf[UNITS_TEXT_MAX], const struct scale *s, double ms)
{
	int64_t seconds = (int64_t)(ms / MS_PER_S + 0.5);

	if (s->high < 120.0 * MS_PER_S)
		snprintf(buf, UNITS_TEXT_MAX, "%.*f s", decimals_of(s->step / MS_PER_S), ms / MS_PER_S);
	else if (s->high < 3600.0 * MS_PER_S)
		snprintf(buf, UNITS_TEXT_MAX, "%d:%02d", (int)(seconds / 60), (int)(seconds % 60));
	else
		snprintf(buf, UNITS_TEXT_MAX, "%d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60),
			 (int)(seconds % 60));
	return buf;
}

char *scale_label_count(char buf[UNITS_TEXT_MAX], const struct scale *s, double value)
{
	(void)s;
	return units_count(buf, (uint64_t)fmax(value + 0.5, 0.0));
}
