/* SPDX-License-Identifier: MIT */
/* One line -> what it says about epochs: the formats of the frameworks, by hand-written matchers, each
 * row of the table one format. A cheap look first: most lines name no epoch at all. Knows nothing of
 * earlier lines. */
#include "epochs/formats.h"

#include <string.h>

#include "base/scan.h"
#include "epochs/matchers.h"

enum { DESCRIPTION_MAX = 32, UNIT_BACK = 64 };

/* Trust: what the user says himself, then frameworks by how exactly they mark the end, then what people
 * print. A label may name any moment ("data loaded"): it ends an epoch only where nothing else does. */
static const struct epoch_format_info formats[] = {
    [EF_NONE] = {"none", .base = 1, .base_fixed = true},
    [EF_KERAS] = {"Keras-style lines", .base = 1, .trust = 5},
    [EF_KERAS_STEPS] = {"Keras steps", .base = 1, .base_fixed = true, .trust = 1, .role = ROLE_STEPS,
			.of = EF_KERAS},
    [EF_CALLBACK] = {"callback messages", .base = 1, .trust = 2},
    [EF_BAR] = {"progress bars", .trust = 5, .draws_bar = true, .sure_when_open = true,
		.full_ends_last = true, .has_stop_line = true},
    [EF_BAR_OUTER] = {"a tqdm bar", .base = 1, .base_fixed = true, .trust = 6, .sure_when_open = true,
		      .shows_finished = true},
    [EF_RICH] = {"Lightning", .base_fixed = true, .trust = 5, .draws_bar = true, .sure_when_open = true,
		 .has_stop_line = true, .once_in_pipe = true},
    [EF_TRAINER_STOP] = {"Lightning's last line", .base = 1, .base_fixed = true, .trust = 1,
			 .role = ROLE_STOP},
    [EF_HF] = {"Hugging Face", .base = 1, .base_fixed = true, .trust = 5, .shows_finished = true,
	       .one_writer = true, .restarts_fit = true},
    [EF_DICT] = {"dictionaries", .base = 1, .trust = 4},
    [EF_FASTAI_HEADER] = {"fastai", .base_fixed = true, .role = ROLE_HEADER},
    [EF_FASTAI_BAR] = {"fastai's bar", .base = 1, .base_fixed = true, .trust = 5, .draws_bar = true,
		       .sure_when_open = true},
    [EF_FASTAI_ROW] = {"fastai", .base_fixed = true, .trust = 6, .role = ROLE_NAMED_ROW,
		       .restarts_fit = true},
    [EF_ULTRALYTICS] = {"Ultralytics", .base = 1, .base_fixed = true, .trust = 5, .draws_bar = true,
			.sure_when_open = true, .has_stop_line = true},
    [EF_TIMM] = {"timm", .trust = 5},
    [EF_TORCHVISION] = {"torchvision", .trust = 5},
    [EF_MMENGINE] = {"mmengine", .base = 1, .base_fixed = true, .trust = 5},
    [EF_PRINT] = {"printed lines", .base = 1, .trust = 3},
    [EF_LOOP] = {"a printed loop", .base = 1, .trust = 2, .when = EPOCH_START,
		 .patterns = {"INFO : [ROUND #]"}}, /* Flower */
    [EF_ROUNDS] = {"boosting rounds", .base = 1, .trust = 4, .yields = true, .role = ROLE_ROUND,
		   .restarts_fit = true, .lone_number = true},
    [EF_ROUNDS_BEST] = {"boosting rounds", .base = 1, .yields = true, .role = ROLE_BEST, .of = EF_ROUNDS},
    [EF_SKLEARN] = {"scikit-learn", .base = 1, .base_fixed = true, .trust = 4, .yields = true,
		    .when = EPOCH_END, .patterns = {"iteration: # of max_iter: @~"}}, /* topic models */
    [EF_SB3] = {"Stable-Baselines3", .base = 1, .base_fixed = true, .trust = 4, .yields = true,
		.when = EPOCH_END,
		.patterns = {"| iterations | # |"}}, /* one row of a table that comes once in an iteration */
    [EF_TRIALS] = {"trials", .base = 1, .base_fixed = true, .trust = 1, .yields = true},
    [EF_COUNTED] = {"a counted loop", .base = 1, .trust = 2, .yields = true, .pace_ms = 100},
    [EF_ITER] = {"a counted loop", .base = 1, .yields = true, .pace_ms = 2000},
    [EF_BRACKET] = {"a counted loop", .base = 1, .yields = true, .pace_ms = 2000},
    [EF_TABLE_HEADER] = {"a table", .base = 1, .yields = true, .role = ROLE_HEADER},
    [EF_TABLE] = {"a table", .base = 1, .trust = 3, .yields = true, .role = ROLE_ROW, .restarts_fit = true},
    [EF_SPACY] = {"spaCy", .base_fixed = true, .trust = 5, .role = ROLE_ROW, .restarts_fit = true,
		  .within = true},
    [EF_REGEX] = {"the given expression", .base = 1, .trust = 8},
    [EF_LABEL] = {"marks", .base = 1, .base_fixed = true, .trust = 1, .marks = true},
    [EF_MARK] = {"marks", .base = 1, .base_fixed = true, .trust = 9, .marks = true},
#ifdef EPOCH_FORMAT_OF_A_TEST
    EPOCH_FORMAT_OF_A_TEST,
#endif
};

_Static_assert(sizeof(formats) / sizeof(formats[0]) <= EPOCH_FORMATS_MAX, "tracks are as many");

int epoch_formats_count(void)
{
	return (int)(sizeof(formats) / sizeof(formats[0]));
}

void epoch_line_clear(struct epoch_line *out)
{
	*out = (struct epoch_line){.format = EF_NONE, .when = EPOCH_START, .number = -1, .total = -1};
}

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
		epoch_line_clear(out);
		if (match_word(line, word, barred, out))
			return true;
	}
	return false;
}

static bool take_piece(struct scan *s, char piece, struct epoch_line *out)
{
	switch (piece) {
	case ' ':
		return scan_spaces(s);
	case '#':
		return scan_number(s, &out->number);
	case '@':
		return scan_number(s, &out->total);
	case '~':
		s->p = s->end;
		return true;
	default:
		return scan_char(s, piece);
	}
}

static bool match_pattern(struct scan s, const char *pattern, struct epoch_line *out)
{
	while (*pattern && take_piece(&s, *pattern, out))
		pattern++;
	return !*pattern && s.p == s.end;
}

static bool match_patterns(const struct scan *line, struct epoch_line *out)
{
	for (int f = 0; f < epoch_formats_count(); f++)
		for (int i = 0; i < EPOCH_PATTERNS_MAX && formats[f].patterns[i]; i++) {
			if (*formats[f].patterns[i] != scan_peek(line))
				continue;
			epoch_line_clear(out);
			out->format = (enum epoch_format)f;
			out->when = formats[f].when;
			if (match_pattern(*line, formats[f].patterns[i], out))
				return true;
		}
	return false;
}

bool epoch_line_parse(const struct text_line *line, struct epoch_line *out)
{
	struct scan s = {line->text, line->text + line->len};
	bool found;

	scan_spaces(&s);
	epoch_line_clear(out);
	/* Our own words, when standard error is a file that is being read. */
	if (scan_text(&s, "memwatch: "))
		return false;
	found = match_stop(&s, out) || match_patterns(&s, out) || epoch_rounds_match(&s, out) ||
		match_any_word(&s, out) || epoch_rows_match(&s, line->end == LINE_ENDED, out) ||
		epoch_tables_match(&s, out) || epoch_counters_match(&s, out);
	/* A line that is not over yet may go on with more digits. */
	return found && (line->end != LINE_OPEN || formats[out->format].sure_when_open);
}
