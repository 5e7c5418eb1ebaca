/* SPDX-License-Identifier: MIT */
/* A Kalman filter for each kind of noise. Knows nothing of shapes. */
#include "detect/noise.h"

#include <math.h>

#include "base/stats.h"

const struct noise noises[NOISES] = {
    {0, false}, {0.03, false}, {0.3, false}, {3, false},   {100, false},
    {3, true},  {30, true},    {300, true},  {3000, true},
};

/* A reading stands out if it is further from its neighbours than so many times what three of four of them are. */
#define ODD_TIMES    3
#define ODD_QUANTILE 0.75

/* All are as likely. But what is in use as an epoch ends was in use as the last one did: it may walk in a young heap, which is
 * as likely as not, and in no other. */
double noise_prior(const struct noise *noise, const struct course_in *in)
{
	if (!in->single || noise->walk == 0)
		return 0;
	return noise->fades ? -log(NOISES_FADING) : -HUGE_VAL;
}

/* A young heap finds its size in ever smaller moves: their spread falls with the square of its age. */
static double walk_at(const struct noise *noise, double age)
{
	return noise->fades ? noise->walk * pow(2 / (1 + fmax(1, age)), 4) : noise->walk;
}

/* The first reading starts the level. */
void filter_fill(struct filter *f, const struct noise *noise, const struct course_in *in)
{
	double level = in->variance[0];
	f->n = in->n;
	f->logdet = 0;
	for (int t = 1; t < in->n; t++) {
		level += walk_at(noise, in->age[t]);
		double var = level + in->variance[t];
		f->gain[t] = level / var;
		f->scale[t] = 1 / sqrt(var);
		f->logdet += log(var);
		level *= in->variance[t] / var;
	}
}

void filter_run(const struct filter *f, const double *c, int from, double *out)
{
	double level = c[0];
	for (int t = from; t < f->n; t++) {
		double v = c[t] - level;
		level += f->gain[t] * v;
		out[t - 1] = v * f->scale[t];
	}
}

double noise_usual_move(const struct course_in *in)
{
	double moves[COURSE_MAX] = {0};
	for (int i = 1; i < in->n; i++)
		moves[i - 1] = fabs(in->y[i] - in->y[i - 1]);
	return stats_median(moves, in->n - 1);
}

/* How far a reading lies above or below both of its neighbours: what rises or falls on does not. */
static double stands_out(const struct course_in *in, int i)
{
	double before = in->y[i - 1], after = in->y[i + 1];
	return fmax(0, fmax(in->y[i] - fmax(before, after), fmin(before, after) - in->y[i]));
}

/* An array that was caught in a moment says nothing of the others. The first reading and the last one could be a step. */
void noise_variances(struct course_in *in)
{
	double out[COURSE_MAX];
	int n = in->n;
	for (int i = 0; i < n; i++)
		in->variance[i] = 1;
	for (int i = 1; i + 1 < n; i++)
		out[i - 1] = stands_out(in, i);
	double usual = fmax(CAUGHT_SHARE * noise_usual_move(in), in->quantum);
	if (n > 2)
		usual = fmax(usual, stats_quantile(out, n - 2, ODD_QUANTILE));
	for (int i = 1; i + 1 < n; i++) {
		double times = stands_out(in, i) / (ODD_TIMES * usual);
		in->variance[i] = fmax(1, times * times);
	}
}
