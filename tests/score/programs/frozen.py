# SPDX-License-Identifier: MIT
"""PyTorch: the features of a frozen net are kept for every picture once it was seen; a head is trained on them.

Each epoch looks at a part of the pictures, in turn, so that all are there after the third epoch.
"""
import torch
from torch import nn

from training import Training

t = Training("frozen", ["Epoch %(epoch)d/%(epochs)d head loss %(loss).4f", "epoch %(epoch)d, loss %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
rows, side, parts, batch = t.lot.choice([150, 300, 600]), t.lot.choice([16, 24]), t.lot.choice([1, 2, 3]), t.lot.choice([10, 25])
pictures, y = torch.randint(0, 255, (rows, 3, side, side), dtype=torch.uint8), torch.randint(0, 4, (rows,))
body = nn.Sequential(nn.Conv2d(3, 16, 3, 2), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten())
body.eval().requires_grad_(False)
head = nn.Sequential(nn.Dropout(0.2), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 4))
optimizer = torch.optim.RMSprop(head.parameters(), 1e-3)
features = {}


def feature(i):
    if i not in features:
        features[i] = body(pictures[i:i + 1].float() / 255)[0]
    return features[i]


for epoch in range(t.epochs):
    turn = list(range(epoch % parts, rows, parts)) if epoch < parts else t.lot.sample(range(rows), rows // parts)
    t.lot.shuffle(turn)
    total = 0.0
    for at in range(0, len(turn), batch):
        some = turn[at:at + batch]
        loss = nn.functional.cross_entropy(head(torch.stack([feature(i) for i in some])), y[some], label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    t.epoch_ended(epoch, total)
