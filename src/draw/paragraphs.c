/* SPDX-License-Identifier: MIT */
/* Lines as draw/lettering.c breaks them. Knows nothing of what they say. */
#include "draw/paragraphs.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "draw/lettering.h"

void paragraphs_add(struct paragraphs *p, double x, double *y, double width, const char *text,
		    const struct lettering *how)
{
	while (*text) {
		size_t next, n = lettering_break(text, width, how, &next);

		*y += how->size * PARAGRAPHS_LINE_HEIGHT;
		p->lines = xrealloc(p->lines, (size_t)p->n + 1, sizeof(*p->lines));
		p->lines[p->n++] =
		    (struct placed_line){{x, *y - 0.4 * how->size}, xasprintf("%.*s", (int)n, text), *how};
		text += next;
	}
}

void paragraphs_draw(const struct paragraphs *p, struct surface *s)
{
	for (int i = 0; i < p->n; i++)
		s->kind->text(s, p->lines[i].at, p->lines[i].text, &p->lines[i].how);
}

void paragraphs_free(struct paragraphs *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->lines[i].text);
	free(p->lines);
	*p = (struct paragraphs){0};
}
