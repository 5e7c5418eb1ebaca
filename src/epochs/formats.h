/* SPDX-License-Identifier: MIT */
/* One line of a program's output -> what it says about epochs. Pure and without memory of earlier lines. */
#ifndef EPOCHS_FORMATS_H
#define EPOCHS_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "epochs/line_reader.h"

enum epoch_format {
	EF_NONE,
	EF_KERAS,         /* Epoch 1/20 */
	EF_KERAS_STEPS,   /* 63/63 - 1s - 16ms/step - loss: 0.09: an epoch without a number */
	EF_CALLBACK,      /* Epoch 3: val_loss improved from ... */
	EF_BAR,           /* Epoch 0:  25%|##   | 1/4 [00:00<00:00]; Lightning and tqdm(desc=...) */
	EF_BAR_OUTER,     /* Epoch:  33%|###  | 1/3 [00:00<00:00]; tqdm over the epochs */
	EF_RICH,          /* Epoch 0/1  ---- 4/4 0:00:00 */
	EF_TRAINER_STOP,  /* `Trainer.fit` stopped: `max_epochs=2` reached. */
	EF_HF,            /* {'loss': 0.5, 'learning_rate': 5e-5, 'epoch': 1.5} */
	EF_DICT,          /* {"epoch": 3, "loss": 0.5} */
	EF_FASTAI_HEADER, /* epoch     train_loss  valid_loss  time */
	EF_FASTAI_BAR,    /* Epoch 1/2 : |----| 0.00% [0/4 00:00<?] */
	EF_FASTAI_ROW,    /* 0         0.464779    0.448579    00:00 */
	EF_ULTRALYTICS,   /* 1/2  0G  3.259  1.811  2  64: 100% ---- 2/2 */
	EF_TIMM,          /* Train: 0 [   0/33 (  0%)] */
	EF_TORCHVISION,   /* Epoch: [0][5/5005] */
	EF_MMENGINE,      /* Epoch(train) [1][ 50/1000] */
	EF_PRINT,         /* Epoch 3 loss 0.5, [epoch 3/10], finished epoch 3 of 10, ... */
	EF_LOOP,          /* Iteration 3/20 alone on its line; INFO :      [ROUND 3] */
	EF_ROUNDS,        /* [3]\ttrain-rmse:0.1; 3:\tlearn: 0.1\ttotal: 1s\tremaining: 2s */
	EF_ROUNDS_BEST,   /* Early stopping, best iteration is: */
	EF_SKLEARN,       /* Iteration 3, loss = 1.77491216 */
	EF_SB3,           /* |    iterations      | 3        | */
	EF_TRIALS,        /* [I 2026-11-17 09:14:44,970] Trial 3 finished with value: 0.8 */
	EF_COUNTED,       /* Round 3/20 loss 0.1, Generation 3, Ep 3: reward 12 */
	EF_ITER,          /* Iteration 3, loss 0.1 */
	EF_BRACKET,       /* [3/30] loss 0.12 */
	EF_TABLE_HEADER,  /* epoch    train_loss    valid_loss     dur; gen\tnevals\tavg */
	EF_TABLE,         /* 1        0.7523        0.8351  0.0053: a row only below such a header */
	EF_SPACY,         /* 6      20          4.57      100.00    1.00: a row below spaCy's own */
	EF_REGEX,         /* --epoch-regex */
	EF_LABEL,         /* a line "mark LABEL" in the marks file */
	EF_MARK,          /* a line "epoch" in the marks file, SIGUSR1 */
	EF_COUNT
};

enum epoch_when {
	EPOCH_START,  /* printed when the epoch begins */
	EPOCH_DURING, /* printed within it, often many times */
	EPOCH_END,    /* printed when it is over */
};

struct epoch_line {
	enum epoch_format format;
	enum epoch_when when;
	int64_t number; /* as shown; -1 when the line shows none */
	int64_t total;  /* as shown; -1 when unknown */
	int part_milli; /* Hugging Face: what comes after the point, 500 for 1.5 */
	bool full;      /* a bar at 100 % */
	bool closes;    /* the whole fit is over */
	bool evaluates; /* Hugging Face: of evaluate(), which may follow the fit; others: with val_loss */
	int words;      /* a table's header: its words; a row: its figures */
	enum epoch_format rows; /* a table's header: what the rows below it are */
	bool doubtful;          /* could be a setting; believe it when the next number comes */
};

struct epoch_format_info {
	const char *name;  /* for people: "Hugging Face", "progress bars" */
	signed char base;  /* number of the first epoch, as far as the format says */
	bool base_fixed;   /* else a first number of 0 or 1 decides */
	signed char trust; /* higher wins when several formats match in one run */
	bool yields;       /* what it counts may lie within an epoch: any format that does not yield wins */
	short pace_ms;     /* a mere counter: believed when it counts evenly and no faster; else 0 */
};

const struct epoch_format_info *epoch_format_info(enum epoch_format format);

/* True when the line says something about epochs; then *out is filled in. Lines that are open (LINE_OPEN) are
 * believed only where more text could not change the number. About 0.2 us for a bar of 200 bytes. */
bool epoch_line_parse(const struct line *line, struct epoch_line *out);

/* The same for a line that the user's own expression has matched: when tells what the rest of it sounds
 * like. */
enum epoch_when epoch_line_when(const char *text, size_t len);

#endif
