/* SPDX-License-Identifier: MIT */
/* A Kalman filter for each kind of noise. Knows nothing of shapes. */
#include "detect/noise.h"

#include <math.h>

/* What is in use as an epoch ends is what was in use as the last one did: few programs have a young heap that finds its size
 * there too, and none was seen that walks on. */
#define ENDS_FADE -2.8
#define ENDS_NOT  -HUGE_VAL

const struct noise noises[NOISES] = {
    {0, false, 0},         {0.03, false, ENDS_NOT}, {0.3, false, ENDS_NOT},
    {3, false, ENDS_NOT},  {100, false, ENDS_NOT},  {3, true, ENDS_FADE},
    {30, true, ENDS_FADE}, {300, true, ENDS_FADE},  {3000, true, ENDS_FADE},
};

/* A young heap finds its size in ever smaller moves: their spread falls with the square of its age. */
static double walk_at(const struct noise *noise, double age)
{
	return noise->fades ? noise->walk * pow(2 / (1 + fmax(1, age)), 4) : noise->walk;
}

/* The first reading starts the level. */
void filter_fill(struct filter *f, const struct noise *noise, const double *age, int n)
{
	double level = 1;
	f->n = n;
	f->logdet = 0;
	for (int t = 1; t < n; t++) {
		level += walk_at(noise, age[t]);
		double var = level + 1;
		f->gain[t] = level / var;
		f->scale[t] = 1 / sqrt(var);
		f->logdet += log(var);
		level /= var;
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
