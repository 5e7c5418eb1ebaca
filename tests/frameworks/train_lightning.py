# SPDX-License-Identifier: MIT
"""A small real Lightning training. usage: train_lightning.py EPOCHS rich|tqdm"""
import logging
import sys
import tempfile
import warnings

import lightning
import torch
from lightning.pytorch.callbacks import Callback, RichProgressBar, TQDMProgressBar
from torch.utils.data import DataLoader, TensorDataset

import truth

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
torch.set_num_threads(1)


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))

    def training_step(self, batch, index):
        return torch.nn.functional.mse_loss(self.layer(batch[0]), batch[1])

    def validation_step(self, batch, index):
        self.log("val_loss", torch.nn.functional.mse_loss(self.layer(batch[0]), batch[1]))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


class Truth(Callback):
    def on_train_epoch_end(self, trainer, module):
        truth.epoch_ended()


def loader(rows):
    return DataLoader(TensorDataset(torch.rand(rows, 256), torch.rand(rows, 1)), batch_size=64)


with tempfile.TemporaryDirectory() as root:
    bars = {"rich": RichProgressBar, "tqdm": TQDMProgressBar}
    lightning.Trainer(max_epochs=int(sys.argv[1]), accelerator="cpu", logger=False, enable_checkpointing=False,
                      default_root_dir=root, enable_model_summary=False,
                      callbacks=[bars[sys.argv[2]](), Truth()]).fit(Net(), loader(8192), loader(512))
