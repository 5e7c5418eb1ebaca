/* SPDX-License-Identifier: MIT */
/* Verdicts, charts, epochs, the run. All is there without the script, which adds values under the pointer, zoom, parts on
 * and off and the order of the table. Everything from outside goes through svg_escape(). Knows no files. */
#include "report/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "draw/plot.h"
#include "draw/svg.h"
#include "explain/explanation.h"
#include "report/epoch_rows.h"
#include "report/html_data.h"
#include "report/picture.h"
#include "report/run_facts.h"
#include "verdict/advice.h"
#include "verdict/run_series.h"
#include "verdict/sentences.h"

/* What keeps the page small: further series are told in words, further epochs are joined. */
enum { CHARTS_MAX = 12, CELLS_MAX = 2000, COLUMNS_FIXED = 5 };

static const char begin[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			    "<meta name=\"generator\" content=\"memwatch ";

static void put_element(FILE *out, const char *element, const char *attributes, const char *text)
{
	fprintf(out, "<%s%s>", element, attributes);
	svg_escape(out, text);
	fprintf(out, "</%s>\n", element);
}

void html_open(FILE *out, const char *title)
{
	fprintf(out, "%s%s\">\n", begin, MEMWATCH_VERSION);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	      "'unsafe-inline'; "
	      "script-src 'unsafe-inline'\">\n<title>",
	      out);
	svg_escape(out, title);
	fputs("</title>\n<style>\n", out);
	svg_style(out);
	fputs(html_css, out);
	fputs("</style>\n</head>\n<body>\n", out);
}

static void put_head(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	char *title = xasprintf("%s: %s", report_verdict(run), head->title ? head->title : "memwatch");

	html_open(out, title);
	free(title);
}

static const char *mood(enum shape shape)
{
	return shape == SHAPE_GROWTH ? "grows" : shape == SHAPE_UNDETERMINED ? "open" : "calm";
}

static void put_points(FILE *out, const char *class, char *lines)
{
	bool any = false;

	for (char *line; (line = strsep(&lines, "\n"));) {
		line += strspn(line, " ");
		if (!*line)
			continue;
		if (!any)
			fprintf(out, "<ul class=\"%s\">\n", class);
		any = true;
		put_element(out, "li", "", line);
	}
	if (any)
		fputs("</ul>\n", out);
}

static void put_names(FILE *out, const struct explanation *e, const struct series_verdict *s)
{
	struct named_growth named[NAMED_MAX];
	int n = e ? explanation_named(e, s, named) : 0;
	char text[SENTENCE_MAX];

	if (n == 0)
		return;
	fputs("<ul class=\"names\" aria-label=\"What grows, by name\">\n", out);
	for (int i = 0; i < n; i++)
		put_element(out, "li", "",
			    explanation_sentence(text, &named[i], explanation_per_epoch(e, s)));
	fputs("</ul>\n", out);
}

static void put_advice(FILE *out, const struct run_verdict *run, int i)
{
	const char *lines[ADVICE_MAX];
	int n = advice_last_lines(run, i, lines);

	if (n > 0)
		fputs("<ul class=\"advice\" aria-label=\"What to look at next\">\n", out);
	for (int k = 0; k < n; k++)
		put_element(out, "li", "", lines[k]);
	if (n > 0)
		fputs("</ul>\n", out);
}

static void put_part(FILE *out, const struct series_verdict *s, const struct part_growth *p)
{
	char slope[UNITS_TEXT_MAX], text[128];

	snprintf(text, sizeof(text), "%s: %s per %s, %.0f %% of what grows", judge_part_name(p->part),
		 units_bytes_signed(slope, p->slope), s->v.per_epoch ? "epoch" : "second", 100 * p->share);
	put_element(out, "li", "", text);
}

static void put_parts(FILE *out, const struct series_verdict *s)
{
	if (s->n_parts == 0)
		return;
	fputs("<ul class=\"parts\" aria-label=\"Where it grows\">\n", out);
	for (int i = 0; i < s->n_parts; i++)
		put_part(out, s, &s->parts[i]);
	fputs("</ul>\n", out);
}

static void put_chart(FILE *out, const struct report_head *head, const struct series_verdict *s, int i,
		      double detail)
{
	char prefix[32], title[CHANNEL_NAME_MAX + 64], reason[SENTENCE_MAX];
	struct picture p;
	struct svg svg;

	if (!head->history || !picture_lay_out_series(&p, head->history, s, PICTURE_WIDTH, detail))
		return;
	snprintf(prefix, sizeof(prefix), "s%d-", i);
	snprintf(title, sizeof(title), "Chart of %s: memory over time%s", s->name,
		 p.series->has_floors ? ", and the lowest point of each epoch" : "");
	fputs("<figure>\n", out);
	svg_open(&svg, out, prefix, p.width, p.height, title,
		 sentence_reason(reason, s, head->over ? TENSE_OVER : TENSE_NOW));
	picture_draw(&p, &svg.surface);
	svg_close(&svg);
	html_data(out, p.series, detail);
	fputs("</figure>\n", out);
	picture_free(&p);
}

static void put_series(FILE *out, const struct report_head *head, const struct run_verdict *run, int i,
		       double detail)
{
	const struct series_verdict *s = &run->series[i];
	char text[SENTENCE_MAX], *notes = report_text_notes(head, run, i, false);

	fprintf(out, "<section class=\"%s\" aria-labelledby=\"series-%d\">\n<h2 id=\"series-%d\">",
		mood(s->v.shape), i, i);
	svg_escape(out, s->name);
	fprintf(out, ": %s</h2>\n", detector_shape_name(s->v.shape));
	put_element(out, "p", " class=\"reason\"",
		    sentence_reason(text, s, head->over ? TENSE_OVER : TENSE_NOW));
	put_names(out, head->names, s);
	put_points(out, "notes", notes);
	put_parts(out, s);
	put_advice(out, run, i);
	if (detail > 0)
		put_chart(out, head, s, i, detail);
	else
		fprintf(out, "<p class=\"notes\">No chart: the page has room for %d, growth first.</p>\n",
			CHARTS_MAX);
	fputs("</section>\n", out);
	free(notes);
}

static int charts_of(const struct run_verdict *run)
{
	int n = 0;

	for (int i = 0; i < run->n; i++)
		n += judge_worth_telling(&run->series[i]);
	return n < CHARTS_MAX ? n : CHARTS_MAX;
}

/* One series has all there is; of several each has its share of what the page may take. */
static double detail_of(const struct run_verdict *run)
{
	static const double all_bytes = 210e3, axes_bytes = 10e3, curve_bytes = 110e3;

	return fmin(1, (all_bytes / fmax(1, charts_of(run)) - axes_bytes) / curve_bytes);
}

static void put_all_series(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	for (int i = 0; i < run->n; i++)
		if (judge_worth_telling(&run->series[i]))
			put_series(out, head, run, i,
				   plot_chosen(run, i, CHARTS_MAX, judge_worth_telling) ? detail_of(run) : 0);
}

static void put_cell(FILE *out, bool known, uint64_t bytes)
{
	char text[UNITS_TEXT_MAX];

	fprintf(out, "<td>%s", known ? units_bytes(text, bytes) : "");
}

/* End tags of cells and rows may be left out. */
static void put_row(FILE *out, const struct history *h, int from, int count, bool heap)
{
	char name[EPOCH_ROW_NAME_MAX], text[UNITS_TEXT_MAX];
	struct epoch_row r;

	epoch_row(h, from, count, &r);
	fprintf(out, "<tr><th scope=\"row\">%s<td>%s", epoch_row_name(name, &r),
		units_duration(text, r.ms * NS_PER_MS));
	put_cell(out, history_known(&r.held), r.held.low);
	put_cell(out, history_known(&r.held), r.held.high);
	fprintf(out, "<td>%s", r.changes ? units_bytes_signed(text, r.change_bytes) : "");
	for (int g = 0; g < h->devices; g++) {
		struct history_cell c = epoch_row_cell(h, from, count, HISTORY_HOST_TRACKS + g);

		put_cell(out, history_known(&c), c.high);
	}
	if (heap) {
		put_cell(out, history_known(&r.heap_used), r.heap_used.first);
		put_cell(out, history_known(&r.heap_free), r.heap_free.first);
	}
	fputc('\n', out);
}

static void put_column(FILE *out, const char *name)
{
	fputs("<th scope=\"col\">", out);
	svg_escape(out, name);
}

static void put_columns(FILE *out, const struct history *h, bool heap)
{
	static const char *const fixed[COLUMNS_FIXED] = {"epoch", "time", "floor", "peak", "change"};
	char name[CHANNEL_NAME_MAX];

	fputs("<thead><tr>", out);
	for (int i = 0; i < COLUMNS_FIXED; i++)
		put_column(out, fixed[i]);
	for (int g = 0; g < h->devices; g++) {
		run_series_name(&h->gpus[g], name);
		put_column(out, name);
	}
	if (heap) {
		put_column(out, "heap used");
		put_column(out, "heap free");
	}
	fputs("</thead>\n<tbody>\n", out);
}

static void put_epochs(FILE *out, const struct history *h)
{
	int ended = h ? history_epochs_ended(h) : 0, rows, count;
	bool heap = h && epoch_rows_have(h, HISTORY_HEAP_USED);

	if (ended == 0)
		return;
	rows = CELLS_MAX / (COLUMNS_FIXED + h->devices + 2);
	count = 1 + (ended - 1) / (rows > 0 ? rows : 1);
	fprintf(out,
		"<section class=\"epochs%s\">\n<h2 id=\"epochs\">Epochs</h2>\n"
		"<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"epochs\"><table>\n"
		"<caption>Lowest and highest memory of the host in each%s</caption>\n",
		ended > 12 ? " long" : "", h->devices > 0 ? ", and the highest on each GPU" : "");
	put_columns(out, h, heap);
	for (int i = 0; i < ended; i += count)
		put_row(out, h, i, i + count <= ended ? count : ended - i, heap);
	fputs("</table></div>\n</section>\n", out);
}

static void put_fact(void *out, const char *name, const char *value)
{
	fprintf(out, "<div><dt>%s</dt>", name);
	put_element(out, "dd", "", value);
	fputs("</div>\n", out);
}

static void put_facts(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	fputs("<section class=\"run\" aria-labelledby=\"run\">\n<h2 id=\"run\">The run</h2>\n<dl>\n", out);
	run_facts(head, run, put_fact, out);
	fputs("</dl>\n</section>\n", out);
}

/* The way to each series, worst or not, where there are several. */
static void put_ways(FILE *out, const struct run_verdict *run)
{
	if (charts_of(run) < 2)
		return;
	fputs("<nav aria-label=\"Series\">\n", out);
	for (int i = 0; i < run->n; i++) {
		const struct series_verdict *s = &run->series[i];

		if (!judge_worth_telling(s))
			continue;
		fprintf(out, "<a href=\"#series-%d\" class=\"%s\">", i, mood(s->v.shape));
		svg_escape(out, s->name);
		fprintf(out, ": %s</a>\n", detector_shape_name(s->v.shape));
	}
	fputs("</nav>\n", out);
}

static void put_header(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	char *facts = report_facts(head, run);

	fprintf(out, "<header class=\"%s\">\n<h1>%s</h1>\n",
		run->worst < 0 ? "open" : mood(run->series[run->worst].v.shape), report_verdict(run));
	put_element(out, "p", "", facts);
	put_ways(out, run);
	fputs("</header>\n", out);
	free(facts);
}

void report_html(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	put_head(out, head, run);
	put_header(out, head, run);
	fputs("<main>\n", out);
	put_all_series(out, head, run);
	put_epochs(out, head->history);
	put_facts(out, head, run);
	fputs("</main>\n", out);
	if (head->history)
		html_data_epochs(out, head->history);
	fputs("<script>\n", out);
	fputs(html_js, out);
	fputs("</script>\n</body>\n</html>\n", out);
}

bool report_html_wrote(const char *head)
{
	return strncmp(head, begin, sizeof(begin) - 1) == 0;
}
