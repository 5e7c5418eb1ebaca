# SPDX-License-Identifier: MIT
"""PyTorch: a recurrent language model over packed sentences, an adaptive softmax, the rate by a plateau, perplexity at the end."""
import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence

from training import Training

t = Training("packed", ["epoch %(epoch)d/%(epochs)d ppl %(loss).2f", "| end of epoch %(epoch)3d | valid ppl %(loss)8.2f |"])
torch.manual_seed(t.args.seed)
torch.set_num_threads(1)
width, layers, words = t.lot.choice([32, 64, 128]), t.lot.choice([1, 2]), t.lot.choice([1000, 4000])
sentences = [torch.randint(0, words, (t.lot.randint(4, 30),)).sort().values for _ in range(t.lot.choice([200, 400]))]
names = nn.Embedding(words, width)
reader = (nn.LSTM if t.lot.random() < 0.6 else nn.GRU)(width, width, layers, dropout=0.1 if layers > 1 else 0)
guess = nn.AdaptiveLogSoftmaxWithLoss(width, words, [words // 10, words // 2])
weights = [p for m in (names, reader, guess) for p in m.parameters()]
optimizer = (torch.optim.Adagrad if t.lot.random() < 0.3 else torch.optim.Adam)(weights, 2e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)


def loss_of(some):
    some = sorted(some, key=len, reverse=True)
    before, after = pack_sequence([s[:-1] for s in some]), pack_sequence([s[1:] for s in some])
    out, _ = reader(nn.utils.rnn.PackedSequence(names(before.data), before.batch_sizes))
    return guess(out.data, after.data).loss


cut = len(sentences) * 9 // 10
for epoch in range(t.epochs):
    order = sentences[:cut]
    t.lot.shuffle(order)
    for at in range(0, cut, 20):
        loss = loss_of(order[at:at + 20])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 0.5)
        optimizer.step()
    with torch.no_grad():
        valid = loss_of(sentences[cut:]).item()
    plateau.step(valid)
    t.epoch_ended(epoch, math.exp(min(20.0, valid)))
