# SPDX-License-Identifier: MIT
"""PyTorch: an encoder and a decoder over pairs of sentences, padded by a DataLoader's workers; some are translated each epoch."""
import math
import warnings
from collections import Counter

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from training import Training

warnings.simplefilter("ignore")
START, END, WORDS = 1, 2, 300
t = Training("translate", ["Epoch: %(epoch)d, Train loss: %(loss).3f", "Epoch %(epoch)02d | train %(loss).4f"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, layers, batch = t.lot.choice([32, 64, 96]), t.lot.choice([1, 2]), t.lot.choice([16, 32])
longest, workers, lasting = t.lot.choice([12, 30]), t.lot.choice([0, 1, 2]), t.lot.random() < 0.7


class Pairs(Dataset):
    def __init__(self, count):
        self.rows = [[t.lot.randrange(3, WORDS) for _ in range(t.lot.randint(3, longest))] for _ in range(count)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        return torch.tensor(row), torch.tensor([START, *((w * 7) % (WORDS - 3) + 3 for w in reversed(row)), END])


def padded(pairs):
    return tuple(nn.utils.rnn.pad_sequence(side, batch_first=True) for side in zip(*pairs))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, width, padding_idx=0), nn.Embedding(64, width)
        self.both = nn.Transformer(width, 4, layers, layers, 2 * width, batch_first=True)
        self.out = nn.Linear(width, WORDS)

    def seen(self, x):
        return self.words(x) * math.sqrt(width) + self.places(torch.arange(x.shape[1]))

    def forward(self, source, target):
        later = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        return self.out(self.both(self.seen(source), self.seen(target), tgt_mask=later, src_key_padding_mask=source == 0,
                                  memory_key_padding_mask=source == 0))


@torch.no_grad()
def translated(source):
    out = torch.full((len(source), 1), START)
    while out.shape[1] < longest + 3 and not (out == END).any(1).all():
        out = torch.cat([out, model(source, out)[:, -1:].argmax(-1)], 1)
    return out.tolist()


def overlap(guess, wish, n=2):
    mine, yours = (Counter(tuple(row[i:i + n]) for i in range(len(row) - n + 1)) for row in (guess, wish))
    return sum((mine & yours).values()) / max(1, sum(mine.values()))


pairs, held = Pairs(t.lot.choice([200, 400])), Pairs(32)
loader = DataLoader(pairs, batch, shuffle=True, collate_fn=padded, num_workers=workers,
                    persistent_workers=workers > 0 and lasting)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), 1.0, (0.9, 0.98))
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda i: width ** -0.5 * min((i + 1) ** -0.5, (i + 1) * 400 ** -1.5))
for epoch in range(t.epochs):
    model.train()
    for source, target in loader:
        loss = nn.functional.cross_entropy(model(source, target[:, :-1]).transpose(1, 2), target[:, 1:], ignore_index=0,
                                           label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    model.eval()
    source, wishes = padded([held[i] for i in range(len(held))])
    score = sum(map(overlap, translated(source), wishes.tolist())) / len(held)
    print("    loss %.3f, lr %.2e, pairs found again %.3f" % (loss.item(), schedule.get_last_lr()[0], score))
    t.epoch_ended(epoch, loss.item())
