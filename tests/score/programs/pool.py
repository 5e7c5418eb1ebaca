# SPDX-License-Identifier: MIT
"""multiprocessing: workers prepare the batches, a pool for the whole run or a new one in every epoch."""
import multiprocessing

import numpy as np

from training import Training


def prepare(seed):
    rng = np.random.default_rng(seed)
    rows = rng.random((200, 64)).astype(np.float32)
    return (rows - rows.mean(0)) / rows.std(0)


def main():
    t = Training("pool")
    workers, batches = t.lot.choice([1, 2]), t.lot.choice([20, 40])
    anew, tasks = t.lot.random() < 0.3, t.lot.choice([None, 100])
    weights = np.zeros(64, np.float32)
    fork = multiprocessing.get_context("fork")
    pool = fork.Pool(workers, maxtasksperchild=tasks)
    for epoch in range(t.epochs):
        if anew:
            pool.close()
            pool.join()
            pool = fork.Pool(workers, maxtasksperchild=tasks)
        loss = 0.0
        for rows in pool.imap(prepare, range(epoch * batches, (epoch + 1) * batches)):
            error = rows @ weights - rows[:, 0]
            weights -= 0.001 * (rows.T @ error) / len(rows)
            loss += float(error @ error)
        t.epoch_ended(epoch, loss)
    pool.close()
    pool.join()


main()
