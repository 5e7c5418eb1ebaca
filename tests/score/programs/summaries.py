# SPDX-License-Identifier: MIT
"""NumPy: a net of two layers; matrices of confusion, histograms and figures go through a queue to a thread that writes them."""
import io
import json
import os
import queue
import struct
import tempfile
import threading
import zlib

import numpy as np

from training import Training

t = Training("summaries", ["Epoch %(epoch)d/%(epochs)d: macro F1 %(loss).4f",
                           '{"event": "end", "epoch": %(epoch)d, "f1": %(loss).4f}'])
kinds, width = t.lot.choice([4, 12, 40]), t.lot.choice([20, 100])
hidden, rows = t.lot.choice([32, 128]), t.lot.choice([5000, 15000])
room, batch, bins = t.lot.choice([10, 100]), t.lot.choice([50, 100]), t.lot.choice([30, 200])
labels = t.rng.integers(0, kinds, rows)
x = (4 * t.rng.standard_normal((rows, width)) + t.rng.standard_normal((kinds, width))[labels]).astype(np.float32)
first = t.rng.standard_normal((width, hidden), dtype=np.float32) * 0.1
second = t.rng.standard_normal((hidden, kinds), dtype=np.float32) * 0.1


class Writer:
    """Records of a length, a checksum and a body, in a file that is begun anew when it is large"""
    def __init__(self, folder):
        self.folder, self.number, self.file = folder, 0, open(os.path.join(folder, "events.0"), "wb")
        self.waiting = queue.Queue(room)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def add(self, step, name, value):
        self.waiting.put((step, name, value))

    def run(self):
        for step, name, value in iter(self.waiting.get, None):
            self.write({"step": step, "name": name, **self.packed(value)})

    @staticmethod
    def packed(value):
        if np.isscalar(value):
            return {"value": float(value)}
        out = io.BytesIO()
        np.save(out, value)
        return {"array": zlib.compress(out.getvalue()).hex()}

    def write(self, facts):
        body = json.dumps(facts).encode()
        self.file.write(struct.pack("<QI", len(body), zlib.crc32(body)) + body)
        if self.file.tell() > 2 ** 18:
            self.file.close()
            self.number += 1
            self.file = open(os.path.join(self.folder, "events.%d" % (self.number % 3)), "wb")

    def close(self):
        self.waiting.put(None)
        self.thread.join()
        self.file.close()


def scores_of(part):
    seen = np.maximum(part @ first, 0)
    scores = seen @ second
    scores = np.exp(scores - scores.max(1, keepdims=True))
    return seen, scores / scores.sum(1, keepdims=True)


def learn(some, step):
    seen, p = scores_of(x[some])
    loss = -float(np.log(p[np.arange(len(some)), labels[some]] + 1e-9).mean())
    p[np.arange(len(some)), labels[some]] -= 1
    back = (p @ second.T) * (seen > 0)
    second[:] -= 0.05 * seen.T @ p / len(some)
    first[:] -= 0.05 * x[some].T @ back / len(some)
    writer.add(step, "loss", loss)


def report(epoch):
    guess = scores_of(x)[1].argmax(1)
    table = np.zeros((kinds, kinds), int)
    np.add.at(table, (labels, guess), 1)
    hits = np.diag(table)
    precision, recall = hits / np.maximum(1, table.sum(0)), hits / np.maximum(1, table.sum(1))
    f1 = 2 * precision * recall / np.maximum(1e-9, precision + recall)
    writer.add(epoch, "confusion", table)
    for name, array in (("first", first), ("second", second)):
        writer.add(epoch, name, np.concatenate(np.histogram(array, bins)))
    for kind in range(kinds):
        writer.add(epoch, "class %d f1" % kind, f1[kind])
    return float(f1.mean())


writer = Writer(tempfile.mkdtemp())
for epoch in range(t.epochs):
    order = t.rng.permutation(rows)
    for step, at in enumerate(range(0, rows, batch)):
        learn(order[at:at + batch], epoch * rows // batch + step)
    t.epoch_ended(epoch, report(epoch))
writer.close()
