# SPDX-License-Identifier: MIT
"""NumPy: word vectors by skip-grams with negative samples; sentences are Python lists, cut anew in every epoch."""
import numpy as np

from training import Training

t = Training("skipgram")
vocabulary, width = t.lot.choice([2000, 10000, 20000]), t.lot.choice([50, 100])
text = (t.rng.zipf(1.3, t.lot.choice([10000, 30000])) % vocabulary).tolist()
inside = t.rng.standard_normal((vocabulary, width)).astype(np.float32) * 0.1
outside = np.zeros_like(inside)
window = t.lot.choice([2, 5])


def sentences():
    at = 0
    while at < len(text):
        length = t.lot.randint(50, 400)
        yield text[at:at + length]
        at += length


for epoch in range(t.epochs):
    loss = 0.0
    for sentence in sentences():
        pairs = [(a, b) for i, a in enumerate(sentence) for b in sentence[max(0, i - window):i + window] if t.lot.random() < 0.3]
        if not pairs:
            continue
        a, b = np.array(pairs).T
        wrong = t.rng.integers(0, vocabulary, len(a))
        for other, truth in ((b, 1.0), (wrong, 0.0)):
            p = 1 / (1 + np.exp(-np.clip((inside[a] * outside[other]).sum(1), -10, 10)))
            g = (p - truth)[:, None] * 0.025
            step = g * outside[other]
            np.subtract.at(outside, other, g * inside[a])
            np.subtract.at(inside, a, step)
            loss -= float(np.log(np.abs(1 - truth - p) + 1e-6).sum())
    t.epoch_ended(epoch, loss / len(text))
