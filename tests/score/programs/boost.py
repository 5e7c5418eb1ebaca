# SPDX-License-Identifier: MIT
"""LightGBM or XGBoost: a model of some rounds for every epoch, on another fold."""
from training import Training

t = Training("boost")
rows, rounds = t.lot.choice([2000, 6000]), t.lot.choice([10, 30])
x, y = t.rng.random((rows, 20)), t.rng.random(rows)
library, leaves, again = t.lot.choice(["lightgbm", "xgboost"]), t.lot.choice([15, 31, 63]), t.lot.random() < 0.5


def fit_lightgbm(some):
    import lightgbm
    data = lightgbm.Dataset(x[some], y[some], free_raw_data=again)
    settings = {"num_leaves": leaves, "verbose": -1, "num_threads": 1, "objective": "l2"}
    return lightgbm.train(settings, data, rounds).predict(x[:500])


def fit_xgboost(some):
    import xgboost
    settings = {"max_leaves": leaves, "max_depth": 6, "nthread": 1, "verbosity": 0}
    return xgboost.train(settings, xgboost.DMatrix(x[some], y[some]), rounds).predict(xgboost.DMatrix(x[:500]))


for epoch in range(t.epochs):
    fold = t.rng.permutation(rows)[:rows * 4 // 5]
    guess = fit_lightgbm(fold) if library == "lightgbm" else fit_xgboost(fold)
    t.epoch_ended(epoch, float(((guess - y[:500]) ** 2).mean()))
