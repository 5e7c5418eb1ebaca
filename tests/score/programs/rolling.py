# SPDX-License-Identifier: MIT
"""pandas: sales of many shops by day; lags, rolling means and joins by date made anew in every epoch, a ridge fit by hand."""
import numpy as np
import pandas as pd

from training import Training

t = Training("rolling", ["Epoch %(epoch)d/%(epochs)d rmse %(loss).4f", "[epoch %(epoch)d] rmse: %(loss).3f"])
shops, days = t.lot.choice([20, 60]), t.lot.choice([120, 300])
dates = pd.date_range("2021-01-01", periods=days)
sales = pd.DataFrame({"date": np.tile(dates, shops), "shop": np.repeat(["shop %d" % i for i in range(shops)], days),
                      "sold": t.rng.gamma(3, 10, shops * days)})
prices = pd.DataFrame({"date": dates[::7], "price": t.rng.random(len(dates[::7]))})
weights = None
for epoch in range(t.epochs):
    some = t.rng.choice(shops, shops * 3 // 4, replace=False)
    table = sales[sales["shop"].isin(["shop %d" % i for i in some])].copy()
    each = table.groupby("shop")["sold"]
    for lag in (1, 7, 14):
        table["lag %d" % lag] = each.shift(lag)
    table["mean"] = each.transform(lambda s: s.rolling(7, min_periods=1).mean())
    table["week"] = table["date"].dt.isocalendar().week.astype(int)
    table = pd.merge_asof(table.sort_values("date"), prices, on="date")
    by_week = table.pivot_table(index="shop", columns="week", values="sold", aggfunc="sum").stack().rename("week sum").reset_index()
    table = table.merge(by_week, on=["shop", "week"], how="left").dropna()
    x = table[["lag 1", "lag 7", "lag 14", "mean", "price", "week sum"]].to_numpy()
    x = np.c_[(x - x.mean(0)) / x.std(0), np.ones(len(x))]
    y = table["sold"].to_numpy()
    new = np.linalg.solve(x.T @ x + 0.1 * np.eye(7), x.T @ y)
    weights = new if weights is None else 0.7 * weights + 0.3 * new
    t.epoch_ended(epoch, float(np.sqrt(((x @ weights - y) ** 2).mean())))
