# SPDX-License-Identifier: MIT
"""scikit-learn: subjects of texts are learnt on line, by allocation or by non-negative factors, and a classifier on hashed words."""
import numpy as np
from sklearn.decomposition import LatentDirichletAllocation, MiniBatchNMF
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.linear_model import PassiveAggressiveClassifier, SGDClassifier
from sklearn.metrics import log_loss

from training import Training

t = Training("topics", ["Epoch %(epoch)d/%(epochs)d perplexity %(loss).2f", "epoch: %(epoch)d, held-out %(loss).3f"])
words, batch, batches = t.lot.choice([2000, 4000]), t.lot.choice([50, 100]), t.lot.choice([2, 3])
subjects = t.lot.choice([8, 15])
vocabulary = ["term%d" % i for i in range(words)]
counts = CountVectorizer(vocabulary=vocabulary)
if t.lot.random() < 0.5:
    finder = LatentDirichletAllocation(subjects, learning_method="online", total_samples=batch * batches, random_state=t.args.seed)
else:
    finder = MiniBatchNMF(subjects, batch_size=batch, random_state=t.args.seed)
hashed = HashingVectorizer(n_features=2 ** 16, ngram_range=(1, t.lot.choice([1, 2])), alternate_sign=False)
reader = SGDClassifier(loss="log_loss", average=t.lot.random() < 0.5) if t.lot.random() < 0.6 else PassiveAggressiveClassifier()


def texts(n):
    y = t.rng.integers(0, 3, n)
    at = [(t.rng.zipf(1.5, t.lot.randint(30, 200)) * (label + 1)) % words for label in y]
    return [" ".join(vocabulary[i] for i in line) for line in at], y


held_out, held_y = texts(80)
for epoch in range(t.epochs):
    for _ in range(batches):
        lines, y = texts(batch)
        finder.partial_fit(counts.transform(lines))
        reader.partial_fit(hashed.transform(lines), y, classes=[0, 1, 2])
    if isinstance(finder, LatentDirichletAllocation) and epoch % 3 == 0:
        print("bound", finder.perplexity(counts.transform(held_out)))
    if hasattr(reader, "predict_proba"):
        loss = log_loss(held_y, reader.predict_proba(hashed.transform(held_out)), labels=[0, 1, 2])
    else:
        loss = float(np.mean(reader.predict(hashed.transform(held_out)) != held_y))
    t.epoch_ended(epoch, loss)
