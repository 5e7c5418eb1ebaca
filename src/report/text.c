/* SPDX-License-Identifier: MIT */
/* The report for people. The sentences are verdict/sentences.c's. Knows no files. */
#include "report/report.h"

#include <string.h>

#include "base/plain_text.h"
#include "base/xalloc.h"
#include "report/gpu.h"
#include "report/names.h"
#include "verdict/advice.h"
#include "verdict/sentence_place.h"
#include "verdict/sentences.h"

static void put_where(FILE *out, const struct growth_place_findings *w, const struct series_verdict *s)
{
	char text[SENTENCE_MAX];

	if (!w || s->kind != SERIES_HOST)
		return;
	if (sentence_process(text, w)[0])
		plain_line(out, "  %s", text);
	if (sentence_mappings(text, w)[0])
		plain_line(out, "  %s", text);
}

static const char no_samples[] = "no samples: it ended too soon";

/* "python fit.py (pid 1234): 64 s, 120 epochs, 642 samples; exit status 0" */
static void put_title(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	char text[SENTENCE_MAX];

	if (!head->title)
		return;
	plain_line(out, "%s: %s%s%s", head->title, sentence_run(text, run), head->ended ? "; " : "",
		   head->ended ? head->ended : "");
	if (run->n == 0)
		plain_line(out, "%s", no_samples);
}

/* Is there a GPU that is told of before series i? */
static bool gpu_before(const struct run_verdict *run, int i)
{
	while (--i >= 0)
		if (run->series[i].kind == SERIES_GPU && judge_worth_telling(&run->series[i]))
			return true;
	return false;
}

/* What is known beside the sentence. */
static void put_notes(FILE *out, const struct report_head *head, const struct run_verdict *run, int i,
		      bool names)
{
	const struct series_verdict *s = &run->series[i];
	char text[SENTENCE_MAX];

	report_gpu_text(out, head, s->name);
	if (s->kind == SERIES_GPU && !gpu_before(run, i) && head->gpu_numbers && *head->gpu_numbers)
		plain_line(out, "  %s", head->gpu_numbers);
	put_where(out, head->where, s);
	if (names)
		report_names_text(out, head, s);
	report_names_rest(out, head, run, s);
	if (s->kind == SERIES_HOST && head->heap_why && *head->heap_why)
		plain_line(out, "  what its allocator keeps free is not known: %s", head->heap_why);
	if (s->kind == SERIES_HOST && shortage_sentence(text, &run->shortage, s->v.shape == SHAPE_GROWTH)[0])
		plain_line(out, "  %s", text);
}

static void put_series(FILE *out, const struct report_head *head, const struct run_verdict *run, int i)
{
	const struct series_verdict *s = &run->series[i];
	const char *lines[ADVICE_MAX];
	char text[SENTENCE_MAX];
	int n = advice_last_lines(run, i, lines);

	if (head->charts)
		report_chart(out, head->charts, head->history, run, i);
	plain_line(out, "%s", sentence_line(text, s, head->over ? TENSE_OVER : TENSE_NOW));
	put_notes(out, head, run, i, true);
	for (int k = 0; k < n; k++)
		plain_line(out, "  - %s", lines[k]);
}

char *report_text_notes(const struct report_head *head, const struct run_verdict *run, int i, bool names)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return xstrdup("");
	put_notes(f, head, run, i, names);
	fclose(f);
	return text;
}

char *report_text_epochs(const struct report_head *head)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return xstrdup("");
	if (head->notes)
		fputs(head->notes, f);
	if (head->from)
		epoch_source_text(f, head->from, head->fits);
	fclose(f);
	return text;
}

void report_text(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	put_title(out, head, run);
	if (head->notes)
		fputs(head->notes, out);
	if (head->from)
		epoch_source_text(out, head->from, head->fits);
	for (int i = 0; i < run->n; i++)
		if (judge_worth_telling(&run->series[i]))
			put_series(out, head, run, i);
	if (run->n == 0)
		report_names_effort(out, head);
}

/* "host: growth. ", "gpu0: flat. " */
static bool begins_with_verdict(const char *line)
{
	size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_");
	char sign[64];

	for (enum shape s = SHAPE_UNDETERMINED; s <= SHAPE_GROWTH; s++) {
		int n = snprintf(sign, sizeof(sign), ": %s. ", detector_shape_name(s));

		if (name > 0 && strncmp(line + name, sign, (size_t)n) == 0)
			return true;
	}
	return false;
}

/* The first series comes after a title, up to four notes, the epochs, up to two lines of advice on them and the
 * fits at most. */
bool report_text_wrote(const char *head)
{
	enum { LINES = 10 };

	for (int i = 0; i < LINES && head; i++) {
		if (begins_with_verdict(head) || strncmp(head, no_samples, sizeof(no_samples) - 1) == 0)
			return true;
		head = strchr(head, '\n');
		head = head ? head + 1 : NULL;
	}
	return false;
}

void report_text_line(FILE *out, const char *title, const struct run_verdict *run, bool over)
{
	char text[SENTENCE_MAX];

	plain_line(out, "%s: %s", title,
		   sentence_line(text, &run->series[run->worst], over ? TENSE_OVER : TENSE_NOW));
}
