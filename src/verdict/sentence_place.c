/* SPDX-License-Identifier: MIT */
/* Which process grows, and in which of its mappings, in words. */
#include "verdict/sentence_place.h"

#include <string.h>

#include "base/units.h"

static bool in_one_process(const struct growth_place_findings *w)
{
	return w->n_processes > 0 && w->processes[0].share >= 0.5;
}

char *sentence_process(char buf[SENTENCE_MAX], const struct growth_place_findings *w)
{
	const struct growing_process *p = &w->processes[0];
	struct text t = {.buf = buf};

	buf[0] = '\0';
	if (in_one_process(w))
		text_add(&t, "mostly in %s %d (%s): %.0f %% of what grows",
			 p->root ? "the main process," : "process", (int)p->pid, p->name, p->share * 100);
	for (int i = 0; !in_one_process(w) && w->n_processes > 1 && i < w->n_processes; i++)
		text_add(&t, "%s%d (%s) %.0f %%",
			 i ? ", " : "spread over processes, most of it in: ", (int)p[i].pid, p[i].name,
			 p[i].share * 100);
	return buf;
}

/* The kernel's names, in words of people who train models. */
static const char *place_name(const char *mapping)
{
	if (strcmp(mapping, "anonymous") == 0)
		return "mapped blocks (large arrays, Python objects)";
	return strcmp(mapping, "[heap]") == 0 ? "malloc's heap (arrays, objects)" : mapping;
}

char *sentence_mappings(char buf[SENTENCE_MAX], const struct growth_place_findings *w)
{
	struct text t = {.buf = buf};
	char from[UNITS_TEXT_MAX], to[UNITS_TEXT_MAX];

	buf[0] = '\0';
	if (w->n_mappings == 0)
		return buf;
	if (in_one_process(w))
		text_add(&t, "in its memory");
	else
		text_add(&t, "in the memory of %d", (int)w->mappings_pid);
	text_add(&t, ", from %s to %s: ", units_clock(from, w->mappings_from_ms),
		 units_clock(to, w->mappings_to_ms));
	for (int i = 0; i < w->n_mappings; i++) {
		char b[UNITS_TEXT_MAX];

		text_add(&t, "%s%s %s", i ? ", " : "", place_name(w->mappings[i].name),
			 units_bytes_signed(b, (double)w->mappings[i].change));
	}
	return buf;
}
