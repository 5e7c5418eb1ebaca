/* SPDX-License-Identifier: MIT */
/* Which names matter, and the words for them. Pure. */
#include "explain/explanation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "host/frameworks.h"
#include "verdict/sentence_parts.h"

#define OWN_WEIGHT   2
#define SHARE_LEAST  0.02
#define SHARE_ENOUGH 0.5
#define BYTES_LEAST  1024 /* per epoch, where the share is not known */
#define OFTEN        0.5  /* per epoch or minute: what comes more seldom is not what grows in each */

bool explanation_per_epoch(const struct explanation *e, const struct series_verdict *s)
{
	return e->epochs > 0 && (s->v.per_epoch || !s->v.slope_known);
}

static double rate(const struct explanation *e, bool per_epoch, double amount)
{
	if (per_epoch)
		return amount / e->epochs;
	return e->seconds > 0 ? amount / e->seconds * 60 : 0;
}

/* What a figure per epoch is to be multiplied by, more or less than 1: an element more or less is in the snapshots as one
 * comes just before or just after it was kept, so that a whole number per epoch which is no further off is the true one. */
static double rounding_factor(const struct explanation *e, bool per_epoch, double count)
{
	double whole = round(count / (e->epochs > 0 ? e->epochs : 1));

	if (!per_epoch || whole < 1 || fabs(whole * e->epochs - count) > 1)
		return 1;
	return whole * e->epochs / count;
}

/* Bytes per epoch or minute; 0 unknown. */
static double growth_of(const struct series_verdict *s, bool per_epoch)
{
	if (!s->v.slope_known)
		return 0;
	return per_epoch ? s->v.slope_bytes_per_epoch : s->v.slope_bytes_per_s * 60;
}

static bool rises(const struct series_verdict *s)
{
	return s->v.shape == SHAPE_GROWTH ||
	       (s->v.shape == SHAPE_UNDETERMINED && s->v.so_far == SO_FAR_RISING);
}

/* "cuda:1" and "gpu1", "gpu1_mig0": by number. What a framework does not number is the host's. */
static bool is_of(const struct grown_name *g, const struct series_verdict *s)
{
	const char *number = strrchr(g->device, ':');

	if (s->kind == SERIES_HOST)
		return !g->device[0];
	return number && strncmp(s->name, "gpu", 3) == 0 && atoi(s->name + 3) == atoi(number + 1);
}

/* What a library keeps, the program's own code often makes it keep, or keeps as well: that is what can be mended. */
static double weight(const struct named_growth *n)
{
	return n->bytes * (n->what->own ? OWN_WEIGHT : 1);
}

static int by_bytes(const void *a, const void *b)
{
	const struct named_growth *x = a, *y = b;

	if (weight(x) != weight(y))
		return weight(x) < weight(y) ? 1 : -1;
	return x->count < y->count ? 1 : x->count > y->count ? -1 : 0;
}

/* What a graph keeps is not in the tensor's own size. */
static int by_graph(const void *a, const void *b)
{
	const struct named_growth *x = a, *y = b;

	if (x->what->graph != y->what->graph)
		return x->what->graph ? -1 : 1;
	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? 1 : -1;
	return by_bytes(a, b);
}

static bool matters(const struct named_growth *n)
{
	if (n->what->graph)
		return true;
	return n->share >= 0 ? n->share >= SHARE_LEAST : n->bytes >= BYTES_LEAST;
}

/* Small in Python, and there are ever more: such objects may hold what grows outside of it. */
static bool may_hold_more(const struct named_growth *n)
{
	return n->what->opaque && n->share >= 0 && n->count >= OFTEN;
}

static int collect(const struct explanation *e, const struct series_verdict *s,
		   bool (*wanted)(const struct named_growth *), struct named_growth all[ANSWER_NAMES])
{
	bool per_epoch = explanation_per_epoch(e, s);
	double whole = growth_of(s, per_epoch);
	int n = 0;

	for (int i = 0; i < e->growth.n_names; i++) {
		const struct grown_name *g = &e->growth.names[i];
		double factor = rounding_factor(e, per_epoch, (double)g->count);
		double bytes = rate(e, per_epoch, (double)g->bytes) * factor;

		if (!is_of(g, s))
			continue;
		all[n] = (struct named_growth){.what = g,
					       .count = rate(e, per_epoch, (double)g->count) * factor,
					       .bytes = bytes,
					       .nodes = rate(e, per_epoch, (double)g->nodes),
					       .share = whole > 0 ? bytes / whole : -1};
		n += wanted(&all[n]);
	}
	return n;
}

static double explained(const struct named_growth *all, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += all[i].share > 0 ? all[i].share : 0;
	return sum;
}

int explanation_named(const struct explanation *e, const struct series_verdict *s,
		      struct named_growth out[NAMED_MAX])
{
	struct named_growth all[ANSWER_NAMES];
	int n = rises(s) ? collect(e, s, matters, all) : 0, most = NAMED_MAX;

	if (n == 0 && rises(s)) {
		n = collect(e, s, may_hold_more, all);
		most = 1;
	}
	qsort(all, (size_t)n, sizeof(all[0]), explained(all, n) < SHARE_ENOUGH ? by_graph : by_bytes);
	n = n < most ? n : most;
	memcpy(out, all, (size_t)n * sizeof(out[0]));
	return n;
}

/* "12", "0.5" */
static void add_count(struct text *t, double count)
{
	char buf[UNITS_TEXT_MAX];

	if (count < 10 && count - (double)(int64_t)count > 0.05)
		text_add(t, "%.1f", count);
	else
		text_add(t, "%s", units_count(buf, (uint64_t)(count + 0.5)));
}

static void add_what(struct text *t, const struct grown_name *g)
{
	bool each = strcmp(g->kind, "objects") == 0 || strcmp(g->kind, "calls") == 0;
	bool one = each || strcmp(g->kind, "object") == 0 || strcmp(g->kind, "graph") == 0;

	text_add(t, "%s%s%s", one ? "" : g->kind, one ? "one " : " of ", g->of);
	if (g->detail[0] || g->device[0])
		text_add(t, " (%s%s%s)", g->detail, g->detail[0] && g->device[0] ? " on " : "", g->device);
	if (g->graph)
		text_add(t, one ? " with its graph" : " with their graphs");
	else if (each)
		text_add(t, " in each of ever more %s", g->kind);
	else if (one)
		text_add(t, " that gets larger");
}

static void add_rates(struct text *t, const struct named_growth *n)
{
	if (n->what->count > 0) {
		text_add(t, ", +");
		add_count(t, n->count);
	}
	if (n->bytes >= 1) {
		text_add(t, n->what->count > 0 ? " and " : ", +");
		text_bytes(t, n->bytes);
	}
	if (n->nodes > 0) {
		text_add(t, ", +");
		add_count(t, n->nodes);
		text_add(t, " nodes");
	}
}

char *explanation_sentence(char buf[SENTENCE_MAX], const struct named_growth *n, bool per_epoch)
{
	const struct grown_name *g = n->what;
	struct text t = {buf, 0};

	text_add(&t, "kept by %s", g->name[0] ? g->name : "something without a name");
	if (g->place[0])
		text_add(&t, " (%s)", g->place);
	text_add(&t, ": ");
	add_what(&t, g);
	add_rates(&t, n);
	text_add(&t, " per %s", per_epoch ? "epoch" : "minute");
	if (n->share >= 0 && !g->graph)
		text_add(&t, " (%.0f %% of what grows)", n->share < 1 ? 100 * n->share : 100);
	if (g->graph)
		text_add(&t, ": keep the number, loss.item(), or the tensor without it, .detach()");
	return buf;
}

static void add_native(struct text *t, const struct run_verdict *run)
{
	if (run->frameworks & FRAMEWORK_TENSORFLOW)
		text_add(
		    t, "usually functions traced anew (each call of tf.function with another shape or Python "
		       "number), a model built in each round, or a C++ extension");
	else if (run->frameworks & FRAMEWORK_TORCH)
		text_add(
		    t, "usually a graph that is kept (total += loss, a hidden state without .detach()), or a "
		       "C++ extension");
	else
		text_add(t, "usually a C or C++ extension, or a library's own cache");
}

static void put_native(char *line, const struct explanation *e, const struct run_verdict *run,
		       const struct series_verdict *s, double share)
{
	bool per_epoch = explanation_per_epoch(e, s);
	double left = growth_of(s, per_epoch) * (1 - share);
	struct text t = {line, 0};
	char rest[UNITS_TEXT_MAX];

	text_add(&t, share > 0 ? "the rest is native memory, which such objects may hold"
			       : "nothing was seen to grow in Python");
	if (left > 0)
		text_add(&t, ": %s per %s%s; ", units_bytes_signed(rest, left),
			 per_epoch ? "epoch" : "minute", share > 0 ? "" : " in native memory");
	else
		text_add(&t, share > 0 ? "; " : ": it is native memory; ");
	add_native(&t, run);
	if (share <= 0)
		text_add(&t, "; what grows in few epochs takes longer to be seen");
}

static bool put_types(char *line, const struct explanation *e, bool per_epoch)
{
	enum { TYPES = 3 };
	struct text t = {line, 0};

	for (int i = 0; i < e->growth.n_types && i < TYPES; i++) {
		text_add(&t, i ? ", +" : "there are ever more objects of: +");
		add_count(&t, rate(e, per_epoch, (double)e->growth.types[i].count));
		text_add(&t, " %s", e->growth.types[i].name);
	}
	if (t.at > 0)
		text_add(&t, " per %s", per_epoch ? "epoch" : "minute");
	return t.at > 0;
}

static void put_pool(char *line, const struct memory_pool *p)
{
	char used[UNITS_TEXT_MAX], reserved[UNITS_TEXT_MAX];
	bool pooled = p->reserved.ok && p->reserved.bytes > p->used_bytes;

	if (p->reserved.ok)
		snprintf(line, SENTENCE_MAX, "%s on %s: %s reserved, %s in use%s", p->framework, p->device,
			 units_bytes(reserved, p->reserved.bytes), units_bytes(used, p->used_bytes),
			 pooled ? ": the rest is the framework's pool, not a leak" : "");
	else
		snprintf(line, SENTENCE_MAX,
			 "%s on %s: %s in use; what it holds beyond that is the framework's pool, not a leak",
			 p->framework, p->device, units_bytes(used, p->used_bytes));
}

static int rest_of_gpu(const struct explanation *e, const struct series_verdict *s,
		       char lines[EXPLANATION_LINES][SENTENCE_MAX])
{
	int n = 0;

	for (int i = 0; i < e->latest.n_pools && n < EXPLANATION_LINES; i++) {
		const struct memory_pool *p = &e->latest.pools[i];
		const char *number = strrchr(p->device, ':');

		if (number && strncmp(s->name, "gpu", 3) == 0 && atoi(s->name + 3) == atoi(number + 1))
			put_pool(lines[n++], p);
	}
	return n;
}

int explanation_rest(const struct explanation *e, const struct run_verdict *run,
		     const struct series_verdict *s, char lines[EXPLANATION_LINES][SENTENCE_MAX])
{
	struct named_growth named[NAMED_MAX];
	int n = 0, count = explanation_named(e, s, named);
	double share = explained(named, count);

	if (s->kind == SERIES_GPU)
		return rest_of_gpu(e, s, lines);
	if (!rises(s) || e->growth.snapshots < 2 || share >= SHARE_ENOUGH ||
	    (count > 0 && named[0].what->graph))
		return 0;
	put_native(lines[n++], e, run, s, share);
	n += put_types(lines[n], e, explanation_per_epoch(e, s));
	return n;
}

static const char *why_left(const struct explanation *e)
{
	static const char *const words[] = {
	    [LEFT_AT_END] = "the run ended before the next",
	    [LEFT_FOR_COST] = "the next would have taken too much of this run's time",
	    [LEFT_BY_PROCESS] = "the process ended before the next",
	    [LEFT_UNANSWERED] = "the process did not answer for the next",
	};

	return words[e->left];
}

/* Of the last comparison, unless it has all it needs. */
static void add_unfinished(struct text *t, const struct explanation *e)
{
	if (e->trouble[0] || e->growth.snapshots > 2)
		return;
	text_add(t, "; %s: %s", e->growth.snapshots == 2 ? "only two were compared" : "no names",
		 why_left(e));
}

static void add_no_snapshot(struct text *t, const struct explanation *e)
{
	if (e->mute)
		text_add(
		    t,
		    "--explain: no names: most of the growth is in process %d, which cannot be asked: it "
		    "was forked by another Python, or is no Python",
		    (int)e->mute);
	else if (e->left == LEFT_FOR_COST)
		text_add(t,
			 "--explain: no names: three snapshots of %.2f s would have taken more than a tenth "
			 "of this run",
			 (double)e->dear_ms / 1000);
	else if (e->left == LEFT_UNANSWERED)
		text_add(t, "--explain: no names: process %d did not answer", (int)e->pid);
	else
		text_add(t, e->wanted ? "--explain: no names: the run ended before a snapshot"
				      : "--explain: nothing grew for long enough to ask what it is");
}

char *explanation_effort(char buf[SENTENCE_MAX], const struct explanation *e)
{
	char count[UNITS_TEXT_MAX];
	struct text t = {buf, 0};

	buf[0] = '\0';
	if (!e->reached)
		text_add(
		    &t,
		    "--explain: no Python of this run can be asked: it is none, or was started with "
		    "-I, -E or -S, or as another user, or is older than 3.8, not CPython, or free-threaded");
	else if (e->trouble[0])
		text_add(&t, "--explain: no names: %s", e->trouble);
	else if (e->snapshots == 0)
		add_no_snapshot(&t, e);
	if (e->snapshots == 0)
		return buf;
	text_add(&t,
		 "%s%d snapshot%s of process %d, %s objects, the longest %.2f s, %.2f s of processor time in "
		 "all",
		 t.at ? "; " : "--explain: ", e->snapshots, e->snapshots == 1 ? "" : "s", (int)e->pid,
		 units_count(count, (uint64_t)e->objects), (double)e->longest_ms / 1000,
		 (double)e->total_ms / 1000);
	add_unfinished(&t, e);
	return buf;
}
