# SPDX-License-Identifier: MIT
"""LightGBM or XGBoost: queries and their results ranked; another sample of the queries and a model of as many trees every epoch."""
import numpy as np

from training import Training

t = Training("ranker", ["Epoch %(epoch)d/%(epochs)d ndcg %(loss).4f", "epoch %(epoch)d - ndcg@5: %(loss).4f"])
queries, results, columns, trees = t.lot.choice([80, 200]), t.lot.choice([10, 20]), t.lot.choice([8, 24]), t.lot.choice([10, 25])
light = t.lot.random() < 0.5
x = t.rng.random((queries, results, columns)).astype("float32")
y = np.clip((3 * x[..., 0] + x[..., 1]).round(), 0, 4).astype(int)
if light:
    import lightgbm
else:
    import xgboost


def fitted(some):
    a, b, groups = x[some].reshape(-1, columns), y[some].ravel(), [results] * len(some)
    if light:
        data = lightgbm.Dataset(a, b, group=groups, params={"verbose": -1})
        model = lightgbm.train({"objective": "lambdarank", "verbose": -1, "num_leaves": 15, "num_threads": 1}, data, trees)
        return model.predict
    data = xgboost.DMatrix(a, b)
    data.set_group(groups)
    model = xgboost.train({"objective": "rank:ndcg", "max_depth": 4, "nthread": 1, "verbosity": 0}, data, trees)
    return lambda rows: model.predict(xgboost.DMatrix(rows))


def ndcg(guess, truth):
    order, best = np.argsort(-guess, 1)[:, :5], -np.sort(-truth, 1)[:, :5]
    cost = 1 / np.log2(np.arange(5) + 2)
    gain = np.take_along_axis(truth, order, 1)
    return float((((2.0 ** gain - 1) * cost).sum(1) / (((2.0 ** best - 1) * cost).sum(1) + 1e-9)).mean())


cut = queries * 3 // 4
for epoch in range(t.epochs):
    order = t.rng.permutation(queries)
    guess = fitted(order[:cut])(x[order[cut:]].reshape(-1, columns)).reshape(-1, results)
    t.epoch_ended(epoch, ndcg(guess, y[order[cut:]]))
