# SPDX-License-Identifier: MIT
"""PyTorch: a net that is widened, or made deeper, once, somewhere in the middle; the optimiser is made anew for it.

From the widening on it holds more, once and for all.
"""
import torch
from torch import nn

from training import Training

t = Training("widened", ["Epoch %(epoch)d/%(epochs)d loss %(loss).5f", "epoch %(epoch)d/%(epochs)d: train=%(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, rows, at = t.lot.choice([64, 256, 512]), t.lot.choice([500, 1500]), t.lot.randint(4, max(5, t.epochs * 2 // 3))
deeper = t.lot.random() < 0.4
x = torch.rand(rows, 32)
y = (x[:, :4].prod(1, keepdim=True) + x[:, 5:6] ** 2).detach()


def wider(old, by):
    first, last = old[0], old[-1]
    new = nn.Sequential(nn.Linear(32, by * width), nn.ReLU(), nn.Linear(by * width, 1))
    with torch.no_grad():
        new[0].weight.copy_(first.weight.repeat(by, 1))
        new[0].bias.copy_(first.bias.repeat(by))
        new[2].weight.copy_(last.weight.repeat(1, by) / by)
        new[2].bias.copy_(last.bias)
    return new


def with_layer(old):
    more = nn.Linear(width, width)
    nn.init.eye_(more.weight)
    nn.init.zeros_(more.bias)
    return nn.Sequential(old[0], nn.ReLU(), more, nn.ReLU(), old[-1])


net = nn.Sequential(nn.Linear(32, width), nn.ReLU(), nn.Linear(width, 1))
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(t.epochs):
    if epoch == at:
        net = with_layer(net) if deeper else wider(net, t.lot.choice([2, 4]))
        optimizer = torch.optim.Adam(net.parameters(), 5e-4)
    total = 0.0
    for some in torch.randperm(rows).split(32):
        loss = nn.functional.mse_loss(net(x[some]), y[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    t.epoch_ended(epoch, total)
