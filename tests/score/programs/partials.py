# SPDX-License-Identifier: MIT
"""scikit-learn: scaling, components and clusters learnt bit by bit from batches, and a classifier on top of them, scored."""
import warnings

from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import IncrementalPCA, MiniBatchNMF
from sklearn.linear_model import PassiveAggressiveClassifier, Perceptron
from sklearn.metrics import f1_score
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import MinMaxScaler

from training import Training

warnings.simplefilter("ignore")
t = Training("partials", ["Epoch %(epoch)d/%(epochs)d f1 %(loss).3f", "epoch %(epoch)d: score=%(loss).4f"])
rows, columns, parts = t.lot.choice([800, 2000]), t.lot.choice([20, 60]), t.lot.choice([5, 12])
y = t.rng.integers(0, 3, rows)
x = t.rng.random((rows, columns)) + y[:, None] * t.rng.random(columns)
scale = MinMaxScaler(clip=True)
fewer = IncrementalPCA(parts) if t.lot.random() < 0.6 else MiniBatchNMF(parts, batch_size=100, max_iter=5)
clusters = MiniBatchKMeans(6, n_init=1, random_state=0)
judge = t.lot.choice([GaussianNB, Perceptron, PassiveAggressiveClassifier])()
for epoch in range(t.epochs):
    order = t.rng.permutation(rows)
    for at in range(0, rows, 100):
        some = order[at:at + 100]
        now = scale.partial_fit(x[some]).transform(x[some])
        fewer.partial_fit(now)
        seen = fewer.transform(now)
        clusters.partial_fit(seen)
        judge.partial_fit(clusters.transform(seen), y[some], classes=[0, 1, 2])
    guess = judge.predict(clusters.transform(fewer.transform(scale.transform(x))))
    t.epoch_ended(epoch, f1_score(y, guess, average="macro"))
