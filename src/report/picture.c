/* SPDX-License-Identifier: MIT */
/* A judged run as a picture. What is drawn is draw/picture.c's; here are the words around it and the forms of file.
 * Knows no files. */
#include "report/picture.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "draw/image.h"
#include "draw/picture.h"
#include "draw/svg.h"
#include "verdict/sentences.h"

static const char foot[] = "memwatch " MEMWATCH_VERSION;

char *report_facts(const struct report_head *head, const struct run_verdict *run)
{
	char text[SENTENCE_MAX];

	return xasprintf("%s%s%s%s%s", head->title ? head->title : "", head->title ? ": " : "",
			 sentence_run(text, run), head->ended ? "; " : "", head->ended ? head->ended : "");
}

/* All verdicts, for those who cannot see the picture; facts end without a full stop. */
static char *describe(const struct report_head *head, const struct run_verdict *run, const char *facts)
{
	char *all = xasprintf("%s.", facts), line[SENTENCE_MAX];

	for (int i = 0; i < run->n; i++) {
		char *more = xasprintf(
		    "%s %s", all, sentence_line(line, &run->series[i], head->over ? TENSE_OVER : TENSE_NOW));

		free(all);
		all = more;
	}
	return all;
}

static void lay_out(struct picture *p, const struct report_head *head, const struct run_verdict *run,
		    const char *facts)
{
	picture_lay_out(p, head->history, run,
			&(struct picture_words){.facts = facts, .foot = foot, .over = head->over},
			PICTURE_WIDTH);
}

const char *report_verdict(const struct run_verdict *run)
{
	return run->worst < 0 ? "no samples" : detector_shape_name(run->series[run->worst].v.shape);
}

void report_svg(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	char *facts = report_facts(head, run), *about = describe(head, run, facts);
	struct picture p;
	struct drawing d;

	lay_out(&p, head, run, facts);
	d = picture_drawing(&p);
	svg_document(out, &d, report_verdict(run), about);
	picture_free(&p);
	free(about);
	free(facts);
}

static int painted(FILE *out, const struct report_head *head, const struct run_verdict *run,
		   int (*paint)(FILE *, const struct drawing *))
{
	char *facts = report_facts(head, run);
	struct picture p;
	struct drawing d;
	int err;

	lay_out(&p, head, run, facts);
	d = picture_drawing(&p);
	err = paint(out, &d);
	picture_free(&p);
	free(facts);
	return err;
}

int report_png(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	return painted(out, head, run, image_png);
}

int report_pdf(FILE *out, const struct report_head *head, const struct run_verdict *run)
{
	return painted(out, head, run, image_pdf);
}
