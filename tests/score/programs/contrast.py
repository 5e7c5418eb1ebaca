# SPDX-License-Identifier: MIT
"""PyTorch: pictures told apart without labels, against a queue of earlier ones, which is there from the start or fills.

The queue is full by the ninth epoch.
"""
import copy
from collections import deque

import torch
from torch import nn

from training import Training

t = Training("contrast", ["Train Epoch: [%(epoch)d/%(epochs)d] Loss: %(loss).4f", "epoch %(epoch)d: InfoNCE %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
channels, code, batch, steps = t.lot.choice([8, 16]), t.lot.choice([32, 128]), t.lot.choice([16, 32]), 12
places = t.lot.choice([10, 40, 96])     # batches of the queue
ready, tests = t.lot.random() < 0.5, t.lot.random() < 0.5
pictures, labels = torch.rand(400, 3, 20, 20), torch.randint(0, 4, (400,))


def near(x):
    """Another view of each: cut out, turned over, brighter or darker, some noise"""
    left, top = torch.randint(0, 5, (2,)).tolist()
    x = x[:, :, top:top + 16, left:left + 16]
    x = x.flip(3) if torch.rand(()) < 0.5 else x
    return (x * (0.6 + 0.8 * torch.rand(len(x), 1, 1, 1)) + 0.05 * torch.randn_like(x)).clamp(0, 1)


net = nn.Sequential(nn.Conv2d(3, channels, 3, 2, 1), nn.BatchNorm2d(channels), nn.ReLU(),
                    nn.Conv2d(channels, 2 * channels, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
                    nn.Linear(8 * channels, 64), nn.ReLU(), nn.Linear(64, code))
slow = copy.deepcopy(net).requires_grad_(False)
optimizer = torch.optim.SGD(net.parameters(), 0.03, momentum=0.9, weight_decay=1e-4)
queue = deque(maxlen=places)
if ready:
    queue.extend(nn.functional.normalize(torch.randn(batch, code), dim=1) for _ in range(places))


def learn(x):
    mine = nn.functional.normalize(net(near(x)), dim=1)
    with torch.no_grad():
        for a, b in zip(slow.parameters(), net.parameters()):
            a.lerp_(b, 0.01)
        other = nn.functional.normalize(slow(near(x)), dim=1)
    scores = [(mine * other).sum(1, keepdim=True), *(mine @ earlier.T for earlier in queue)]
    loss = nn.functional.cross_entropy(torch.cat(scores, 1) / 0.2, torch.zeros(len(x), dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    queue.append(other)
    return loss.item()


@torch.no_grad()
def by_neighbours():
    net.eval()
    codes = torch.cat([nn.functional.normalize(net(part[:, :, 2:18, 2:18]), dim=1) for part in pictures.split(64)])
    found = (codes[:100] @ codes[100:].T).topk(5).indices
    net.train()
    return (labels[100:][found].mode(1).values == labels[:100]).float().mean().item()


for epoch in range(t.epochs):
    order = torch.randperm(len(pictures))
    total = sum(learn(pictures[order[i * batch:(i + 1) * batch]]) for i in range(steps))
    if tests:
        print("  kNN accuracy %.3f" % by_neighbours())
    t.epoch_ended(epoch, total / steps)
