# SPDX-License-Identifier: MIT
"""Plain Python: words that stand near each other are counted by Counters, anew for every epoch, and vectors fitted to the counts."""
import math
from array import array
from collections import Counter

from training import Training

t = Training("cooccur")
words, width, reach = t.lot.choice([150, 400]), t.lot.choice([8, 16]), t.lot.choice([2, 4])
names = ["".join(t.lot.choices("abcdefgh", k=t.lot.randint(3, 9))) for _ in range(words)]
texts = [[min(words - 1, int(t.lot.expovariate(4 / words))) for _ in range(t.lot.randint(5, 25))] for _ in range(t.lot.choice([200, 500]))]
vectors = {name: array("d", (t.lot.uniform(-0.1, 0.1) for _ in range(width))) for name in names}
squares = {name: 1.0 for name in names}


def counted(some):
    pairs = Counter()
    for text in some:
        for i, word in enumerate(text):
            for j in range(max(0, i - reach), i):
                pairs[names[text[j]], names[word]] += 1 / (i - j)
    return pairs


for epoch in range(t.epochs):
    pairs, total = counted(t.lot.sample(texts, len(texts) * 2 // 3)), 0.0
    for (one, two), count in pairs.most_common(3000):
        a, b = vectors[one], vectors[two]
        gap = sum(p * q for p, q in zip(a, b)) - math.log(1 + count)
        weight = min(1.0, (count / 10) ** 0.75)
        total += weight * gap * gap
        for name, own, other in ((one, a, b), (two, b, a)):
            squares[name] += (weight * gap) ** 2
            rate = 0.05 * weight * gap / math.sqrt(squares[name])
            vectors[name] = array("d", (p - rate * q for p, q in zip(own, other)))
    t.epoch_ended(epoch, total / len(pairs))
