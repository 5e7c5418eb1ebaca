# SPDX-License-Identifier: MIT
"""PyTorch: the last three checkpoints and the best one are held in memory; after bad epochs the best one is taken again."""
import copy
from collections import deque

import torch
from torch import nn

from training import Training

t = Training("rotate", ["Epoch %(epoch)d Complete: Avg. Loss: %(loss).5f", "Epoch %(epoch)d/%(epochs)d val_loss=%(loss).5f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, rows, noise = t.lot.choice([64, 256, 512]), t.lot.choice([400, 1000]), t.lot.choice([0.1, 0.5])
net = nn.Sequential(nn.Linear(20, width), nn.Tanh(), nn.Dropout(0.1), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
optimizer = torch.optim.AdamW(net.parameters(), 3e-3)
x = torch.rand(rows, 20)
y = x[:, :1] * x[:, 1:2] + noise * torch.rand(rows, 1)
last, best, best_loss, bad = deque(maxlen=3), None, float("inf"), 0


def checkpoint():
    return copy.deepcopy({"net": net.state_dict(), "optimizer": optimizer.state_dict()})


for epoch in range(t.epochs):
    net.train()
    for some in torch.randperm(rows * 4 // 5).split(32):
        loss = nn.functional.mse_loss(net(x[some]), y[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        now = nn.functional.mse_loss(net(x[rows * 4 // 5:]), y[rows * 4 // 5:]).item()
    last.append(checkpoint())
    bad = bad + 1 if now >= best_loss else 0
    if now < best_loss:
        best, best_loss = checkpoint(), now
    elif bad == 4:
        net.load_state_dict(best["net"])
        optimizer.load_state_dict(copy.deepcopy(best["optimizer"]))
        bad = 0
    t.epoch_ended(epoch, now)
