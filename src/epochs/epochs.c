/* SPDX-License-Identifier: MIT */
/* Many lines and marks -> epochs finished: one track per format, and the choice among them. The one with the
 * more trusted format is followed as long as it keeps up. Knows neither files nor the sampler. */
#include "epochs/epochs.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "epochs/formats.h"
#include "epochs/regex.h"
#include "epochs/track.h"

enum {
	LEFT_BEHIND = 3, /* boundaries another format may be ahead before it is followed instead */
	TRUST_USER = 8,  /* what the user gave is never left */
};

enum { LABELS_FIRST = 2, ROWS_FIRST = 2 };

struct epochs {
	struct epoch_track track[EPOCH_FORMATS_MAX];
	struct {
		int moves;    /* boundaries since the followed format had its last */
		int64_t from; /* epochs this one had finished then */
	} since[EPOCH_FORMATS_MAX];
	enum epoch_format followed;
	int64_t offset; /* keeps the count from falling when another format is followed */
	int fits_offset;
	int64_t finished;
	int64_t stopped;                /* epochs of the fit that has said last that it is over; 0 none */
	int labels;                     /* the first of them, which wait for another */
	int64_t label_ns[LABELS_FIRST]; /* their times */
	enum epoch_format armed;        /* a table's header has been seen: figures below are such rows */
	int armed_words;                /* of that header */
	int row_words;                  /* of the first row below it, 0 before; all have as many */
	int waiting;                    /* rows of a resumed table, which wait for another */
	struct {
		int64_t number, time_ns;
		int words;
	} rows[ROWS_FIRST];
	bool best_follows;         /* the next line of boosting rounds repeats one of them */
	bool validates;            /* Keras shows val_loss at the end of its epochs */
	struct epoch_regex *regex; /* NULL: none */
	bool regex_matched;        /* a line, once */
};

struct epochs *epochs_new(int64_t start_ns)
{
	struct epochs *e = xcalloc(1, sizeof(*e));

	for (int f = 0; f < epoch_formats_count(); f++)
		epoch_track_init(&e->track[f], start_ns);
	e->finished = -1;
	return e;
}

void epochs_free(struct epochs *e)
{
	if (e)
		epoch_regex_free(e->regex);
	free(e);
}

int epochs_set_regex(struct epochs *e, const char *regex, char *why, size_t why_size)
{
	return epoch_regex_new(regex, &e->regex, why, why_size);
}

bool epochs_regex_missed(const struct epochs *e)
{
	return e->regex && !e->regex_matched;
}

bool epochs_regex_given_up(const struct epochs *e)
{
	return e->regex && epoch_regex_given_up(e->regex);
}

int64_t epochs_finished(const struct epochs *e)
{
	return e->finished;
}

int epochs_fits(const struct epochs *e)
{
	return e->fits_offset + e->track[e->followed].fits;
}

int64_t epochs_planned(const struct epochs *e)
{
	const struct epoch_track *t = &e->track[e->followed];

	if (e->followed == EF_NONE || epoch_format_info(e->followed)->role != ROLE_NUMBERED ||
	    epochs_fits(e) > 1)
		return -1;
	return t->total >= e->finished && t->total > 0 ? t->total : -1;
}

enum move { MOVE_STAY, MOVE_BETTER, MOVE_AHEAD, MOVE_NEXT };

/* Whether a format that has just moved should be followed from now on: it is trusted more, the followed one
 * was left behind, or the followed one's fit is over and this is the next. Rounds within an epoch are always
 * ahead of it, and so never followed for that. */
static enum move judge_move(const struct epochs *e, enum epoch_format f, bool begins)
{
	const struct epoch_track *t = &e->track[f], *now = &e->track[e->followed];
	int trust = epoch_format_info(f)->trust, trust_now = epoch_format_info(e->followed)->trust;
	bool yields = epoch_format_info(f)->yields, yields_now = epoch_format_info(e->followed)->yields;

	if (!t->confirmed || f == e->followed)
		return MOVE_STAY;
	if (e->followed == EF_NONE)
		return MOVE_BETTER;
	if (trust >= TRUST_USER || trust_now >= TRUST_USER)
		return trust > trust_now ? MOVE_BETTER : MOVE_STAY;
	if (yields != yields_now)
		return yields || (t->buffered && !now->buffered) ? MOVE_STAY : MOVE_BETTER;
	if (begins && epoch_track_over(now))
		return MOVE_NEXT;
	/* A loop within the followed one is ahead of it all the time. */
	if (e->since[f].moves >= LEFT_BEHIND && epoch_format_info(f)->pace_ms == 0)
		return MOVE_AHEAD;
	if (t->buffered != now->buffered)
		return now->buffered ? MOVE_BETTER : MOVE_STAY;
	return trust > trust_now && t->skips <= t->steps ? MOVE_BETTER : MOVE_STAY;
}

static void follow(struct epochs *e, enum epoch_format f, enum move move)
{
	int64_t finished = epoch_track_finished(&e->track[f]), count = e->finished;

	if (move == MOVE_NEXT)
		e->fits_offset = epochs_fits(e) - e->track[f].fits + 1;
	if (move != MOVE_BETTER)
		count += finished - e->since[f].from;
	e->followed = f;
	e->offset = count > finished ? count - finished : 0;
}

static void reset_since(struct epochs *e)
{
	for (int f = 0; f < epoch_formats_count(); f++) {
		e->since[f].moves = 0;
		e->since[f].from = e->track[f].seen ? epoch_track_finished(&e->track[f]) : 0;
	}
}

/* One track has moved: is it the one to follow, and what is the count now? */
static void track_moved(struct epochs *e, enum epoch_format f, bool begins)
{
	enum move move;
	int64_t finished;

	e->since[f].moves++;
	move = judge_move(e, f, begins);
	if (move != MOVE_STAY)
		follow(e, f, move);
	if (f != e->followed)
		return;
	reset_since(e);
	finished = epoch_track_finished(&e->track[f]) + e->offset;
	if (finished > e->finished)
		e->finished = finished;
}

static void see(struct epochs *e, const struct epoch_line *l, int64_t time_ns)
{
	struct epoch_track *t = &e->track[l->format];
	int fits_before = t->fits;

	if (epoch_track_see(t, l, time_ns) || e->followed == EF_NONE)
		track_moved(e, l->format, t->fits > fits_before);
}

static void close_track(struct epochs *e, enum epoch_format f, int64_t time_ns)
{
	if (epoch_track_close(&e->track[f], time_ns))
		track_moved(e, f, false);
}

/* "63/63 - 1s - loss: 0.1" ends the epoch that Keras has announced, for certain when it is the last one;
 * without such an announcement (fit() of one epoch prints none) it is all there is to count. */
static void see_steps(struct epochs *e, const struct epoch_line *l, int64_t time_ns)
{
	enum epoch_format of = epoch_format_info(l->format)->of;
	struct epoch_track *announced = &e->track[of], *steps = &e->track[l->format];

	if (!announced->seen) {
		/* evaluate() prints the same with another number of steps. */
		if (!steps->seen || steps->total == l->total)
			see(e, l, time_ns);
		return;
	}
	announced->full = true;
	/* A message of ModelCheckpoint breaks the bar's line before validation has been added to it. */
	e->validates |= l->evaluates;
	if (e->validates && !l->evaluates)
		return;
	if (announced->last - announced->base + 1 == announced->total)
		close_track(e, of, time_ns);
}

/* Lines of the script's own have shown as many epochs as the fit says it had: they are the same fit. */
static bool stops_followed(const struct epochs *e, const struct epoch_line *l)
{
	const struct epoch_track *t = &e->track[e->followed];
	int64_t had = l->number + (l->part_milli >= EPOCH_PART_ALL);

	return e->followed != EF_NONE && epoch_format_info(e->followed)->role != ROLE_STOP && t->seen &&
	       t->last - t->base + 1 == had;
}

static void see_stop(struct epochs *e, const struct epoch_line *l, int64_t time_ns)
{
	bool any = false;

	e->stopped = l->number;
	for (int f = 0; f < epoch_formats_count(); f++) {
		if (!epoch_format_info((enum epoch_format)f)->has_stop_line)
			continue;
		any |= e->track[f].seen;
		close_track(e, (enum epoch_format)f, time_ns);
	}
	if (stops_followed(e, l))
		close_track(e, e->followed, time_ns);
	else if (!any)
		see(e, l, time_ns);
}

/* A bar that comes once comes after the fit has said that it is over. Where the script's own lines were followed they
 * have told of all its epochs; so they have where the first that a framework says is what the whole fit came to. */
static void see_numbered(struct epochs *e, const struct epoch_line *l, int64_t time_ns)
{
	struct epoch_track *t = &e->track[l->format];
	bool first = !t->seen;

	if (first && l->closes && stops_followed(e, l)) {
		close_track(e, e->followed, time_ns);
		return;
	}
	if (first && epoch_format_info(l->format)->once_in_pipe && l->number + 1 == e->stopped) {
		epoch_track_see(t, l, time_ns);
		epoch_track_close(t, LINE_TIME_UNKNOWN);
		if (epoch_format_info(e->followed)->role == ROLE_STOP)
			track_moved(e, l->format, false);
		return;
	}
	see(e, l, time_ns);
}

static bool take_number(const char *p, const char *end, int64_t *out)
{
	int64_t v = 0;

	if (p == end || end - p > 9)
		return false;
	for (; p < end; p++) {
		if (*p < '0' || *p > '9')
			return false;
		v = v * 10 + (*p - '0');
	}
	*out = v;
	return true;
}

static bool parse_by_regex(struct epochs *e, const struct text_line *line, struct epoch_line *l)
{
	char text[REGEX_LINE_MAX + 1];
	size_t n = line->len < REGEX_LINE_MAX ? line->len : REGEX_LINE_MAX;
	regmatch_t m[2];

	if (line->end == LINE_OPEN)
		return false;
	memcpy(text, line->text, n);
	text[n] = '\0';
	if (!epoch_regex_match(e->regex, text, m))
		return false;
	e->regex_matched = true;
	*l = (struct epoch_line){.format = EF_REGEX, .number = -1, .total = -1};
	if (m[1].rm_so >= 0 && take_number(text + m[1].rm_so, text + m[1].rm_eo, &l->number)) {
		l->when = epoch_line_when(text, n);
		return true;
	}
	l->when = EPOCH_END;
	return line->end == LINE_ENDED;
}

static void see_rounds(struct epochs *e, const struct epoch_line *l, int64_t time_ns)
{
	bool repeats = e->best_follows;

	e->best_follows = epoch_format_info(l->format)->role == ROLE_BEST;
	if (e->best_follows)
		e->track[epoch_format_info(l->format)->of].closed = true;
	else if (!repeats)
		see(e, l, time_ns);
}

static void see_header(struct epochs *e, const struct epoch_line *l)
{
	e->armed = l->rows;
	e->armed_words = l->words;
	e->row_words = 0;
	e->track[l->rows].closed = true;
}

/* Numbers begin at 0 or 1 and go back only there (a second fit that Keras' CSVLogger appends has no header). A
 * header that is shown every few rows begins nothing. */
static bool goes_on(const struct epoch_track *t, int64_t number)
{
	if (!t->seen || t->closed)
		return number <= 1 || (t->seen && number == t->last + 1);
	return number >= t->last || number == t->base;
}

static void take_row(struct epochs *e, struct epoch_line *l, int64_t number, int64_t time_ns)
{
	l->number = number;
	l->format = e->armed;
	if (epoch_format_info(e->armed)->within)
		l->when = EPOCH_DURING;
	see(e, l, time_ns);
}

/* A first row of 18 is any figures, until 19 and 20 follow it: a run that was resumed. */
static bool resumes(struct epochs *e, struct epoch_line *l, int64_t time_ns)
{
	int64_t number = l->number;
	int n = e->waiting;

	if (n > 0 && (number != e->rows[n - 1].number + 1 || l->words != e->rows[n - 1].words))
		n = e->waiting = 0;
	if (n < ROWS_FIRST) {
		e->rows[n].number = number;
		e->rows[n].time_ns = time_ns;
		e->rows[n].words = l->words;
		e->waiting++;
		return false;
	}
	for (int i = 0; i < ROWS_FIRST; i++)
		take_row(e, l, e->rows[i].number, e->rows[i].time_ns);
	l->number = number;
	return true;
}

/* Figures are a row of the table whose header came last: not more of them than the header has words, which
 * make one or two a column, and as many in each row. */
static void see_row(struct epochs *e, struct epoch_line *l, int64_t time_ns)
{
	const struct epoch_track *t = &e->track[e->armed];

	if (epoch_format_info(e->armed)->role != ROLE_ROW)
		return;
	if (e->row_words > 0 ? l->words != e->row_words
			     : l->words > e->armed_words || 2 * l->words < e->armed_words)
		return;
	if (!goes_on(t, l->number) && (t->seen || !resumes(e, l, time_ns)))
		return;
	e->row_words = l->words;
	take_row(e, l, l->number, time_ns);
}

void epochs_line(void *epochs, const struct text_line *line)
{
	struct epochs *e = epochs;
	struct epoch_line l;

	if (!(e->regex ? parse_by_regex(e, line, &l) : epoch_line_parse(line, &l)))
		return;
	switch (epoch_format_info(l.format)->role) {
	case ROLE_HEADER:
		see_header(e, &l);
		break;
	case ROLE_ROW:
		see_row(e, &l, line->time_ns);
		break;
	case ROLE_STEPS:
		see_steps(e, &l, line->time_ns);
		break;
	case ROLE_STOP:
		see_stop(e, &l, line->time_ns);
		break;
	case ROLE_ROUND:
	case ROLE_BEST:
		see_rounds(e, &l, line->time_ns);
		break;
	case ROLE_NAMED_ROW:
		if (e->armed == l.format)
			see(e, &l, line->time_ns);
		break;
	case ROLE_NUMBERED:
		see_numbered(e, &l, line->time_ns);
		break;
	}
}

void epochs_mark(struct epochs *e, int64_t number, int64_t time_ns)
{
	struct epoch_line l = {.format = EF_MARK, .when = EPOCH_END, .number = number, .total = -1};

	see(e, &l, time_ns);
}

/* One or two may well name moments before the first epoch. */
void epochs_label(struct epochs *e, int64_t time_ns)
{
	struct epoch_line l = {.format = EF_LABEL, .when = EPOCH_END, .number = -1, .total = -1};
	bool told = e->track[EF_LABEL].seen;

	if (e->followed != EF_NONE && e->followed != EF_LABEL)
		return;
	if (e->labels < LABELS_FIRST) {
		e->label_ns[e->labels++] = time_ns;
		return;
	}
	for (int i = 0; i < LABELS_FIRST && !told; i++)
		see(e, &l, e->label_ns[i]);
	see(e, &l, time_ns);
}

void epochs_end_of_output(struct epochs *e, bool clean)
{
	enum epoch_format f = e->followed;
	const struct epoch_format_info *info = epoch_format_info(f);

	if (f == EF_NONE || info->shows_finished)
		return;
	if (e->track[f].full || (clean && !info->draws_bar))
		close_track(e, f, LINE_TIME_UNKNOWN);
}

void epochs_summarize(const struct epochs *e, struct epochs_summary *out)
{
	const struct epoch_track *t = &e->track[e->followed];

	memset(out, 0, sizeof(*out));
	out->finished = e->finished;
	out->found = -1;
	if (e->followed == EF_NONE)
		return;
	out->format = epoch_format_info(e->followed)->name;
	out->marks = epoch_format_info(e->followed)->marks;
	out->found = e->finished - t->before_all;
	out->fits = epochs_fits(e);
	out->buffered = t->buffered;
	out->timed = t->lengths.n;
	out->mean_s = t->lengths.mean / (double)NS_PER_S;
	out->spread = epoch_lengths_spread(&t->lengths);
}
