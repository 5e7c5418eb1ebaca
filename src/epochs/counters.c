/* SPDX-License-Identifier: MIT */
/* Loops that people number by hand: "Round 3/20", "Generation 3", "Iter 3: loss 0.1", "[3/30] loss 0.12".
 * Builds, downloads and tests are numbered like the last one, so that it has to show a figure that only
 * training has. Knows nothing of earlier lines. */
#include "epochs/matchers.h"

#include <string.h>
#include <strings.h>

enum { TOTAL_MAX = 9999 }; /* optimiser steps are planned by the ten thousand, epochs never */

static const struct {
	const char *text; /* in any case */
	enum epoch_format format;
} loops[] = {
    {"round", EF_COUNTED}, {"generation", EF_COUNTED}, {"gen", EF_COUNTED}, {"episode", EF_COUNTED},
    {"ep", EF_COUNTED},    {"iteration", EF_ITER},     {"iter", EF_ITER},
};

static bool is_name_char(char c)
{
	return scan_isalpha(c) || scan_isdigit(c) || c == '_' || c == '@';
}

static bool is_one_of(const struct scan *word, const char *const *texts, size_t n)
{
	size_t len = (size_t)(word->end - word->p);

	for (size_t i = 0; i < n; i++)
		if (strlen(texts[i]) == len && strncasecmp(word->p, texts[i], len) == 0)
			return true;
	return false;
}

/* A part of "val_acc" or "acc@1"; "top1" and "acc1" without the number. */
static bool take_part(struct scan *word, struct scan *part)
{
	scan_any(word, "_@0123456789");
	part->p = word->p;
	while (word->p < word->end && scan_isalpha(*word->p))
		word->p++;
	part->end = word->p;
	return part->end > part->p;
}

static bool has_part(struct scan word, const char *const *texts, size_t n)
{
	struct scan part;

	while (take_part(&word, &part))
		if (is_one_of(&part, texts, n))
			return true;
	return false;
}

static bool is_metric(const struct scan *word)
{
	static const char *const metrics[] = {"acc",     "accuracy", "loss",   "losses",     "mse",
					      "mae",     "rmse",     "ppl",    "perplexity", "reward",
					      "rewards", "return",   "fitness"};

	return has_part(*word, metrics, sizeof(metrics) / sizeof(metrics[0])) ||
	       (word->end - word->p > 4 && strncasecmp(word->end - 4, "loss", 4) == 0);
}

static bool is_validation(const struct scan *word)
{
	static const char *const sets[] = {"val", "valid", "validation", "dev", "test", "eval", "evaluation"};

	return has_part(*word, sets, sizeof(sets) / sizeof(sets[0]));
}

/* Behind a name: in "valgrind-1" there is no sign. */
static bool at_figure(struct scan s)
{
	bool decimal;

	return scan_any(&s, " \t:=") && scan_figure(&s, &decimal);
}

/* "loss 0.12": a metric's name with a number behind it. validates: of held-out data too, "val_acc: 0.9", "test
 * accuracy 0.9". */
static bool shows_metric(struct scan s, bool *validates)
{
	bool metric = false, held_out = false;

	*validates = false;
	while (s.p < s.end) {
		struct scan word = {s.p, s.p};

		while (word.end < s.end && is_name_char(*word.end))
			word.end++;
		s.p = word.end > word.p ? word.end : s.p + 1;
		if (word.end == word.p)
			continue;
		held_out = (held_out && is_metric(&word)) || is_validation(&word);
		if (is_metric(&word) && at_figure(s)) {
			metric = true;
			*validates |= held_out;
			held_out = false;
		}
	}
	return metric;
}

static bool only_ornament(struct scan s)
{
	scan_any(&s, " \t.:-=*#])");
	return s.p == s.end;
}

/* "3", "3/30", "3 of 30", with no unit and no decimals. */
static bool take_count(struct scan *s, struct epoch_line *out)
{
	scan_spaces(s);
	if (!scan_number(s, &out->number))
		return false;
	if (scan_of(s) &&
	    (!scan_number(s, &out->total) || out->number > out->total || out->total > TOTAL_MAX))
		return false;
	return scan_ends_number(s);
}

static bool take_loop(struct scan *s, struct epoch_line *out)
{
	struct scan word;

	scan_any(s, " [(=-*#>");
	word = (struct scan){s->p, s->p};
	while (word.end < s->end && scan_isalpha(*word.end))
		word.end++;
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
		if ((scan_peek(s) | 0x20) == loops[i].text[0] &&
		    (size_t)(word.end - word.p) == strlen(loops[i].text) &&
		    strncasecmp(word.p, loops[i].text, strlen(loops[i].text)) == 0) {
			out->format = loops[i].format;
			s->p = word.end;
			return scan_any(s, " \t:=#[(") && take_count(s, out);
		}
	return false;
}

static bool match_named(struct scan s, struct epoch_line *out)
{
	bool metric;

	if (!take_loop(&s, out))
		return false;
	metric = shows_metric(s, &out->evaluates);
	if (only_ornament(s))
		out->when = EPOCH_START;
	else if (metric || out->format == EF_COUNTED)
		out->when = epoch_line_when(s.p, (size_t)(s.end - s.p));
	else
		return false;
	return true;
}

/* "[3/30] loss 0.12" */
static bool match_bracket(struct scan s, struct epoch_line *out)
{
	if (!scan_char(&s, '[') || !take_count(&s, out) || out->total < 0 || !scan_char(&s, ']') ||
	    !shows_metric(s, &out->evaluates))
		return false;
	out->format = EF_BRACKET;
	out->when = epoch_line_when(s.p, (size_t)(s.end - s.p));
	return true;
}

bool epoch_counters_match(const struct scan *line, struct epoch_line *out)
{
	epoch_line_clear(out);
	if (match_bracket(*line, out))
		return true;
	epoch_line_clear(out);
	return match_named(*line, out);
}
