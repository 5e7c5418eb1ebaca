# SPDX-License-Identifier: MIT
"""pandas and scikit-learn: a CSV file read in chunks, holes filled, features made of dates and words; models learn bit by bit."""
import os
import tempfile

import numpy as np
import pandas as pd
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import IncrementalPCA
from sklearn.linear_model import SGDRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from training import Training

t = Training("chunks", ["epoch %(epoch)d/%(epochs)d: score %(loss).4f", "Epoch %(epoch)d finished, R2=%(loss).4f"])
rows, chunk, shops = t.lot.choice([4000, 10000]), t.lot.choice([500, 1500]), t.lot.choice([5, 40])
learner, types = t.lot.choice(["rates", "classes", "groups"]), t.lot.random() < 0.5
path = os.path.join(tempfile.mkdtemp(), "sales.csv")
table = pd.DataFrame({"when": pd.date_range("2024-01-01", periods=rows, freq="17min"), "shop": t.rng.integers(0, shops, rows),
                      "weather": t.rng.choice(["sun", "rain", "snow", "fog"], rows), "price": t.rng.random(rows).round(3),
                      "sold": t.rng.integers(0, 100, rows), "note": ["n%05d" % i for i in t.rng.integers(0, 10 ** 5, rows)]})
table.loc[t.rng.random(rows) < 0.1, "price"] = np.nan
table.to_csv(path, index=False)
del table
scale, parts = StandardScaler(), IncrementalPCA(5)
rates, classes = SGDRegressor(learning_rate="constant", eta0=1e-3), GaussianNB()
groups = MiniBatchKMeans(8, random_state=t.args.seed, n_init=1)


def features(part):
    part["price"] = part.groupby("shop")["price"].transform(lambda p: p.fillna(p.median())).fillna(0.5)
    part = part.join(part.set_index("when").groupby("shop")["sold"].rolling("1D").mean().groupby("when").mean().rename("daily"),
                     on="when")
    part["before"] = part.groupby("shop")["price"].shift(1).fillna(part["price"])
    part["length"] = part["note"].str.len() + part["note"].str.contains("77")
    dates = part["when"].dt
    made = part[["price", "daily", "before", "length"]].assign(hour=dates.hour, day=dates.day_of_week, shop=part["shop"])
    kinds = pd.get_dummies(part["weather"]).reindex(columns=["sun", "rain", "snow", "fog"], fill_value=False)
    return pd.concat([made, kinds], axis=1).to_numpy(float), part["sold"].to_numpy(float)


def learn(x, y):
    if learner == "rates":
        x = parts.partial_fit(x).transform(x)
        return rates.partial_fit(x, y / 100).score(x, y / 100)
    if learner == "classes":
        return classes.partial_fit(x, y > 50, [False, True]).score(x, y > 50)
    return -groups.partial_fit(x).score(x) / len(x)


given = {"dtype": {"weather": "category", "shop": "int16"}} if types else {}
for epoch in range(t.epochs):
    scores = []
    with pd.read_csv(path, chunksize=chunk, parse_dates=["when"], **given) as file:
        for part in file:
            x, y = features(part)
            scores.append(learn(scale.partial_fit(x).transform(x), y))
    t.epoch_ended(epoch, float(np.mean(scores)))
