# SPDX-License-Identifier: MIT
"""PyTorch: a generator against a discriminator, two optimisers, samples saved to a file in every epoch."""
import os
import tempfile

import torch
from torch import nn

from training import Training

t = Training("adversarial")
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
side, channels, batch = t.lot.choice([8, 16]), t.lot.choice([8, 16]), t.lot.choice([16, 32])
maker = nn.Sequential(nn.Linear(16, channels * side * side // 4), nn.Unflatten(1, (channels, side // 2, side // 2)),
                      nn.ConvTranspose2d(channels, channels, 4, 2, 1), nn.BatchNorm2d(channels), nn.ReLU(),
                      nn.Conv2d(channels, 1, 3, padding=1), nn.Tanh())
judge = nn.Sequential(nn.Conv2d(1, channels, 3, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(), nn.LazyLinear(1))
judge(torch.zeros(1, 1, side, side))
both = [torch.optim.Adam(m.parameters(), 2e-4, (0.5, 0.99)) for m in (maker, judge)]
loss = nn.BCEWithLogitsLoss()
path = os.path.join(tempfile.mkdtemp(), "samples.pt")
for epoch in range(t.epochs):
    for _ in range(15):
        real, fake = torch.rand(batch, 1, side, side), maker(torch.randn(batch, 16))
        both[1].zero_grad()
        wrong = loss(judge(real), torch.ones(batch, 1)) + loss(judge(fake.detach()), torch.zeros(batch, 1))
        wrong.backward()
        both[1].step()
        both[0].zero_grad()
        fooled = loss(judge(fake), torch.ones(batch, 1))
        fooled.backward()
        both[0].step()
    if t.lot.random() < 0.7:
        with torch.no_grad():
            torch.save(maker(torch.randn(64, 16)), path)
    t.epoch_ended(epoch, wrong.item() + fooled.item())
