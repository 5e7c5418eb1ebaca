# SPDX-License-Identifier: MIT
"""NumPy: a convolution by unfolded pictures, and optimisers put together from small transforms of gradients."""
import numpy as np

from training import Training

t = Training("im2col")
side, channels, kernels, rows = t.lot.choice([12, 16, 24]), t.lot.choice([1, 3]), t.lot.choice([8, 16]), t.lot.choice([100, 200])
y = t.rng.integers(0, 4, rows)
x = t.rng.random((rows, channels, side, side)).astype("float32")
x[np.arange(rows), 0, y * 2, :] += 1
out = (side - 2) ** 2
weights = {"conv": t.rng.standard_normal((kernels, channels * 9)).astype("float32") * 0.1,
           "dense": t.rng.standard_normal((kernels * out, 4)).astype("float32") * 0.01, "bias": np.zeros(4, "float32")}


def clipped(most):
    def update(grads, state):
        size = np.sqrt(sum(float((g * g).sum()) for g in grads.values()))
        return {k: g * min(1, most / (size + 1e-9)) for k, g in grads.items()}, state
    return dict, update


def by_moments(b1=0.9, b2=0.999):
    def init():
        return {"n": 0, "m": {k: np.zeros_like(w) for k, w in weights.items()}, "v": {k: np.zeros_like(w) for k, w in weights.items()}}

    def update(grads, state):
        n = state["n"] + 1
        m = {k: b1 * state["m"][k] + (1 - b1) * g for k, g in grads.items()}
        v = {k: b2 * state["v"][k] + (1 - b2) * g * g for k, g in grads.items()}
        step = {k: m[k] / (1 - b1 ** n) / (np.sqrt(v[k] / (1 - b2 ** n)) + 1e-8) for k in grads}
        return step, {"n": n, "m": m, "v": v}
    return init, update


def with_trace(decay=0.9):
    def update(grads, state):
        state = {k: decay * state.get(k, 0) + g for k, g in grads.items()}
        return state, state
    return dict, update


def scaled(by):
    return dict, lambda grads, state: ({k: by * g for k, g in grads.items()}, state)


chain = [clipped(1.0), by_moments() if t.lot.random() < 0.6 else with_trace(), scaled(-1e-3)]
states = [init() for init, _ in chain]


def unfolded(pictures):
    seen = np.lib.stride_tricks.sliding_window_view(pictures, (3, 3), (2, 3))
    return seen.transpose(0, 2, 3, 1, 4, 5).reshape(len(pictures), out, -1).copy()


def gradients(some):
    cols = unfolded(x[some])
    seen = cols @ weights["conv"].T
    flat = np.maximum(seen, 0).reshape(len(some), -1)
    raw = flat @ weights["dense"] + weights["bias"]
    p = np.exp(raw - raw.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    loss = -np.log(p[np.arange(len(some)), y[some]] + 1e-9).mean()
    p[np.arange(len(some)), y[some]] -= 1
    p /= len(some)
    back = (p @ weights["dense"].T).reshape(seen.shape) * (seen > 0)
    return loss, {"conv": np.einsum("bok,boc->kc", back, cols), "dense": flat.T @ p, "bias": p.sum(0)}


for epoch in range(t.epochs):
    total, order = 0.0, t.rng.permutation(rows)
    for at in range(0, rows, 20):
        loss, step = gradients(order[at:at + 20])
        total += float(loss)
        for i, (_, update) in enumerate(chain):
            step, states[i] = update(step, states[i])
        weights = {k: w + step[k].astype("float32") for k, w in weights.items()}
    t.epoch_ended(epoch, total)
