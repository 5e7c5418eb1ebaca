/* SPDX-License-Identifier: MIT */
/* Judges recorded runs at every epoch end, in one process: thousands of judgements take seconds. With --leak every
 * host reading rises by that share of the level per epoch as well: how small a leak would be found?
 *
 *   prefixes [--leak SHARE] [--blind] [--end] FILE...
 *
 * One line per series and moment: file, series, epochs finished, seconds, whether it is the end, verdict, firm, slope
 * per epoch and per second, its bounds, the weight of growth, microseconds that the judgement took, whether it is left
 * rising where it is undetermined. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xalloc.h"
#include "record/recording.h"
#include "verdict/judge.h"

enum { MOMENTS_MOST = 150, MOMENTS_BLIND = 16 };

struct plan {
	double leak; /* share of the level per epoch */
	bool blind;  /* without the epoch column */
	bool end;    /* the end alone */
};

/* What must be known of a run before its rows are pushed. */
struct outline {
	int64_t *ms, *epoch;
	double *bytes;
	size_t n;
	int64_t first_epoch, last_epoch;
	double level;
};

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double host_bytes(const struct sample *s)
{
	const struct reading *v = s->v;
	double swap = v[CH_SWAP].ok ? (double)v[CH_SWAP].bytes : 0;
	if (v[CH_HELD].ok)
		return (double)v[CH_HELD].bytes;
	if (v[CH_ANON].ok)
		return (double)v[CH_ANON].bytes + (v[CH_SHMEM].ok ? (double)v[CH_SHMEM].bytes : 0) + swap;
	return (double)v[CH_RSS].bytes + swap;
}

static double outline_level(const struct outline *o)
{
	double *a = xcalloc(o->n + 1, sizeof(*a));
	size_t n = 0;
	for (size_t i = 0; i < o->n; i++)
		if (o->epoch[i] > o->first_epoch && o->epoch[i] < o->last_epoch)
			a[n++] = o->bytes[i];
	qsort(a, n, sizeof(*a), by_size);
	double level = n ? a[n / 2] : 0;
	free(a);
	return level;
}

static void outline_push(struct outline *o, const struct sample *s)
{
	if (o->n % 1024 == 0) {
		o->ms = xrealloc(o->ms, o->n + 1024, sizeof(*o->ms));
		o->epoch = xrealloc(o->epoch, o->n + 1024, sizeof(*o->epoch));
		o->bytes = xrealloc(o->bytes, o->n + 1024, sizeof(*o->bytes));
	}
	o->ms[o->n] = s->elapsed_ms;
	o->epoch[o->n] = s->epoch;
	o->bytes[o->n++] = host_bytes(s);
	if (s->epoch >= 0 && o->first_epoch < 0)
		o->first_epoch = s->epoch;
	o->last_epoch = s->epoch > o->last_epoch ? s->epoch : o->last_epoch;
}

static struct recording *open_run(const char *file)
{
	char why[CSV_WHY_MAX];
	struct recording *r;
	if (recording_open(&r, file, &(struct log_request){0}, why) != 0)
		fprintf(stderr, "prefixes: %s: %s\n", file, why);
	return r;
}

static bool outline_read(const char *file, struct outline *o)
{
	struct recording *r = open_run(file);
	const struct sample *s;
	*o = (struct outline){.first_epoch = -1, .last_epoch = -1};
	if (!r)
		return false;
	while (recording_next(r, &s) > 0)
		outline_push(o, s);
	recording_close(r);
	o->level = outline_level(o);
	return true;
}

static void outline_free(struct outline *o)
{
	free(o->ms);
	free(o->epoch);
	free(o->bytes);
}

/* Epochs since the first began, with the part of the one that runs; 0 before. */
static double position(const struct outline *o, size_t i)
{
	size_t from = i, to = i;
	if (o->epoch[i] < 0)
		return 0;
	while (from > 0 && o->epoch[from - 1] == o->epoch[i])
		from--;
	while (to + 1 < o->n && o->epoch[to] == o->epoch[i])
		to++;
	double part = to > from ? (double)(i - from) / (double)(to - from) : 0;
	return (double)(o->epoch[i] - o->first_epoch) + part;
}

static void add_leak(struct sample *s, double bytes)
{
	static const int held[] = {CH_RSS, CH_ANON, CH_HELD};
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		s->v[held[i]].bytes += (uint64_t)bytes / 4096 * 4096;
}

static double now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void tell(const char *file, struct judge *j, int64_t epoch, int64_t ms, bool end)
{
	double begun = now_us();
	const struct run_verdict *run = judge_run(j);
	double took = now_us() - begun;
	for (int i = 0; i < run->n; i++) {
		const struct verdict *v = &run->series[i].v;
		printf("%s\t%s\t%" PRId64 "\t%.3f\t%d\t%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.5f\t%.0f\t%d\n",
		       file, run->series[i].name, epoch, (double)ms / 1000, end,
		       detector_shape_name(v->shape), v->firm, v->slope_bytes_per_epoch, v->slope_bytes_per_s,
		       v->slope_low, v->slope_high, v->weight, took, v->rises);
	}
}

/* At an epoch's end, thinned where there are many; without epochs at equal distances. */
static bool is_moment(const struct plan *p, const struct outline *o, size_t i)
{
	int64_t epochs = o->last_epoch - o->first_epoch;
	if (p->end || i == 0)
		return false;
	if (p->blind || epochs < 4)
		return i * MOMENTS_BLIND / o->n != (i - 1) * MOMENTS_BLIND / o->n;
	if (o->epoch[i] <= o->epoch[i - 1])
		return false;
	return (o->epoch[i] - o->first_epoch) % (epochs / MOMENTS_MOST + 1) == 0;
}

static void judge_rows(const struct plan *p, const struct outline *o, struct recording *r, const char *file)
{
	static struct sample s;
	const struct sample *row;
	struct judge *j = judge_new();
	int n;
	const struct channel *channels = recording_channels(r, &n);
	judge_channels(j, channels, n);
	for (size_t i = 0; i < o->n && recording_next(r, &row) > 0; i++) {
		memcpy(&s, row, sizeof(s));
		if (p->leak > 0)
			add_leak(&s, p->leak * o->level * position(o, i));
		s.epoch = p->blind ? -1 : s.epoch;
		judge_push(j, &s);
		if (is_moment(p, o, i))
			tell(file, j, o->epoch[i], o->ms[i], false);
	}
	tell(file, j, o->last_epoch, o->n ? o->ms[o->n - 1] : 0, true);
	judge_free(j);
}

static void judge_file(const struct plan *p, const char *file)
{
	struct outline o;
	if (!outline_read(file, &o))
		return;
	struct recording *r = open_run(file);
	if (r)
		judge_rows(p, &o, r, file);
	recording_close(r);
	outline_free(&o);
}

int main(int argc, char **argv)
{
	struct plan p = {0};
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--leak") == 0 && i + 1 < argc)
			p.leak = atof(argv[++i]);
		else if (strcmp(argv[i], "--blind") == 0)
			p.blind = true;
		else if (strcmp(argv[i], "--end") == 0)
			p.end = true;
		else
			judge_file(&p, argv[i]);
	}
	return 0;
}
