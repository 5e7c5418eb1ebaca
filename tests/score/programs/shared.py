# SPDX-License-Identifier: MIT
"""multiprocessing: rows lie in shared memory; workers that live throughout take orders from queues and put gradients into slots."""
import multiprocessing
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from training import Training

COLUMNS = 100


def work(names, rows, number, orders, done):
    memory = [SharedMemory(name) for name in names]
    x = np.ndarray((rows, COLUMNS), np.float32, memory[0].buf)
    y = np.ndarray(rows, np.float32, memory[1].buf)
    weights = np.ndarray(COLUMNS, np.float64, memory[2].buf)
    slot = np.ndarray((len(names), COLUMNS), np.float64, memory[3].buf)[number]
    for begin, count, seed in iter(orders.get, None):
        some = begin + np.random.default_rng(seed).permutation(count)[:count * 3 // 4]
        mine = x[some].astype(np.float64)
        gap = mine @ weights - y[some]
        slot[:] = mine.T @ gap / len(gap)
        done.put((number, float(np.mean(gap ** 2))))
    del x, y, weights, slot
    for some in memory:
        some.close()


def main():
    t = Training("shared", ["Epoch %(epoch)d/%(epochs)d mse %(loss).4f", "epoch %(epoch)d: %(loss).5f"])
    rows, workers, steps = t.lot.choice([1300000, 1400000]), t.lot.choice([2, 3]), t.lot.choice([4, 8])
    how = multiprocessing.get_context(t.lot.choice(["fork", "spawn"]))
    sizes = [rows * COLUMNS * 4, rows * 4, COLUMNS * 8, 4 * COLUMNS * 8]
    memory = [SharedMemory(create=True, size=size) for size in sizes]
    names = [some.name for some in memory]
    x = np.ndarray((rows, COLUMNS), np.float32, memory[0].buf)
    y = np.ndarray(rows, np.float32, memory[1].buf)
    weights = np.ndarray(COLUMNS, np.float64, memory[2].buf)
    slots = np.ndarray((4, COLUMNS), np.float64, memory[3].buf)
    for at in range(0, rows, 100000):
        x[at:at + 100000] = t.rng.random((len(x[at:at + 100000]), COLUMNS), dtype=np.float32) - 0.5
    y[:] = x[:, 0] - 2 * x[:, 1]
    orders, done = [how.Queue() for _ in range(workers)], how.Queue()
    team = [how.Process(target=work, args=(names, rows, i, orders[i], done)) for i in range(workers)]
    for one in team:
        one.start()
    speed = np.zeros(COLUMNS)
    for epoch in range(t.epochs):
        total = 0.0
        for step in range(steps):
            count = t.lot.choice([8000, 16000, 24000])
            for queue in orders:
                queue.put((t.lot.randrange(rows - count), count, epoch * steps + step))
            total += sum(done.get()[1] for _ in team) / workers / steps
            speed = 0.9 * speed - 0.2 * slots[:workers].mean(0)
            weights += speed
        if epoch % 5 == 0:
            part = x[:40000] @ weights
            print("held out %.4f" % np.mean((part - y[:40000]) ** 2))
        t.epoch_ended(epoch, total)
    for queue in orders:
        queue.put(None)
    for one in team:
        one.join()
    del x, y, weights, slots, speed
    for some in memory:
        some.close()
        some.unlink()


if __name__ == "__main__":
    main()
