# SPDX-License-Identifier: MIT
"""scikit-learn: a forest of trees fitted anew in every epoch, on another sample of the rows."""
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from training import Training

t = Training("forest")
rows = t.lot.choice([1500, 3000, 6000])
x, y = t.rng.random((rows, 20)), t.rng.integers(0, 4, rows)
kind = t.lot.choice([RandomForestClassifier, ExtraTreesClassifier])
trees, depth = t.lot.choice([5, 10, 20]), t.lot.choice([6, 12, None])
for epoch in range(t.epochs):
    some = t.rng.integers(0, rows, rows)
    model = kind(trees, max_depth=depth, random_state=epoch).fit(x[some], y[some])
    t.epoch_ended(epoch, 1 - model.score(x[:500], y[:500]))
