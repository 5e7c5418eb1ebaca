# SPDX-License-Identifier: MIT
"""pandas: features of every epoch by grouping, joining and pivoting a table anew, then a linear fit on them."""
import numpy as np
import pandas as pd

from training import Training

t = Training("groups")
rows, users = t.lot.choice([20000, 50000]), t.lot.choice([200, 2000])
table = pd.DataFrame({"user": t.rng.integers(0, users, rows), "item": t.rng.integers(0, 50, rows), "spent": t.rng.random(rows),
                      "kind": t.rng.choice(["a", "b", "c"], rows)})
for epoch in range(t.epochs):
    some = table.sample(frac=0.8, random_state=epoch)
    by_user = some.groupby("user").agg(total=("spent", "sum"), mean=("spent", "mean"), n=("item", "count"))
    wide = some.pivot_table(index="user", columns="kind", values="spent", aggfunc="mean").fillna(0)
    joined = some.merge(by_user, left_on="user", right_index=True).merge(wide, left_on="user", right_index=True)
    x = joined[["total", "mean", "n", "a", "b", "c"]].to_numpy()
    solution, residue, *_ = np.linalg.lstsq(x, joined["spent"].to_numpy(), rcond=None)
    t.epoch_ended(epoch, float(residue[0]) / rows if len(residue) else 0.0)
