/* SPDX-License-Identifier: MIT */
/* Lines of words with tabs between them, as agent/answer.py writes them. Pure. */
#include "explain/answer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_text.h"

enum { FIELDS = 14 };

struct fields {
	char *at[FIELDS];
	int n;
};

static void split(char *line, struct fields *f)
{
	char *field;

	f->n = 0;
	while (f->n < FIELDS && (field = strsep(&line, "\t")))
		f->at[f->n++] = field;
}

/* Cut to its room, then at a whole character: what is left over of one is no UTF-8 and becomes '?'. */
static void take_text(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
	plain_text(to);
}

#define TAKE(to, from) take_text(to, sizeof(to), from)

static bool take_number(const char *text, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	return !errno && end != text && !*end;
}

static bool take_amount(const char *text, int64_t *out)
{
	return take_number(text, out) && *out >= 0;
}

static void take_name(const struct fields *f, struct explain_answer *a)
{
	struct grown_name *g = &a->names[a->n_names];
	int64_t bytes, graph, own, opaque;

	if (f->n != 13 || a->n_names == ANSWER_NAMES)
		return;
	if (!take_amount(f->at[6], &g->count) || !take_amount(f->at[7], &bytes) ||
	    !take_amount(f->at[8], &graph) || !take_amount(f->at[9], &g->nodes) ||
	    !take_amount(f->at[11], &own) || !take_amount(f->at[12], &opaque))
		return;
	TAKE(g->name, f->at[1]);
	TAKE(g->kind, f->at[2]);
	TAKE(g->of, f->at[3]);
	TAKE(g->detail, f->at[4]);
	TAKE(g->device, f->at[5]);
	TAKE(g->place, f->at[10]);
	g->bytes = (uint64_t)bytes;
	g->graph = graph > 0;
	g->own = own > 0;
	g->opaque = opaque > 0;
	a->n_names++;
}

static void take_type(const struct fields *f, struct explain_answer *a)
{
	struct grown_type *t = &a->types[a->n_types];

	if (f->n != 3 || a->n_types == ANSWER_TYPES || !take_amount(f->at[2], &t->count))
		return;
	TAKE(t->name, f->at[1]);
	a->n_types++;
}

static void take_pool(const struct fields *f, struct explain_answer *a)
{
	struct memory_pool *p = &a->pools[a->n_pools];
	int64_t used, reserved;

	if (f->n != 5 || a->n_pools == ANSWER_POOLS || !take_amount(f->at[3], &used) ||
	    !take_number(f->at[4], &reserved))
		return;
	TAKE(p->framework, f->at[1]);
	TAKE(p->device, f->at[2]);
	p->used_bytes = (uint64_t)used;
	p->reserved = (struct reading){.bytes = reserved > 0 ? (uint64_t)reserved : 0, .ok = reserved > 0};
	a->n_pools++;
}

static void take_line(char *line, struct explain_answer *a)
{
	struct fields f;
	int64_t n;

	split(line, &f);
	if (strcmp(f.at[0], "name") == 0)
		take_name(&f, a);
	else if (strcmp(f.at[0], "type") == 0)
		take_type(&f, a);
	else if (strcmp(f.at[0], "pool") == 0)
		take_pool(&f, a);
	else if (f.n != 2)
		return;
	else if (strcmp(f.at[0], "failed") == 0)
		TAKE(a->failed, f.at[1]);
	else if (strcmp(f.at[0], "refused") == 0)
		TAKE(a->refused, f.at[1]);
	else if (!take_amount(f.at[1], &n))
		return;
	else if (strcmp(f.at[0], "objects") == 0)
		a->objects = n;
	else if (strcmp(f.at[0], "moment") == 0)
		a->moment_ns = n;
	else if (strcmp(f.at[0], "took") == 0)
		a->took_ms = n;
	else if (strcmp(f.at[0], "worked") == 0)
		a->worked_ms = n;
	else if (strcmp(f.at[0], "expected") == 0)
		a->expected_ms = n;
	else if (strcmp(f.at[0], "snapshots") == 0 && n < 1000)
		a->snapshots = (int)n;
}

int explain_answer_parse(char *text, struct explain_answer *out)
{
	char *line = strsep(&text, "\n");
	bool whole = false;

	memset(out, 0, sizeof(*out));
	if (!line || strcmp(line, "memwatch names 1") != 0)
		return -EINVAL;
	while (!whole && (line = strsep(&text, "\n"))) {
		whole = strcmp(line, "end") == 0;
		if (!whole)
			take_line(line, out);
	}
	return whole ? 0 : -EINVAL;
}
