/* SPDX-License-Identifier: MIT */
/* The tracker, and with it the line reader and the line formats: recorded outputs and short scripts. */
#include "epochs/epochs.c"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define MS INT64_C(1000000)

enum { BOUNDARIES_MAX = 64, SCRIPT_MAX = 24 };

struct boundary {
	unsigned long offset;
	long finished;
};

struct watch {
	struct epochs *e;
	struct boundary seen[BOUNDARIES_MAX];
	int n;
};

static void watch_line(void *ctx, const struct text_line *line)
{
	struct watch *w = ctx;
	int64_t was = epochs_finished(w->e);

	epochs_line(w->e, line);
	if (epochs_finished(w->e) != was) {
		assert_in_range(w->n, 0, BOUNDARIES_MAX - 1);
		w->seen[w->n++] = (struct boundary){line->offset, (long)epochs_finished(w->e)};
	}
}

static size_t read_file(const char *name, char *buf, size_t size)
{
	char path[256];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "tests/fixtures/epochs/%s", name);
	f = fopen(path, "rb");
	assert_non_null(f);
	n = fread(buf, 1, size, f);
	fclose(f);
	return n;
}

/* One row of expected.tsv, with the file pushed in pieces of step bytes. Told whole, each boundary lies at the end
 * of its line; in pieces a bar may tell before its line has ended. */
static void check_row(char *row, size_t step)
{
	static char bytes[1 << 16];
	char *save, *name = strtok_r(row, "\t", &save), *format = strtok_r(NULL, "\t", &save);
	long fits_expected = atol(strtok_r(NULL, "\t", &save)), end = atol(strtok_r(NULL, "\t", &save));
	char *cell = strtok_r(NULL, " \t\n", &save);
	struct watch w = {.e = epochs_new(0)};
	struct line_reader *r = line_reader_new();
	struct epochs_summary s;
	size_t n = read_file(name, bytes, sizeof(bytes));

	for (size_t i = 0; i < n; i += step)
		line_reader_push(r, bytes + i, n - i < step ? n - i : step, (int64_t)i * MS, watch_line, &w);
	line_reader_finish(r, (int64_t)n * MS, watch_line, &w);
	for (int i = 0; i < w.n; i++, cell = strtok_r(NULL, " \t\n", &save)) {
		struct boundary b = {0, 0};

		if (!cell || sscanf(cell, "%lu=%ld", &b.offset, &b.finished) != 2 ||
		    w.seen[i].finished != b.finished || w.seen[i].offset > b.offset ||
		    (step >= n && w.seen[i].offset != b.offset))
			fail_msg("%s in steps of %zu: %lu=%ld, expected %s", name, step, w.seen[i].offset,
				 w.seen[i].finished, cell ? cell : "nothing more");
	}
	assert_null(cell);
	epochs_end_of_output(w.e, true);
	epochs_summarize(w.e, &s);
	assert_int_equal(s.finished, end);
	assert_int_equal(s.fits, fits_expected);
	assert_string_equal(s.format ? s.format : "-", format);
	line_reader_free(r);
	epochs_free(w.e);
}

static void recorded_outputs_give_their_epochs_at_their_bytes(void **state)
{
	static const size_t steps[] = {1 << 20, 4096, 7, 1};
	static char table[8192];
	size_t n = read_file("expected.tsv", table, sizeof(table) - 1);
	int rows = 0;

	(void)state;
	table[n] = '\0';
	for (char *line = table, *next; *line; line = next) {
		char *end = strchr(line, '\n');

		next = end + 1;
		*end = '\0';
		for (size_t i = 0; *line != '#' && i < sizeof(steps) / sizeof(steps[0]); i++) {
			char row[sizeof(table)];

			snprintf(row, sizeof(row), "%s", line);
			check_row(row, steps[i]);
		}
		rows += *line != '#';
	}
	assert_int_equal(rows, 36);
}

struct step {
	int64_t ms;
	const char *text;
	int64_t finished;
};

struct script {
	const char *name;
	struct step steps[SCRIPT_MAX];
	int64_t end; /* after the output's end */
	int fits;
	bool buffered;
};

static const struct script scripts[] = {
    {"Keras counts from 1 and announces",
     {{0, "Epoch 1/3\n", 0},
      {1000, "Epoch 2/3\n", 1},
      {2000, "Epoch 3/3\n", 2},
      {3000, "9/9 - 1s - loss: 0.1\n", 3}},
     3,
     1,
     false},
    {"Keras with callback messages follows Keras",
     {{0, "Epoch 1/3\n", 0},
      {900, "Epoch 1: val_loss improved from inf to 0.9\n", 0},
      {1000, "Epoch 2/3\n", 1},
      {1900, "Epoch 2: val_loss did not improve\n", 1},
      {2000, "Epoch 3/3\n", 2}},
     3,
     1,
     false},
    {"Keras' last epoch ends with its validation, not where a message breaks the bar",
     {{0, "Epoch 1/2\n", 0},
      {900, "9/9 - 1s - loss: 0.1 - val_loss: 0.2\n", 0},
      {1000, "Epoch 2/2\n", 1},
      {1700, "9/9 - 1s - loss: 0.1\nEpoch 2: val_loss improved from 0.2 to 0.1\n", 1},
      {1900, "9/9 - 1s - loss: 0.1 - val_loss: 0.1\n", 2}},
     2,
     1,
     false},
    {"fits of three epochs add up",
     {{0, "Epoch 1/3\n", 0},
      {1000, "Epoch 2/3\n", 1},
      {2000, "Epoch 3/3\n", 2},
      {3000, "Epoch 1/3\n", 3},
      {4000, "Epoch 2/3\n", 4},
      {5000, "Epoch 3/3\n", 5},
      {6000, "Epoch 1/2\n", 6},
      {7000, "Epoch 2/2\n", 7}},
     8,
     3,
     false},
    {"fits of two epochs add up",
     {{0, "Epoch 1/2\n", 0}, {1000, "Epoch 2/2\n", 1}, {2000, "Epoch 1/2\n", 2}, {3000, "Epoch 2/2\n", 3}},
     4,
     2,
     false},
    {"fits of one epoch show only their steps; evaluate() has others",
     {{1000, "63/63 - 1s - 16ms/step - loss: 0.09\n", 1},
      {1200, "8/8 - 0s - 1ms/step - loss: 0.1\n", 1},
      {2000, "63/63 - 1s - 16ms/step - loss: 0.08\n", 2},
      {3000, "63/63 - 1s - 16ms/step - loss: 0.07\n", 3}},
     3,
     1,
     false},
    {"a loop over fits is told by its own line",
     {{0, "Iteration 1/20\n", 0},
      {900, "63/63 - 1s - 16ms/step - loss: 0.09\n", 0},
      {1000, "Iteration 2/20\n", 1},
      {1900, "63/63 - 1s - 16ms/step - loss: 0.09\n", 1},
      {2000, "Iteration 3/20\n", 2}},
     3,
     1,
     false},
    {"a run resumed at 18 has 17 behind it",
     {{0, "Epoch 18/40\n", 17}, {1000, "Epoch 19/40\n", 18}, {1500, "9/9 - 1s - loss: 0.1\n", 18}},
     19,
     1,
     false},
    {"two ranks print each epoch",
     {{0, "Epoch 1 starting\n", 0},
      {3, "Epoch 1 starting\n", 0},
      {1000, "Epoch 2 starting\n", 1},
      {1004, "Epoch 2 starting\n", 1},
      {2000, "Epoch 3 starting\n", 2},
      {2001, "Epoch 3 starting\n", 2}},
     3,
     1,
     false},
    {"a rank that is a little behind does not begin a fit",
     {{1000, "epoch 1 loss 0.5\n", 1},
      {2000, "epoch 2 loss 0.5\n", 2},
      {2010, "epoch 1 loss 0.5\n", 2},
      {3000, "epoch 3 loss 0.5\n", 3},
      {3010, "epoch 2 loss 0.5\n", 3},
      {4000, "epoch 4 loss 0.5\n", 4}},
     4,
     1,
     false},
    {"counting from 0",
     {{1000, "Epoch 0 loss 0.5\n", 1}, {2000, "Epoch 1 loss 0.5\n", 2}, {3000, "Epoch 2 loss 0.5\n", 3}},
     3,
     1,
     false},
    {"every tenth epoch is printed",
     {{1000, "Epoch 0 loss 0.5\n", 1}, {2000, "Epoch 10 loss 0.5\n", 11}, {3000, "Epoch 20 loss 0.5\n", 21}},
     21,
     1,
     false},
    {"starts and ends are one count",
     {{0, "Epoch 1 starting\n", 0},
      {900, "Epoch 1 done\n", 1},
      {1000, "Epoch 2 starting\n", 1},
      {1900, "Epoch 2 done\n", 2}},
     2,
     1,
     false},
    {"a setting is not believed before its next number",
     {{0, "Config(lr=0.1, epoch=1, batch=3)\n", -1},
      {1000, "train: step=9, epoch=2, loss=1\n", 1},
      {2000, "train: step=9, epoch=3, loss=1\n", 2}},
     3,
     1,
     false},
    {"a lone number is not believed",
     {{0, "We chose epoch 40 for the paper\n", -1}, {1000, "Epoch 1/3\n", 0}, {2000, "Epoch 2/3\n", 1}},
     2,
     1,
     false},
    {"documentation that looks like Keras is left behind",
     {{0, "Epoch 1/5\n", 0},
      {1000, "epoch 1: loss 0.5\n", 0},
      {2000, "epoch 2: loss 0.5\n", 0},
      {3000, "epoch 3: loss 0.5\n", 3},
      {4000, "epoch 4: loss 0.5\n", 4}},
     4,
     1,
     false},
    {"a bar that repeats, then ends with its total known",
     {{0, "\rEpoch 1/2:   0%|  | 0/5 [00:00<?]", 0},
      {500, "\rEpoch 1/2:  50%|# | 2/5 [00:00<?]", 0},
      {1000, "\rEpoch 1/2: 100%|##| 5/5 [00:00<?]", 0},
      {1001, "\n\rEpoch 2/2:   0%|  | 0/5 [00:00<?]", 1},
      {2000, "\rEpoch 2/2: 100%|##| 5/5 [00:00<?]", 2}},
     2,
     1,
     false},
    {"a bar that was cut off is no epoch",
     {{0, "\rEpoch 0:   0%|  | 0/5 [00:00<?]", 0},
      {1000, "\rEpoch 1:   0%|  | 0/5 [00:00<?]", 1},
      {1500, "\rEpoch 1:  50%|# | 2/5 [00:00<?]", 1}},
     1,
     1,
     false},
    {"Hugging Face counts by fractions, and twice",
     {{500, "{'loss': 0.5, 'learning_rate': 5e-5, 'epoch': 0.5}\n", 0},
      {1000, "{'loss': 0.5, 'learning_rate': 5e-5, 'epoch': 1.0}\n", 1},
      {1100, "{'eval_loss': 0.5, 'eval_runtime': 1, 'epoch': 1.0}\n", 1},
      {1900, "{'loss': 0.5, 'learning_rate': 5e-5, 'epoch': 1.97}\n", 1},
      {2000, "{'train_runtime': 3.3, 'train_loss': 0.6, 'epoch': 1.98}\n", 2},
      {2100, "{'eval_loss': 0.5, 'eval_runtime': 1, 'epoch': 1.98}\n", 2},
      {2500, "{'loss': 0.5, 'learning_rate': 5e-5, 'epoch': 0.5}\n", 2},
      {3000, "{'loss': 0.5, 'learning_rate': 5e-5, 'epoch': 1.0}\n", 3}},
     3,
     2,
     false},
    {"fastai's rows count only below their header, and a second table is a second fit",
     {{0, "0         0.46    0.44    0.59  00:00\n", -1},
      {500, "epoch     train_loss  valid_loss  time\n", -1},
      {1000, "0         0.46    0.44    0.59  00:00\n", 1},
      {1100, "epoch     train_loss  valid_loss  time\n", 1},
      {2000, "0         0.46    0.44    0.59  00:00\n", 2},
      {3000, "1         0.46    0.44    0.59  00:00\n", 3}},
     3,
     2,
     false},
    {"a script's own lines and Lightning's last one are one fit",
     {{1000, "Epoch 1/3 done\n", 1},
      {2000, "Epoch 2/3 done\n", 2},
      {3000, "Epoch 3/3 done\n", 3},
      {3100, "`Trainer.fit` stopped: `max_epochs=3` reached.\n", 3}},
     3,
     1,
     false},
    {"a script's own lines and Hugging Face's last one are one fit, and the next fit is another",
     {{1000, "Epoch 1/2 done\n", 1},
      {2000, "Epoch 2/2 done\n", 2},
      {2100, "{'train_runtime': '3.3', 'train_loss': '0.6', 'epoch': '2'}\n", 2},
      {3000, "Epoch 1/2 done\n", 3},
      {4000, "Epoch 2/2 done\n", 4},
      {4100, "{'train_runtime': '3.3', 'train_loss': '0.6', 'epoch': 1.98}\n", 4}},
     4,
     2,
     false},
    {"the same with the rich bar that comes after both",
     {{1000, "Epoch 1/3 done\n", 1},
      {2000, "Epoch 2/3 done\n", 2},
      {3000, "Epoch 3/3 done\n", 3},
      {3100, "`Trainer.fit` stopped: `max_epochs=3` reached.\n", 3},
      {3200, "Epoch 2/2 \xe2\x94\x81\xe2\x94\x81 30/30 0:00:01\n", 3}},
     3,
     1,
     false},
    {"the same, counted from 0 and printed as they begin",
     {{0, "epoch 0\n", 0},
      {1000, "epoch 1\n", 1},
      {2000, "epoch 2\n", 2},
      {3000, "`Trainer.fit` stopped: `max_epochs=3` reached.\n", 3}},
     3,
     1,
     false},
    {"Lightning's rich bar in a pipe comes after the end",
     {{5000, "`Trainer.fit` stopped: `max_epochs=12` reached.\n", 12},
      {5010, "Epoch 11/11 \xe2\x94\x81\xe2\x94\x81 30/30 0:00:01\n", 12}},
     12,
     1,
     true},
    {"nested fits: the epochs within an iteration win",
     {{0, "Iteration 1/2\n", 0},
      {10, "Epoch 1/2\n", 0},
      {1000, "Epoch 2/2\n", 1},
      {2000, "Iteration 2/2\n", 1},
      {2010, "Epoch 1/2\n", 2},
      {3000, "Epoch 2/2\n", 3}},
     4,
     2,
     false},
    {"rounds within an epoch never count, however many there are",
     {{0, "Epoch 1\n", 0},
      {100, "[0]\ttrain-rmse:1.6\n[1]\ttrain-rmse:1.3\n", 0},
      {200, "[2]\ttrain-rmse:1.6\n[3]\ttrain-rmse:1.3\n[4]\ttrain-rmse:1.3\n", 0},
      {1000, "Epoch 2\n", 1},
      {1100, "[0]\ttrain-rmse:1.6\n[1]\ttrain-rmse:1.3\n", 1},
      {2000, "Epoch 3\n", 2}},
     3,
     1,
     false},
    {"an epoch that shows itself after its rounds is followed from then on",
     {{500, "[0]\ttrain-rmse:1.6\n", 1},
      {1000, "[1]\ttrain-rmse:1.3\n", 2},
      {1100, "epoch 1: loss 0.5\n", 2},
      {1500, "[0]\ttrain-rmse:1.6\n", 2},
      {2100, "epoch 2: loss 0.5\n", 3},
      {3100, "epoch 3: loss 0.5\n", 4}},
     4,
     1,
     false},
    {"the rounds of each trial are nearer to epochs than the trials",
     {{500, "[0]\ttrain-rmse:1.6\n", 1},
      {1000, "[1]\ttrain-rmse:1.3\n", 2},
      {1010, "[I 2026-11-17 09:14:44,970] Trial 0 finished with value: 0.8\n", 2},
      {1500, "[0]\ttrain-rmse:1.6\n", 3},
      {2000, "[1]\ttrain-rmse:1.3\n", 4},
      {2010, "[I 2026-11-17 09:14:45,970] Trial 1 finished with value: 0.8\n", 4}},
     4,
     2,
     false},
    {"a table's rows count only below its header, and a second table is a second fit",
     {{0, "1  0.5  0.6  0.1\n", -1},
      {100, "  epoch    train_loss    valid_loss     dur\n", -1},
      {200, "-------  ------------  ------------  ------\n", -1},
      {300, "5 4 3 2\n", -1},
      {1000, "      1        0.7523        0.8351  0.0053\n", 1},
      {1100, "3 7\n", 1},
      {1200, "9 8 7 6 5 4 3 2 1\n", 1},
      {2000, "      2        0.7212        0.8018  0.0018\n", 2},
      {2100, "  epoch    train_loss    valid_loss     dur\n", 2},
      {3000, "      1        0.7523        0.8351  0.0053\n", 3},
      {4000, "      2        0.7212        0.8018  0.0018\n", 4}},
     4,
     2,
     false},
    {"a header that is shown again every few rows, or before each, begins nothing",
     {{100, "epoch    train_loss    dur\n", -1},
      {1000, "1  0.75  0.05\n", 1},
      {2000, "2  0.75  0.05\n", 2},
      {2100, "epoch    train_loss    dur\n", 2},
      {3000, "3  0.75  0.05\n", 3},
      {3100, "epoch    train_loss    dur\n", 3},
      {4000, "4  0.75  0.05\n", 4},
      {4100, "epoch    train_loss    dur\n", 4},
      {5000, "1  0.75  0.05\n", 5},
      {5100, "epoch    train_loss    dur\n", 5},
      {6000, "2  0.75  0.05\n", 6}},
     6,
     2,
     false},
    {"a resumed table counts once it goes on by ones",
     {{100, "epoch    train_loss    dur\n", -1},
      {200, "64  0.75  0.05\n", -1},
      {1000, "18  0.75  0.05\n", -1},
      {2000, "19  0.75  0.05\n", -1},
      {3000, "20  0.75  0.05\n", 20},
      {4000, "21  0.75  0.05\n", 21}},
     21,
     1,
     false},
    {"the table of what Keras has told is no further training",
     {{0, "Epoch 1/3\n", 0},
      {1000, "Epoch 2/3\n", 1},
      {2000, "Epoch 3/3\n", 2},
      {3000, "9/9 - 1s - loss: 0.1\n", 3},
      {3100, "epoch  loss  val_loss\n0  1.6  2.1\n1  1.5  2.0\n2  1.4  1.9\n", 3}},
     3,
     1,
     false},
    {"a counter that may be of batches is believed when it has gone on evenly and slowly for a minute",
     {{6000, "[1/30] loss 0.5\n", -1},
      {12000, "[2/30] loss 0.5\n", -1},
      {18000, "[3/30] loss 0.5\n", -1},
      {24000, "[4/30] loss 0.5\n", -1},
      {30000, "[5/30] loss 0.5\n", -1},
      {36000, "[6/30] loss 0.5\n", -1},
      {42000, "[7/30] loss 0.5\n", -1},
      {48000, "[8/30] loss 0.5\n", -1},
      {54000, "[9/30] loss 0.5\n", -1},
      {60000, "[10/30] loss 0.5\n", -1},
      {66000, "[11/30] loss 0.5\n", 11},
      {72000, "[12/30] loss 0.5\n", 12},
      {78000, "[13/30] loss 0.5\n", 13}},
     13,
     1,
     false},
    {"one that validates each time is believed at its fourth number, and may be faster",
     {{200, "[1/30] loss 0.5 val_loss 0.6\n", -1},
      {400, "[2/30] loss 0.5 val_loss 0.6\n", -1},
      {600, "[3/30] loss 0.5 val_loss 0.6\n", -1},
      {800, "[4/30] loss 0.5 val_loss 0.6\n", 4},
      {1000, "[5/30] loss 0.5 val_loss 0.6\n", 5}},
     5,
     1,
     false},
    {"one that validates now and then is not",
     {{200, "[1/30] loss 0.5\n", -1},
      {400, "[2/30] loss 0.5\n", -1},
      {600, "[3/30] loss 0.5\n", -1},
      {800, "[4/30] loss 0.5 val_loss 0.6\n", -1},
      {1000, "[5/30] loss 0.5\n", -1},
      {1200, "[6/30] loss 0.5\n", -1},
      {1400, "[7/30] loss 0.5\n", -1},
      {1600, "[8/30] loss 0.5 val_loss 0.6\n", -1},
      {1800, "[9/30] loss 0.5\n", -1},
      {2000, "[10/30] loss 0.5\n", -1},
      {2200, "[11/30] loss 0.5\n", -1},
      {2400, "[12/30] loss 0.5 val_loss 0.6\n", -1},
      {2600, "[13/30] loss 0.5\n", -1}},
     -1,
     0,
     false},
    {"a first line that was read late delays it, and no more",
     {{480, "Round 1: loss 0.5\n", -1},
      {500, "Round 2: loss 0.5\n", -1},
      {650, "Round 3: loss 0.5\n", -1},
      {770, "Round 4: loss 0.5\n", -1},
      {890, "Round 5: loss 0.5\n", 5},
      {1010, "Round 6: loss 0.5\n", 6}},
     6,
     1,
     false},
    {"a fast one is of batches, and stays so when it slows down",
     {{100, "[1/30] loss 0.5\n", -1},
      {200, "[2/30] loss 0.5\n", -1},
      {300, "[3/30] loss 0.5\n", -1},
      {400, "[4/30] loss 0.5\n", -1},
      {500, "[5/30] loss 0.5\n", -1},
      {600, "[6/30] loss 0.5\n", -1},
      {700, "[7/30] loss 0.5\n", -1},
      {800, "[8/30] loss 0.5\n", -1},
      {900, "[9/30] loss 0.5\n", -1},
      {1000, "[10/30] loss 0.5\n", -1},
      {1100, "[11/30] loss 0.5\n", -1},
      {1200, "[12/30] loss 0.5\n", -1},
      {1300, "[13/30] loss 0.5\n", -1},
      {20000, "[14/30] loss 0.5\n", -1},
      {40000, "[15/30] loss 0.5\n", -1},
      {60000, "[16/30] loss 0.5\n", -1},
      {80000, "[17/30] loss 0.5\n", -1},
      {100000, "[18/30] loss 0.5\n", -1},
      {120000, "[19/30] loss 0.5\n", -1}},
     -1,
     0,
     false},
    {"slow batches are left for the epoch that tells of itself after them",
     {{2200, "Iter 1: loss 0.5\n", -1},
      {4400, "Iter 2: loss 0.5\n", -1},
      {6600, "Iter 3: loss 0.5\n", -1},
      {8800, "Iter 4: loss 0.5\n", -1},
      {11000, "Iter 5: loss 0.5\n", -1},
      {13200, "Iter 6: loss 0.5\n", -1},
      {15400, "Iter 7: loss 0.5\n", -1},
      {17600, "Iter 8: loss 0.5\n", -1},
      {17700, "Epoch 1 done\n", 1},
      {19900, "Iter 1: loss 0.5\n", 1},
      {22100, "Iter 2: loss 0.5\n", 1},
      {24300, "Iter 3: loss 0.5\n", 1},
      {26500, "Iter 4: loss 0.5\n", 1},
      {28700, "Iter 5: loss 0.5\n", 1},
      {30900, "Iter 6: loss 0.5\n", 1},
      {33100, "Iter 7: loss 0.5\n", 1},
      {35300, "Iter 8: loss 0.5\n", 1},
      {35400, "Epoch 2 done\n", 2}},
     2,
     1,
     false},
    {"one that begins anew before it is believed is of batches",
     {{3000, "[1/3] loss 0.5\n", -1},
      {6000, "[2/3] loss 0.5\n", -1},
      {9000, "[3/3] loss 0.5\n", -1},
      {12000, "[1/3] loss 0.5\n", -1},
      {15000, "[2/3] loss 0.5\n", -1},
      {18000, "[3/3] loss 0.5\n", -1},
      {21000, "[1/9] loss 0.5\n", -1},
      {24000, "[2/9] loss 0.5\n", -1},
      {27000, "[3/9] loss 0.5\n", -1},
      {30000, "[4/9] loss 0.5\n", -1}},
     -1,
     0,
     false},
    {"iterations of which every tenth is shown are steps",
     {{10000, "iter 0: loss 4.2, time 1000ms\n", -1},
      {40000, "iter 10: loss 4.2, time 1000ms\n", -1},
      {80000, "iter 20: loss 4.2, time 1000ms\n", -1},
      {120000, "iter 30: loss 4.2, time 1000ms\n", -1},
      {160000, "iter 40: loss 4.2, time 1000ms\n", -1}},
     -1,
     0,
     false},
    {"a counter that was joined late is not believed",
     {{3000, "[17/30] loss 0.5\n", -1},
      {6000, "[18/30] loss 0.5\n", -1},
      {9000, "[19/30] loss 0.5\n", -1},
      {12000, "[20/30] loss 0.5\n", -1},
      {15000, "[21/30] loss 0.5\n", -1}},
     -1,
     0,
     false},
    {"rounds and generations may be quick, and every tenth",
     {{1000, "Generation 10: best fitness 3\n", -1},
      {2000, "Generation 20: best fitness 3\n", -1},
      {3000, "Generation 30: best fitness 3\n", -1},
      {4000, "Generation 40: best fitness 3\n", 40},
      {5000, "Generation 50: best fitness 3\n", 50}},
     50,
     1,
     false},
    {"batches within an epoch never count, however slow they are",
     {{0, "Epoch 1/2\n", 0},
      {3000, "[1/30] loss 0.5\n", 0},
      {6000, "[2/30] loss 0.5\n", 0},
      {9000, "[3/30] loss 0.5\n", 0},
      {12000, "[4/30] loss 0.5\n", 0},
      {15000, "[5/30] loss 0.5\n", 0},
      {18000, "Epoch 2/2\n", 1}},
     2,
     1,
     false},
    {"the steps of each round are left for the rounds",
     {{0, "Round 1/9\n", 0},
      {3000, "Iter 1: loss 0.5\nRound 2/9\n", 1},
      {6000, "Iter 2: loss 0.5\nRound 3/9\n", 2},
      {9000, "Iter 3: loss 0.5\n", 2},
      {12000, "Iter 4: loss 0.5\n", 2},
      {15000, "Iter 5: loss 0.5\n", 2},
      {18000, "Iter 6: loss 0.5\n", 2},
      {21000, "Iter 7: loss 0.5\n", 2},
      {24000, "Round 4/9\n", 3}},
     4,
     1,
     false},
    {"trials count by their ends, in whatever order and after whatever end",
     {{1000, "[I 2026-11-17 09:14:44,970] Trial 2 finished with value: 0.8\n", 1},
      {2000, "[I 2026-11-17 09:14:45,970] Trial 0 pruned. \n", 2},
      {3000, "[W 2026-11-17 09:14:46,970] Trial 1 failed with parameters: {}\n", 3}},
     3,
     1,
     false},
    {"the best round is shown once more and is no new fit",
     {{1000, "[5]\tvalid_0's l2: 2.5\n", 5},
      {2000, "[10]\tvalid_0's l2: 2.5\n", 10},
      {2001, "Early stopping, best iteration is:\n[1]\tvalid_0's l2: 2.4\n", 10},
      {3000, "[5]\tvalid_0's l2: 2.5\n", 15}},
     15,
     2,
     false},
    {"folds that show one round each are fits",
     {{1000, "[100]\tvalid_0's l2: 2.5\n", 100},
      {1001, "Did not meet early stopping. Best iteration is:\n[100]\tvalid_0's l2: 2.5\n", 100},
      {2000, "[100]\tvalid_0's l2: 2.5\n", 200},
      {2001, "Did not meet early stopping. Best iteration is:\n[100]\tvalid_0's l2: 2.5\n", 200},
      {3000, "[100]\tvalid_0's l2: 2.5\n", 300},
      {3001, "Did not meet early stopping. Best iteration is:\n[100]\tvalid_0's l2: 2.5\n", 300},
      {4000, "[100]\tvalid_0's l2: 2.5\n", 400},
      {4001, "Did not meet early stopping. Best iteration is:\n[100]\tvalid_0's l2: 2.5\n", 400},
      {5000, "[100]\tvalid_0's l2: 2.5\n", 500},
      {5001, "Did not meet early stopping. Best iteration is:\n[100]\tvalid_0's l2: 2.5\n", 500}},
     500,
     5,
     false},
    {"ten epochs at once after a silence are a buffer",
     {{10000, "epoch 1 loss 1\nepoch 2 loss 1\nepoch 3 loss 1\nepoch 4 loss 1\n", 4},
      {20000, "epoch 5 loss 1\nepoch 6 loss 1\nepoch 7 loss 1\n", 7}},
     7,
     1,
     true},
    {"so are announcements written out at the end",
     {{10000, "Epoch 1/5\nEpoch 2/5\nEpoch 3/5\nEpoch 4/5\n", 3}},
     4,
     1,
     true},
    {"two at once, twice, are a buffer",
     {{10000, "epoch 1 loss 1\nepoch 2 loss 1\n", 2}, {20000, "epoch 3 loss 1\nepoch 4 loss 1\n", 4}},
     4,
     1,
     true},
    {"fast epochs are none",
     {{10, "epoch 1 loss 1\nepoch 2 loss 1\nepoch 3 loss 1\n", 3},
      {30, "epoch 4 loss 1\nepoch 5 loss 1\nepoch 6 loss 1\n", 6}},
     6,
     1,
     false},
    {"lines that come in time are preferred to a buffer",
     {{10000, "epoch 1 loss 1\nepoch 2 loss 1\nepoch 3 loss 1\n", 3},
      {10100, "\rEpoch:  33%|## | 3/9 [00:03<00:03] ", 3},
      {13000, "\rEpoch:  44%|## | 4/9 [00:03<00:03] ", 4},
      {16000, "\rEpoch:  55%|## | 5/9 [00:03<00:03] ", 5}},
     5,
     1,
     false},
    {"a stopped memwatch is not a buffer for ever",
     {{5000, "epoch 1 loss 1\nepoch 2 loss 1\nepoch 3 loss 1\n", 3},
      {6000, "epoch 4 loss 1\n", 4},
      {7000, "epoch 5 loss 1\n", 5},
      {8000, "epoch 6 loss 1\n", 6},
      {9000, "epoch 7 loss 1\n", 7},
      {10000, "epoch 8 loss 1\n", 8},
      {11000, "epoch 9 loss 1\n", 9},
      {12000, "epoch 10 loss 1\n", 10},
      {13000, "epoch 11 loss 1\n", 11},
      {14000, "epoch 12 loss 1\n", 12}},
     12,
     1,
     false},
};

static void check_script(const struct script *s)
{
	struct epochs *e = epochs_new(0);
	struct line_reader *r = line_reader_new();
	struct epochs_summary sum;
	int64_t ms = 0;

	for (const struct step *p = s->steps; p->text; p++) {
		ms = p->ms;
		line_reader_push(r, p->text, strlen(p->text), ms * MS, epochs_line, e);
		if (epochs_finished(e) != p->finished)
			fail_msg("%s: %ld epochs after \"%s\" at %ld ms, expected %ld", s->name,
				 (long)epochs_finished(e), p->text, (long)ms, (long)p->finished);
	}
	line_reader_finish(r, ms * MS, epochs_line, e);
	epochs_end_of_output(e, true);
	epochs_summarize(e, &sum);
	if (sum.finished != s->end || sum.fits != s->fits || sum.buffered != s->buffered)
		fail_msg("%s: at the end %ld epochs, %d fits, buffered %d (%s)", s->name, (long)sum.finished,
			 sum.fits, sum.buffered, sum.format);
	line_reader_free(r);
	epochs_free(e);
}

static void scripts_give_their_epochs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		check_script(&scripts[i]);
}

static void push_text(struct epochs *e, const char *text, int64_t time_ns)
{
	struct line_reader *r = line_reader_new();

	line_reader_push(r, text, strlen(text), time_ns, epochs_line, e);
	line_reader_free(r);
}

static void old_output_numbers_the_current_epoch_and_is_no_buffer(void **state)
{
	struct epochs *e = epochs_new(0);
	struct epochs_summary s;

	(void)state;
	push_text(e, "Epoch 1/9\nEpoch 2/9\nEpoch 3/9\nEpoch 4/9\nEpoch 5/9\n", LINE_TIME_UNKNOWN);
	assert_int_equal(epochs_finished(e), 4);
	push_text(e, "Epoch 6/9\n", 1000 * MS);
	push_text(e, "Epoch 7/9\n", 3000 * MS);
	epochs_summarize(e, &s);
	assert_int_equal(s.finished, 6);
	assert_false(s.buffered);
	assert_int_equal(s.timed, 1);
	assert_true(s.mean_s > 1.99 && s.mean_s < 2.01);
	epochs_free(e);
}

static void a_killed_run_has_not_finished_its_epoch(void **state)
{
	struct epochs *e = epochs_new(0);

	(void)state;
	push_text(e, "Epoch 1/9\nEpoch 2/9\n", 0);
	epochs_end_of_output(e, false);
	assert_int_equal(epochs_finished(e), 1);
	epochs_free(e);
}

static void marks_outrank_lines(void **state)
{
	struct epochs *e = epochs_new(0);
	struct epochs_summary s;

	(void)state;
	push_text(e, "Epoch 1/9\nEpoch 2/9\n", 0);
	epochs_mark(e, 5, 3000 * MS);
	assert_int_equal(epochs_finished(e), 5);
	epochs_label(e, 3100 * MS);
	push_text(e, "Epoch 3/9\nEpoch 4/9\nEpoch 5/9\nEpoch 6/9\nEpoch 7/9\n", 3200 * MS);
	assert_int_equal(epochs_finished(e), 5);
	epochs_mark(e, -1, 4000 * MS);
	epochs_summarize(e, &s);
	assert_int_equal(s.finished, 6);
	assert_string_equal(s.format, "marks");
	epochs_free(e);
}

static void labels_count_where_nothing_else_does(void **state)
{
	struct epochs *e = epochs_new(0), *lines = epochs_new(0);

	(void)state;
	epochs_label(e, 1000 * MS);
	epochs_label(e, 2000 * MS);
	assert_int_equal(epochs_finished(e), -1);
	epochs_label(e, 3000 * MS);
	assert_int_equal(epochs_finished(e), 3);
	epochs_label(lines, 1000 * MS); /* "data loaded" */
	push_text(lines, "Epoch 1/9\nEpoch 2/9\nEpoch 3/9\nEpoch 4/9\n", 3000 * MS);
	assert_int_equal(epochs_finished(lines), 3);
	epochs_label(lines, 4000 * MS);
	epochs_label(lines, 5000 * MS);
	assert_int_equal(epochs_finished(lines), 3);
	epochs_free(lines);
	epochs_free(e);
}

static void a_mark_of_epoch_0_begins(void **state)
{
	struct epochs *e = epochs_new(0);

	(void)state;
	epochs_mark(e, 0, 0);
	assert_int_equal(epochs_finished(e), 0);
	epochs_mark(e, 1, 1000 * MS);
	assert_int_equal(epochs_finished(e), 1);
	epochs_free(e);
}

static void the_users_expression_alone_counts(void **state)
{
	struct epochs *e = epochs_new(0);
	char why[80];

	(void)state;
	assert_int_equal(epochs_set_regex(e, "cycle ([0-9]+) finished", why, sizeof(why)), 0);
	push_text(e, "Epoch 7/9\ncycle 1 finished\ncycle 1 finished\n", 0);
	assert_int_equal(epochs_finished(e), 1);
	push_text(e, "cycle 2 finished\nEpoch 8/9\n", 1000 * MS);
	assert_int_equal(epochs_finished(e), 2);
	epochs_free(e);
}

static void an_expression_without_a_number_counts_its_matches(void **state)
{
	struct epochs *e = epochs_new(0);
	char why[80];

	(void)state;
	assert_int_equal(epochs_set_regex(e, "^swept", why, sizeof(why)), 0);
	push_text(e, "swept\nother\nswept\n", 0);
	assert_int_equal(epochs_finished(e), 2);
	epochs_free(e);
}

static void bad_expressions_are_refused_with_a_reason(void **state)
{
	static const char *const bad[] = {"(", "[a", "(a)\\1", "*a{2,1}"};
	char why[80];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct epochs *e = epochs_new(0);

		why[0] = '\0';
		assert_int_equal(epochs_set_regex(e, bad[i], why, sizeof(why)), -EINVAL);
		assert_true(strlen(why) > 5);
		epochs_free(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(recorded_outputs_give_their_epochs_at_their_bytes),
	    cmocka_unit_test(scripts_give_their_epochs),
	    cmocka_unit_test(old_output_numbers_the_current_epoch_and_is_no_buffer),
	    cmocka_unit_test(a_killed_run_has_not_finished_its_epoch),
	    cmocka_unit_test(marks_outrank_lines),
	    cmocka_unit_test(labels_count_where_nothing_else_does),
	    cmocka_unit_test(a_mark_of_epoch_0_begins),
	    cmocka_unit_test(the_users_expression_alone_counts),
	    cmocka_unit_test(an_expression_without_a_number_counts_its_matches),
	    cmocka_unit_test(bad_expressions_are_refused_with_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
