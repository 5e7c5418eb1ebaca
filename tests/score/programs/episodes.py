# SPDX-License-Identifier: MIT
"""Reinforcement learning in NumPy: episodes of random length, played into lists, then a policy gradient over them."""
import numpy as np

from training import Training

t = Training("episodes")
hidden, games, longest = t.lot.choice([32, 128]), t.lot.choice([10, 30]), t.lot.choice([100, 400])
first, second = t.rng.standard_normal((4, hidden)) * 0.1, t.rng.standard_normal((hidden, 2)) * 0.1


def play():
    state, steps = t.rng.random(4), []
    while len(steps) < longest and t.rng.random() > 1 / longest:
        seen = np.tanh(state @ first)
        p = np.exp(seen @ second)
        p /= p.sum()
        action = int(t.rng.random() < p[1])
        steps.append({"state": state, "seen": seen, "p": p, "action": action, "reward": float(state[0] > 0)})
        state = 0.95 * state + 0.1 * (action - 0.5) + 0.05 * t.rng.standard_normal(4)
    return steps


for epoch in range(t.epochs):
    total = 0.0
    for game in [play() for _ in range(games)]:
        for step in game:
            wish = -step["p"]
            wish[step["action"]] += 1
            second += 1e-4 * step["reward"] * np.outer(step["seen"], wish)
            total += step["reward"]
    t.epoch_ended(epoch, total / games)
