/* SPDX-License-Identifier: MIT */
#include "epochs/formats.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define BAR "\xe2\x94\x81\xe2\x94\x81\xe2\x94\x81"

struct sure {
	const char *text;
	enum epoch_format format;
	enum epoch_when when;
	int64_t number, total;
};

static struct text_line make_line(const char *text, enum line_end end)
{
	return (struct text_line){text, strlen(text), end, 0, 0};
}

static const struct sure lines[] = {
    /* frameworks */
    {"Epoch 1/20", EF_KERAS, EPOCH_START, 1, 20},
    {"Epoch 0/24", EF_KERAS, EPOCH_START, 0, 24},
    {"Epoch  3/20  ", EF_KERAS, EPOCH_START, 3, 20},
    {"Epoch 1: val_loss improved from inf to 0.90890, saving model to best.keras", EF_CALLBACK, EPOCH_END, 1,
     -1},
    {"Epoch 00005: early stopping", EF_CALLBACK, EPOCH_END, 5, -1},
    {"Epoch 00012: reducing learning rate of group 0 to 1.0000e-04.", EF_CALLBACK, EPOCH_END, 12, -1},
    {"Epoch 3, global step 4: 'val_loss' was not in top 1", EF_CALLBACK, EPOCH_END, 3, -1},
    {"63/63 - 1s - 16ms/step - loss: 0.0994", EF_KERAS_STEPS, EPOCH_END, -1, 63},
    {"3/3 " BAR " 1s 145ms/step - loss: 1.5342 - val_loss: 1.5164", EF_KERAS_STEPS, EPOCH_END, -1, 3},
    {"1336/1336 - 5s - loss: 2749.4241 - val_loss: 2297.2878", EF_KERAS_STEPS, EPOCH_END, -1, 1336},
    {"100/100 [==============================] - 2s 4ms/step - loss: 0.3", EF_KERAS_STEPS, EPOCH_END, -1,
     100},
    {"Epoch 0:  22%|" BAR "  | 4/18 [00:17<01:02,  4.47s/it, loss=10.072, v_num=193315]", EF_BAR,
     EPOCH_DURING, 0, -1},
    {"Epoch 0:  93% 1586/1702 [12:50<00:56,  2.06it/s, loss=0.158, v_num=0]", EF_BAR, EPOCH_DURING, 0, -1},
    {"Epoch 1/2:  20%|##        | 1/5 [00:00<00:00,  8.28it/s, loss=1]", EF_BAR, EPOCH_DURING, 1, 2},
    {"Epoch [3/10]:  20%|##        | 1/5 [00:00<00:00]", EF_BAR, EPOCH_DURING, 3, 10},
    {"Epoch 3 [train]:  20%|##        | 1/5 [00:00<00:00]", EF_BAR, EPOCH_DURING, 3, -1},
    {"Training Epoch 3:  20%|##        | 1/5 [00:00<00:00]", EF_BAR, EPOCH_DURING, 3, -1},
    {"epoch 001:  20%|##        | 1/5 [00:00<00:00]", EF_BAR, EPOCH_DURING, 1, -1},
    {"Epoch:  33%|###  | 1/3 [00:00<00:00,  9.90it/s]", EF_BAR_OUTER, EPOCH_END, 1, 3},
    {"Epochs:   0%|          | 0/30 [00:00<?, ?it/s]", EF_BAR_OUTER, EPOCH_END, 0, 30},
    {"epochs:  50%|#####     | 15/30 [00:10<00:10]", EF_BAR_OUTER, EPOCH_END, 15, 30},
    {"Epoch 0/1  " BAR " 4/4 0:00:00 \xe2\x80\xa2 0:00:00 117.44it/s train_loss: 0.844", EF_RICH,
     EPOCH_DURING, 0, 1},
    {"Epoch 3/-2 " BAR " 4/4 0:00:00", EF_RICH, EPOCH_DURING, 3, -2},
    {"`Trainer.fit` stopped: `max_epochs=26` reached.", EF_TRAINER_STOP, EPOCH_END, 26, -1},
    {"Validation " BAR " 2/4 `Trainer.fit` stopped: `max_epochs=2` reached.", EF_TRAINER_STOP, EPOCH_END, 2,
     -1},
    {"300 epochs completed in 1.250 hours.", EF_TRAINER_STOP, EPOCH_END, 300, -1},
    {"{'loss': '0.6929', 'grad_norm': '0.07', 'learning_rate': '3.1e-05', 'epoch': '1'}", EF_HF, EPOCH_END, 1,
     -1},
    {"{'loss': 0.5123, 'learning_rate': 4.5e-05, 'epoch': 1.0}", EF_HF, EPOCH_END, 1, -1},
    {"{\"loss\": 7.1, \"learning_rate\": 4.8e-05, \"epoch\": 0.03283425269240872, \"step\": 500}", EF_HF,
     EPOCH_END, 0, -1},
    {"{'loss': 9.1, 'learning_rate': 4.8e-05, 'epoch': 6e-05}", EF_HF, EPOCH_END, 0, -1},
    {"{\"train_lr\": 0.0001, \"train_loss\": 0.5, \"epoch\": 7, \"n_parameters\": 41}", EF_DICT, EPOCH_END, 7,
     -1},
    {"epoch     train_loss  valid_loss  mae       time    ", EF_FASTAI_HEADER, EPOCH_START, -1, -1},
    {"Epoch 1/2 : |----------| 0.00% [0/4 00:00<?]", EF_FASTAI_BAR, EPOCH_DURING, 1, 2},
    {"0         0.464779    0.448579    0.592223  00:00     ", EF_FASTAI_ROW, EPOCH_END, 0, -1},
    {"3         0.464779    None        00:12", EF_FASTAI_ROW, EPOCH_END, 3, -1},
    {"        1/2         0G      3.259      1.811      1.995          2         64: 100% " BAR
     " 2/2 8.7it/s 0.2s",
     EF_ULTRALYTICS, EPOCH_DURING, 1, 2},
    {"    70/1000      6.73G      1.081     0.4706      1.084         10        640: 100%|##| 16/16 "
     "[00:05<00:00]",
     EF_ULTRALYTICS, EPOCH_DURING, 70, 1000},
    {"Train: 0 [   0/33 (  0%)]  Loss: 8.863 (8.86)  Time: 1.663s,    9.62/s", EF_TIMM, EPOCH_DURING, 0, -1},
    {"2023-01-01 10:00:00   INFO  Train:    1/3 ( 33%) [   0/323 (  0%)]  Loss: 8.8", EF_TIMM, EPOCH_DURING,
     1, 3},
    {"Epoch: [0][5/5005]\tTime 0.297 (3.011)\tLoss 8.5078 (7.6859)", EF_TORCHVISION, EPOCH_DURING, 0, -1},
    {"Epoch: [12]  [  0/5005]  eta: 1:00:00  lr: 0.1", EF_TORCHVISION, EPOCH_DURING, 12, -1},
    {"2020-01-01 - mmdet - INFO - Epoch [3][50/7330]\tlr: 1.978e-03, eta: 1 day", EF_TORCHVISION,
     EPOCH_DURING, 3, -1},
    {"01/01 10:00:00 - mmengine - INFO - Epoch(train)   [1][ 50/1000]  lr: 1e-2", EF_MMENGINE, EPOCH_DURING,
     1, -1},
    {" 33%|###       | 1/3 [00:01<00:02,  1.10s/epoch, loss=0.1]", EF_BAR_OUTER, EPOCH_END, 1, 3},
    {"fit:  67%|######   | 2/3 [00:00<00:00,  8.31epoch/s]", EF_BAR_OUTER, EPOCH_END, 2, 3},
    {"  0%|          | 0/4 [00:00<?, ?epoch/s]", EF_BAR_OUTER, EPOCH_END, 0, 4},
    /* tables */
    {"E    #       LOSS TEXTCAT  CATS_SCORE  SCORE ", EF_TABLE_HEADER, EPOCH_START, -1, -1},
    {"  epoch    train_loss    valid_loss     dur", EF_TABLE_HEADER, EPOCH_START, -1, -1},
    {"epoch,loss,val_loss", EF_TABLE_HEADER, EPOCH_START, -1, -1},
    {"gen\tnevals\tavg    \tmax", EF_TABLE_HEADER, EPOCH_START, -1, -1},
    {"n_gen  |  n_eval  |     f_avg     |     f_min     |     f_gap    ", EF_TABLE_HEADER, EPOCH_START, -1,
     -1},
    {"      Iter       Train Loss   Remaining Time ", EF_TABLE_HEADER, EPOCH_START, -1, -1},
    {"      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size", EF_TABLE_HEADER,
     EPOCH_START, -1, -1},
    {"  6      20          4.57      100.00    1.00", EF_TABLE, EPOCH_END, 6, -1},
    {"     3 |       30 |  0.1328941249 |  0.0518737460 |  0.0518737460", EF_TABLE, EPOCH_END, 3, -1},
    {"        10           1.3371            0.03s", EF_TABLE, EPOCH_END, 10, -1},
    {"0,1.6674690246582031,nan", EF_TABLE, EPOCH_END, 0, -1},
    /* rounds, iterations, trials */
    {"[0]\ttrain-rmse:1.62458\teval-rmse:1.77181", EF_ROUNDS, EPOCH_END, 0, -1},
    {"[3]\ttrain-rmse:1.62458\teval-rmse:nan ", EF_ROUNDS, EPOCH_END, 3, -1},
    {"[3]\ttrain-rmse:1.624580\xc2\xb1"
     "0.035580\ttest-rmse:1.1",
     EF_ROUNDS, EPOCH_END, 3, -1},
    {"[4]\ttrain-rmse:0.97302+0.03558\ttest-rmse:1.11447+0.09069", EF_ROUNDS, EPOCH_END, 4, -1},
    {"[120]\tvalidation_0-logloss:nan", EF_ROUNDS, EPOCH_END, 120, -1},
    {"[5]\ttraining's l2: 2.06688\tvalid_1's l2: 2.50338", EF_ROUNDS, EPOCH_END, 5, -1},
    {"Did not meet early stopping. Best iteration is:", EF_ROUNDS_BEST, EPOCH_END, -1, -1},
    {"Early stopping, best iteration is:", EF_ROUNDS_BEST, EPOCH_END, -1, -1},
    {"3:\tlearn: 1.0365980\ttotal: 49.6ms\tremaining: 49.6ms", EF_ROUNDS, EPOCH_END, 3, -1},
    {"10:\tlearn: 0.8\ttest: 1.1\tbest: 1.1 (6)\ttotal: 53.9ms\tremaining: 68.7ms", EF_ROUNDS, EPOCH_END, 10,
     -1},
    {"[3/6] 1 tree, 20 leaves, max depth = 6, in 0.001s", EF_ROUNDS, EPOCH_END, 3, 6},
    {"[2/11] 3 trees, 31 leaves (10 on avg), max depth = 5, train loss: 0.60778, val loss: 0.60650, in "
     "0.002s",
     EF_ROUNDS, EPOCH_END, 2, 11},
    {"Iteration 3, loss = 1.77491216", EF_SKLEARN, EPOCH_END, 3, -1},
    {"iteration: 1 of max_iter: 5, perplexity: 10.9361", EF_SKLEARN, EPOCH_END, 1, 5},
    {"INFO :      [ROUND 3]", EF_LOOP, EPOCH_START, 3, -1},
    {"|    iterations           | 2             |", EF_SB3, EPOCH_END, 2, -1},
    {"[I 2026-11-17 09:14:44,970] Trial 3 finished with value: 0.85 and parameters: {'epoch': 30}.",
     EF_TRIALS, EPOCH_END, -1, -1},
    {"[I 2026-11-17 09:14:44,971] Trial 3 pruned. ", EF_TRIALS, EPOCH_END, -1, -1},
    /* written by hand */
    {"Epoch 01 loss 75.6049 | train 2.6s", EF_PRINT, EPOCH_END, 1, -1},
    {"epoch 1: loss=0.5018 time=1.50s", EF_PRINT, EPOCH_END, 1, -1},
    {"[Epoch 1/16] train_loss: 0.1000", EF_PRINT, EPOCH_END, 1, 16},
    {"[epoch 3/10]", EF_PRINT, EPOCH_START, 3, 10},
    {"epoch=3", EF_PRINT, EPOCH_START, 3, -1},
    {"Epoch #3", EF_PRINT, EPOCH_START, 3, -1},
    {"EPOCH: 3", EF_PRINT, EPOCH_START, 3, -1},
    {"EPOCH 3:", EF_PRINT, EPOCH_START, 3, -1},
    {"======== Epoch 1 / 4 ========", EF_PRINT, EPOCH_START, 1, 4},
    {"Epoch: 01 | Epoch Time: 0m 33s", EF_PRINT, EPOCH_END, 1, -1},
    {"Starting epoch 3.", EF_PRINT, EPOCH_START, 3, -1},
    {"Start of epoch 0", EF_PRINT, EPOCH_START, 0, -1},
    {"begin training epoch 1", EF_PRINT, EPOCH_START, 1, -1},
    {"2026-11-16 00:14:51 INFO trainer: finished epoch 1 of 24 (loss 0.00093)", EF_PRINT, EPOCH_END, 1, 24},
    {"2022-07-20 06:31:44,244 - INFO: ===> Epoch 103 Complete: Avg. Loss: 0.015117 time: 667.19", EF_PRINT,
     EPOCH_END, 103, -1},
    {"end of epoch 1 (average epoch stats below)", EF_PRINT, EPOCH_END, 1, -1},
    {"Accuracy after epoch 3: 0.91", EF_PRINT, EPOCH_END, 3, -1},
    {"Epoch [1/5], Step [100/600], Loss: 2.1", EF_PRINT, EPOCH_DURING, 1, 5},
    {"Epoch 00000 | Step 00020 | Loss 2.6650 | Train Acc 0.3400", EF_PRINT, EPOCH_DURING, 0, -1},
    {"Train Epoch: 1 [0/60000 (0%)]\tLoss: 2.300", EF_PRINT, EPOCH_DURING, 1, -1},
    {"Epoch 1 Batch 0 Loss 4.5", EF_PRINT, EPOCH_DURING, 1, -1},
    {"| epoch   1 |   200/ 2928 batches | lr 5.00 | ms/batch 15.41 | loss  8.04", EF_PRINT, EPOCH_DURING, 1,
     -1},
    {"| end of epoch   1 | time: 52.24s | valid loss  5.79 | valid ppl   326.86", EF_PRINT, EPOCH_END, 1, -1},
    {"epoch: 1, lr: 1.00e+00 - train loss: 2.70 - valid loss: 2.4", EF_PRINT, EPOCH_END, 1, -1},
    {"Epoch 3/10 - 12s - loss: 0.3", EF_PRINT, EPOCH_END, 3, 10},
    {"INFO epoch=3 loss=0.5", EF_PRINT, EPOCH_END, 3, -1},
    {"Iteration 3/20", EF_LOOP, EPOCH_START, 3, 20},
    {"Fold 2/5:", EF_LOOP, EPOCH_START, 2, 5},
    {"Iter 3/60", EF_LOOP, EPOCH_START, 3, 60},
    {"Ep 3/30", EF_LOOP, EPOCH_START, 3, 30},
    /* mere counters */
    {"[3/30] loss 0.12", EF_BRACKET, EPOCH_END, 3, 30},
    {"[ 3/30] train_loss=0.12 acc=0.9", EF_BRACKET, EPOCH_END, 3, 30},
    {"[3/30] loss NaN", EF_BRACKET, EPOCH_END, 3, 30},
    {"[3/30] loss: -Inf", EF_BRACKET, EPOCH_END, 3, 30},
    {"[3/30] Acc@1 76.1", EF_BRACKET, EPOCH_END, 3, 30},
    {"[3/30] val_acc=76.1", EF_BRACKET, EPOCH_END, 3, 30},
    {"Iteration 3/60 loss 0.3", EF_ITER, EPOCH_END, 3, 60},
    {"Iteration 3, loss = 0.1", EF_ITER, EPOCH_END, 3, -1},
    {"iter: 3", EF_ITER, EPOCH_START, 3, -1},
    {"[iter 3] loss=2.1214 val_loss=0.0000 scale=1.0000 norm=1.7732", EF_ITER, EPOCH_END, 3, -1},
    {"Round 3/20: accuracy 0.91", EF_COUNTED, EPOCH_END, 3, 20},
    {"--- ROUND 3 of 20 ---", EF_COUNTED, EPOCH_START, 3, 20},
    {"Round 3 started with 12 clients", EF_COUNTED, EPOCH_START, 3, -1},
    {"Generation 3", EF_COUNTED, EPOCH_START, 3, -1},
    {"Gen 3: best fitness = 12", EF_COUNTED, EPOCH_END, 3, -1},
    {"Ep 3 reward 12.0", EF_COUNTED, EPOCH_END, 3, -1},
    {"ep 3/30 loss 0.1", EF_COUNTED, EPOCH_END, 3, 30},
};

static void epoch_lines_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const struct sure *c = &lines[i];
		struct text_line line = make_line(c->text, LINE_ENDED);
		struct epoch_line l;
		bool found = epoch_line_parse(&line, &l);

		if (!found || l.format != c->format || l.when != c->when || l.number != c->number ||
		    l.total != c->total)
			fail_msg("\"%s\": format %d when %d number %ld total %ld", c->text,
				 found ? (int)l.format : -1, (int)l.when, (long)l.number, (long)l.total);
	}
}

static void other_lines_are_none(void **state)
{
	static const char *const texts[] = {
	    "Checkpoint saved to ./exp/model//model_epoch_104.pth",
	    "saving model to '/x/epoch=3-step=40.ckpt'",
	    "epoch=3-step=40.ckpt",
	    "Loading weights from runs/epoch-12.pt",
	    "Epoch:  33%",
	    "Epoch: 33%|###",
	    "Epoch time: 3.2s",
	    "Epoch took 3.2s",
	    "Training for 10 epochs",
	    "Starting training for 2 epochs...",
	    "num_epochs: 10",
	    "epochs=10",
	    "epochs: 10",
	    "max_epoch=10",
	    "max epoch: 10",
	    "warmup_epochs=3.0, warmup_momentum=0.8",
	    "Namespace(batch=2, epochs=100, lr=0.1)",
	    "Best epoch: 17 (val_loss 0.31)",
	    "Restoring model weights from the end of the best epoch: 3.",
	    "Resuming from epoch 17",
	    "Loaded checkpoint from epoch 17",
	    "Saving checkpoint for epoch 5 at ./checkpoints/train/ckpt-1",
	    "Validation Epoch 3:  20%|##  | 1/5 [00:00<00:00]",
	    "Validation epoch 3 loss 0.4",
	    "Test Epoch: 3 accuracy 0.9",
	    "Validation DataLoader 0:  25%|##5  | 1/4 [00:00<00:00, 883.57it/s]",
	    "Sanity Checking DataLoader 0:   0%|          | 0/2 [00:00<?, ?it/s]",
	    "Training: |          | 0/? [00:00<?, ?it/s]",
	    "Test: [   0/29]  Time: 0.560 (0.560)  Loss:  0.6912 (0.6912)",
	    "01/01 10:00:00 - mmengine - INFO - Epoch(val) [1][ 50/1000]  lr: 1e-2",
	    "[11/01 11:27:04 d2.utils.events]: eta: 8:05:12  iter: 1259  total_loss: 1.012  max_mem: 3961M",
	    "                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100% "
	    "1/1",
	    "  0                  -1  1       464  ultralytics.nn.modules.conv.Conv             [3, 16, 3, "
	    "2]",
	    "62/63 - 1s - 16ms/step - loss: 0.0994",
	    "63/63 - 1s - 16ms/step",
	    "Seconds since the epoch: 1794787816",
	    "epoch 1794787816",
	    "Epoch 2024-01-01 was a Monday",
	    "Epoch 3.5 reached",
	    "site-packages/keras/src/trainers/epoch_iterator.py:74: UserWarning: `shuffle=True` was passed",
	    "{'eval_epochs': 3, 'loss': 2}",
	    "Iteration 100/500000 loss 0.3",
	    "Iteration 3 of the algorithm converged",
	    "iteration time 3.1 s, loss 0.2",
	    "Iter 3.5 loss 0.1",
	    "[3/30]",
	    "[3/30] Building CXX object src/loss.cpp.o",
	    "[3/30] Downloading shards",
	    "[ 33%] Building C object loss.o",
	    "[31/30] loss 0.1",
	    "[3/30 loss 0.1",
	    "[3/30] tests passed in 0.3 s",
	    "[3/30] test 3 passed",
	    "[3/30] Installing valgrind-1:3.22.0",
	    "[3/30] Installing loss-1",
	    "[3/30] accepted 5 files",
	    "[3/30] returned 5 files",
	    "[3/30] loss: infinite",
	    "Iter 3: value 5",
	    "3/30 Test  #3: accuracy ....   Passed    0.12 sec",
	    "[CV 1/2] END ...............C=1;, score=0.670 total time=   0.0s",
	    "Minibatch step 3/30: mean batch inertia: 7.7",
	    "Rounded 3 values",
	    "Gene 3 of 20",
	    "ep_len_mean 25",
	    "Generation took 3 s",
	    "[t-SNE] Iteration 50: error = 61.2978821, gradient norm = 0.0168876 (50 iterations in 0.100s)",
	    "Iteration 0, inertia 3855.1554347202245.",
	    "[3] train-rmse:1.62458",
	    "[3]\tdone",
	    "[3]\tsee http://localhost:8080",
	    "[3]\tanswer: 42",
	    "[1]\thttp-server:8080 up",
	    "[1]\thttp-server:8080",
	    "[1]\tmean-time:0.5 s",
	    "[1]\ttrain-rmse:0.5\tdone",
	    "3:\tlearn: the basics",
	    "[3/6] Building CXX object tree.o",
	    "[3/6] 1 tree",
	    "[12:00:01] WARNING: src/learner.cc:767: Parameters: { \"a\" } are not used.",
	    "[LightGBM] [Info] Total Bins 1071",
	    "|    total_timesteps      | 128           |",
	    "|    n_updates            | 10            |",
	    "|    iterations           |",
	    "[I 2026-11-17 09:14:44,969] A new study created in memory with name: no-name",
	    "Trial 3 finished with value: 1",
	    "Best iteration is: 3",
	    "INFO :      \t\tround 1: 0.5",
	    "INFO :      Run finished 3 round(s) in 0.13s",
	    " 33%|###  | 1/3 [00:01<00:02,  1.10s/it, loss=0.1]",
	    "it runs at 8.32epoch/s [3/4]",
	    "Epoch time is shown below",
	    "E    F    G",
	    "gen 3 of the bus",
	    "3 files 4 folders",
	    "3",
	    "-------  ------------  ------------  ------",
	    "Running 3/4 tests",
	    "2 epochs",
	    "Epoch",
	    "epoch ",
	    "Epoch [",
	    "Epoch /",
	    "pochpochpoch",
	    "memwatch: growth is established at epoch 12: +8.0 MiB per epoch",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct text_line line = make_line(texts[i], LINE_ENDED);
		struct epoch_line l;

		if (epoch_line_parse(&line, &l))
			fail_msg("\"%s\" was taken for %s %ld", texts[i], epoch_format_info(l.format)->name,
				 (long)l.number);
	}
}

static void full_bars_are_known(void **state)
{
	static const struct {
		const char *text;
		bool full;
	} cases[] = {
	    {"Epoch 1/2: 100%|##########| 5/5 [00:00<00:00]", true},
	    {"Epoch 1/2:  99%|######### | 4/5 [00:00<00:00]", false},
	    {"Epoch 1/1  " BAR " 4/4 0:00:00", true},
	    {"Epoch 1/1  " BAR " 3/4 0:00:00", false},
	    {"        2/2         0G      4.296      2.382      2.603          2         64: 50% " BAR " 1/2",
	     false},
	    {"        2/2         0G      4.296      2.382      2.603          2         64: 100% " BAR
	     " 2/2",
	     true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text_line line = make_line(cases[i].text, LINE_REDRAWN);
		struct epoch_line l;

		assert_true(epoch_line_parse(&line, &l));
		assert_int_equal(l.full, cases[i].full);
	}
}

/* A read may end anywhere: of "Epoch 12/40" only "Epoch 1" may have come. */
static void no_prefix_of_a_line_gives_another_number(void **state)
{
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		for (size_t n = 1; n <= strlen(lines[i].text); n++) {
			struct text_line line = {text, n, LINE_OPEN, 0, 0};
			struct epoch_line l;

			snprintf(text, n + 1, "%s", lines[i].text);
			if (epoch_line_parse(&line, &l) && l.number != lines[i].number)
				fail_msg("\"%s\" gave %ld", text, (long)l.number);
		}
}

static void validation_is_known_by_its_figure(void **state)
{
	static const struct {
		const char *text;
		bool evaluates;
	} cases[] = {
	    {"[3/30] loss 0.1 val_loss 0.1", true},
	    {"[3/30] loss 0.1, val acc: 0.9", true},
	    {"[3/30] test accuracy 0.9", true},
	    {"[3/30] Validation Loss: nan", true},
	    {"[3/30] loss 0.1", false},
	    {"[3/30] loss 0.1 test 3 passed", false},
	    {"[3/30] loss 0.1 value_loss 0.2", false},
	    {"[3/30] loss 0.1 (device 0)", false},
	    {"[3/30] loss 0.1 val_loss", false},
	    {"[3/30] test 3, loss 0.1", false},
	    {"[3/30] val_loss improved, acc 0.1", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text_line line = make_line(cases[i].text, LINE_ENDED);
		struct epoch_line l;

		assert_true(epoch_line_parse(&line, &l));
		if (l.evaluates != cases[i].evaluates)
			fail_msg("\"%s\": evaluates %d", cases[i].text, l.evaluates);
	}
}

static void settings_are_doubtful(void **state)
{
	struct text_line line = make_line("Config(lr=0.1, epoch=1, batch=3)", LINE_ENDED);
	struct epoch_line l;

	(void)state;
	assert_true(epoch_line_parse(&line, &l));
	assert_true(l.doubtful);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(epoch_lines_are_read),
	    cmocka_unit_test(other_lines_are_none),
	    cmocka_unit_test(full_bars_are_known),
	    cmocka_unit_test(no_prefix_of_a_line_gives_another_number),
	    cmocka_unit_test(validation_is_known_by_its_figure),
	    cmocka_unit_test(settings_are_doubtful),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
