# SPDX-License-Identifier: MIT
"""A Lightning module that keeps its outputs. usage: leaks_lightning.py EPOCHS"""
import logging
import sys
import tempfile
import time
import warnings

import lightning
import torch
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
torch.set_num_threads(1)


class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(256, 256)
        self.outputs = []

    def training_step(self, batch, index):
        out = self.layer(batch[0])
        self.outputs.append(out.detach())
        return out.pow(2).mean()

    def on_train_epoch_end(self):
        time.sleep(0.3)  # an epoch of a training takes longer than a snapshot
        print("Epoch %d done" % (self.current_epoch + 1), flush=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


with tempfile.TemporaryDirectory() as root:
    loader = DataLoader(TensorDataset(torch.rand(1024, 256)), batch_size=64)
    lightning.Trainer(max_epochs=int(sys.argv[1]), accelerator="cpu", logger=False, enable_checkpointing=False,
                      default_root_dir=root, enable_model_summary=False, enable_progress_bar=False).fit(Net(), loader)
