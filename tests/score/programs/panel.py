# SPDX-License-Identifier: MIT
"""pandas: a large table of readings by machine; each epoch a chain of assign, merge_asof and resample over some of it, then a net."""
import numpy as np
import pandas as pd

from training import Training

t = Training("panel", ["Epoch %(epoch)d/%(epochs)d rmse %(loss).4f", "epoch %(epoch)d finished, rmse: %(loss).5f"])
rows, machines, columns = t.lot.choice([2600000, 2900000]), t.lot.choice([200, 400]), 38
span, by_kind = t.lot.choice([60000, 120000]), t.lot.random() < 0.5
table = pd.DataFrame({"at": pd.to_datetime("2024-01-01") + pd.to_timedelta(np.arange(rows) * 7, unit="s"),
                      "machine": pd.Categorical.from_codes(t.rng.integers(0, machines, rows, dtype=np.int16),
                                                           ["machine %d" % i for i in range(machines)])})
table = pd.concat([table, pd.DataFrame(t.rng.random((rows, columns), dtype=np.float32), columns=["s%d" % i for i in range(columns)])],
                  axis=1)
table["wish"] = (table["s0"] * 2 + table["s1"].rolling(5, min_periods=1).mean()).astype("float64")
repairs = pd.DataFrame({"at": table["at"].sample(5000, random_state=t.args.seed).sort_values().values, "cost": t.rng.random(5000)})
weights, bias = t.rng.normal(0, 0.1, columns + 4), 0.0


def features(part):
    part = (part.assign(hour=lambda d: d["at"].dt.hour, wave=lambda d: np.sin(d["hour"] / 4), mean=lambda d: d.groupby(
        "machine", observed=True)["s2"].transform("mean")).pipe(pd.merge_asof, repairs, on="at").fillna({"cost": 0.0}))
    return part[["s%d" % i for i in range(columns)] + ["wave", "mean", "cost", "hour"]].to_numpy(np.float64), part["wish"].to_numpy()


for epoch in range(t.epochs):
    begin = t.lot.randrange(rows - span)
    x, y = features(table.iloc[begin:begin + span - t.lot.randrange(span // 4)])
    x = (x - x.mean(0)) / (x.std(0) + 1e-6)
    for at in range(0, len(x), 4096):
        gap = x[at:at + 4096] @ weights + bias - y[at:at + 4096]
        weights -= 0.05 * x[at:at + 4096].T @ gap / len(gap)
        bias -= 0.05 * gap.mean()
    if by_kind and epoch % 4 == 3:
        daily = table.iloc[begin:begin + span].set_index("at").groupby("machine", observed=True)["wish"].resample("1D").agg(["mean", "max"])
        print(daily.describe().to_string())
    t.epoch_ended(epoch, float(np.sqrt(np.mean((x @ weights + bias - y) ** 2))))
