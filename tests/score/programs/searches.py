# SPDX-License-Identifier: MIT
"""scikit-learn and joblib: folds of a search are fitted by processes that stay; rows go to them through a mapped file."""
import warnings

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import loguniform
from sklearn.base import clone
from sklearn.datasets import make_regression
from sklearn.linear_model import ElasticNet, HuberRegressor
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from training import Training


def fitted(model, x, y, seen, held):
    warnings.simplefilter("ignore")
    model.fit(x[seen], y[seen])
    return mean_absolute_error(y[held], model.predict(x[held]))


if __name__ == "__main__":
    t = Training("searches", ["Epoch %(epoch)d/%(epochs)d error %(loss).3f", "epoch %(epoch)d mae %(loss).4f"])
    warnings.simplefilter("ignore")
    rows, folds = t.lot.choice([1500, 3000]), t.lot.choice([2, 4])
    x, y = make_regression(rows, 12, noise=5, random_state=t.args.seed)
    with Parallel(2, backend="loky", max_nbytes="100K", mmap_mode="r") as team:
        for epoch in range(t.epochs):
            which = t.lot.choice([ElasticNet(max_iter=200), HuberRegressor(max_iter=50), KNeighborsRegressor(t.lot.randint(3, 15))])
            model = make_pipeline(StandardScaler(), PolynomialFeatures(2), which)
            if not isinstance(which, KNeighborsRegressor):
                which.set_params(alpha=loguniform(1e-3, 1).rvs(random_state=epoch))
            cuts = KFold(folds, shuffle=True, random_state=epoch).split(x)
            errors = team(delayed(fitted)(clone(model), x, y, seen, held) for seen, held in cuts)
            t.epoch_ended(epoch, float(np.mean(errors)))
