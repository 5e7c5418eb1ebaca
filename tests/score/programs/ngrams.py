# SPDX-License-Identifier: MIT
"""Plain Python: counts of word pairs in dictionaries that are built and dropped in every epoch, and a bounded cache."""
from collections import Counter, OrderedDict, defaultdict

from training import Training

t = Training("ngrams")
words = ["w%d" % i for i in range(t.lot.choice([500, 2000, 5000]))]
text = t.lot.choices(words, k=t.lot.choice([60000, 200000]))
bound = t.lot.choice([1000, 5000])
cache = OrderedDict()
for epoch in range(t.epochs):
    pairs, after = Counter(), defaultdict(list)
    begin = t.lot.randrange(len(text) // 4)
    for a, b in zip(text[begin:], text[begin + 1:]):
        pairs[a, b] += 1
        after[a].append(b)
    for pair, n in pairs.most_common(2000):
        cache[pair] = n
        if len(cache) > bound:
            cache.popitem(last=False)
    t.epoch_ended(epoch, sum(n * n for n in pairs.values()) / len(text))
