# SPDX-License-Identifier: MIT
"""Lightning: a module with a validation loop, metrics logged, no checkpoints."""
import logging
import warnings

import lightning
import torch
from torch.utils.data import DataLoader, TensorDataset

from training import Training

warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
t = Training("lightning")
torch.set_num_threads(1)
width, rows = t.lot.choice([32, 128, 512]), t.lot.choice([500, 1500])


class Module(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(32, width), torch.nn.ReLU(), torch.nn.Linear(width, 1))

    def training_step(self, batch, _index):
        loss = torch.nn.functional.mse_loss(self.net(batch[0]), batch[1])
        self.log("train", loss)
        return loss

    def validation_step(self, batch, _index):
        self.log("val", torch.nn.functional.mse_loss(self.net(batch[0]), batch[1]))

    def on_train_epoch_end(self):
        t.epoch_ended(self.current_epoch, float(self.trainer.callback_metrics["train"]))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def loader(n):
    return DataLoader(TensorDataset(torch.rand(n, 32), torch.rand(n, 1)), 32, shuffle=n == rows)


lightning.Trainer(max_epochs=t.epochs, logger=False, enable_checkpointing=False, enable_progress_bar=False,
                  enable_model_summary=False, accelerator="cpu").fit(Module(), loader(rows), loader(rows // 5))
