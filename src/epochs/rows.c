/* SPDX-License-Identifier: MIT */
/* Formats that show an epoch without the word: tables, steps, loops. Knows nothing of earlier lines. */
#include "epochs/matchers.h"

#include <string.h>

/* "  1/2  0G  3.259  1.811  2  64: 100% ----": the second column is the GPU's memory. */
static bool match_ultralytics(struct scan s, struct epoch_line *out)
{
	int64_t ignored;
	const char *colon;

	if (!scan_ratio(&s, &out->number, &out->total))
		return false;
	if (!scan_spaces(&s) || !scan_number(&s, &ignored))
		return false;
	scan_any(&s, ".0123456789");
	scan_any(&s, "KMGT");
	if (!scan_spaces(&s) || !scan_any(&s, "-0123456789.naife"))
		return false;
	colon = memchr(s.p, ':', (size_t)(s.end - s.p));
	if (!colon)
		return false;
	s.p = colon + 1;
	if (!scan_spaces(&s) || !scan_percent(&s, &out->full))
		return false;
	out->format = EF_ULTRALYTICS;
	out->when = EPOCH_DURING;
	return true;
}

/* "63/63 - 2s - 36ms/step - loss: 0.1" or with a bar; steps of predict() show no loss. */
static bool match_keras_steps(struct scan s, struct epoch_line *out)
{
	int64_t part;

	if (!scan_number(&s, &part) || !scan_char(&s, '/') || !scan_number(&s, &out->total) ||
	    part != out->total)
		return false;
	if (!scan_char(&s, ' ') || !scan_find(&s, "loss: "))
		return false;
	if (scan_peek(&s) != '-' && scan_peek(&s) != '[' && (unsigned char)scan_peek(&s) < 0x80)
		return false;
	out->evaluates = scan_find(&s, " val_") != NULL;
	out->format = EF_KERAS_STEPS;
	out->when = EPOCH_END;
	out->number = -1;
	out->full = true;
	return true;
}

static bool is_clock(const char *p, const char *end)
{
	while (end > p && end[-1] == ' ')
		end--;
	return end - p >= 5 && scan_isdigit(end[-1]) && scan_isdigit(end[-2]) && end[-3] == ':' &&
	       scan_isdigit(end[-4]);
}

/* "0   0.464779  0.448579  0.592223  00:00" */
static bool match_fastai_row(struct scan s, struct epoch_line *out)
{
	if (!scan_number(&s, &out->number) || !scan_spaces(&s) || !scan_any(&s, "0123456789.nai"))
		return false;
	if (!scan_spaces(&s) || (!scan_any(&s, "0123456789.nai") && !scan_text(&s, "None")))
		return false;
	if (scan_peek(&s) != ' ' || !is_clock(s.p, s.end))
		return false;
	out->format = EF_FASTAI_ROW;
	out->when = EPOCH_END;
	return true;
}

/* "Train: 0 [   0/33 (  0%)]", "Train:    1/3 ( 33%) [   0/323 (  0%)]" */
static bool match_timm(const char *word, const char *end, struct epoch_line *out)
{
	struct scan s = {word + strlen("Train:"), end};
	int64_t part, whole;
	const char *bracket;

	if (!scan_spaces(&s) || !scan_number(&s, &out->number))
		return false;
	if (scan_char(&s, '/') && !scan_number(&s, &out->total))
		return false;
	bracket = memchr(s.p, '[', (size_t)(s.end - s.p));
	if (!bracket)
		return false;
	s.p = bracket + 1;
	if (!scan_ratio(&s, &part, &whole) || !scan_text(&s, " ("))
		return false;
	out->format = EF_TIMM;
	out->when = EPOCH_DURING;
	return true;
}

/* "Iteration 3/20" and nothing else: a loop over whole trainings. */
static bool match_loop(struct scan s, struct epoch_line *out)
{
	static const char *const words[] = {"Iteration", "Iter",       "Trial",  "Fold",
					    "Round",     "Generation", "Gen",    "Experiment",
					    "Run",       "Ep",         "Episode"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct scan t = s;

		if (!scan_text(&t, words[i]) || !scan_any(&t, " :#") ||
		    !scan_ratio(&t, &out->number, &out->total))
			continue;
		scan_any(&t, " .:-=");
		if (t.p != t.end)
			return false;
		out->format = EF_LOOP;
		out->when = EPOCH_START;
		return true;
	}
	return false;
}

bool epoch_rows_match(const struct scan *line, bool ended, struct epoch_line *out)
{
	bool (*const starts[])(struct scan, struct epoch_line *) = {match_ultralytics, match_fastai_row,
								    match_loop};
	const char *train;

	epoch_line_clear(out);
	if (ended && match_keras_steps(*line, out))
		return true;
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		epoch_line_clear(out);
		if (starts[i](*line, out))
			return true;
	}
	epoch_line_clear(out);
	train = scan_find(line, "Train:");
	return train && match_timm(train, line->end, out);
}
