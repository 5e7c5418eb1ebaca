# SPDX-License-Identifier: MIT
"""PyTorch: a table of numbers and categories, a net of its own for every fold, stopped early; figures go to a file of JSON."""
import copy
import json
import os
import tempfile

import numpy as np
import torch
from torch import nn

from training import Training

t = Training("folds", ["Epoch %(epoch)d/%(epochs)d auc=%(loss).4f", "epoch %(epoch)d - val_auc: %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
rows, kinds, width = t.lot.choice([1000, 4000]), [t.lot.choice([5, 50, 1000]) for _ in range(4)], t.lot.choice([64, 256, 512])
count, batch, patience = t.lot.choice([3, 5, 10]), t.lot.choice([64, 128]), t.lot.choice([2, 4, 100])
numbers = torch.rand(rows, 12)
groups = torch.stack([torch.randint(0, n, (rows,)) for n in kinds], 1)
truth = (numbers[:, 0] + 0.3 * (groups[:, 0] % 3) + 0.5 * torch.randn(rows) > 0.8).float()
order = torch.randperm(rows)
guesses = np.zeros(rows)
path = os.path.join(tempfile.mkdtemp(), "figures.json")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeds = nn.ModuleList(nn.Embedding(n, 8) for n in kinds)
        self.rest = nn.Sequential(nn.Linear(12 + 8 * len(kinds), width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.2),
                                  nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, a, b):
        return self.rest(torch.cat([a, *(embed(b[:, i]) for i, embed in enumerate(self.embeds))], 1))[:, 0]


def area(scores, wishes):
    rank = np.empty(len(scores))
    rank[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    ones = wishes > 0.5
    return (rank[ones].sum() - ones.sum() * (ones.sum() + 1) / 2) / max(1, ones.sum() * (~ones).sum())


class Fold:
    def __init__(self, number):
        self.number, self.net, self.bad, self.best, self.best_score = number, Net(), 0, None, 0.0
        self.test = order[number::count]
        self.train = order[torch.arange(rows) % count != number]
        self.optimizer = torch.optim.Adam(self.net.parameters(), 2e-3)
        self.schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, "max", patience=1)

    def epoch(self):
        self.net.train()
        for some in self.train[torch.randperm(len(self.train))].split(batch):
            loss = nn.functional.binary_cross_entropy_with_logits(self.net(numbers[some], groups[some]), truth[some])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        self.net.eval()
        with torch.no_grad():
            guess = self.net(numbers[self.test], groups[self.test]).sigmoid().numpy()
        score = area(guess, truth[self.test].numpy())
        self.schedule.step(score)
        self.bad += 1
        if score > self.best_score:
            self.best, self.best_score, self.bad = copy.deepcopy(self.net.state_dict()), score, 0
            guesses[self.test] = guess
        return score


fold, scores = Fold(0), {}
for epoch in range(t.epochs):
    if fold.bad > patience or epoch - fold.number * t.epochs // count >= t.epochs // count and fold.number < count - 1:
        print("fold %d done, best %.4f" % (fold.number + 1, fold.best_score))
        fold = Fold((fold.number + 1) % count)
    score = fold.epoch()
    scores["fold %d" % fold.number] = round(float(fold.best_score), 5)
    with open(path, "w") as f:
        json.dump({"folds": scores, "all": float(area(guesses, truth.numpy()))}, f, indent=1)
    t.epoch_ended(epoch, score)
