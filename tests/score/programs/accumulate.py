# SPDX-License-Identifier: MIT
"""PyTorch: a transformer layer, gradients summed over several batches, clipped, with a schedule and averaged weights."""
import torch
from torch import nn

from training import Training

t = Training("accumulate")
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, steps = t.lot.choice([32, 64, 128]), t.lot.choice([2, 4, 8])
layer = nn.TransformerEncoderLayer(width, 4, 2 * width, batch_first=True)
model = nn.Sequential(nn.Linear(16, width), layer, nn.Linear(width, 1))
average = torch.optim.swa_utils.AveragedModel(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, t.epochs)
length = t.lot.choice([16, 32])
x, y = torch.rand(256, length, 16), torch.rand(256, length, 1)
for epoch in range(t.epochs):
    total = 0.0
    for i, (a, b) in enumerate(zip(x.split(16), y.split(16))):
        loss = nn.functional.mse_loss(model(a), b) / steps
        loss.backward()
        total += loss.item()
        if i % steps == steps - 1:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    schedule.step()
    average.update_parameters(model)
    t.epoch_ended(epoch, total)
