# SPDX-License-Identifier: MIT
"""A small real training whose sizes follow from the seed, and whose data differ from run to run: train.py KIND SEED EPOCHS"""
import random, sys, time
kind, seed, epochs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
R = random.Random(seed)
import numpy as np
rng = np.random.default_rng(int(time.time() * 1000) % 2**31)
def say(e, loss): print(f"Epoch {e + 1}/{epochs} - loss: {loss:.4f}", flush=True); time.sleep(.15)
if kind == "np":
    n, w = R.choice([20000, 60000]), R.choice([64, 128])
    x, W = rng.random((n, w)), rng.random((w, w))
    for e in range(epochs):
        for _ in range(10):
            i = rng.integers(0, n, R.choice([500, 2000])); W -= 1e-6 * x[i].T @ np.tanh(x[i] @ W)
        hist = [rng.random(rng.integers(10, 20000)) for _ in range(40)]
        say(e, W.mean())
elif kind == "py":
    words = [f"w{rng.integers(10**6)}" for _ in range(R.choice([20000, 60000]))]
    for e in range(epochs):
        counts = {}
        for w in words: counts[w] = counts.get(w, 0) + 1
        rows = [{"w": w, "n": n} for w, n in counts.items() if rng.random() < .5]
        say(e, len(rows))
elif kind == "keras":
    import os; os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import keras
    w = R.choice([32, 256])
    x, y = rng.random((1500, 40), dtype=np.float32), rng.random((1500, 1), dtype=np.float32)
    m = keras.Sequential([keras.layers.Dense(w, activation="relu"), keras.layers.Dropout(.1), keras.layers.Dense(1)])
    m.compile("adam", "mse"); m.fit(x, y, epochs=epochs, batch_size=R.choice([32, 64]), verbose=2, callbacks=[keras.callbacks.LambdaCallback(on_epoch_end=lambda e, l: time.sleep(.15))])
else:
    import torch
    torch.set_num_threads(1)
    w, b = R.choice([128, 512]), R.choice([16, 64])
    if kind == "mlp":
        x, y = torch.rand(1500, 64), torch.rand(1500, 1); m = torch.nn.Sequential(torch.nn.Linear(64, w), torch.nn.ReLU(), torch.nn.Linear(w, 1))
    elif kind == "conv":
        x, y = torch.rand(96, 3, 24, 24), torch.rand(96, 1); m = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(16 * 22 * 22, 1))
    else:
        x, y = torch.randint(0, 5000, (200, 60)), torch.rand(200, 1)
        class M(torch.nn.Module):
            def __init__(s): super().__init__(); s.e, s.r, s.h = torch.nn.Embedding(5000, 32), torch.nn.LSTM(32, 32, batch_first=True), torch.nn.Linear(32, 1)
            def forward(s, v): return s.h(s.r(s.e(v[:, :int(rng.integers(5, 60))]))[0][:, -1])
        m = M()
    o = torch.optim.Adam(m.parameters())
    for e in range(epochs):
        for i in torch.randperm(len(x)).split(b):
            o.zero_grad(); l = torch.nn.functional.mse_loss(m(x[i]), y[i]); l.backward(); o.step()
        say(e, l.item())
