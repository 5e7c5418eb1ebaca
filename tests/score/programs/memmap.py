# SPDX-License-Identifier: MIT
"""NumPy: least squares over a file that is mapped, read in blocks of another order in every epoch."""
import os
import tempfile

import numpy as np

from training import Training

t = Training("memmap")
rows, width, block = t.lot.choice([60000, 200000]), t.lot.choice([64, 128]), t.lot.choice([512, 2048])
path = os.path.join(tempfile.mkdtemp(), "rows.bin")
with open(path, "wb") as f:
    for _ in range(rows // 2000):
        f.write(t.rng.random((2000, width), dtype=np.float32).tobytes())
again = t.lot.random() < 0.5        # mapped anew in every epoch
data = np.memmap(path, np.float32, "r", shape=(rows, width))
weights = np.zeros(width, np.float32)
for epoch in range(t.epochs):
    if again:
        data = np.memmap(path, np.float32, "r", shape=(rows, width))
    loss = 0.0
    for at in t.rng.permutation(rows // block):
        part = np.array(data[at * block:(at + 1) * block])
        error = part @ weights - part[:, 0]
        weights -= 0.01 / block * (part.T @ error)
        loss += float(error @ error)
    t.epoch_ended(epoch, loss / rows)
os.unlink(path)
