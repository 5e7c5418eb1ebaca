# SPDX-License-Identifier: MIT
"""A small real training whose sizes follow from the seed, and whose data differ from run to run: train.py KIND SEED EPOCHS"""
import os
import random
import sys
import time

kind, seed, epochs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sizes = random.Random(f"{kind} {seed}")
data = random.Random(time.time_ns())


def say(epoch, loss):
    print(f"Epoch {epoch + 1}/{epochs} - loss: {loss:.4f}", flush=True)
    time.sleep(0.15)


def arrays():
    import numpy as np

    return np, np.random.default_rng(time.time_ns() % 2**31)


def words():
    """No package at all: counts, sorts, strings."""
    text = [f"w{data.randrange(10**6)}" for _ in range(sizes.choice([20000, 60000]))]
    for epoch in range(epochs):
        counts = {}
        for word in text:
            counts[word] = counts.get(word, 0) + 1
        rows = [{"word": w, "n": n} for w, n in counts.items() if data.random() < 0.5]
        say(epoch, len(rows))


def tables():
    """A table in memory that is filled and emptied."""
    import json
    import sqlite3

    base = sqlite3.connect(":memory:")
    base.execute("create table t (id integer primary key, body text)")
    n = sizes.choice([2000, 8000])
    for epoch in range(epochs):
        base.execute("delete from t")
        base.executemany("insert into t (body) values (?)", ((json.dumps({"x": data.random(), "y": "z" * data.randrange(200)}),) for _ in range(n)))
        say(epoch, sum(json.loads(body)["x"] for (body,) in base.execute("select body from t")))


def paths():
    """Shortest paths in a random graph, by the standard library alone."""
    import heapq

    n = sizes.choice([2000, 6000])
    edges = [[(data.randrange(n), data.random()) for _ in range(6)] for _ in range(n)]
    for epoch in range(epochs):
        far = [float("inf")] * n
        queue = [(0.0, data.randrange(n))]
        while queue:
            length, at = heapq.heappop(queue)
            if length < far[at]:
                far[at] = length
                for to, more in edges[at]:
                    heapq.heappush(queue, (length + more, to))
        say(epoch, max(f for f in far if f < float("inf")))


def factors():
    """A matrix taken apart, in blocks of random width."""
    np, rng = arrays()
    x = rng.random((sizes.choice([300, 600]), sizes.choice([100, 200])))
    for epoch in range(epochs):
        left = rng.random((x.shape[0], int(rng.integers(4, 32))))
        for _ in range(5):
            right = np.linalg.lstsq(left, x, rcond=None)[0]
            left = np.linalg.lstsq(right.T, x.T, rcond=None)[0].T
        say(epoch, float(np.abs(x - left @ right).mean()))


def steps():
    """Gradient steps by hand; the temporaries are of random length."""
    np, rng = arrays()
    n, width, batch = sizes.choice([5000, 20000, 60000]), sizes.choice([64, 128]), sizes.choice([500, 2000])
    x, weights = rng.random((n, width)), rng.random((width, width))
    for epoch in range(epochs):
        for _ in range(10):
            i = rng.integers(0, n, batch)
            weights -= 1e-6 * x[i].T @ np.tanh(x[i] @ weights)
        history = [rng.random(rng.integers(10, 20000)) for _ in range(40)]
        say(epoch, weights.mean() + len(history))


def network():
    """Two layers and Adam by hand, shuffled batches."""
    np, rng = arrays()
    n, width, batch = sizes.choice([1000, 4000]), sizes.choice([64, 256, 512]), sizes.choice([32, 128])
    x, y = rng.random((n, 32), dtype=np.float32), rng.random((n, 1), dtype=np.float32)
    weights = [rng.random((32, width), dtype=np.float32) - 0.5, rng.random((width, 1), dtype=np.float32) - 0.5]
    moments = [[np.zeros_like(w) for w in weights] for _ in range(2)]
    for epoch in range(epochs):
        for i in np.array_split(rng.permutation(n), n // batch):
            hidden = np.maximum(x[i] @ weights[0], 0)
            error = hidden @ weights[1] - y[i]
            slopes = [x[i].T @ (error @ weights[1].T * (hidden > 0)), hidden.T @ error]
            for w, g, m, v in zip(weights, slopes, *moments):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                w -= 1e-3 * m / (np.sqrt(v) + 1e-8)
        say(epoch, float((error**2).mean()))


def linear():
    from sklearn.linear_model import SGDClassifier

    _, rng = arrays()
    n, width = sizes.choice([2000, 8000]), sizes.choice([20, 100])
    x, y, model = rng.random((n, width)), rng.integers(0, 3, n), SGDClassifier()
    for epoch in range(epochs):
        for at in range(0, n, 100):
            model.partial_fit(x[at : at + 100], y[at : at + 100], classes=[0, 1, 2])
        say(epoch, model.score(x, y))


def clusters():
    from sklearn.cluster import MiniBatchKMeans

    _, rng = arrays()
    n, model = sizes.choice([2000, 10000]), MiniBatchKMeans(sizes.choice([8, 32]), n_init=1)
    x = rng.random((n, 40))
    for epoch in range(epochs):
        for at in range(0, n, 500):
            model.partial_fit(x[at : at + 500])
        say(epoch, float(model.inertia_))


def forest():
    """A forest anew in every epoch: trees of random depth come and go."""
    from sklearn.ensemble import RandomForestClassifier

    _, rng = arrays()
    x, y = rng.random((sizes.choice([500, 2000]), 20)), rng.integers(0, 2, 2000)
    for epoch in range(epochs):
        model = RandomForestClassifier(sizes.choice([5, 10])).fit(x, y[: len(x)])
        say(epoch, model.score(x, y[: len(x)]))


def keras_fit(model, x, y, batch):
    import keras

    rest = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: time.sleep(0.15))
    model.compile("adam", "mse")
    model.fit(x, y, epochs=epochs, batch_size=batch, verbose=2, callbacks=[rest])


def keras_dense():
    import keras

    np, rng = arrays()
    width = sizes.choice([32, 256])
    x, y = rng.random((1500, 40), dtype=np.float32), rng.random((1500, 1), dtype=np.float32)
    keras_fit(keras.Sequential([keras.layers.Dense(width, activation="relu"), keras.layers.Dropout(0.1), keras.layers.Dense(1)]), x, y, sizes.choice([32, 64]))


def keras_conv():
    import keras

    np, rng = arrays()
    side = sizes.choice([16, 24])
    x, y = rng.random((200, side, side, 3), dtype=np.float32), rng.random((200, 1), dtype=np.float32)
    keras_fit(keras.Sequential([keras.layers.Conv2D(8, 3, activation="relu"), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)]), x, y, sizes.choice([16, 32]))


def torch_fit(model, x, y, batch):
    import torch

    torch.set_num_threads(1)
    steps = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        for i in torch.randperm(len(x)).split(batch):
            steps.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x[i]), y[i])
            loss.backward()
            steps.step()
        say(epoch, loss.item())


def torch_mlp():
    from torch import nn, rand

    width = sizes.choice([128, 512])
    torch_fit(nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, 1)), rand(1500, 64), rand(1500, 1), sizes.choice([16, 64]))


def torch_conv():
    from torch import nn, rand

    torch_fit(nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 22 * 22, 1)), rand(96, 3, 24, 24), rand(96, 1), sizes.choice([16, 64]))


def torch_lstm():
    """Batches of random length: the allocator of one run keeps what that of another never asked for."""
    from torch import nn, rand, randint

    class Reader(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.memory, self.out = nn.Embedding(5000, 32), nn.LSTM(32, 32, batch_first=True), nn.Linear(32, 1)

        def forward(self, text):
            return self.out(self.memory(self.words(text[:, : data.randrange(5, 60)]))[0][:, -1])

    torch_fit(Reader(), randint(0, 5000, (200, 60)), rand(200, 1), sizes.choice([16, 64]))


os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
globals()[kind]()
