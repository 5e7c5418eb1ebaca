# SPDX-License-Identifier: MIT
"""A small real training with transformers' Trainer. usage: train_huggingface.py EPOCHS"""
import os
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from transformers import Trainer, TrainerCallback, TrainingArguments

import truth

torch.set_num_threads(1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(256, 1)

    def forward(self, x, labels):
        out = self.layer(x)
        return {"loss": torch.nn.functional.mse_loss(out, labels), "logits": out}


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 4096

    def __getitem__(self, index):
        return {"x": torch.rand(256), "labels": torch.rand(1)}


class Truth(TrainerCallback):
    def on_epoch_end(self, args, state, control, **kwargs):
        truth.epoch_ended()


with tempfile.TemporaryDirectory() as root:
    arguments = TrainingArguments(root, num_train_epochs=int(sys.argv[1]), per_device_train_batch_size=32,
                                  logging_strategy="epoch", save_strategy="no", report_to=[], use_cpu=True)
    Trainer(Net(), arguments, train_dataset=Rows(), callbacks=[Truth()]).train()
