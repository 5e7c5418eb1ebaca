/* SPDX-License-Identifier: MIT */
/* Round ticks of an axis and their labels: bytes in binary units, time since the start, counts. Pure. */
#ifndef DRAW_SCALE_H
#define DRAW_SCALE_H

#include <stdint.h>

#include "base/units.h"

/* Ticks are low, low + step, ... high; both ends are round and enclose what is shown. */
struct scale {
	double low, high, step;
};

/* At least two ticks, at most `most` (two or more) wherever steps of that kind allow. The range may be empty. */
struct scale scale_bytes(double low, double high, int most);
/* Time and counts begin where the run does and end with it: their ends are not rounded, only their ticks. */
struct scale scale_time(double from_ms, double to_ms, int most);
struct scale scale_count(double from, double to, int most);

int scale_ticks(const struct scale *s);
double scale_tick(const struct scale *s, int i);

/* Where a value lies between the ends, 0 to 1; beyond them for values outside. */
double scale_place(const struct scale *s, double value);

/* All labels of an axis are in one unit, with the decimals that its step needs: "1.5 GiB", "0:30". Return buf. */
char *scale_label_bytes(char buf[UNITS_TEXT_MAX], const struct scale *s, double value);
char *scale_label_time(char buf[UNITS_TEXT_MAX], const struct scale *s, double ms);
char *scale_label_count(char buf[UNITS_TEXT_MAX], const struct scale *s, double value);

#endif
