# SPDX-License-Identifier: MIT
"""PyTorch: a large frozen model gets small adapters, which alone are trained, saved, and now and then merged to measure the whole."""
import io
import os
import tempfile

import torch
from torch import nn
from torch.nn.utils import parametrize

from training import Training

t = Training("adapters", ["Epoch %(epoch)d/%(epochs)d adapter loss %(loss).4f", "epoch %(epoch)d: loss %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, depth, words, rank = 768, t.lot.choice([4, 5]), 32000, t.lot.choice([4, 16])
batch, span, steps = t.lot.choice([1, 2]), t.lot.choice([16, 32]), t.lot.choice([1, 2])
every, merged, in_memory = t.lot.choice([4, 6]), t.lot.random() < 0.5, t.lot.random() < 0.4


class Low(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.randn(rank, columns) * 0.02), nn.Parameter(torch.zeros(rows, rank))

    def forward(self, weight):
        return weight + self.b @ self.a


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.all, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = (part.unflatten(2, (12, 64)).transpose(1, 2) for part in self.all(self.norm_1(x)).chunk(3, 2))
        x = x + self.out(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return x + self.narrow(nn.functional.gelu(self.wide(self.norm_2(x))))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.names, self.blocks = nn.Embedding(words, width), nn.Sequential(*[Block() for _ in range(depth)])

    def forward(self, x):
        return self.blocks(self.names(x)) @ self.names.weight[:2000].T


with torch.device("meta"):
    model = Model()
model.to_empty(device="cpu")
for weight in model.parameters():
    nn.init.normal_(weight, 0.0, 0.02) if weight.dim() > 1 else nn.init.ones_(weight)
model.requires_grad_(False)
for block in model.blocks:
    for layer in (block.all, block.narrow):
        parametrize.register_parametrization(layer, "weight", Low(*layer.weight.shape))
learns = {name: p for name, p in model.named_parameters() if p.requires_grad}
optimizer = torch.optim.AdamW(learns.values(), 1e-3)
path, best, held = os.path.join(tempfile.mkdtemp(), "adapter.pt"), float("inf"), b""
text = torch.from_numpy(t.rng.zipf(1.4, 50000) % 2000)


def loss_of(n):
    at = t.rng.integers(0, len(text) - span - 1, n)
    x = torch.stack([text[i:i + span + 1] for i in at])
    return nn.functional.cross_entropy(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())


for epoch in range(t.epochs):
    total = 0.0
    for _ in range(steps):
        loss = loss_of(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item() / steps
    if epoch % every == every - 1:
        with torch.no_grad():
            if merged:
                with parametrize.cached():
                    valid = loss_of(4).item()
            else:
                valid = loss_of(4).item()
        if valid < best:
            best, room = valid, io.BytesIO()
            torch.save(learns, room if in_memory else path)
            held = room.getvalue()
        print("perplexity of what was held out: %.1f" % min(1e6, 2.718 ** valid))
    t.epoch_ended(epoch, total)
