/* SPDX-License-Identifier: MIT */
/* Libraries that train in rounds, iterations or trials and never say "epoch". Each matcher asks for all that
 * its library prints around the number: a number in brackets alone is anybody's. Knows nothing of earlier
 * lines. */
#include "epochs/matchers.h"

#include <string.h>

enum { MLP_DECIMALS = 8 };

static bool at_figure(struct scan s)
{
	bool decimal;

	return scan_figure(&s, &decimal);
}

/* The name of a data set and of a metric, and the colon behind it. */
static bool take_name(struct scan *s, struct scan *name)
{
	const char *colon = memchr(s->p, ':', (size_t)(s->end - s->p));

	if (!colon || memchr(s->p, '\t', (size_t)(colon - s->p)))
		return false;
	*name = (struct scan){s->p, colon};
	s->p = colon + 1;
	return true;
}

/* "train-rmse:0.12345\teval-rmse:0.2+0.01" and nothing else: cv() shows a deviation too, in R behind a
 * plus-minus sign. Always with decimals, which "http-server:8080" has not. */
static bool is_xgboost(struct scan s)
{
	struct scan name;
	bool decimal;

	do {
		if (!take_name(&s, &name) || !scan_find(&name, "-") || !scan_figure(&s, &decimal) || !decimal)
			return false;
		if ((scan_text(&s, "\xc2\xb1") || scan_peek(&s) == '+') &&
		    (!scan_figure(&s, &decimal) || !decimal))
			return false;
	} while (scan_spaces(&s) && s.p < s.end && s.p[-1] == '\t');
	return s.p == s.end;
}

/* LightGBM's "valid_1's l2: 0.1". */
static bool is_lightgbm(struct scan s)
{
	struct scan name;

	return take_name(&s, &name) && scan_find(&name, "'s ") && scan_char(&s, ' ') && at_figure(s);
}

/* XGBoost's and LightGBM's "[3]\t...", scikit-learn's "[3/6] 1 tree, 20 leaves, max depth = 6, in 0.001s". */
static bool match_boosting(struct scan s, struct epoch_line *out)
{
	struct scan t = s;
	int64_t trees;

	out->format = EF_ROUNDS;
	if (!scan_char(&s, '[') || !scan_number(&s, &out->number))
		return false;
	if (scan_text(&s, "]\t"))
		return is_lightgbm(s) || is_xgboost(s);
	return scan_char(&t, '[') && scan_ratio(&t, &out->number, &out->total) && scan_text(&t, "] ") &&
	       scan_number(&t, &trees) && scan_text(&t, " tree") && scan_find(&t, ", max depth = ");
}

/* After the last round LightGBM shows the best one again, on a line of its own below this: "Early stopping, best
 * iteration is:", "Did not meet early stopping. Best iteration is:"; XGBoost before 1.3 "Stopping. Best
 * iteration:". */
static bool match_best(struct scan s, struct epoch_line *out)
{
	const char *best = s.end[-1] == ':' ? scan_find(&s, "est iteration") : NULL;

	if (!best)
		return false;
	s.p = best + strlen("est iteration");
	scan_text(&s, " is");
	out->format = EF_ROUNDS_BEST;
	return scan_char(&s, ':') && s.p == s.end;
}

/* "3:\tlearn: 1.03\ttest: 1.2\tbest: 1.2 (3)\ttotal: 49.6ms\tremaining: 332ms" */
static bool match_catboost(struct scan s, struct epoch_line *out)
{
	out->format = EF_ROUNDS;
	if (!scan_number(&s, &out->number) || !scan_text(&s, ":\t"))
		return false;
	return (scan_text(&s, "learn: ") || scan_text(&s, "test: ")) && at_figure(s) &&
	       scan_find(&s, "\ttotal: ");
}

/* scikit-learn: the "Iteration 3, loss = 1.77491216" of a multilayer perceptron is a pass over the data, and
 * always has so many decimals, which sets it apart from what scripts print for their steps. */
static bool match_sklearn(struct scan s, struct epoch_line *out)
{
	struct scan decimals;

	out->format = EF_SKLEARN;
	if (!scan_text(&s, "Iteration ") || !scan_number(&s, &out->number) || !scan_text(&s, ", loss = ") ||
	    !scan_any(&s, "0123456789") || !scan_char(&s, '.'))
		return false;
	decimals = s;
	scan_any(&s, "0123456789");
	return s.p == s.end && s.p - decimals.p == MLP_DECIMALS;
}

/* Optuna: "[I 2026-11-17 09:14:44,970] Trial 3 finished with value: 0.8 and ...". Trials that run side by
 * side end in any order, so they are counted and their numbers left alone. */
static bool match_trial(struct scan s, struct epoch_line *out)
{
	static const char *const ends[] = {" finished with value", " pruned.", " failed with "};
	const char *place;

	out->format = EF_TRIALS;
	if (!scan_char(&s, '[') || !scan_any(&s, "IW") || scan_peek(&s) != ' ')
		return false;
	place = scan_find(&s, "] Trial ");
	if (!place)
		return false;
	s.p = place + strlen("] Trial ");
	if (!scan_number(&s, &out->number))
		return false;
	out->number = -1;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (scan_text(&s, ends[i]))
			return true;
	return false;
}

static bool try(bool (*match)(struct scan, struct epoch_line *), const struct scan *line,
		struct epoch_line *out)
{
	epoch_line_clear(out);
	out->when = EPOCH_END;
	return match(*line, out);
}

bool epoch_rounds_match(const struct scan *line, struct epoch_line *out)
{
	switch (scan_peek(line)) {
	case '[':
		return try(match_boosting, line, out) || try(match_trial, line, out);
	case 'I':
		return try(match_sklearn, line, out);
	case 'D':
	case 'E':
	case 'S':
		return try(match_best, line, out);
	default:
		return scan_isdigit(scan_peek(line)) && try(match_catboost, line, out);
	}
}
