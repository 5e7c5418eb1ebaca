# SPDX-License-Identifier: MIT
"""Reinforcement learning in NumPy: Q-learning from a memory of the last so many steps, which fills and is then level.

The memory is full by the tenth epoch.
"""
from collections import deque, namedtuple

import numpy as np

from training import Training

Step = namedtuple("Step", "state action reward after done")
t = Training("replay", ["Epoch %(epoch)d/%(epochs)d reward %(loss).2f", "epoch=%(epoch)d return=%(loss).3f"])
size, hidden, steps = t.lot.choice([16, 64, 128]), t.lot.choice([32, 64]), t.lot.choice([400, 800])
memory = deque(maxlen=steps * t.lot.choice([2, 5, 9]))
first, second = t.rng.standard_normal((size, hidden)) * 0.1, t.rng.standard_normal((hidden, 4)) * 0.1
target = first.copy(), second.copy()
turns = t.rng.standard_normal((4, size)) * 0.3


def values(x, weights):
    seen = np.maximum(x @ weights[0], 0)
    return seen, seen @ weights[1]


def learn():
    batch = [memory[i] for i in t.rng.integers(0, len(memory), 32)]
    x, after = np.stack([s.state for s in batch]), np.stack([s.after for s in batch])
    actions, done = np.array([s.action for s in batch]), np.array([s.done for s in batch])
    wish = np.array([s.reward for s in batch]) + 0.95 * values(after, target)[1].max(1) * ~done
    seen, guess = values(x, (first, second))
    error = np.zeros_like(guess)
    error[np.arange(32), actions] = np.clip(guess[np.arange(32), actions] - wish, -1, 1)
    back = (error @ second.T) * (seen > 0)
    second[:] -= 1e-3 * seen.T @ error
    first[:] -= 1e-3 * x.T @ back


state = t.rng.standard_normal(size)
for epoch in range(t.epochs):
    total = 0.0
    for i in range(steps):
        explores = t.rng.random() < max(0.05, 1 - epoch / 10)
        action = int(t.rng.integers(4)) if explores else int(values(state, (first, second))[1].argmax())
        after = np.tanh(0.9 * state + turns[action] + 0.05 * t.rng.standard_normal(size))
        done = bool(t.rng.random() < 0.01)
        memory.append(Step(state, action, float(after[0]), after, done))
        total += memory[-1].reward
        state = t.rng.standard_normal(size) if done else after
        if i % 4 == 3 and len(memory) >= 100:
            learn()
    target = first.copy(), second.copy()
    t.epoch_ended(epoch, total)
