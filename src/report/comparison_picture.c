/* SPDX-License-Identifier: MIT */
/* The words around an overlay of runs, and the forms of file. What is drawn is draw/overlay.c's. */
#include "report/comparison_picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "compare/sentence.h"
#include "draw/image.h"
#include "draw/overlay.h"
#include "draw/svg.h"
#include "report/html.h"

/* An overlay's content, all of it allocated here. */
struct scene {
	struct overlay_content content;
	char **sentences, **names;
	struct overlay_series *series;
	struct overlay_side *sides;
	char *facts;
	struct overlay overlay;
};

/* "base: a.csv, b.csv" */
static char *side_name(const char *side, const char *const *files, int n)
{
	char *all = xasprintf("%s: %s", side, files[0]);

	for (int i = 1; i < n; i++) {
		char *more = xasprintf("%s, %s", all, files[i]);

		free(all);
		all = more;
	}
	return all;
}

static void add_sentences(struct scene *s, const struct comparison_report *r)
{
	char text[SENTENCE_MAX];

	s->sentences = xcalloc((size_t)r->n, sizeof(*s->sentences));
	for (int i = 0; i < r->n; i++) {
		const char *sentence = compare_sentence(text, r->all[i].c);

		s->sentences[i] =
		    r->n > 1 ? xasprintf("%s: %s", r->all[i].head.new[0], sentence) : xstrdup(sentence);
	}
	s->content.sentences = (const char *const *)s->sentences;
	s->content.n_sentences = r->n;
}

/* The base is one side, and each NEW another. */
static void add_sides(struct scene *s, const struct comparison_report *r)
{
	const struct comparison *first = r->all[0].c;

	s->sides = xcalloc((size_t)r->n + 1, sizeof(*s->sides));
	s->names = xcalloc((size_t)r->n + 1, sizeof(*s->names));
	s->names[0] = side_name("base", r->all[0].head.base, r->all[0].head.base_count);
	s->sides[0] = (struct overlay_side){s->names[0], ink_of_run(0), r->histories, first->base_runs};
	for (int i = 0; i < r->n; i++) {
		s->names[i + 1] = side_name("new", r->all[i].head.new, r->all[i].head.new_count);
		s->sides[i + 1] =
		    (struct overlay_side){s->names[i + 1], ink_of_run(i + 1),
					  r->histories + first->base_runs + i, r->all[i].c->new_runs};
	}
	s->content.sides = s->sides;
	s->content.n_sides = r->n + 1;
}

/* Of two that hold the same, one may have freed most of it. */
static bool differs_in_heap(const struct series_comparison *s)
{
	const struct figure *kept = &s->figures[FIGURE_KEPT], *freed = &s->figures[FIGURE_FREE];

	return freed->ok && (freed->beyond || (kept->ok && kept->beyond));
}

/* What was compared; where nothing was, the host. */
static void add_series(struct scene *s, const struct comparison *c)
{
	int n = 0;

	s->series = xcalloc(2 * (size_t)c->n + 1, sizeof(*s->series));
	for (int i = 0; i < c->n; i++) {
		s->series[n++].name = c->series[i].name;
		if (differs_in_heap(&c->series[i]))
			s->series[n++] = (struct overlay_series){c->series[i].name, .freed = true};
	}
	if (n == 0)
		s->series[n++].name = "host";
	s->content.series = s->series;
	s->content.n_series = n;
}

static char *facts_of(const struct comparison_report *r)
{
	const struct comparison *c = r->all[0].c;
	char doubt[SENTENCE_MAX];

	if (r->n > 1)
		return xstrdup("each new run is compared with the base");
	if (c->result == COMPARISON_UNKNOWN)
		return xstrdup("not compared");
	compare_doubt(doubt, c);
	return c->by_epoch
		   ? xasprintf("compared epoch by epoch, up to %.0f%s%s", c->to, doubt[0] ? ". " : "", doubt)
		   : xasprintf("compared over time, up to %.1f s%s%s", c->to, doubt[0] ? ". " : "", doubt);
}

static void set(struct scene *s, const struct comparison_report *r)
{
	const struct comparison *first = r->all[0].c;

	*s = (struct scene){.content = {.by_epoch = first->by_epoch, .to = first->to}, .facts = facts_of(r)};
	for (int i = 1; i < r->n; i++)
		s->content.by_epoch = s->content.by_epoch && r->all[i].c->by_epoch;
	s->content.facts = s->facts;
	s->content.foot = "memwatch " MEMWATCH_VERSION;
	add_sentences(s, r);
	add_sides(s, r);
	add_series(s, first);
	overlay_lay_out(&s->overlay, &s->content, OVERLAY_WIDTH);
}

static void strike(struct scene *s)
{
	overlay_free(&s->overlay);
	for (int i = 0; i < s->content.n_sentences; i++)
		free(s->sentences[i]);
	for (int i = 0; i < s->content.n_sides; i++)
		free(s->names[i]);
	free(s->sentences);
	free(s->names);
	free(s->series);
	free(s->sides);
	free(s->facts);
}

void comparison_svg(FILE *out, const struct comparison_report *r)
{
	struct scene s;
	struct drawing d;

	set(&s, r);
	d = overlay_drawing(&s.overlay);
	svg_document(out, &d, s.sentences[0], s.facts);
	strike(&s);
}

void comparison_html(FILE *out, const struct comparison_report *r)
{
	struct scene s;
	struct drawing d;
	struct svg svg;

	set(&s, r);
	d = overlay_drawing(&s.overlay);
	html_open(out, s.sentences[0]);
	fputs("<main>\n<figure>\n", out);
	svg_open(&svg, out, "runs", d.width, d.height, s.sentences[0], s.facts);
	d.draw(d.what, &svg.surface);
	svg_close(&svg);
	fputs("</figure>\n", out);
	comparison_html_tables(out, r);
	fputs("</main>\n</body>\n</html>\n", out);
	strike(&s);
}

static int painted(FILE *out, const struct comparison_report *r, int (*paint)(FILE *, const struct drawing *))
{
	struct scene s;
	struct drawing d;
	int err;

	set(&s, r);
	d = overlay_drawing(&s.overlay);
	err = paint(out, &d);
	strike(&s);
	return err;
}

int comparison_png(FILE *out, const struct comparison_report *r)
{
	return painted(out, r, image_png);
}

int comparison_pdf(FILE *out, const struct comparison_report *r)
{
	return painted(out, r, image_pdf);
}
