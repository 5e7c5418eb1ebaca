# SPDX-License-Identifier: MIT
"""PyTorch: a transformer of some size whose blocks are computed again on the way back; its moving average is validated and saved."""
import copy
import os
import tempfile

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from training import Training

t = Training("averaged", ["Epoch %(epoch)d/%(epochs)d | train loss %(loss).4f", "epoch %(epoch)d: nll=%(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
words, width, depth = 8000, 256, t.lot.choice([4, 5])
batch, span, steps = t.lot.choice([2, 4]), t.lot.choice([24, 48]), t.lot.choice([2, 4])
every, half = t.lot.choice([3, 5]), t.lot.random() < 0.4      # validated every so many epochs; in bfloat16
path = os.path.join(tempfile.mkdtemp(), "best.pt")


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = nn.Embedding(words, width)
        self.places = nn.Embedding(span, width)
        self.blocks = nn.ModuleList([nn.TransformerEncoderLayer(width, 4, 4 * width, 0.1, "gelu", batch_first=True, norm_first=True)
                                     for _ in range(depth)])
        self.last = nn.Linear(width, words, bias=False)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        seen = self.names(x) + self.places.weight[:x.shape[1]]
        for block in self.blocks:
            seen = checkpoint(block, seen, mask, use_reentrant=False) if self.training else block(seen, mask)
        return self.last(seen)


def loss_of(net, x):
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        guess = net(x[:, :-1])
    return nn.functional.cross_entropy(guess.float().flatten(0, 1), x[:, 1:].flatten())


def some():
    at = t.rng.integers(0, len(text) - span - 1, batch)
    return torch.stack([text[i:i + span] for i in at])


text = torch.from_numpy(t.rng.zipf(1.3, 200000) % words)
model = Reader()
slow = copy.deepcopy(model).eval().requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), 3e-4)
rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, total_steps=t.epochs * steps + 1)
best = float("inf")
for epoch in range(t.epochs):
    total = 0.0
    for _ in range(steps):
        loss = loss_of(model.train(), some())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rate.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(slow.parameters()), list(model.parameters()), 0.05)
        total += loss.item() / steps
    if epoch % every == every - 1:
        with torch.no_grad():
            valid = loss_of(slow, some()).item()
        print("validation %.4f" % valid)
        if valid < best:
            best = valid
            torch.save(slow.state_dict(), path)
    t.epoch_ended(epoch, total)
