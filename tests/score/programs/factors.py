# SPDX-License-Identifier: MIT
"""SciPy: a sparse matrix of ratings factored by alternating least squares, another sample of it in every epoch."""
import numpy as np
from scipy import sparse

from training import Training

t = Training("factors")
users, items, rank = t.lot.choice([300, 800]), t.lot.choice([200, 500]), t.lot.choice([8, 16, 32])
ratings = sparse.random(users, items, 0.05, "csr", random_state=t.args.seed)
left, right = t.rng.random((users, rank)), t.rng.random((items, rank))


def solve(matrix, other):
    out = np.zeros((matrix.shape[0], rank))
    for i in range(matrix.shape[0]):
        row = matrix[[i]]
        near = other[row.indices]
        out[i] = np.linalg.solve(near.T @ near + 0.1 * np.eye(rank), near.T @ row.data)
    return out


for epoch in range(t.epochs):
    sample = ratings.multiply(t.rng.random((users, 1)) < 0.9).tocsr()
    left = solve(sample, right)
    right = solve(sample.T.tocsr(), left)
    error = ratings - sparse.csr_matrix(ratings.astype(bool)).multiply(left @ right.T)
    t.epoch_ended(epoch, float(error.multiply(error).sum()))
