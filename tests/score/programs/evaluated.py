# SPDX-License-Identifier: MIT
"""Plain Python and NumPy: a factorisation machine; every third epoch another Python reads the saved weights and scores them."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

SCORER = """
import json, sys
import numpy as np
saved = np.load(sys.argv[1])
rng = np.random.default_rng(int(sys.argv[2]))
at = rng.integers(0, len(saved["linear"]), (20000, 12))
deep = saved["deep"][at]
guess = saved["linear"][at].sum(1) + 0.5 * ((deep.sum(1) ** 2) - (deep ** 2).sum(1)).sum(1)
print(json.dumps({"mean": float(guess.mean()), "spread": float(guess.std())}))
"""


def main():
    from training import Training
    t = Training("evaluated", ["Epoch %(epoch)d/%(epochs)d train %(loss).4f", "epoch=%(epoch)d loss=%(loss).4f"])
    names, width, rows = t.lot.choice([40000, 60000]), t.lot.choice([16, 24]), t.lot.choice([2000, 4000])
    linear, deep = np.zeros(names), t.rng.normal(0, 0.01, (names, width))
    folder, log = tempfile.mkdtemp(), []
    for epoch in range(t.epochs):
        total = 0.0
        at = t.rng.integers(0, names, (rows, 12))
        y = (at[:, 0] % 2).astype(float)
        for some in np.array_split(np.arange(rows), 10):
            used = deep[at[some]]
            sums = used.sum(1)
            guess = linear[at[some]].sum(1) + 0.5 * ((sums ** 2) - (used ** 2).sum(1)).sum(1)
            gap = guess - y[some]
            total += float(np.mean(gap ** 2)) / 10
            np.subtract.at(linear, at[some], 0.01 * gap[:, None])
            np.subtract.at(deep, at[some], 0.01 * gap[:, None, None] * (sums[:, None] - used))
        if epoch % 3 == 2:
            path = os.path.join(folder, "weights-%d.npz" % (epoch % 2))
            np.savez(path, linear=linear, deep=deep)
            run = subprocess.run([sys.executable, "-c", SCORER, path, str(epoch)], capture_output=True, text=True, check=True)
            log.append(json.loads(run.stdout))
            with open(os.path.join(folder, "log.json"), "w") as f:
                json.dump(log, f)
        t.epoch_ended(epoch, total)


if __name__ == "__main__":
    main()
