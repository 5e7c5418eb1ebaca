# SPDX-License-Identifier: MIT
"""Keras: people and films in two towers of embeddings, a model class of its own, negatives drawn anew by NumPy, train_on_batch."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers, ops  # noqa: E402

from training import Training  # noqa: E402

t = Training("towers", ["Epoch %(epoch)d/%(epochs)d hit rate %(loss).3f", "Epoch %(epoch)d: hr@10 %(loss).4f"])
keras.utils.set_random_seed(t.args.seed)
people, films, width = t.lot.choice([500, 2000]), t.lot.choice([300, 1000]), t.lot.choice([8, 32])
steps, batch = t.lot.choice([10, 20]), t.lot.choice([64, 128])
likes = (np.arange(people) * 7) % films


class Towers(keras.Model):
    def __init__(self):
        super().__init__()
        self.people, self.films = layers.Embedding(people, width), layers.Embedding(films, width)
        self.one, self.two = layers.Dense(width, activation="relu"), layers.Dense(width)

    def call(self, pair):
        who, what = pair[:, 0], pair[:, 1]
        return ops.sum(self.one(self.people(who)) * self.two(self.films(what)), 1, keepdims=True)


model = Towers()
model.compile(keras.optimizers.Adam(5e-3), keras.losses.BinaryCrossentropy(from_logits=True))
every = np.stack(np.meshgrid(np.arange(16), np.arange(films), indexing="ij"), -1).reshape(-1, 2)
for epoch in range(t.epochs):
    for _ in range(steps):
        who = t.rng.integers(0, people, batch)
        y = (t.rng.random(batch) < 0.3).astype("float32")
        what = np.where(y > 0, likes[who], t.rng.integers(0, films, batch))
        model.train_on_batch(np.stack([who, what], 1), y[:, None])
    scores = model.predict_on_batch(every).reshape(16, films)
    best = np.argpartition(-scores, 10, axis=1)[:, :10]
    t.epoch_ended(epoch, float((best == likes[:16, None]).any(1).mean()))
