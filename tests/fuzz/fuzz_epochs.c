/* SPDX-License-Identifier: MIT */
/* Random and mutated output through the line reader and the epoch tracker, pushed in random pieces. Checks what must
 * hold for any bytes: the count never falls and never leaps, lines stay within bounds. Built with ASan and UBSan.
 *
 *     fuzz_epochs [INPUTS [SEED [FILE...]]]     FILE: outputs to mutate */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "epochs/epochs.h"
#include "epochs/line_reader.h"
#include "lot.h"

enum { INPUT_MAX = 2048, SEEDS_MAX = 64, SEED_BYTES = 4096 };

static const char *const words[] = {
    "Epoch ",
    "epoch",
    "EPOCH",
    "Epoch: ",
    "Epoch(train) [",
    "'epoch': '",
    "\"epoch\": ",
    "epochs:",
    "/",
    "%|",
    "| ",
    ": ",
    "\n",
    "\r",
    "\r\n",
    "\b\b",
    "\033[A",
    "\033[2K",
    "\033]0;",
    "\007",
    "\033\\",
    "Train: ",
    " [",
    "][",
    "]",
    "1",
    "2",
    "10",
    "0",
    "999999",
    "99999999",
    "-2",
    ".",
    "{'loss': 0.5, ",
    "}",
    "train_runtime",
    "loss: ",
    "63/63 - ",
    "epoch     train_loss  time\n",
    "0  0.4  0.4  00:01\n",
    "`Trainer.fit` stopped: `max_epochs=2` reached.\n",
    "\xe2\x94\x81",
    " of ",
    "Iteration ",
    "[1]\ttrain-rmse:0.5\n",
    "[2]\tvalid's l2: 0.5\n",
    "Early stopping, best iteration is:\n",
    "3:\tlearn: 0.1\ttotal: 1s\n",
    "|    iterations  | 3  |\n",
    "[I 2026] Trial 3 finished with value: 1\n",
    "epoch,loss,val_loss\n",
    "gen\tnevals\tavg\n",
    "E    #  LOSS  SCORE\n",
    "1  0.5  nan  2s\n",
    "3/4 [00:01<00:02,  1.10s/epoch]",
    "[3/30] loss 0.1\n",
    "Round 3: ",
    "val_loss 0.5\n",
    "1/2  0G  3.2  1.8: 100%",
    " step ",
    "done",
    "val ",
    "Epoch 1/2\n",
};

static struct {
	char bytes[SEED_BYTES];
	size_t n;
} seeds[SEEDS_MAX];
static int seed_count;

static void load_seed(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f || seed_count == SEEDS_MAX)
		return;
	seeds[seed_count].n = fread(seeds[seed_count].bytes, 1, SEED_BYTES, f);
	seed_count += seeds[seed_count].n > 0;
	fclose(f);
}

static size_t make_words(char *out)
{
	size_t n = 0;

	for (uint32_t k = rnd(40) + 1; k > 0; k--) {
		const char *w = words[rnd(sizeof(words) / sizeof(words[0]))];
		size_t len = strlen(w);

		if (n + len > INPUT_MAX)
			break;
		memcpy(out + n, w, len);
		n += len;
	}
	return n;
}

static size_t make_mutant(char *out)
{
	int s = (int)rnd((uint32_t)seed_count);
	size_t from = rnd((uint32_t)seeds[s].n), n = rnd(400) + 1;

	if (n > seeds[s].n - from)
		n = seeds[s].n - from;
	memcpy(out, seeds[s].bytes + from, n);
	for (uint32_t k = rnd(6); k > 0; k--)
		out[rnd((uint32_t)n)] = (char)rnd(256);
	return n;
}

static size_t make_noise(char *out)
{
	size_t n = rnd(200) + 1;

	for (size_t i = 0; i < n; i++)
		out[i] = (char)rnd(256);
	return n;
}

static size_t make_input(char *out)
{
	switch (rnd(8)) {
	case 0:
		return make_noise(out);
	case 1:
	case 2:
	case 3:
		return make_words(out);
	default:
		return seed_count > 0 ? make_mutant(out) : make_words(out);
	}
}

/* Some runs have an expression of the user's. */
static struct epochs *make_tracker(void)
{
	static const char *const regexes[] = {"([0-9]+)/[0-9]+", "^Epoch", "loss.*(E|e)poch.*([0-9])+"};
	struct epochs *e = epochs_new(0);
	char why[80];

	if (rnd(8) == 0)
		epochs_set_regex(e, regexes[rnd(3)], why, sizeof(why));
	return e;
}

static void fail(const char *what, const char *input, size_t n)
{
	fprintf(stderr, "fuzz_epochs: %s, input of %zu bytes follows\n", what, n);
	fwrite(input, 1, n, stderr);
	abort();
}

struct run {
	struct epochs *e;
	const char *input;
	size_t n;
};

static void check_line(void *ctx, const struct text_line *line)
{
	struct run *run = ctx;
	int64_t was = epochs_finished(run->e);

	if (line->len == 0 || line->len > LINE_KEPT_MAX || strlen(line->text) != line->len)
		fail("a line out of bounds", run->input, run->n);
	epochs_line(run->e, line);
	if (epochs_finished(run->e) < was)
		fail("the count fell", run->input, run->n);
}

int main(int argc, char **argv)
{
	uint64_t inputs = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct line_reader *r = line_reader_new();
	struct epochs *e = NULL;
	static char input[INPUT_MAX];
	int64_t now = 0;

	rng = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	for (int i = 3; i < argc; i++)
		load_seed(argv[i]);
	for (uint64_t i = 0; i < inputs; i++) {
		size_t n = make_input(input);
		struct run run = {e = e ? e : make_tracker(), input, n};

		for (size_t at = 0, step; at < n; at += step, now += rnd(2) ? 0 : (int64_t)rnd(1000000000)) {
			step = rnd(3) ? n - at : rnd(50) + 1;
			if (step > n - at)
				step = n - at;
			line_reader_push(r, input + at, step, rnd(50) ? now : LINE_TIME_UNKNOWN, check_line,
					 &run);
		}
		if (rnd(4) == 0) {
			line_reader_finish(r, now, check_line, &run);
			epochs_end_of_output(e, rnd(2));
			epochs_free(e);
			e = NULL;
		}
	}
	epochs_free(e);
	line_reader_free(r);
	printf("%" PRIu64 " inputs, seed %" PRIu64 ": ok\n", inputs, seed);
	return 0;
}
