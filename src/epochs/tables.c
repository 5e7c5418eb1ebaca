/* SPDX-License-Identifier: MIT */
/* Tables with the epoch in their first column: headers of known libraries, any header that begins with
 * "epoch", and rows of figures. Whether a row lies below a header is for others to say. */
#include "epochs/matchers.h"

#include <string.h>
#include <strings.h>

enum { SENTENCE_MAX = 64, NAME_MAX_BYTES = 64 };

static bool is_gap(char c)
{
	return c == ' ' || c == '\t' || c == '|' || c == ',';
}

struct header {
	const char *first, *second; /* words that it begins with; second NULL: any */
	enum epoch_format rows;
};

static const struct header headers[] = {
    {"E", "#", EF_SPACY},            /* spaCy: E    #       LOSS TEXTCAT  CATS_SCORE  SCORE */
    {"epoch", NULL, EF_TABLE},       /* skorch, Keras' CSVLogger, Ultralytics' results.csv, hand-written */
    {"gen", "nevals", EF_TABLE},     /* DEAP */
    {"n_gen", "n_eval", EF_TABLE},   /* pymoo */
    {"Iter", "Train", EF_TABLE},     /* scikit-learn: Iter       Train Loss   Remaining Time */
    {"Iterat", "#Fevals", EF_TABLE}, /* pycma */
};

/* The next word of a row or header; false at the end. */
static bool take_word(struct scan *s, struct scan *word)
{
	while (s->p < s->end && is_gap(*s->p))
		s->p++;
	word->p = s->p;
	while (s->p < s->end && !is_gap(*s->p))
		s->p++;
	word->end = s->p;
	return word->end > word->p;
}

static bool word_is(const struct scan *word, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(word->end - word->p) == n && strncasecmp(word->p, text, n) == 0;
}

/* One space is prose: "Epoch time is shown below". */
static bool at_column_gap(const struct scan *s)
{
	char c = scan_peek(s), next = s->end - s->p > 1 ? s->p[1] : '\0';

	return c == '\t' || c == ',' || c == '|' || (c == ' ' && (next == ' ' || next == '|'));
}

/* How many words the rest has when all of them may be names of columns; 0 otherwise. */
static int count_names(struct scan s)
{
	struct scan word;
	int n = 0;

	while (take_word(&s, &word)) {
		if (scan_isdigit(*word.p) || word.end[-1] == '.' || word.end - word.p > NAME_MAX_BYTES ||
		    ++n > SENTENCE_MAX)
			return 0;
	}
	return n;
}

static bool match_header(struct scan s, struct epoch_line *out)
{
	struct scan first, rest, second;

	scan_any(&s, "| ");
	if (!take_word(&s, &first))
		return false;
	rest = s;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		const struct header *h = &headers[i];

		s = rest;
		if (!word_is(&first, h->first))
			continue;
		if (h->second ? !take_word(&s, &second) || !word_is(&second, h->second) : !at_column_gap(&s))
			continue;
		out->words = count_names(rest) + 1;
		out->format = EF_TABLE_HEADER;
		out->rows = h->rows;
		return out->words > 1;
	}
	return false;
}

/* How skorch marks a checkpoint, and the clock hand that pycma turns: not in every row. */
static bool is_sign(const struct scan *word)
{
	return word->end - word->p == 1 && strchr("+-*\\/", *word->p);
}

/* "0.12", "-3e-01", "00:01", "0.05s", "31%", "nan" */
static bool is_figure(const struct scan *word)
{
	static const char *const names[] = {"nan", "inf", "-inf", "None"};
	struct scan s = *word;

	scan_any(&s, "+-.");
	if (scan_isdigit(scan_peek(&s))) {
		while (scan_isdigit(scan_peek(&s)) || scan_peek(&s) == '.')
			s.p++;
		scan_any(&s, "0123456789+-eE:.");
		scan_any(&s, "smh%");
		return s.p == s.end;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (word_is(word, names[i]))
			return true;
	return false;
}

static bool match_row(struct scan s, struct epoch_line *out)
{
	struct scan word;

	scan_any(&s, "| ");
	if (!scan_number(&s, &out->number) || s.p == s.end || !is_gap(*s.p))
		return false;
	for (out->words = 1; take_word(&s, &word);) {
		if (is_sign(&word))
			continue;
		if (++out->words > SENTENCE_MAX || !is_figure(&word))
			return false;
	}
	out->format = EF_TABLE;
	out->when = EPOCH_END;
	return out->words > 1;
}

bool epoch_tables_match(const struct scan *line, struct epoch_line *out)
{
	epoch_line_clear(out);
	if (line->p == line->end || !strchr("|EeGgNnIi0123456789", *line->p))
		return false;
	if (match_row(*line, out))
		return true;
	epoch_line_clear(out);
	return match_header(*line, out);
}
