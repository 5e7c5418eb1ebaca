/* SPDX-License-Identifier: MIT */
/* One row for each figure that both sides have. The words are compare/sentence.c's. */
#include "report/comparison.h"

#include <math.h>
#include <string.h>

#include "base/json_out.h"
#include "base/plain_text.h"
#include "compare/sentence.h"
#include "report/markdown.h"

struct row {
	char name[CHANNEL_NAME_MAX + 24];
	char base[UNITS_TEXT_MAX], new[UNITS_TEXT_MAX], difference[UNITS_TEXT_MAX], noise[UNITS_TEXT_MAX + 8];
	bool beyond;
};

typedef void put_row(FILE *out, const struct row *row);

static struct row bytes_row(const struct series_comparison *s, enum figure_kind kind, bool by_epoch)
{
	const struct figure *f = &s->figures[kind];
	char noise[UNITS_TEXT_MAX];
	struct row row = {.beyond = f->beyond};

	snprintf(row.name, sizeof(row.name), "%s %s%s", s->name, compare_figure_name(kind),
		 kind != FIGURE_GROWTH ? ""
		 : by_epoch            ? " per epoch"
				       : " per second");
	compare_amount(row.base, kind, f->base);
	compare_amount(row.new, kind, f->new);
	units_bytes_signed(row.difference, f->difference);
	units_bytes(noise, (uint64_t)llround(fmin(f->noise, 1e18)));
	snprintf(row.noise, sizeof(row.noise), f->noise_unknown ? "unknown" : "±%s", noise);
	return row;
}

static struct row time_row(const struct figure *f)
{
	struct row row = {.name = "time per epoch", .beyond = f->beyond};
	char text[UNITS_TEXT_MAX];

	compare_seconds(row.base, f->base);
	compare_seconds(row.new, f->new);
	snprintf(row.difference, sizeof(row.difference), "%s%s", f->difference < 0 ? "" : "+",
		 compare_seconds(text, f->difference));
	snprintf(row.noise, sizeof(row.noise), f->noise_unknown ? "unknown" : "±%s",
		 compare_seconds(text, f->noise));
	return row;
}

/* A jump that neither has is no news. */
static bool worth_a_row(const struct figure *f, enum figure_kind kind)
{
	return f->ok && (kind != FIGURE_JUMP || f->base > 0 || f->new > 0);
}

static void put_rows(FILE *out, const struct comparison *c, put_row *put)
{
	struct row row;

	for (int i = 0; i < c->n; i++)
		for (enum figure_kind k = 0; k < FIGURE_KINDS; k++)
			if (worth_a_row(&c->series[i].figures[k], k)) {
				row = bytes_row(&c->series[i], k, c->by_epoch);
				put(out, &row);
			}
	if (c->epoch_s.ok) {
		row = time_row(&c->epoch_s);
		put(out, &row);
	}
}

typedef void put_name(FILE *out, const char *name);

static void plain_name(FILE *out, const char *name)
{
	plain_part(out, "%s", name);
}

static void put_side(FILE *out, const char *what, const char *const *files, int n, put_name *put)
{
	fprintf(out, "%s:", what);
	for (int i = 0; i < n; i++) {
		fputc(' ', out);
		put(out, files[i]);
	}
}

static void put_sides(FILE *out, const struct comparison_head *head, const struct comparison *c,
		      put_name *put)
{
	put_side(out, "base", head->base, head->base_count, put);
	put_side(out, "; new", head->new, head->new_count, put);
	if (c->result == COMPARISON_UNKNOWN)
		return;
	if (c->by_epoch)
		fprintf(out, "; aligned by epoch, up to %.0f", c->to);
	else
		fprintf(out, "; aligned by time, up to %.1f s", c->to);
}

/* Bytes of UTF-8 that take no place of their own. */
static int unseen(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) == 0x80;
	return n;
}

static void text_row(FILE *out, const struct row *row)
{
	fprintf(out, "%-24s  %10s  %10s  %11s  %*s%s\n", row->name, row->base, row->new, row->difference,
		12 + unseen(row->noise), row->noise, row->beyond ? "  *" : "");
}

/* What --fail-on fails on. */
static void put_regressions(FILE *out, const struct comparison_head *head, const struct comparison *c,
			    const char *before)
{
	char words[SENTENCE_MAX];

	for (int i = 0; head->gated && i < head->regressed_count; i++)
		fprintf(out, "%sregression: %s\n", before,
			compare_regression(words, c, &head->regressed[i], head->limit));
}

static bool any_beyond(const struct comparison *c)
{
	bool any = c->epoch_s.ok && c->epoch_s.beyond;

	for (int i = 0; i < c->n; i++)
		for (enum figure_kind k = 0; k < FIGURE_KINDS; k++)
			any = any ||
			      (worth_a_row(&c->series[i].figures[k], k) && c->series[i].figures[k].beyond);
	return any;
}

static void put_text(FILE *out, const struct comparison_head *head, const struct comparison *c)
{
	static const struct row names = {
	    .name = "", .base = "base", .new = "new", .difference = "difference", .noise = "noise"};
	char sentence[SENTENCE_MAX];

	fprintf(out, "%s\n", compare_sentence(sentence, c));
	put_sides(out, head, c, plain_name);
	fputc('\n', out);
	if (c->result == COMPARISON_UNKNOWN)
		return;
	if (compare_doubt(sentence, c)[0])
		fprintf(out, "%s\n", sentence);
	text_row(out, &names);
	put_rows(out, c, text_row);
	if (any_beyond(c))
		fprintf(out, "* more than noise\n");
	put_regressions(out, head, c, "");
}

static void markdown_row(FILE *out, const struct row *row)
{
	const char *strong = row->beyond ? "**" : "";

	fprintf(out, "| %s | %s | %s | %s%s%s | %s |\n", row->name, row->base, row->new, strong,
		row->difference, strong, row->noise);
}

static void put_markdown(FILE *out, const struct comparison_head *head, const struct comparison *c)
{
	char sentence[SENTENCE_MAX];

	fprintf(out, "**%s**\n\n", compare_sentence(sentence, c));
	put_sides(out, head, c, markdown_escape);
	fputs("\n", out);
	if (c->result == COMPARISON_UNKNOWN)
		return;
	if (compare_doubt(sentence, c)[0])
		fprintf(out, "\n%s\n", sentence);
	fputs("\n| | base | new | difference | noise |\n|---|---:|---:|---:|---:|\n", out);
	put_rows(out, c, markdown_row);
	put_regressions(out, head, c, "\n");
}

static void html_row(FILE *out, const struct row *row)
{
	const char *strong = row->beyond ? "<strong>" : "", *end = row->beyond ? "</strong>" : "";

	fprintf(out, "<tr><th>%s</th><td>%s</td><td>%s</td><td>%s%s%s</td><td>%s</td></tr>\n", row->name,
		row->base, row->new, strong, row->difference, end, row->noise);
}

void comparison_html_tables(FILE *out, const struct comparison_report *r)
{
	for (int i = 0; i < r->n; i++) {
		if (r->all[i].c->result == COMPARISON_UNKNOWN)
			continue;
		fputs("<section>\n<table>\n<thead><tr><th></th><th>base</th><th>new</th><th>difference</th>"
		      "<th>noise</th></tr></thead>\n<tbody>\n",
		      out);
		put_rows(out, r->all[i].c, html_row);
		fputs("</tbody>\n</table>\n</section>\n", out);
	}
}

static void files_json(struct json_out *j, const char *name, const char *const *files, int n)
{
	json_open(j, name, '[');
	for (int i = 0; i < n; i++)
		json_string(j, NULL, files[i]);
	json_close(j, ']');
}

static void figure_json(struct json_out *j, const char *name, const struct figure *f)
{
	if (!f->ok) {
		json_null(j, name);
		return;
	}
	json_open(j, name, '{');
	json_real(j, "base", f->base);
	json_real(j, "new", f->new);
	json_real(j, "difference", f->difference);
	json_real_if(j, "low", !f->noise_unknown, f->difference - f->noise);
	json_real_if(j, "high", !f->noise_unknown, f->difference + f->noise);
	json_bool(j, "beyond_noise", f->beyond);
	json_close(j, '}');
}

static void series_json(struct json_out *j, const struct series_comparison *s, bool by_epoch)
{
	static const char *const names[FIGURE_KINDS] = {
	    [FIGURE_PLATEAU] = "plateau_bytes", [FIGURE_PEAK] = "peak_bytes", [FIGURE_JUMP] = "jump_bytes",
	    [FIGURE_KEPT] = "kept_bytes",       [FIGURE_FREE] = "free_bytes",
	};

	json_open(j, NULL, '{');
	json_string(j, "name", s->name);
	json_int(j, "base_growing", s->base_grows);
	json_int(j, "new_growing", s->new_grows);
	for (enum figure_kind k = 0; k < FIGURE_KINDS; k++)
		figure_json(j,
			    k != FIGURE_GROWTH ? names[k]
			    : by_epoch         ? "growth_bytes_per_epoch"
					       : "growth_bytes_per_s",
			    &s->figures[k]);
	json_close(j, '}');
}

static void regressions_json(struct json_out *j, const struct comparison_head *head,
			     const struct comparison *c)
{
	char words[SENTENCE_MAX];

	json_open(j, "regressions", '[');
	for (int i = 0; i < head->regressed_count; i++)
		json_string(j, NULL, compare_regression(words, c, &head->regressed[i], head->limit));
	json_close(j, ']');
}

/* part: it is one of several in a larger document. */
static void put_json(struct json_out *j, const struct comparison_head *head, const struct comparison *c,
		     bool part)
{
	char sentence[SENTENCE_MAX];
	bool known = c->result != COMPARISON_UNKNOWN;

	json_open(j, NULL, '{');
	if (!part)
		json_string(j, "memwatch", MEMWATCH_VERSION);
	files_json(j, "base", head->base, head->base_count);
	files_json(j, "new", head->new, head->new_count);
	json_string(j, "sentence", compare_sentence(sentence, c));
	json_string(j, "result", compare_result_name(c->result));
	if (known)
		json_bool(j, "regression", head->regressed_count > 0);
	else
		json_null(j, "regression");
	regressions_json(j, head, c);
	if (compare_doubt(sentence, c)[0])
		json_string(j, "doubt", sentence);
	else
		json_null(j, "doubt");
	json_string(j, "aligned_by", c->by_epoch ? "epoch" : "time");
	json_real_if(j, "to", known, c->to);
	json_open(j, "series", '[');
	for (int i = 0; i < c->n; i++)
		series_json(j, &c->series[i], c->by_epoch);
	json_close(j, ']');
	figure_json(j, "epoch_s", &c->epoch_s);
	json_close(j, '}');
}

void comparison_text(FILE *out, const struct comparison_report *r)
{
	for (int i = 0; i < r->n; i++) {
		fputs(i ? "\n" : "", out);
		put_text(out, &r->all[i].head, r->all[i].c);
	}
}

bool comparison_text_wrote(const char *head)
{
	const char *second = strchr(head, '\n');

	return second && strncmp(second, "\nbase: ", 7) == 0 && strstr(second, "; new: ");
}

void comparison_markdown(FILE *out, const struct comparison_report *r)
{
	for (int i = 0; i < r->n; i++) {
		fputs(i ? "\n" : "", out);
		put_markdown(out, &r->all[i].head, r->all[i].c);
	}
}

void comparison_json(FILE *out, const struct comparison_report *r)
{
	struct json_out j = {.f = out};

	if (r->n > 1) {
		json_open(&j, NULL, '{');
		json_string(&j, "memwatch", MEMWATCH_VERSION);
		json_open(&j, "comparisons", '[');
	}
	for (int i = 0; i < r->n; i++)
		put_json(&j, &r->all[i].head, r->all[i].c, r->n > 1);
	if (r->n > 1) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	fputc('\n', out);
}
