/* SPDX-License-Identifier: MIT */
/* draw WIDTH NAME FILE.csv: the picture of a recorded run, so wide, as SVG on standard output; NAME is what ran. For the
 * README, whose pictures stand side by side. */
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "draw/picture.h"
#include "draw/svg.h"
#include "record/recording.h"
#include "verdict/judge.h"
#include "verdict/sentences.h"

enum { SPANS = 2048 };

static void read_all(struct recording *r, struct judge *judge, struct history *history)
{
	int n;
	const struct channel *channels = recording_channels(r, &n);
	const struct sample *s;

	judge_channels(judge, channels, n);
	history_channels(history, channels, n);
	while (recording_next(r, &s) > 0) {
		judge_push(judge, s);
		history_push(history, s, judge_host_bytes(judge, s));
	}
}

static void draw(const struct run_verdict *run, const struct history *history, const char *name, double width)
{
	char text[SENTENCE_MAX];
	char *facts = xasprintf("%s: %s", name, sentence_run(text, run));
	struct picture_words words = {.facts = facts, .over = true};
	struct picture p;
	struct drawing d;

	picture_lay_out(&p, history, run, &words, width);
	d = picture_drawing(&p);
	svg_document(stdout, &d, name, sentence_line(text, &run->series[run->worst], TENSE_OVER));
	picture_free(&p);
	free(facts);
}

int main(int argc, char **argv)
{
	struct judge *judge = judge_new();
	struct history *history = history_new(SPANS);
	struct log_request how = {0};
	char why[CSV_WHY_MAX];
	struct recording *r;

	if (argc != 4 || recording_open(&r, argv[3], &how, why) != 0) {
		fprintf(stderr, "usage: draw WIDTH NAME FILE.csv\n");
		return 1;
	}
	read_all(r, judge, history);
	draw(judge_run(judge), history, argv[2], atof(argv[1]));
	recording_close(r);
	history_free(history);
	judge_free(judge);
	return 0;
}
