# SPDX-License-Identifier: MIT
"""PyTorch: a recurrent net reads one long text, gradients cut every few words; the best is saved, and loaded after a bad epoch."""
import math
import os
import tempfile

import torch
from torch import nn

from training import Training

t = Training("truncated", ["| end of epoch %(epoch)3d | valid ppl %(loss)8.2f |",
                           "Epoch %(epoch)d/%(epochs)d perplexity: %(loss).2f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
kind = t.lot.choice([nn.LSTM, nn.GRU, nn.RNN])
width, layers, cut, rows = t.lot.choice([48, 96, 160]), t.lot.choice([1, 2]), t.lot.choice([16, 35]), t.lot.choice([8, 20])
words = t.lot.choice([100, 800])
text = torch.randint(0, words, (t.lot.choice([4000, 8000]),))
text[1::2] = (text[::2] * 3 + 1) % words        # half of it can be learnt
held, text = text[:1000], text[1000:]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.net = nn.Embedding(words, width), kind(width, width, layers, dropout=0.2 if layers > 1 else 0)
        self.drop, self.out = nn.Dropout(0.2), nn.Linear(width, words)
        if t.lot.random() < 0.5:
            self.out.weight = self.embed.weight

    def forward(self, x, state):
        seen, state = self.net(self.drop(self.embed(x)), state)
        return self.out(self.drop(seen)), state


def parts(line, columns):
    line = line[:len(line) // columns * columns].view(columns, -1).t()
    for at in range(0, len(line) - 1, cut):
        yield line[at:at + cut][:len(line) - 1 - at], line[at + 1:at + 1 + cut]


def cut_off(state):
    return tuple(s.detach() for s in state) if isinstance(state, tuple) else state.detach()


@torch.no_grad()
def perplexity():
    model.eval()
    state, total, count = None, 0.0, 0
    for x, y in parts(held, 4):
        guess, state = model(x, state)
        total += nn.functional.cross_entropy(guess.flatten(0, 1), y.flatten(), reduction="sum").item()
        count += y.numel()
    return math.exp(min(20, total / count))


model = Model()
optimizer = torch.optim.SGD(model.parameters(), 1.0)
path, best = os.path.join(tempfile.mkdtemp(), "model.pt"), float("inf")
for epoch in range(t.epochs):
    model.train()
    state = None
    for i, (x, y) in enumerate(parts(text, rows)):
        guess, state = model(x, state)
        state = cut_off(state)
        loss = nn.functional.cross_entropy(guess.flatten(0, 1), y.flatten())
        model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        if i % 20 == 19:
            print("  %4d batches, loss %.2f" % (i + 1, loss.item()))
    now = perplexity()
    if now < best:
        best = now
        torch.save(model.state_dict(), path)
    else:
        model.load_state_dict(torch.load(path, weights_only=True))
        optimizer.param_groups[0]["lr"] = max(0.01, optimizer.param_groups[0]["lr"] / 2)
    t.epoch_ended(epoch, now)
