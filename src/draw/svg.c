/* SPDX-License-Identifier: MIT */
/* Coordinates have one decimal: a tenth of a pixel. */
#include "draw/svg.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_text.h"

static struct svg *of(struct surface *s)
{
	return (struct svg *)s;
}

static void put_character(FILE *out, const char *c, size_t n)
{
	switch (*c) {
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '&':
		fputs("&amp;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	case '\'':
		fputs("&#39;", out);
		break;
	default:
		fwrite(c, 1, n, out);
	}
}

/* U+FFFE and U+FFFF are characters to UTF-8 and none to XML. */
static bool is_no_xml(const char *c, size_t n)
{
	return n == 3 && (unsigned char)c[0] == 0xef && (unsigned char)c[1] == 0xbf &&
	       (unsigned char)c[2] >= 0xbe;
}

void svg_escape(FILE *out, const char *text)
{
	while (*text) {
		size_t n = utf8_length(text);

		if (n == 0 || plain_is_control(text, n, NULL) || is_no_xml(text, n))
			fputc('?', out);
		else
			put_character(out, text, n);
		text += n ? n : 1;
	}
}

/* 12.3, and 12 for 12.0: locales do not matter, nor does a sign of zero. */
static void put_number(FILE *out, double v)
{
	long tenths = lround(v * 10.0);

	fprintf(out, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
	if (labs(tenths) % 10)
		fprintf(out, ".%ld", labs(tenths) % 10);
}

static void put_attribute(FILE *out, const char *name, double v)
{
	fprintf(out, " %s=\"", name);
	put_number(out, v);
	fputc('"', out);
}

static void put_hundredths(FILE *out, const char *name, double v)
{
	long n = lround(v * 100.0);

	fprintf(out, " %s=\"%ld.%02ld\"", name, n / 100, n % 100);
}

static void put_points(FILE *out, const struct point *p, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			fputc(' ', out);
		put_number(out, p[i].x);
		fputc(',', out);
		put_number(out, p[i].y);
	}
}

static void svg_polyline(struct surface *s, const struct point *p, int n, const struct stroke *how)
{
	FILE *out = of(s)->out;

	fprintf(out, "<polyline class=\"s-%s\"", ink_colours[how->ink].name);
	put_attribute(out, "stroke-width", how->width);
	if (how->dash > 0)
		put_attribute(out, "stroke-dasharray", how->dash);
	if (how->opacity > 0)
		put_hundredths(out, "opacity", how->opacity);
	fputs(" points=\"", out);
	put_points(out, p, n);
	fputs("\"/>\n", out);
}

static void svg_area(struct surface *s, const struct point *p, int n, enum ink ink, double opacity)
{
	FILE *out = of(s)->out;

	fprintf(out, "<polygon class=\"f-%s\"", ink_colours[ink].name);
	if (opacity < 1)
		put_hundredths(out, "opacity", opacity);
	fputs(" points=\"", out);
	put_points(out, p, n);
	fputs("\"/>\n", out);
}

static void svg_text(struct surface *s, struct point at, const char *text, const struct lettering *how)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	FILE *out = of(s)->out;

	fprintf(out, "<text class=\"f-%s\"", ink_colours[how->ink].name);
	put_attribute(out, "x", at.x);
	put_attribute(out, "y", at.y);
	put_attribute(out, "font-size", how->size);
	if (how->anchor != ANCHOR_START)
		fprintf(out, " text-anchor=\"%s\"", anchors[how->anchor]);
	if (how->bold)
		fputs(" font-weight=\"700\"", out);
	fputc('>', out);
	svg_escape(out, text);
	fputs("</text>\n", out);
}

static void put_clip(struct svg *s, const struct box *b)
{
	fprintf(s->out, "<clipPath id=\"%sclip%d\"><rect", s->prefix, ++s->clips);
	put_attribute(s->out, "x", b->x);
	put_attribute(s->out, "y", b->y);
	put_attribute(s->out, "width", b->w);
	put_attribute(s->out, "height", b->h);
	fputs("/></clipPath>\n", s->out);
}

/* The clip is on a group of its own: a script may move what is inside and leave the edge where it is. */
static void svg_begin(struct surface *s, const char *name, const char *title, const struct box *clip)
{
	struct svg *g = of(s);

	if (clip) {
		put_clip(g, clip);
		fprintf(g->out, "<g clip-path=\"url(#%sclip%d)\">", g->prefix, g->clips);
	} else {
		fputs("<g>", g->out);
	}
	fprintf(g->out, "<g class=\"%s\">\n", name);
	if (!title)
		return;
	fputs("<title>", g->out);
	svg_escape(g->out, title);
	fputs("</title>\n", g->out);
}

static void svg_end(struct surface *s)
{
	fputs("</g></g>\n", of(s)->out);
}

static const struct surface_kind kind = {
    .polyline = svg_polyline, .area = svg_area, .text = svg_text, .begin = svg_begin, .end = svg_end};

static void put_element(FILE *out, const char *element, const char *prefix, const char *text)
{
	fprintf(out, "<%s id=\"%s%s\">", element, prefix, element);
	svg_escape(out, text);
	fprintf(out, "</%s>\n", element);
}

void svg_open(struct svg *s, FILE *out, const char *prefix, double width, double height, const char *title,
	      const char *about)
{
	*s = (struct svg){.surface = {&kind}, .out = out, .prefix = prefix};
	fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", out);
	put_number(out, width);
	fputc(' ', out);
	put_number(out, height);
	fputc('"', out);
	put_attribute(out, "width", width);
	put_attribute(out, "height", height);
	fprintf(out, " role=\"img\" aria-labelledby=\"%stitle %sdesc\">\n", prefix, prefix);
	put_element(out, "title", prefix, title);
	put_element(out, "desc", prefix, about);
}

void svg_close(struct svg *s)
{
	fputs("</svg>\n", s->out);
}

static void put_colours(FILE *out, bool dark)
{
	for (int i = 0; i < INK_COUNT; i++) {
		const struct ink_colour *c = &ink_colours[i];
		unsigned colour = dark ? c->dark : c->light;

		fprintf(out, ".s-%s{stroke:#%06x}.f-%s{fill:#%06x}\n", c->name, colour, c->name, colour);
	}
}

void svg_style(FILE *out)
{
	fputs("svg{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
	      "polyline{fill:none;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-"
	      "stroke}\n",
	      out);
	put_colours(out, false);
	fputs("@media screen and (prefers-color-scheme:dark){\n", out);
	put_colours(out, true);
	fputs("}\n", out);
}

void svg_document(FILE *out, const struct drawing *d, const char *title, const char *about)
{
	struct svg svg;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- memwatch " MEMWATCH_VERSION " -->\n", out);
	svg_open(&svg, out, "", d->width, d->height, title, about);
	fputs("<style>\n", out);
	svg_style(out);
	fputs("</style>\n", out);
	surface_rect(&svg.surface, &(struct box){0, 0, d->width, d->height}, INK_GROUND, 1);
	d->draw(d->what, &svg.surface);
	svg_close(&svg);
}

bool svg_document_wrote(const char *head)
{
	return strstr(head, "\n<!-- memwatch ");
}
