/* SPDX-License-Identifier: MIT */
/* All products are made once for a noise; sets of terms are then solved with those alone. */
#include "detect/fit.h"

#include <math.h>
#include <string.h>

/* What is known of the size of the noise before the row is seen: one reading's worth, of this share of the level. */
#define NOISE_DOF   1
#define NOISE_SHARE 2e-4

/* An amount is as likely in one decade as in another, from 1e-5 of the level to all of it: log(log(1e5)). */
#define DECADES_LOG 2.4435
#define LOG_2PI     1.8379

/* An event of which so little is not said by the other terms is said by them. */
#define SAME 1e-4

static double dot(const double *a, const double *b, int n)
{
	double s = 0, t = 0, u = 0, v = 0;
	int i = 0;
	for (; i + 3 < n; i += 4) {
		s += a[i] * b[i];
		t += a[i + 1] * b[i + 1];
		u += a[i + 2] * b[i + 2];
		v += a[i + 3] * b[i + 3];
	}
	for (; i < n; i++)
		s += a[i] * b[i];
	return s + t + u + v;
}

static void fit_steps(struct fit *f)
{
	double one[COURSE_MAX];
	for (int t = 0; t < f->n; t++)
		one[t] = t > 0;
	for (int k = 1; k < f->n; k++) {
		int from = k - 1, len = f->m - from;
		filter_run(&f->filter, one, k, f->step[k]);
		f->sy[k] = dot(f->step[k] + from, f->y + from, len);
		for (int i = 1; i <= k; i++)
			f->ss[i][k] = f->ss[k][i] = dot(f->step[i] + from, f->step[k] + from, len);
	}
	for (int k = 1; k < f->n; k++)
		f->least_norm[k] = SAME * f->ss[k][k];
	for (int k = 1; k + 1 < f->n; k++)
		f->least_norm[f->n + k] = SAME * (f->ss[k][k] + f->ss[k + 1][k + 1] - 2 * f->ss[k][k + 1]);
}

/* Least sum of squares, whatever the row looks like. */
static double squares_least(const struct course_in *in)
{
	double page = in->quantum / in->level,
	       caught = in->single ? CAUGHT_SHARE * noise_usual_move(in) / in->level : 0;
	return NOISE_DOF * NOISE_SHARE * NOISE_SHARE + (in->n - 1) * (page * page / 12 + caught * caught);
}

void fit_noise(struct fit *f, const struct course_in *in, const struct shapes *s, const struct noise *noise)
{
	double y[COURSE_MAX];
	filter_fill(&f->filter, noise, in);
	f->shapes = s;
	f->noise_prior = noise_prior(noise, in);
	f->odd = in->single;
	f->n = in->n;
	f->m = in->n - 1;
	f->places = f->odd ? 2 * f->n - 1 : f->n; /* first and last level cannot be told from steps */
	f->floor_sse = squares_least(in);
	for (int t = 0; t < f->n; t++)
		y[t] = (in->y[t] - in->y[0]) / in->level;
	filter_run(&f->filter, y, 1, f->y);
	f->yy = dot(f->y, f->y, f->m);
	memset(f->known, 0, sizeof(f->known));
	fit_steps(f);
}

static void need_column(struct fit *f, int c)
{
	double *w = f->white[c];
	if (f->known[c])
		return;
	f->known[c] = true;
	filter_run(&f->filter, f->shapes->col[c], 1, w);
	f->cc[c] = dot(w, w, f->m);
	f->cy[c] = dot(w, f->y, f->m);
	for (int k = 1; k < f->n; k++)
		f->sc[c][k] = dot(w + k - 1, f->step[k] + k - 1, f->m - k + 1);
}

/* What the newest term says of every place of a step. */
static void places_update(struct terms *t, const double *with_steps, int n)
{
	int i = t->n;
	double *said = t->said[i], scale = 1 / t->l[i][i], z = t->z[i];
	memcpy(said, with_steps, (size_t)n * sizeof(said[0]));
	for (int p = 0; p < i; p++)
		for (int k = 1; k < n; k++)
			said[k] -= t->l[i][p] * t->said[p][k];
	for (int k = 1; k < n; k++) {
		said[k] *= scale;
		t->norm[k] -= said[k] * said[k];
		t->left[k] -= said[k] * z;
	}
	for (int k = 1; k + 1 < n; k++)
		t->next[k] -= said[k] * said[k + 1];
}

/* The next term, whose row of the factor is there: `rest` of its own square and `left` of its product with y are not
 * said by the others. */
static void terms_take(struct terms *t, double rest, double left, const double *with_steps, int n)
{
	int i = t->n;
	t->l[i][i] = sqrt(rest);
	t->z[i] = left / t->l[i][i];
	t->logdet += log(rest);
	t->sse = fmax(0, t->sse - t->z[i] * t->z[i]);
	places_update(t, with_steps, n);
	t->n++;
}

static bool take_column(struct fit *f, struct terms *t, int column)
{
	int i = t->n;
	double rest, left;
	need_column(f, column);
	rest = f->cc[column];
	left = f->cy[column];
	for (int j = 0; j < i; j++) {
		double s = dot(f->white[t->part[j]], f->white[column], f->m);
		for (int p = 0; p < j; p++)
			s -= t->l[i][p] * t->l[j][p];
		t->l[i][j] = s / t->l[j][j];
		rest -= t->l[i][j] * t->l[i][j];
		left -= t->l[i][j] * t->z[j];
	}
	if (rest <= 1e-6 * f->cc[column])
		return false;
	t->part[i] = column;
	terms_take(t, rest, left, f->sc[column], f->n);
	return true;
}

bool terms_start(struct fit *f, const struct shape_set *set, struct terms *t)
{
	t->n = 0;
	t->parts = set->parts;
	t->sse = f->yy;
	t->logdet = 0;
	for (int k = 1; k < f->n; k++) {
		t->norm[k] = f->ss[k][k];
		t->left[k] = f->sy[k];
		t->next[k] = k + 1 < f->n ? f->ss[k][k + 1] : 0;
	}
	for (int i = 0; i < set->parts; i++)
		if (!take_column(f, t, set->part[i]))
			return false;
	return true;
}

static double power(double base, int n)
{
	double p = 1;
	for (; n > 0; n /= 2, base *= base)
		p *= n % 2 ? base : 1;
	return p;
}

/* Places that would do, each as good as its likelihood over that of the best. */
static double places_as_good(const struct fit *f, const double *gain, double best, double left, int dof)
{
	double sum = 0, error = left / dof;
	for (int k = 1; k < f->places; k++) {
		double behind = best - gain[k];
		if (k != f->n && behind * dof < 14 * (left + behind)) /* else less than a thousandth */
			sum += sqrt(power(left / (left + behind), dof) * (best + error) / (gain[k] + error));
	}
	return sum;
}

/* What the event at each place would explain, and where it explains most. A place below n is a step into that level; n + k is
 * level k alone being odd, a step and the next one taken back. */
static int gains_fill(const struct fit *f, const struct terms *t, double *gain)
{
	int best = 1, n = f->n;
	for (int k = 1; k < n; k++)
		gain[k] = t->norm[k] > f->least_norm[k] ? t->left[k] * t->left[k] / t->norm[k] : 0;
	for (int k = 1; f->odd && k + 1 < n; k++) {
		double norm = t->norm[k] + t->norm[k + 1] - 2 * t->next[k],
		       left = t->left[k] - t->left[k + 1];
		gain[n + k] = norm > f->least_norm[n + k] ? left * left / norm : 0;
	}
	for (int place = 1; place < f->places; place++)
		if (place != n && gain[place] > gain[best])
			best = place;
	return best;
}

static void take_event(const struct fit *f, struct terms *t, int place)
{
	double with[COURSE_MAX] = {0}, norm, left;
	int k = place % f->n;
	bool odd = place > f->n;
	norm = t->norm[k] + (odd ? t->norm[k + 1] - 2 * t->next[k] : 0);
	left = t->left[k] - (odd ? t->left[k + 1] : 0);
	for (int i = 0; i < t->n; i++)
		t->l[t->n][i] = t->said[i][k] - (odd ? t->said[i][k + 1] : 0);
	for (int i = 1; i < f->n; i++)
		with[i] = f->ss[k][i] - (odd ? f->ss[k + 1][i] : 0);
	terms_take(t, norm, left, with, f->n);
}

bool terms_add_event(const struct fit *f, struct terms *t, double least, double *log_places)
{
	double gain[2 * COURSE_MAX] = {0};
	int dof = f->m - t->n - 1 + NOISE_DOF, best = gains_fill(f, t, gain);
	double left = fmax(0, t->sse - gain[best]) + f->floor_sse;
	if (dof / 2.0 * log1p(gain[best] / left) < least)
		return false;
	*log_places = log(places_as_good(f, gain, gain[best], left, dof) / (f->odd ? 2 * f->m - 1 : f->m));
	take_event(f, t, best);
	return true;
}

/* Back substitution for the amounts; the diagonal of the inverse for their errors. */
static void terms_solve(struct terms *t, double variance)
{
	t->variance = variance;
	for (int i = t->n - 1; i >= 0; i--) {
		double s = t->z[i];
		for (int p = i + 1; p < t->n; p++)
			s -= t->l[p][i] * t->amount[p];
		t->amount[i] = s / t->l[i][i];
	}
	for (int i = 0; i < t->n; i++) {
		double v[FIT_TERMS], sum = 0;
		for (int p = i; p < t->n; p++) {
			double s = p == i;
			for (int q = i; q < p; q++)
				s -= t->l[p][q] * v[q];
			v[p] = s / t->l[p][p];
			sum += v[p] * v[p];
		}
		t->se[i] = sqrt(variance * sum);
	}
}

double terms_evidence(const struct fit *f, struct terms *t)
{
	double dof = f->m - t->n + NOISE_DOF, squares = t->sse + f->floor_sse, scale = 1;
	terms_solve(t, squares / dof);
	for (int i = 0; i < t->n; i++)
		scale *= fabs(t->amount[i]) + t->se[i];
	return lgamma(dof / 2) - dof / 2 * log(squares / 2) - (f->filter.logdet + t->logdet) / 2 +
	       t->n * (LOG_2PI / 2 - DECADES_LOG) - log(scale);
}

/* A line and a curve share what they rise by: the sum is known better than either. */
double terms_end(const struct fit *f, const struct terms *t, double *sd)
{
	double end = 0, squares = 0, v[FIT_TERMS];
	for (int i = 0; i < t->n; i++) {
		v[i] = i < t->parts ? f->shapes->end[t->part[i]] : 0; /* an event does not go on */
		end += v[i] * t->amount[i];
		for (int p = 0; p < i; p++)
			v[i] -= t->l[i][p] * v[p];
		v[i] /= t->l[i][i];
		squares += v[i] * v[i];
	}
	*sd = sqrt(t->variance * squares);
	return end;
}
