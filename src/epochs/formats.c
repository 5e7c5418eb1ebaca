/* SPDX-License-Identifier: MIT */
/* One line -> what it says about epochs: the formats of the frameworks, by hand-written matchers, each
 * row of the table one format. A cheap look first: most lines name no epoch at all. Knows nothing of
 * earlier lines. */
#include "epochs/formats.h"

#include <string.h>

#include "base/scan.h"
#include "epochs/counters.h"
#include "epochs/prints.h"
#include "epochs/rounds.h"
#include "epochs/rows.h"
#include "epochs/tables.h"

enum { DESCRIPTION_MAX = 32, UNIT_BACK = 64 };

/* Trust: what the user says himself, then frameworks by how exactly they mark the end, then what people
 * print. A label may name any moment ("data loaded"): it ends an epoch only where nothing else does. */
static const struct epoch_format_info formats[EF_COUNT] = {
    [EF_NONE] = {"none", 1, true, 0, false, 0},
    [EF_KERAS] = {"Keras-style lines", 1, false, 5, false, 0},
    [EF_KERAS_STEPS] = {"Keras steps", 1, true, 1, false, 0},
    [EF_CALLBACK] = {"callback messages", 1, false, 2, false, 0},
    [EF_BAR] = {"progress bars", 0, false, 5, false, 0},
    [EF_BAR_OUTER] = {"a tqdm bar", 1, true, 6, false, 0},
    [EF_RICH] = {"Lightning", 0, true, 5, false, 0},
    [EF_TRAINER_STOP] = {"Lightning's last line", 1, true, 1, false, 0},
    [EF_HF] = {"Hugging Face", 1, true, 5, false, 0},
    [EF_DICT] = {"dictionaries", 1, false, 4, false, 0},
    [EF_FASTAI_HEADER] = {"fastai", 0, true, 0, false, 0},
    [EF_FASTAI_BAR] = {"fastai's bar", 1, true, 5, false, 0},
    [EF_FASTAI_ROW] = {"fastai", 0, true, 6, false, 0},
    [EF_ULTRALYTICS] = {"Ultralytics", 1, true, 5, false, 0},
    [EF_TIMM] = {"timm", 0, false, 5, false, 0},
    [EF_TORCHVISION] = {"torchvision", 0, false, 5, false, 0},
    [EF_MMENGINE] = {"mmengine", 1, true, 5, false, 0},
    [EF_PRINT] = {"printed lines", 1, false, 3, false, 0},
    [EF_LOOP] = {"a printed loop", 1, false, 2, false, 0},
    [EF_ROUNDS] = {"boosting rounds", 1, false, 4, true, 0},
    [EF_ROUNDS_BEST] = {"boosting rounds", 1, false, 0, true, 0},
    [EF_SKLEARN] = {"scikit-learn", 1, true, 4, true, 0},
    [EF_SB3] = {"Stable-Baselines3", 1, true, 4, true, 0},
    [EF_TRIALS] = {"trials", 1, true, 1, true, 0},
    [EF_COUNTED] = {"a counted loop", 1, false, 2, true, 100},
    [EF_ITER] = {"a counted loop", 1, false, 0, true, 2000},
    [EF_BRACKET] = {"a counted loop", 1, false, 0, true, 2000},
    [EF_TABLE_HEADER] = {"a table", 1, false, 0, true, 0},
    [EF_TABLE] = {"a table", 1, false, 3, true, 0},
    [EF_SPACY] = {"spaCy", 0, true, 5, false, 0},
    [EF_REGEX] = {"the given expression", 1, false, 8, false, 0},
    [EF_LABEL] = {"marks", 1, true, 1, false, 0},
    [EF_MARK] = {"marks", 1, true, 9, false, 0},
};

const struct epoch_format_info *epoch_format_info(enum epoch_format format)
{
	return &formats[format];
}

/* "...  4/4 0:00:00" at the end of a bar: the last ratio of the line tells whether it is full. */
static bool ratio_full(struct scan s)
{
	int64_t part, whole;
	const char *slash;

	while ((slash = memchr(s.p, '/', (size_t)(s.end - s.p)))) {
		struct scan t = {slash, s.end};

		while (t.p > s.p && scan_isdigit(t.p[-1]))
			t.p--;
		if (scan_ratio(&t, &part, &whole))
			return part == whole;
		s.p = slash + 1;
	}
	return false;
}

/* "Epoch:  33%|###  | 1/3 [": the number of epochs done stands behind the bar. */
static bool match_outer(struct scan s, struct epoch_line *out)
{
	bool full;
	const char *bar;

	scan_spaces(&s);
	if (!scan_char(&s, ':') || !scan_spaces(&s) || !scan_percent(&s, &full) || !scan_char(&s, '|'))
		return false;
	bar = memchr(s.p, '|', (size_t)(s.end - s.p));
	if (!bar)
		return false;
	s.p = bar + 1;
	if (!scan_ratio(&s, &out->number, &out->total) || !scan_spaces(&s))
		return false;
	out->format = EF_BAR_OUTER;
	out->when = EPOCH_END;
	out->full = full;
	return true;
}

/* "Epoch(train) [1][ 50/1000]"; "(val)" is none. */
static bool match_mmengine(struct scan s, struct epoch_line *out)
{
	int64_t part, whole;

	if (!scan_text(&s, "(train)"))
		return false;
	scan_spaces(&s);
	if (!scan_char(&s, '[') || !scan_number(&s, &out->number) || !scan_text(&s, "]["))
		return false;
	if (!scan_ratio(&s, &part, &whole))
		return false;
	out->format = EF_MMENGINE;
	out->when = EPOCH_DURING;
	return true;
}

/* Behind "Epoch: [0]": "[5/5005]", or "  [  5/5005]". */
static bool match_torchvision(struct scan s, struct epoch_line *out)
{
	int64_t part, whole;

	scan_spaces(&s);
	if (!scan_char(&s, '[') || !scan_ratio(&s, &part, &whole) || !scan_char(&s, ']'))
		return false;
	out->format = EF_TORCHVISION;
	out->when = EPOCH_DURING;
	return true;
}

static bool says_callback(const struct scan *s)
{
	static const char *const words[] = {
	    "improved", "did not improve", "early stopping", "finished",    "saving",
	    "educing",  "Reduc",           "estoring",       "global step", "LearningRateScheduler",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (scan_find(s, words[i]))
			return true;
	return false;
}

/* Up to the colon of a bar's description: "Epoch 3:", "Epoch 3 [train]:". */
static bool take_description(struct scan *s)
{
	const char *limit = s->end - s->p > DESCRIPTION_MAX ? s->p + DESCRIPTION_MAX : s->end;

	while (s->p < limit && *s->p != ':' && !scan_isdigit(*s->p) && *s->p != '%')
		s->p++;
	return scan_char(s, ':') && scan_spaces(s);
}

/* The bars: "Epoch 0: 25%|", "Epoch 1/2 : |----", "Epoch 0/1  ----" drawn with U+2501 and the like. */
static bool match_bar(struct scan s, bool first, struct epoch_line *out)
{
	struct scan t = s;

	out->when = EPOCH_DURING;
	if (first && out->total != -1 && scan_spaces(&t) && (unsigned char)scan_peek(&t) >= 0x80) {
		out->format = EF_RICH;
		out->full = ratio_full(t);
		return true;
	}
	if (first && out->total != -1 && scan_text(&s, " : |")) {
		out->format = EF_FASTAI_BAR;
		return true;
	}
	if (!take_description(&s) || !scan_percent(&s, &out->full))
		return false;
	if (scan_peek(&s) != '|' && scan_peek(&s) != ' ')
		return false;
	out->format = EF_BAR;
	return true;
}

/* "3", "3/10", "3 of 10", "[3/10]", "[3]"; -1 and -2 are Lightning's endless totals. */
static bool take_epoch_number(struct scan *s, struct epoch_line *out, bool *bracket)
{
	scan_any(s, " \t:=#-");
	*bracket = scan_any(s, "[(");
	scan_spaces(s);
	if (!scan_number(s, &out->number))
		return false;
	if (scan_of(s)) {
		if (scan_text(s, "-1") || scan_text(s, "-2"))
			out->total = -2;
		else if (!scan_number(s, &out->total))
			return false;
	}
	if (!scan_ends_number(s))
		return false;
	if (*bracket && !scan_any(s, "])"))
		*bracket = false;
	return true;
}

static bool only_spaces(struct scan s)
{
	scan_spaces(&s);
	return s.p == s.end;
}

static bool match_numbered(const struct scan *line, const char *word, struct scan s, struct epoch_line *out)
{
	bool bracket, first = word == line->p;
	const char *from = s.p;

	if (!take_epoch_number(&s, out, &bracket))
		return false;
	if (match_bar(s, first && !bracket, out))
		return !epoch_prints_barred(line, word);
	if (bracket && out->total == -1 && match_torchvision(s, out))
		return !epoch_prints_barred(line, word);
	if (first && !bracket && out->total >= 0 && *from == ' ' && only_spaces(s)) {
		out->format = EF_KERAS;
		out->when = EPOCH_START;
		return true;
	}
	if (first && (scan_peek(&s) == ':' || scan_peek(&s) == ',') && says_callback(&s)) {
		out->format = EF_CALLBACK;
		out->when = EPOCH_END;
		return true;
	}
	return epoch_prints_judge(line, word, s.p, out);
}

/* "{'loss': 0.5, 'epoch': 1.5}": quote is the one before the word. */
static bool match_dict(const struct scan *line, const char *word, struct scan s, struct epoch_line *out)
{
	const char *p = word - 1;
	char quote = *p;
	bool quoted, fraction;

	while (p > line->p && p[-1] == ' ')
		p--;
	if (p == line->p || (p[-1] != '{' && p[-1] != ',') || !scan_char(&s, quote))
		return false;
	scan_spaces(&s);
	if (!scan_char(&s, ':'))
		return false;
	scan_spaces(&s);
	quoted = scan_any(&s, "'\"");
	if (!scan_number(&s, &out->number))
		return false;
	fraction = scan_char(&s, '.');
	for (int scale = 100; fraction && scan_isdigit(scan_peek(&s)); s.p++, scale /= 10)
		out->part_milli += (*s.p - '0') * scale;
	if (scan_text(&s, "e-"))
		out->number = out->part_milli = 0;
	out->evaluates = scan_find(line, "eval_") != NULL;
	out->closes = scan_find(line, "train_runtime") != NULL;
	out->when = EPOCH_END;
	out->format = quoted || fraction || out->closes || scan_find(line, "learning_rate") ||
			      scan_find(line, "eval_runtime")
			  ? EF_HF
			  : EF_DICT;
	return true;
}

/* "epoch     train_loss  valid_loss  time": fastai's header arms its rows. */
static bool match_header(const struct scan *line, const char *word, struct scan s, struct epoch_line *out)
{
	if (word != line->p || !scan_spaces(&s) || !scan_text(&s, "train_loss") || !scan_find(&s, "time"))
		return false;
	out->format = EF_FASTAI_HEADER;
	out->rows = EF_FASTAI_ROW;
	out->when = EPOCH_START;
	return true;
}

/* "8.32epoch/s", "?epoch/s", "1.10s/epoch": tqdm's unit says that its bar goes over epochs. */
static bool is_unit(const struct scan *line, const char *word)
{
	struct scan after = {word + 5, line->end}, before = {line->p, word};

	if (word - line->p < 2)
		return false;
	scan_char(&after, 's');
	while (before.end > before.p && before.end[-1] == ' ')
		before.end--;
	if (scan_text(&after, "/s"))
		return before.end > before.p && (scan_isdigit(before.end[-1]) || before.end[-1] == '?');
	return word[-1] == '/' && word[-2] == 's';
}

/* The last c in the few bytes before at: a search back to the start for every word of a long line takes time. */
static const char *find_back(const struct scan *line, const char *at, char c)
{
	const char *from = at - line->p > UNIT_BACK ? at - UNIT_BACK : line->p;

	return memrchr(from, c, (size_t)(at - from));
}

/* "fit:  33%|###   | 1/3 [00:01<00:02,  1.10s/epoch, loss=0.1]" */
static bool match_unit(const struct scan *line, const char *word, struct epoch_line *out)
{
	struct scan s = *line;
	const char *bracket, *bar;

	if (!is_unit(line, word))
		return false;
	bracket = find_back(line, word, '[');
	bar = bracket ? find_back(line, bracket, '|') : NULL;
	if (!bar)
		return false;
	s.p = bar + 1;
	if (!scan_ratio(&s, &out->number, &out->total) || !scan_spaces(&s) || s.p != bracket)
		return false;
	out->format = EF_BAR_OUTER;
	out->when = EPOCH_END;
	out->full = out->number == out->total;
	return true;
}

/* barred: tqdm has drawn a bar in this line. */
static bool match_word(const struct scan *line, const char *word, bool barred, struct epoch_line *out)
{
	struct scan s = {word + 5, line->end};
	char prev = word > line->p ? word[-1] : ' ';

	if (barred && match_unit(line, word, out))
		return true;
	if (prev == '\'' || prev == '"')
		return match_dict(line, word, s, out);
	if (scan_isalpha(prev) || scan_isdigit(prev) || prev == '_' || prev == '/' || prev == '-' ||
	    prev == '.')
		return false;
	if (scan_peek(&s) == 's') {
		s.p++;
		return word == line->p && match_outer(s, out);
	}
	if (word == line->p && match_outer(s, out))
		return true;
	return match_mmengine(s, out) || match_header(line, word, s, out) ||
	       match_numbered(line, word, s, out);
}

/* What Lightning ("max_epochs=2") and Ultralytics ("2 epochs completed in") print once all epochs are
 * over. */
static bool match_stop(const struct scan *line, struct epoch_line *out)
{
	static const char trainer[] = "`Trainer.fit` stopped: `max_epochs=";
	struct scan s = *line;
	const char *tick = memchr(s.p, '`', (size_t)(s.end - s.p));

	if (tick) {
		s.p = tick;
		if (!scan_text(&s, trainer))
			return false;
		if (!scan_number(&s, &out->number))
			return false;
	} else if (!scan_number(&s, &out->number) || !scan_text(&s, " epochs completed in ")) {
		return false;
	}
	out->format = EF_TRAINER_STOP;
	out->when = EPOCH_END;
	out->closes = true;
	return true;
}

static bool is_epoch(const char *p)
{
	return memcmp(p, "epoch", 5) == 0 || memcmp(p, "Epoch", 5) == 0 || memcmp(p, "EPOCH", 5) == 0;
}

/* Where "epoch" in one of its spellings stands next. Any such word has one of its last four letters at every
 * fourth byte, so three of four bytes are never looked at. */
static const char *find_epoch(const char *p, const char *end)
{
	static const unsigned char place[256] = {
	    ['p'] = 1, ['P'] = 1, ['o'] = 2, ['O'] = 2, ['c'] = 3, ['C'] = 3, ['h'] = 4, ['H'] = 4,
	};
	const char *from = p;

	for (p += 1; p < end; p += 4) {
		int at = place[(unsigned char)*p];

		if (at != 0 && p - from >= at && end - p >= 5 - at && is_epoch(p - at))
			return p - at;
	}
	return NULL;
}

static bool match_any_word(const struct scan *line, struct epoch_line *out)
{
	const char *word = find_epoch(line->p, line->end);
	bool barred = word && scan_find(line, "%|");

	for (; word; word = find_epoch(word + 5, line->end)) {
		epoch_rows_clear(out);
		if (match_word(line, word, barred, out))
			return true;
	}
	return false;
}

/* A line that is not over yet may go on with more digits; bars end their numbers themselves. */
static bool sure_when_open(enum epoch_format format)
{
	return format == EF_BAR || format == EF_BAR_OUTER || format == EF_RICH || format == EF_FASTAI_BAR ||
	       format == EF_ULTRALYTICS;
}

bool epoch_line_parse(const struct line *line, struct epoch_line *out)
{
	struct scan s = {line->text, line->text + line->len};
	bool found;

	scan_spaces(&s);
	epoch_rows_clear(out);
	/* Our own words, when standard error is a file that is being read. */
	if (scan_text(&s, "memwatch: "))
		return false;
	found = match_stop(&s, out) || epoch_rounds_match(&s, out) || match_any_word(&s, out) ||
		epoch_rows_match(&s, line->end == LINE_ENDED, out) || epoch_tables_match(&s, out) ||
		epoch_counters_match(&s, out);
	return found && (line->end != LINE_OPEN || sure_when_open(out->format));
}
