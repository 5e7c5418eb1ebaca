/* SPDX-License-Identifier: MIT */
/* How epochs were found: words and JSON. Knows neither files nor where lines come from. */
#include "report/epoch_source.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/plain_text.h"
#include "base/units.h"

enum { SAMPLES_LEAST = 4 }; /* in an epoch */

static const char *const way_names[] = {
    [WAY_NONE] = NULL,       [WAY_MARKS] = "marks",     [WAY_OUTPUT] = "output",   [WAY_EVERY] = "every",
    [WAY_COLUMN] = "column", [WAY_PATTERN] = "pattern", [WAY_WINDOWS] = "windows",
};

/* A number after empty cells: an epoch has ended in the file; when it began, nobody knows. A number below the
 * last one: so has one, and a second training begins. */
void recorded_epochs_push(struct recorded_epochs *r, const struct sample *s)
{
	enum { JUMP_MAX = 1000 }; /* numbers that leap by more are no count of epochs */
	int64_t rise;

	if (s->epoch < 0) {
		r->blank = true;
		return;
	}
	if (!r->begun) {
		*r = (struct recorded_epochs){.found = r->blank && s->epoch > 0,
					      .epoch = s->epoch,
					      .began_ms = s->elapsed_ms,
					      .begun = true};
		return;
	}
	if (s->epoch == r->epoch)
		return;
	rise = s->epoch > r->epoch ? s->epoch - r->epoch : 1;
	if (rise <= JUMP_MAX)
		epoch_lengths_add(&r->lengths, (double)(s->elapsed_ms - r->began_ms) / (double)rise, rise);
	r->found += rise;
	r->epoch = s->epoch;
	r->began_ms = s->elapsed_ms;
}

static enum epochs_way way_of(enum basis basis)
{
	switch (basis) {
	case BASIS_EPOCHS:
		return WAY_COLUMN;
	case BASIS_PERIOD:
		return WAY_PATTERN;
	case BASIS_WINDOWS:
		return WAY_WINDOWS;
	}
	return WAY_NONE;
}

void epoch_source_run(struct epochs_found *from, const struct run_verdict *run,
		      const struct recorded_epochs *recorded)
{
	*from = (struct epochs_found){.way = WAY_NONE, .found = -1};
	if (run->samples > 1)
		from->interval_s = (double)run->duration_ms / MS_PER_S / (double)(run->samples - 1);
	if (run->n > 0) {
		from->way = way_of(run->series[0].v.basis);
		from->silent_s = (double)run->series[0].v.silent_ms / MS_PER_S;
	}
	if ((from->way != WAY_COLUMN && from->silent_s <= 0) || !recorded || !recorded->begun)
		return;
	from->found = recorded->found;
	from->recorded = true;
	from->timed = recorded->lengths.n;
	from->mean_s = recorded->lengths.mean / MS_PER_S;
	from->spread = epoch_lengths_spread(&recorded->lengths);
}

static void put_lengths(FILE *out, const struct epochs_found *f)
{
	char each[UNITS_TEXT_MAX];

	if (f->timed > 0)
		fprintf(out, ", %s each", units_duration(each, (int64_t)(f->mean_s * (double)NS_PER_S)));
	if (f->timed > 1)
		fprintf(out, " (±%.0f %%)", 100 * f->spread);
}

static void put_instead(FILE *out, enum epochs_way way)
{
	fputs(way == WAY_PATTERN ? "a repeating pattern in the memory serves instead"
				 : "equal windows of time serve instead",
	      out);
}

static void put_blocks(FILE *out, const struct epochs_found *f)
{
	if (f->format && f->found == 1)
		fputs("; its line came too late to time it: marks come in time (EPOCHS in memwatch(1))", out);
	else if (f->format)
		fputs("; lines came in blocks, too late to time them: "
		      "--unbuffered (or python -u) makes them come in time",
		      out);
	else
		fputs("; marks came in blocks, too late to time them", out);
}

/* The next shorter of 1, 2, 5, 10, ... milliseconds that gives enough samples in an epoch of this length; 0 none. */
static int shorter_ms(double epoch_s)
{
	static const int steps[] = {500, 200, 100, 50, 20, 10, 5, 2, 1};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (2 * SAMPLES_LEAST * steps[i] <= epoch_s * MS_PER_S)
			return steps[i];
	return 0;
}

/* The lowest of few samples is a matter of luck. */
static void put_few_samples(FILE *out, const struct epochs_found *f)
{
	bool used =
	    f->way == WAY_MARKS || f->way == WAY_OUTPUT || f->way == WAY_EVERY || f->way == WAY_COLUMN;
	int ms = shorter_ms(f->mean_s);

	if (used && f->timed > 1 && f->interval_s > 0 && f->mean_s < SAMPLES_LEAST * f->interval_s && ms > 0)
		fprintf(
		    out,
		    "  - An epoch has fewer than %d samples, which tell little of it: -i %dms takes more.\n",
		    SAMPLES_LEAST, ms);
}

/* Somebody told of epochs, in time or not. */
static void put_found(FILE *out, const struct epochs_found *f)
{
	bool used = f->way != WAY_PATTERN && f->way != WAY_WINDOWS;
	char count[UNITS_TEXT_MAX];

	units_count(count, (uint64_t)f->found);
	if (f->format)
		plain_part(out, "%s found in the output (%s)", count, f->format);
	else if (f->way == WAY_EVERY)
		fprintf(out, "%s, as --epochs says", count);
	else if (f->recorded)
		fprintf(out, "%s in the file", count);
	else
		fprintf(out, "%s marked", count);
	if (used) {
		put_lengths(out, f);
	} else {
		if (f->silent_s > 0)
			fprintf(out, ", none in the last %s",
				units_duration(count, (int64_t)(f->silent_s * (double)NS_PER_S)));
		fputs("; ", out);
		put_instead(out, f->way);
	}
	if (f->buffered)
		put_blocks(out, f);
}

static void put_fits(FILE *out, const struct epoch_fits *fits)
{
	enum { SHOWN_LAST = 5 };
	int from = fits->n > SHOWN_LAST + 1 ? fits->n - SHOWN_LAST : 1;
	char text[UNITS_TEXT_MAX];

	fprintf(out, "fits: %d, the host held %s", fits->kept[fits->n - 1].number,
		units_bytes(text, fits->kept[0].bytes));
	if (from > 1)
		fputs(", ...", out);
	for (int i = from; i < fits->n; i++)
		fprintf(out, ", %s", units_bytes(text, fits->kept[i].bytes));
	fprintf(out, " at their ends: %s per fit\n", units_bytes_signed(text, epoch_fits_growth(fits).bytes));
}

/* What would help next time. */
static void put_why_none(FILE *out, const struct epochs_found *f)
{
	if (f->no_log)
		plain_line(out, "  - '%s', which --epochs names, never appeared.", f->no_log);
	if (f->no_match)
		plain_line(out, "  - No line matched '%s', which --epoch-regex gives.", f->no_match);
	if (f->unseen)
		fputs("  - Its output goes to no file, so it cannot be read: --epochs log:FILE or SIGUSR1 to "
		      "memwatch at the end of each epoch tells of them.\n",
		      out);
	if (f->discarded)
		fputs("  - Its output goes to no file and no pipe, so it cannot be read: either of them, or "
		      "marks, "
		      "would tell of epochs.\n",
		      out);
}

void epoch_source_text(FILE *out, const struct epochs_found *from, const struct epoch_fits *fits)
{
	if (from->way == WAY_NONE)
		return;
	fputs("epochs: ", out);
	if (from->found >= 0) {
		put_found(out, from);
	} else {
		fputs("none found; ", out);
		put_instead(out, from->way);
	}
	fputc('\n', out);
	if (from->found < 0)
		put_why_none(out, from);
	else
		put_few_samples(out, from);
	if (fits && fits->n > 1)
		put_fits(out, fits);
}

static void put_fits_json(struct json_out *j, const struct epoch_fits *fits)
{
	json_open(j, "fits", '[');
	for (int i = 0; fits && i < fits->n; i++) {
		json_open(j, NULL, '{');
		json_int(j, "fit", fits->kept[i].number);
		json_int(j, "epochs", fits->kept[i].epochs);
		json_real(j, "end_s", (double)fits->kept[i].end_ms / MS_PER_S);
		json_int(j, "held_bytes", (int64_t)fits->kept[i].bytes);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void epoch_source_json(struct json_out *j, const struct epochs_found *from, const struct epoch_fits *fits)
{
	json_open(j, "epochs_from", '{');
	json_string(j, "way", way_names[from->way]);
	json_string(j, "format", from->format);
	json_int_if(j, "found", from->found >= 0, from->found);
	json_int_if(j, "fits", from->fits > 0, from->fits);
	json_real_if(j, "mean_s", from->timed > 0, from->mean_s);
	json_real_if(j, "spread", from->timed > 1, from->spread);
	json_bool(j, "buffered", from->buffered);
	json_close(j, '}');
	put_fits_json(j, fits);
}
