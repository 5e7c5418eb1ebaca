# SPDX-License-Identifier: MIT
"""SQLite and NumPy: rows come from a database by random keys, its page cache fills; losses are written back into it."""
import os
import sqlite3
import tempfile

import numpy as np

from training import Training

t = Training("sqlite_rows", ["Epoch [%(epoch)d/%(epochs)d], Loss: %(loss).4f", "epoch %(epoch)d/%(epochs)d - loss: %(loss).4f"])
rows, width, batch = t.lot.choice([3000, 12000]), t.lot.choice([64, 256]), t.lot.choice([50, 200])
cache_kib, in_memory = t.lot.choice([1024, 4096]), t.lot.random() < 0.25
base = sqlite3.connect(":memory:" if in_memory else os.path.join(tempfile.mkdtemp(), "rows.db"))
base.execute("PRAGMA cache_size = -%d" % cache_kib)
base.execute("PRAGMA synchronous = OFF")
base.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, label REAL, data BLOB)")
base.execute("CREATE TABLE losses (epoch INTEGER PRIMARY KEY, loss REAL)")
base.executemany("INSERT INTO rows VALUES (?, ?, ?)",
                 ((i, t.lot.random(), t.rng.random(width, dtype=np.float32).tobytes()) for i in range(rows)))
base.commit()
weights = np.zeros(width, np.float32)


def batches():
    order = t.rng.permutation(rows)[:rows // 3].tolist()
    for at in range(0, len(order), batch):
        some = order[at:at + batch]
        found = base.execute("SELECT label, data FROM rows WHERE id IN (%s)" % ",".join("?" * len(some)), some).fetchall()
        yield np.stack([np.frombuffer(data, np.float32) for _, data in found]), np.array([label for label, _ in found], np.float32)


for epoch in range(t.epochs):
    total = 0.0
    for x, y in batches():
        error = x @ weights - y
        weights -= 0.01 * x.T @ error / len(x) / width
        total += float(error @ error)
    base.execute("INSERT INTO losses VALUES (?, ?)", (epoch, total))
    base.commit()
    best, = base.execute("SELECT min(loss) FROM losses").fetchone()
    t.epoch_ended(epoch, best / rows)
