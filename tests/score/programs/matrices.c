/* SPDX-License-Identifier: MIT */
/* A net in C: batches of any size, for each of which matrices are allocated and freed; weights are saved after every epoch.
 * matrices SEED EPOCHS KEEP_KIB KIND START MS: with KEEP_KIB so much more is kept in every epoch from START on, in one
 * block (array), in small ones (small), five epochs' worth in every fifth (every5), or in twenty pieces (batches). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "lot.h"

enum { LAYERS = 3, BATCHES = 20 };

struct matrix {
	int rows, columns;
	float *at;
};

struct net {
	struct matrix weights[LAYERS];
	float *scratch; /* as large as the largest batch so far */
	size_t scratch_n;
};

static uint64_t state;

static uint64_t next(void)
{
	return drawn(&state);
}

static float any(void)
{
	return (float)(next() % 20001) / 10000 - 1;
}

static struct matrix matrix(int rows, int columns)
{
	struct matrix m = {rows, columns, calloc((size_t)rows * (size_t)columns, sizeof(float))};
	if (!m.at)
		abort();
	return m;
}

static struct matrix random_matrix(int rows, int columns, float scale)
{
	struct matrix m = matrix(rows, columns);
	for (int i = 0; i < rows * columns; i++)
		m.at[i] = scale * any();
	return m;
}

static struct matrix product(const struct matrix *a, const struct matrix *b)
{
	struct matrix out = matrix(a->rows, b->columns);
	for (int i = 0; i < a->rows; i++)
		for (int k = 0; k < a->columns; k++)
			for (int j = 0; j < b->columns; j++)
				out.at[i * b->columns + j] +=
				    a->at[i * a->columns + k] * b->at[k * b->columns + j];
	return out;
}

static struct matrix turned(const struct matrix *a)
{
	struct matrix out = matrix(a->columns, a->rows);
	for (int i = 0; i < a->rows; i++)
		for (int j = 0; j < a->columns; j++)
			out.at[j * a->rows + i] = a->at[i * a->columns + j];
	return out;
}

static float magnitude(float x)
{
	return x < 0 ? -x : x;
}

static void bend(struct matrix *m)
{
	for (int i = 0; i < m->rows * m->columns; i++)
		m->at[i] /= 1 + magnitude(m->at[i]);
}

static float error_of(struct net *net, struct matrix *guess, const struct matrix *x)
{
	size_t n = (size_t)guess->rows * (size_t)guess->columns;
	if (n > net->scratch_n) {
		net->scratch = realloc(net->scratch, n * sizeof(float));
		net->scratch_n = n;
	}
	float sum = 0;
	for (int i = 0; i < guess->rows; i++)
		for (int j = 0; j < guess->columns; j++) {
			int at = i * guess->columns + j;
			net->scratch[at] = guess->at[at] - x->at[i * x->columns] * (float)(j % 3);
			sum += net->scratch[at] * net->scratch[at];
			guess->at[at] = net->scratch[at] / (float)guess->rows;
		}
	return sum / (float)n;
}

static void step_back(struct matrix *weights, const struct matrix *seen, struct matrix *gap)
{
	struct matrix over = turned(seen), change = product(&over, gap), across = turned(weights);
	struct matrix before = product(gap, &across);
	for (int i = 0; i < weights->rows * weights->columns; i++)
		weights->at[i] -= 0.01F * change.at[i];
	for (int i = 0; i < before.rows * before.columns; i++)
		before.at[i] *= (1 - magnitude(seen->at[i])) * (1 - magnitude(seen->at[i]));
	free(over.at);
	free(change.at);
	free(across.at);
	free(gap->at);
	*gap = before;
}

static struct matrix drawn_from(const struct matrix *data, int rows)
{
	struct matrix out = matrix(rows, data->columns);
	size_t row = (size_t)data->columns;
	for (int i = 0; i < rows; i++)
		memcpy(out.at + (size_t)i * row, data->at + next() % (uint64_t)data->rows * row,
		       row * sizeof(float));
	return out;
}

static float learn(struct net *net, struct matrix batch)
{
	struct matrix seen[LAYERS + 1] = {batch};
	for (int i = 0; i < LAYERS; i++) {
		seen[i + 1] = product(&seen[i], &net->weights[i]);
		if (i < LAYERS - 1)
			bend(&seen[i + 1]);
	}
	struct matrix gap = seen[LAYERS];
	float loss = error_of(net, &gap, &seen[0]);
	for (int i = LAYERS - 1; i >= 0; i--)
		step_back(&net->weights[i], &seen[i], &gap);
	for (int i = 0; i < LAYERS; i++)
		free(seen[i].at);
	free(gap.at);
	return loss;
}

static void save(const struct net *net)
{
	FILE *f = tmpfile();
	if (!f)
		return;
	for (int i = 0; i < LAYERS; i++)
		fwrite(net->weights[i].at, sizeof(float),
		       (size_t)(net->weights[i].rows * net->weights[i].columns), f);
	fclose(f);
}

int main(int argc, char **argv)
{
	if (argc < 7)
		return 2;
	state = 88172645463325252u + (uint64_t)atoi(argv[1]) * 2654435761u;
	int epochs = atoi(argv[2]), start = atoi(argv[5]), ms = atoi(argv[6]);
	size_t size = (size_t)(atof(argv[3]) * 1024);
	int input = 32 << next() % 3, hidden = 128 << next() % 2, most = 32 << next() % 3;
	struct matrix data = random_matrix(10000 << next() % 3, input, 1);
	const char *line = next() % 2 ? "epoch %d of %d: mse %.4f\n" : "Epoch %d/%d  error=%.4f\n";
	struct net net = {{random_matrix(input, hidden, 0.1F), random_matrix(hidden, hidden, 0.05F),
			   random_matrix(hidden, 8, 0.1F)},
			  NULL,
			  0};
	for (int epoch = 0; epoch < epochs; epoch++) {
		float loss = 0;
		for (int i = 0; i < BATCHES; i++) {
			loss += learn(&net, drawn_from(&data, 1 + (int)(next() % (uint64_t)most)));
			sleep_ms(ms / BATCHES);
		}
		save(&net);
		printf(line, epoch + 1, epochs, (double)(loss / BATCHES));
		fflush(stdout);
		if (size > 0 && epoch >= start)
			keep(argv[4], size, epoch);
	}
	return 0;
}
