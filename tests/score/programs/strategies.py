# SPDX-License-Identifier: MIT
"""multiprocessing: evolution strategies; workers, replaced after a few tasks, read the weights from shared memory."""
import multiprocessing

import numpy as np

from training import Training

SIZE = 128


def reward(task):
    """Of the weights, pushed at random: -> (seed, what it earns)"""
    seed, spread = task
    rng = np.random.default_rng(seed)
    now = np.frombuffer(shared, np.float64) + spread * rng.standard_normal(SIZE * SIZE)
    play = np.random.default_rng(7).random((50, SIZE))
    return seed, -float(np.abs(np.tanh(play @ now.reshape(SIZE, SIZE)) - play[:, ::-1]).mean())


def main():
    global shared
    t = Training("strategies", ["Generation %(epoch)d: reward %(loss).4f", "[Epoch %(epoch)d/%(epochs)d] reward: %(loss).4f"])
    fork = multiprocessing.get_context("fork")
    shared = fork.RawArray("d", SIZE * SIZE)
    weights = np.frombuffer(shared, np.float64)
    workers, tries = t.lot.choice([1, 2, 3]), t.lot.choice([20, 40])
    with fork.Pool(workers, maxtasksperchild=t.lot.choice([2, 5])) as pool:
        for epoch in range(t.epochs):
            seeds = range(epoch * tries, (epoch + 1) * tries)
            found = list(pool.imap_unordered(reward, [(s, 0.05) for s in seeds], chunksize=5))
            mean = sum(r for _, r in found) / tries
            push = sum((r - mean) * np.random.default_rng(s).standard_normal(SIZE * SIZE) for s, r in found)
            weights += 0.1 * push / tries
            t.epoch_ended(epoch, mean)


main()
