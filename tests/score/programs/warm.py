# SPDX-License-Identifier: MIT
"""scikit-learn: one net after another starts from the last one's weights or learns bit by bit; the best is copied and pickled."""
import copy
import pickle
import warnings

import numpy as np
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import classification_report, f1_score
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import QuantileTransformer

from training import Training

t = Training("warm", ["Epoch %(epoch)d/%(epochs)d, f1 %(loss).4f", "[%(epoch)d/%(epochs)d] Epoch %(epoch)d: val f1 = %(loss).3f"])
warnings.simplefilter("ignore", ConvergenceWarning)
rows, columns, width = t.lot.choice([4000, 6000]), t.lot.choice([60, 100]), t.lot.choice([96, 160])
x, y = make_classification(rows, columns, n_informative=12, n_classes=4, random_state=t.args.seed)
x, x_held, y, y_held = train_test_split(x, y, test_size=0.2, random_state=t.args.seed)
scale = QuantileTransformer(n_quantiles=200).fit(x)
by_bits = t.lot.random() < 0.5
net = MLPClassifier((width, width), max_iter=2, warm_start=not by_bits, early_stopping=False, learning_rate_init=2e-3,
                    solver=t.lot.choice(["adam", "sgd"]), batch_size=t.lot.choice([100, 400]), random_state=t.args.seed)
best, best_f1, packed, history = None, 0.0, b"", []
for epoch in range(t.epochs):
    some = t.rng.permutation(len(x))[:len(x) * 3 // 4]
    noisy = scale.transform(x[some]) + t.rng.normal(0, 0.05, (len(some), columns))
    if by_bits:
        net.partial_fit(noisy, y[some], classes=np.arange(4))
    else:
        net.fit(noisy, y[some])
    guess = net.predict(scale.transform(x_held))
    f1 = f1_score(y_held, guess, average="macro")
    history.append((epoch, f1))
    if f1 > best_f1:
        best_f1, best, packed = f1, copy.deepcopy(net), pickle.dumps(net)
    if epoch % 5 == 4:
        print(classification_report(y_held, guess, zero_division=0))
    t.epoch_ended(epoch, f1)
print("best", best_f1, len(packed), best.n_iter_)
