/* SPDX-License-Identifier: MIT */
/* Verdicts first, then the run, then its epochs, folded away. Knows no files. */
#include "report/markdown.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/plain_text.h"
#include "base/units.h"
#include "report/epoch_rows.h"
#include "report/run_facts.h"
#include "verdict/advice.h"
#include "verdict/run_series.h"
#include "verdict/sentences.h"

enum { ROWS_ENDS = 30 }; /* rows of a long table at its beginning, and at its end */

static const char sign[] = "<!-- memwatch " MEMWATCH_VERSION " -->\n";

/* An underscore within a word is none of Markdown's. */
static bool is_markup(const char *text, const char *c)
{
	if (*c == '_')
		return c == text || !isalnum((unsigned char)c[-1]) || !isalnum((unsigned char)c[1]);
	return strchr("\\`*{}[]<>#|&~!@$", *c);
}

void markdown_escape(FILE *out, const char *text)
{
	for (const char *c = text; *c;) {
		size_t n = utf8_length(c);

		if (n == 0 || plain_is_control(c, n, NULL))
			fputc('?', out);
		else if (is_markup(text, c))
			fprintf(out, "&#%d;", *c);
		else
			fwrite(c, 1, n, out);
		c += n ? n : 1;
	}
}

/* Lines of report_text()'s, each a point of a list. */
static void put_points(FILE *out, char *lines)
{
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
		fputs("- ", out);
		markdown_escape(out, line + strspn(line, " "));
		fputc('\n', out);
	}
}

static void put_series(FILE *out, const struct report_head *head, const struct run_verdict *run, int i)
{
	const struct series_verdict *s = &run->series[i];
	char text[SENTENCE_MAX], *notes = report_text_notes(head, run, i, true);
	const char *advice[ADVICE_MAX];
	int n = advice_last_lines(run, i, advice);

	fprintf(out, "**%s: %s.** ", s->name, detector_shape_name(s->v.shape));
	markdown_escape(out, sentence_reason(text, s, head->over ? TENSE_OVER : TENSE_NOW));
	fputs("\n\n", out);
	put_points(out, notes);
	for (int k = 0; k < n; k++) {
		fputs("- ", out);
		markdown_escape(out, advice[k]);
		fputc('\n', out);
	}
	fputs(*notes || n ? "\n" : "", out);
	free(notes);
}

static void put_fact(void *out, const char *name, const char *text)
{
	fprintf(out, "| %s | ", name);
	markdown_escape(out, text);
	fputs(" |\n", out);
}

static void put_facts(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	fputs("| run | |\n|---|---|\n", out);
	run_facts(head, run, put_fact, out);
	fputc('\n', out);
}

static void put_bytes(FILE *out, bool known, uint64_t bytes)
{
	char text[UNITS_TEXT_MAX];

	fprintf(out, " %s |", known ? units_bytes(text, bytes) : "");
}

static void put_row(FILE *out, const struct history *h, int i, bool heap)
{
	char name[EPOCH_ROW_NAME_MAX], text[UNITS_TEXT_MAX];
	struct epoch_row r;

	epoch_row(h, i, 1, &r);
	fprintf(out, "| %s | %s |", epoch_row_name(name, &r), units_duration(text, r.ms * NS_PER_MS));
	put_bytes(out, history_known(&r.held), r.held.low);
	put_bytes(out, history_known(&r.held), r.held.high);
	fprintf(out, " %s |", r.changes ? units_bytes_signed(text, r.change_bytes) : "");
	for (int g = 0; g < h->devices; g++) {
		const struct history_cell *c = history_cell(&h->epochs, i, HISTORY_HOST_TRACKS + g);

		put_bytes(out, history_known(c), c->high);
	}
	if (heap) {
		put_bytes(out, history_known(&r.heap_used), r.heap_used.first);
		put_bytes(out, history_known(&r.heap_free), r.heap_free.first);
	}
	fputc('\n', out);
}

static int put_heads(FILE *out, const struct history *h, bool heap)
{
	int columns = 5 + h->devices + (heap ? 2 : 0);
	char name[CHANNEL_NAME_MAX];

	fputs("| epoch | time | floor | peak | change |", out);
	for (int g = 0; g < h->devices; g++) {
		run_series_name(&h->gpus[g], name);
		fprintf(out, " %s |", name);
	}
	fputs(heap ? " heap used | heap free |\n" : "\n", out);
	for (int i = 0; i < columns; i++)
		fputs("|---:", out);
	fputs("|\n", out);
	return columns;
}

static void put_epochs(FILE *out, const struct history *h)
{
	int ended = h ? history_epochs_ended(h) : 0, columns;
	bool heap = h && epoch_rows_have(h, HISTORY_HEAP_USED);

	if (ended == 0)
		return;
	fprintf(out, "<details><summary>%d epochs</summary>\n\n", (int)h->epochs.spans[ended - 1].epoch + 1);
	columns = put_heads(out, h, heap);
	for (int i = 0; i < ended; i++) {
		if (i == ROWS_ENDS && ended > 2 * ROWS_ENDS) {
			fputs("| ... |", out);
			for (int k = 1; k < columns; k++)
				fputs(" |", out);
			fputc('\n', out);
			i = ended - ROWS_ENDS;
		}
		put_row(out, h, i, heap);
	}
	fputs("\n</details>\n", out);
}

void report_markdown(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	fputs(sign, out);
	for (int i = 0; i < run->n; i++)
		if (judge_worth_telling(&run->series[i]))
			put_series(out, head, run, i);
	if (run->n == 0)
		fputs("No samples: it ended too soon.\n\n", out);
	put_facts(out, head, run);
	put_epochs(out, head->history);
}

bool report_markdown_wrote(const char *head)
{
	static const char begin[] = "<!-- memwatch ";

	return strncmp(head, begin, sizeof(begin) - 1) == 0;
}
