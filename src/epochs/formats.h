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
	EF_NAMED          /* formats from here on are known by their row alone */
};

enum epoch_when {
	EPOCH_START,  /* printed when the epoch begins */
	EPOCH_DURING, /* printed within it, often many times */
	EPOCH_END,    /* printed when it is over */
};

/* The last batches of an epoch may make no whole step: a fit of two epochs closes with 1.98 (test_epochs.c). */
enum { EPOCH_PART_ALL = 900 };

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

enum { EPOCH_FORMATS_MAX = 48, EPOCH_PATTERNS_MAX = 2 };

/* What a line of a format is to the epochs. */
enum epoch_role {
	ROLE_NUMBERED,  /* shows an epoch */
	ROLE_HEADER,    /* heads a table: figures below it are rows of line->rows */
	ROLE_ROW,       /* any figures: a row of the table whose header came last, or nothing */
	ROLE_NAMED_ROW, /* a row that only its own header makes one */
	ROLE_STEPS,     /* all steps of an epoch are over: of the one that `of` has announced, or of any */
	ROLE_STOP,      /* a whole fit is over */
	ROLE_ROUND,     /* as numbered; below ROLE_BEST it repeats one */
	ROLE_BEST,      /* the fit of `of` is over, and its best round comes once more */
};

/* All that is known of a format: one row of the table. */
struct epoch_format_info {
	const char *name;  /* for people: "Hugging Face", "progress bars" */
	signed char base;  /* number of the first epoch, as far as the format says */
	bool base_fixed;   /* else a first number of 0 or 1 decides */
	signed char trust; /* higher wins when several formats match in one run */
	bool yields;       /* what it counts may lie within an epoch: any format that does not yield wins */
	short pace_ms;     /* a mere counter: believed when it counts evenly and no faster; else 0 */
	enum epoch_role role;
	enum epoch_format of; /* see the role */
	bool marks;           /* the user's own */
	bool draws_bar;       /* a run that ends well may leave it short of 100 % */
	bool sure_when_open;  /* ends its number itself: a line that is not over yet is believed too */
	bool shows_finished;  /* its number is that of the epochs finished, the running one left out */
	bool full_ends_last;  /* the last epoch's full bar is the last that is seen of it */
	bool has_stop_line;   /* a line of ROLE_STOP ends its fit */
	bool once_in_pipe;    /* its bar comes once, for the last epoch, where it is no terminal's */
	bool one_writer;      /* no other rank prints it later */
	bool restarts_fit;    /* the same number again, once the fit is over, is another fit */
	bool
	    lone_number; /* a fit may show one number alone, and those below it were none of an earlier run */
	bool within;     /* a table's row may come in the midst of an epoch */
	enum epoch_when when; /* of a line that a pattern below matches */
	/* Whole lines that need no matcher of their own: ' ' is one blank or more, # the number, @ the total, ~ (last)
	 * whatever follows; all else is text to the letter. */
	const char *patterns[EPOCH_PATTERNS_MAX];
};

const struct epoch_format_info *epoch_format_info(enum epoch_format format);
int epoch_formats_count(void);

/* True when the line says something about epochs; then *out is filled in. Lines that are open (LINE_OPEN) are
 * believed only where more text could not change the number. */
bool epoch_line_parse(const struct text_line *line, struct epoch_line *out);

/* The same for a line that the user's own expression has matched: when tells what the rest of it sounds
 * like. */
enum epoch_when epoch_line_when(const char *text, size_t len);

#endif
