# SPDX-License-Identifier: MIT
"""Hugging Face transformers: a classifier of texts fitted by Trainer; evaluated now and then, two checkpoints left on disk."""
import os
import tempfile

import numpy as np
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainerCallback, TrainingArguments
from transformers.utils import logging

from training import Training

t = Training("finetune", ["Epoch %(epoch)d/%(epochs)d - eval loss %(loss).4f", "epoch %(epoch)d done"])
torch.set_num_threads(1)
logging.set_verbosity_error()
logging.disable_progress_bar()
rows, longest, words = t.lot.choice([16, 24]), t.lot.choice([24, 48]), t.lot.choice([20000, 22000])
accumulated, every, frozen = t.lot.choice([1, 2]), t.lot.choice([4, 5]), t.lot.random() < 0.3
config = BertConfig(vocab_size=words, hidden_size=192, num_hidden_layers=4, num_attention_heads=4, intermediate_size=768, num_labels=3,
                    max_position_embeddings=64)
model = BertForSequenceClassification(config)
if frozen:
    model.bert.embeddings.position_embeddings.requires_grad_(False)


class Texts(torch.utils.data.Dataset):
    def __init__(self, n):
        self.rows = [(t.rng.zipf(1.4, t.lot.randint(8, longest)) % words, t.lot.randrange(3)) for _ in range(n)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return {"input_ids": self.rows[i][0].tolist(), "labels": self.rows[i][1]}


def together(rows):
    width = max(len(row["input_ids"]) for row in rows)
    x = torch.tensor([row["input_ids"] + [0] * (width - len(row["input_ids"])) for row in rows])
    return {"input_ids": x, "attention_mask": (x > 0).long(), "labels": torch.tensor([row["labels"] for row in rows])}


class Ends(TrainerCallback):
    def on_epoch_end(self, args, state, control, **_):
        epoch = round(state.epoch) - 1
        if epoch % every == every - 1:
            control.should_evaluate = True
        if epoch % (2 * every) == every - 1:
            control.should_save = True
        t.epoch_ended(epoch, state.log_history[-1].get("loss", 0.0) if state.log_history else 0.0)


how = TrainingArguments(os.path.join(tempfile.mkdtemp(), "out"), num_train_epochs=t.epochs, per_device_train_batch_size=4,
                        gradient_accumulation_steps=accumulated, learning_rate=1e-4, warmup_steps=4, use_cpu=True, report_to=[],
                        save_strategy="no", save_total_limit=2, logging_steps=5, seed=t.args.seed, disable_tqdm=True)
Trainer(model=model, args=how, train_dataset=Texts(rows), eval_dataset=Texts(8), data_collator=together, callbacks=[Ends()],
        compute_metrics=lambda p: {"accuracy": float(np.mean(p.predictions.argmax(1) == p.label_ids))}).train()
