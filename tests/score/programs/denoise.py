# SPDX-License-Identifier: MIT
"""PyTorch: diffusion; a small U-Net learns the noise of pictures, a slow copy of it draws some from noise every few epochs."""
import copy
import os
import tempfile

import torch
from torch import nn

from training import Training

t = Training("denoise", ["Epoch [%(epoch)d/%(epochs)d], Loss: %(loss).4f", "epoch %(epoch)d/%(epochs)d | mse %(loss).5f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
side, base, batch = t.lot.choice([8, 16]), t.lot.choice([8, 16]), t.lot.choice([8, 16])
rows, every, draws = t.lot.choice([64, 128]), t.lot.choice([1, 3, 5]), t.lot.choice([4, 16])
times = 100
left = torch.cumprod(1 - torch.linspace(1e-3, 0.05, times), 0)      # of the picture after so many steps


class Block(nn.Module):
    def __init__(self, inward, outward):
        super().__init__()
        self.first, self.second = nn.Conv2d(inward, outward, 3, padding=1), nn.Conv2d(outward, outward, 3, padding=1)
        self.norm, self.time = nn.GroupNorm(4, outward), nn.Linear(32, outward)

    def forward(self, x, when):
        x = nn.functional.silu(self.norm(self.first(x))) + self.time(when)[:, :, None, None]
        return nn.functional.silu(self.second(x))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.when = nn.Sequential(nn.Embedding(times, 32), nn.Linear(32, 32), nn.SiLU())
        self.fine, self.coarse, self.middle = Block(1, base), Block(base, 2 * base), Block(2 * base, 2 * base)
        self.look, self.up = nn.MultiheadAttention(2 * base, 2, batch_first=True), nn.ConvTranspose2d(2 * base, base, 2, 2)
        self.joined, self.out = Block(2 * base, base), nn.Conv2d(base, 1, 1)

    def forward(self, x, step):
        when = self.when(step)
        fine = self.fine(x, when)
        low = self.coarse(nn.functional.avg_pool2d(fine, 2), when)
        flat = low.flatten(2).transpose(1, 2)
        low = low + self.look(flat, flat, flat, need_weights=False)[0].transpose(1, 2).unflatten(2, low.shape[2:])
        low = self.middle(low, when)
        return self.out(self.joined(torch.cat([fine, self.up(low)], 1), when))


def learn(x):
    step, noise = torch.randint(0, times, (len(x),)), torch.randn_like(x)
    part = left[step][:, None, None, None]
    loss = nn.functional.mse_loss(net(part.sqrt() * x + (1 - part).sqrt() * noise, step), noise)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        for a, b in zip(slow.parameters(), net.parameters()):
            a.lerp_(b, 0.01)
    return loss.item()


@torch.no_grad()
def draw():
    x = torch.randn(draws, 1, side, side)
    for step in range(times - 1, 0, -10):
        noise = slow(x, torch.full((draws,), step))
        clean = ((x - (1 - left[step]).sqrt() * noise) / left[step].sqrt()).clamp(-1, 1)
        x = left[max(0, step - 10)].sqrt() * clean + (1 - left[max(0, step - 10)]).sqrt() * noise
    return x.add(1).mul(127).byte().numpy().tobytes()


pictures = nn.functional.interpolate(torch.rand(rows, 1, 3, 3), (side, side), mode="bicubic") * 2 - 1
net = UNet()
slow = copy.deepcopy(net).requires_grad_(False)
optimizer = torch.optim.AdamW(net.parameters(), 2e-4)
path = os.path.join(tempfile.mkdtemp(), "drawn.raw")
for epoch in range(t.epochs):
    total = sum(learn(pictures[some]) for some in torch.randperm(rows).split(batch))
    if epoch % every == every - 1:
        with open(path, "wb") as f:
            f.write(draw())
    t.epoch_ended(epoch, total * batch / rows)
