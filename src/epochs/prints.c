/* SPDX-License-Identifier: MIT */
/* Epoch lines that people print by hand: whether the words around the number speak of its start, its steps or
 * its end, or of something else. One pass over the words; knows no framework. */
#include "epochs/matchers.h"

#include <string.h>

enum meaning {
	SAYS_NOTHING,
	SAYS_OVER,   /* finished, done, took */
	SAYS_STEP,   /* batch, iteration */
	SAYS_BEGIN,  /* starting */
	SAYS_METRIC, /* loss, accuracy: printed once the epoch is over, unless steps are named too */
	SAYS_OTHER,  /* before the word "epoch": not a training epoch */
};

struct word {
	const char *text; /* lower case; a trailing '*' matches any ending */
	enum meaning meaning;
};

static const struct word around[] = {
    {"acc*", SAYS_METRIC},       {"after", SAYS_OVER},     {"auc", SAYS_METRIC},
    {"average", SAYS_METRIC},    {"avg*", SAYS_METRIC},    {"batch*", SAYS_STEP},
    {"begin*", SAYS_BEGIN},      {"complete*", SAYS_OVER}, {"cost", SAYS_METRIC},
    {"done", SAYS_OVER},         {"dice", SAYS_METRIC},    {"duration", SAYS_METRIC},
    {"elapsed", SAYS_METRIC},    {"end", SAYS_OVER},       {"ended", SAYS_OVER},
    {"error", SAYS_METRIC},      {"err", SAYS_METRIC},     {"finish*", SAYS_OVER},
    {"gpu*", SAYS_METRIC},       {"it", SAYS_STEP},        {"iter*", SAYS_STEP},
    {"iou", SAYS_METRIC},        {"loss*", SAYS_METRIC},   {"mae", SAYS_METRIC},
    {"map", SAYS_METRIC},        {"mean*", SAYS_METRIC},   {"metric*", SAYS_METRIC},
    {"minibatch*", SAYS_STEP},   {"mse", SAYS_METRIC},     {"ppl", SAYS_METRIC},
    {"perplexity", SAYS_METRIC}, {"psnr", SAYS_METRIC},    {"result*", SAYS_METRIC},
    {"return*", SAYS_METRIC},    {"reward*", SAYS_METRIC}, {"rmse", SAYS_METRIC},
    {"score*", SAYS_METRIC},     {"start*", SAYS_BEGIN},   {"step*", SAYS_STEP},
    {"summary", SAYS_OVER},      {"time*", SAYS_METRIC},   {"took", SAYS_OVER},
    {"train_loss", SAYS_METRIC}, {"val_*", SAYS_METRIC},   {"valid_*", SAYS_METRIC},
    {"fitness", SAYS_METRIC},    {NULL, SAYS_NOTHING},
};

static const struct word before[] = {
    {"best", SAYS_OTHER},     {"checkpoint*", SAYS_OTHER}, {"each", SAYS_OTHER},     {"early", SAYS_OTHER},
    {"eval*", SAYS_OTHER},    {"every", SAYS_OTHER},       {"from", SAYS_OTHER},     {"last", SAYS_OTHER},
    {"load*", SAYS_OTHER},    {"max*", SAYS_OTHER},        {"min*", SAYS_OTHER},     {"next", SAYS_OTHER},
    {"num", SAYS_OTHER},      {"number", SAYS_OTHER},      {"patience", SAYS_OTHER}, {"per", SAYS_OTHER},
    {"predict*", SAYS_OTHER}, {"previous", SAYS_OTHER},    {"restor*", SAYS_OTHER},  {"resum*", SAYS_OTHER},
    {"sanity", SAYS_OTHER},   {"save*", SAYS_OTHER},       {"saving", SAYS_OTHER},   {"since", SAYS_OTHER},
    {"stop*", SAYS_OTHER},    {"test*", SAYS_OTHER},       {"total", SAYS_OTHER},    {"until", SAYS_OTHER},
    {"val*", SAYS_OTHER},     {"warm*", SAYS_OTHER},       {NULL, SAYS_NOTHING},
};

enum { BEFORE_WORDS_MAX = 3 }; /* "Test set: 3 images. Epoch 4" still counts */

static bool is_word_char(char c)
{
	return scan_isalpha(c) || c == '_';
}

static bool word_is(const char *w, size_t n, const char *pattern)
{
	size_t len = strlen(pattern);
	bool prefix = pattern[len - 1] == '*';

	if (prefix)
		len--;
	return (prefix ? n >= len : n == len) && strncasecmp(w, pattern, len) == 0;
}

static enum meaning look_up(const struct word *table, const char *w, size_t n)
{
	for (; table->text; table++)
		if ((w[0] | 0x20) == table->text[0] && word_is(w, n, table->text))
			return table->meaning;
	return SAYS_NOTHING;
}

bool epoch_prints_barred(const struct scan *line, const char *word)
{
	const char *p = word, *end;

	for (int words = 0; words < BEFORE_WORDS_MAX; words++) {
		while (p > line->p && !is_word_char(p[-1]))
			p--;
		for (end = p; p > line->p && is_word_char(p[-1]);)
			p--;
		if (p == end)
			return false;
		if (look_up(before, p, (size_t)(end - p)) == SAYS_OTHER)
			return true;
	}
	return false;
}

/* Which meanings occur in the text, one bit each; a ratio such as [100/600] speaks of steps. */
static unsigned meanings(const char *p, const char *end)
{
	unsigned seen = 0;

	while (p < end) {
		const char *w = p;

		if (scan_isdigit(*p)) {
			while (p < end && scan_isdigit(*p))
				p++;
			if (end - p > 1 && *p == '/' && scan_isdigit(p[1]))
				seen |= 1U << SAYS_STEP;
		} else if (is_word_char(*p)) {
			while (p < end && is_word_char(*p))
				p++;
			seen |= 1U << look_up(around, w, (size_t)(p - w));
		} else {
			p++;
		}
	}
	return seen;
}

static enum epoch_when when_of(unsigned seen, bool bare)
{
	if (seen & 1U << SAYS_OVER)
		return EPOCH_END;
	if (seen & 1U << SAYS_STEP)
		return EPOCH_DURING;
	if (seen & 1U << SAYS_BEGIN || bare)
		return EPOCH_START;
	return seen & 1U << SAYS_METRIC ? EPOCH_END : EPOCH_DURING;
}

static bool has_letters(const char *p, const char *end)
{
	while (p < end && !scan_isalpha(*p) && !scan_isdigit(*p))
		p++;
	return p < end;
}

/* "epoch=3" among other settings, as argparse prints them: "Namespace(lr=0.1, epoch=3)". */
static bool is_setting(const struct scan *line, const char *word, const char *after)
{
	const char *p = word;

	if (!memchr(word, '=', (size_t)(after - word)))
		return false;
	while (p > line->p && p[-1] == ' ')
		p--;
	return p > line->p && (p[-1] == ',' || p[-1] == '(');
}

bool epoch_prints_judge(const struct scan *line, const char *word, const char *after, struct epoch_line *out)
{
	if (epoch_prints_barred(line, word))
		return false;
	out->format = EF_PRINT;
	out->when =
	    when_of(meanings(line->p, word) | meanings(after, line->end), !has_letters(after, line->end));
	out->doubtful = is_setting(line, word, after);
	return true;
}

enum epoch_when epoch_line_when(const char *text, size_t len)
{
	return when_of(meanings(text, text + len), false);
}
