# SPDX-License-Identifier: MIT
"""XGBoost or LightGBM on a stream: the same trees get new leaves from new rows, or new trees replace as many of the oldest.

LightGBM 4.7 gets as many rows every time: its refit() leaves a little behind where their number changes.
"""
import math

from training import Training

t = Training("refits", ["Round %(epoch)d: rmse=%(loss).5f", "Epoch %(epoch)d/%(epochs)d rmse %(loss).4f"])
rows, width, trees = t.lot.choice([5000, 20000]), t.lot.choice([10, 30]), t.lot.choice([20, 60])
depth, way = t.lot.choice([4, 6]), t.lot.choice(["xgboost refresh", "xgboost replace", "lightgbm refit"])
slope = t.rng.standard_normal(width)


def some_rows(count, when):
    """Sometimes few and sometimes many; what is to be learnt sways slowly."""
    x = t.rng.random((count, width), dtype="float32")
    return x, x @ slope + 3 * math.sin(when / 10) * x[:, 0] * x[:, 1] + 0.1 * t.rng.standard_normal(count)


class Boosted:
    settings = {"max_depth": depth, "nthread": 1, "verbosity": 0, "eta": 0.2}

    def __init__(self, x, y):
        import xgboost
        self.xgboost = xgboost
        self.model = xgboost.train(self.settings, xgboost.DMatrix(x, y), trees)

    def learn(self, x, y):
        data = self.xgboost.DMatrix(x, y)
        if way == "xgboost refresh":
            again = {**self.settings, "process_type": "update", "updater": "refresh", "refresh_leaf": True}
            self.model = self.xgboost.train(again, data, trees, xgb_model=self.model)
        else:
            self.model = self.xgboost.train(self.settings, data, 5, xgb_model=self.model[5:])

    def guess(self, x):
        return self.model.predict(self.xgboost.DMatrix(x))


class Light:
    def __init__(self, x, y):
        import lightgbm
        settings = {"num_leaves": 2 ** depth - 1, "verbose": -1, "num_threads": 1}
        self.model = lightgbm.train(settings, lightgbm.Dataset(x, y), trees)

    def learn(self, x, y):
        self.model = self.model.refit(x, y, decay_rate=0.8)

    def guess(self, x):
        return self.model.predict(x)


model = (Light if way == "lightgbm refit" else Boosted)(*some_rows(rows, 0))
for epoch in range(t.epochs):
    for _ in range(t.lot.choice([1, 2, 3])):
        count = t.lot.randint(rows // 2, rows)
        model.learn(*some_rows(rows // 2 if way == "lightgbm refit" else count, epoch))
    x, y = some_rows(500, epoch)
    t.epoch_ended(epoch, float(((model.guess(x) - y) ** 2).mean() ** 0.5))
