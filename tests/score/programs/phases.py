# SPDX-License-Identifier: MIT
"""PyTorch: a rate is looked for, then small pictures in small batches, and from some epoch on larger ones in larger batches."""
import copy

import torch
from torch import nn

from training import Training

t = Training("phases", ["Epoch %(epoch)d/%(epochs)d", "epoch %(epoch)d: loss=%(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
channels, small, rows = t.lot.choice([4, 8, 16]), t.lot.choice([8, 12]), t.lot.choice([128, 256])
turn = t.lot.randint(2, max(3, t.epochs // 3))
pictures, labels = torch.rand(rows, 3, 24, 24), torch.randint(0, 5, (rows,))
net = nn.Sequential(nn.Conv2d(3, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(),
                    nn.Conv2d(channels, 2 * channels, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
                    nn.Linear(8 * channels, 5))


def steps(optimizer, side, batch, rates=None):
    total = 0.0
    for some in torch.randperm(rows).split(batch):
        if rates:
            optimizer.param_groups[0]["lr"] = rates.pop(0)
        x = nn.functional.interpolate(pictures[some], (side, side), mode="bilinear")
        loss = nn.functional.cross_entropy(net(x), labels[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def found_rate():
    """The largest of a rising row of rates with which a short run still learns"""
    before, best = copy.deepcopy(net.state_dict()), (float("inf"), 0.01)
    for rate in (1e-3, 3e-3, 1e-2, 3e-2, 1e-1):
        rates = [rate * 1.05 ** i for i in range(rows // 16)]
        best = min(best, (steps(torch.optim.SGD(net.parameters(), rate), small, 16, rates), rate))
        net.load_state_dict(before)
    return best[1]


optimizer = torch.optim.SGD(net.parameters(), found_rate(), momentum=0.9)
for epoch in range(t.epochs):
    t.epoch_ended(epoch, steps(optimizer, *((small, 16) if epoch < turn else (24, 64))))
