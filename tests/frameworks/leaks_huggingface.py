# SPDX-License-Identifier: MIT
"""A callback of transformers' Trainer that keeps predictions. usage: leaks_huggingface.py EPOCHS"""
import os
import sys
import tempfile
import time

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from transformers import Trainer, TrainerCallback, TrainingArguments

torch.set_num_threads(1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(256, 256)

    def forward(self, x, labels):
        out = self.layer(x)
        return {"loss": torch.nn.functional.mse_loss(out, labels), "logits": out}


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 512

    def __getitem__(self, index):
        return {"x": torch.rand(256), "labels": torch.rand(256)}


class KeepPredictions(TrainerCallback):
    def __init__(self):
        self.predictions = []

    def on_epoch_end(self, args, state, control, model=None, **kwargs):
        with torch.no_grad():
            self.predictions.append(model.layer(torch.rand(600, 256)).numpy())
        time.sleep(0.3)  # an epoch of a training takes longer than a snapshot
        print("Epoch %d/%d" % (len(self.predictions), args.num_train_epochs), flush=True)


with tempfile.TemporaryDirectory() as root:
    arguments = TrainingArguments(root, num_train_epochs=int(sys.argv[1]), per_device_train_batch_size=32,
                                  logging_strategy="no", save_strategy="no", report_to=[], use_cpu=True, disable_tqdm=True)
    Trainer(Net(), arguments, train_dataset=Rows(), callbacks=[KeepPredictions()]).train()
