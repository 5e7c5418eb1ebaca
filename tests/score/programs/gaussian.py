# SPDX-License-Identifier: MIT
"""SciPy: a Gaussian process whose parameters L-BFGS betters a few steps per epoch, on another sample; predictions with bounds."""
import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

from training import Training

t = Training("gaussian", ["Epoch %(epoch)d/%(epochs)d nll %(loss).3f", "epoch %(epoch)d done, objective %(loss).4f"])
points, columns, some = t.lot.choice([400, 1000]), t.lot.choice([2, 5]), t.lot.choice([60, 150])
x = t.rng.random((points, columns))
y = np.sin(6 * x[:, 0]) + x[:, 1] ** 2 + 0.1 * t.rng.standard_normal(points)
found = np.zeros(3)


def kernel(a, b, logs):
    return np.exp(logs[0]) * np.exp(-0.5 * cdist(a, b, "sqeuclidean") / np.exp(2 * logs[1]))


def objective(logs, rows):
    k = kernel(x[rows], x[rows], logs) + (np.exp(2 * logs[2]) + 1e-6) * np.eye(len(rows))
    factor = cho_factor(k, lower=True)
    return 0.5 * y[rows] @ cho_solve(factor, y[rows]) + np.log(np.diag(factor[0])).sum() + 0.01 * logs @ logs


for epoch in range(t.epochs):
    rows = t.rng.choice(points, some, replace=False)
    better = minimize(objective, found, args=(rows,), method="L-BFGS-B", bounds=[(-4, 4)] * 3, options={"maxiter": 3})
    found = better.x
    k = kernel(x[rows], x[rows], found) + np.exp(2 * found[2]) * np.eye(some)
    cross = kernel(x, x[rows], found)
    mean = cross @ np.linalg.solve(k, y[rows])
    bound = np.sqrt(np.maximum(0, np.exp(found[0]) - np.einsum("ij,ji->i", cross, np.linalg.solve(k, cross.T))))
    print("error %.4f, bound %.4f" % (np.abs(mean - y).mean(), bound.mean()))
    t.epoch_ended(epoch, float(better.fun))
