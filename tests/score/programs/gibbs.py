# SPDX-License-Identifier: MIT
"""Plain Python: subjects of texts by Gibbs sampling over lists of whole numbers and counts; the best counts are copied, words ranked."""
import bisect
import copy
import heapq
import itertools
import math

from training import Training

t = Training("gibbs", ["Epoch %(epoch)d/%(epochs)d log likelihood %(loss).3f", "epoch %(epoch)d: %(loss).4f per word"])
subjects, words, texts = t.lot.choice([6, 10]), t.lot.choice([2000, 4000]), t.lot.choice([150, 250])
document = [[int(words * t.lot.random() ** 2) for _ in range(t.lot.randint(20, 120))] for _ in range(texts)]
given = [[t.lot.randrange(subjects) for _ in line] for line in document]
by_text = [[line.count(k) for k in range(subjects)] for line in given]
by_word = {(w, k): 0 for w in range(words) for k in range(subjects)}
total = [0] * subjects
for line, at in zip(document, given):
    for w, k in zip(line, at):
        by_word[w, k] += 1
        total[k] += 1
best, best_likelihood = None, -math.inf
for epoch in range(t.epochs):
    likelihood, n = 0.0, 0
    for i in t.lot.sample(range(texts), texts // 2):
        for j, w in enumerate(document[i]):
            k = given[i][j]
            by_word[w, k] -= 1
            by_text[i][k] -= 1
            total[k] -= 1
            chances = list(itertools.accumulate((by_text[i][k] + 0.1) * (by_word[w, k] + 0.01) / (total[k] + 0.01 * words)
                                                for k in range(subjects)))
            k = bisect.bisect(chances, t.lot.random() * chances[-1])
            k = min(k, subjects - 1)
            given[i][j] = k
            by_word[w, k] += 1
            by_text[i][k] += 1
            total[k] += 1
            likelihood += math.log(chances[-1] / (len(document[i]) + 0.1 * subjects))
            n += 1
    if likelihood / n > best_likelihood:
        best_likelihood, best = likelihood / n, (copy.copy(by_word), [copy.copy(row) for row in by_text])
    if epoch % 4 == 0:
        for k in range(min(3, subjects)):
            print(k, " ".join("w%d" % w for w in heapq.nlargest(6, range(words), key=lambda w: by_word[w, k])))
    t.epoch_ended(epoch, likelihood / n)
