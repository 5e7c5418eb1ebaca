# SPDX-License-Identifier: MIT
"""XGBoost or LightGBM: settings are searched; one trial an epoch, with callbacks that log, stop early and save; the best is held."""
import os
import tempfile

import numpy as np

from training import Training

t = Training("tuning", ["Epoch %(epoch)d/%(epochs)d best score %(loss).5f", "Round %(epoch)d/%(epochs)d: %(loss).4f",
                        "[I] Epoch %(epoch)d finished with value: %(loss).5f"])
rows, columns, most = t.lot.choice([8000, 16000]), t.lot.choice([20, 40]), t.lot.choice([10, 25])
by_xgboost, every = t.lot.random() < 0.5, t.lot.choice([3, 4])
x = t.rng.normal(size=(rows, columns)).astype(np.float32)
x[t.rng.random(x.shape) < 0.05] = np.nan
y = (np.nan_to_num(x[:, 0] * x[:, 1]) + x[:, 2:5].sum(1) > 0).astype(np.float32)
y[np.isnan(x[:, 2:5]).any(1)] = 0
cut, folder = rows * 4 // 5, tempfile.mkdtemp()
settings = {"eta": 0.1, "depth": 4, "part": 0.8}


def tried():
    return {"eta": float(np.clip(settings["eta"] * t.lot.uniform(0.6, 1.6), 0.02, 0.5)),
            "depth": min(7, max(2, settings["depth"] + t.lot.choice([-1, 0, 1]))), "part": t.lot.uniform(0.5, 1.0)}


if by_xgboost:
    import xgboost

    class Parts(xgboost.DataIter):
        def __init__(self, begin, end):
            super().__init__()
            self.at, self.begin, self.end = begin, begin, end

        def next(self, input_data):
            if self.at >= self.end:
                return False
            input_data(data=x[self.at:self.at + 2000], label=y[self.at:self.at + 2000])
            self.at += 2000
            return True

        def reset(self):
            self.at = self.begin

    class Logs(xgboost.callback.TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            if epoch % 10 == 9:
                print("  trees %d, loss %.4f" % (epoch + 1, evals_log["held"]["logloss"][-1]))
            return False

    def trial(s):
        seen = xgboost.QuantileDMatrix(Parts(0, cut), max_bin=64)
        held = xgboost.QuantileDMatrix(Parts(cut, rows), max_bin=64, ref=seen)
        model = xgboost.train({"eta": s["eta"], "max_depth": s["depth"], "subsample": s["part"], "objective": "binary:logistic",
                               "eval_metric": "logloss", "max_bin": 64, "nthread": 1}, seen, most, evals=[(held, "held")], verbose_eval=False,
                              callbacks=[Logs(), xgboost.callback.EarlyStopping(5, save_best=True)])
        return model, model.best_score
else:
    import lightgbm
    seen = lightgbm.Dataset(x[:cut], y[:cut], params={"max_bin": 63, "verbose": -1}, free_raw_data=t.lot.random() < 0.5)
    held = lightgbm.Dataset(x[cut:], y[cut:], reference=seen)

    def smoothed(guess, data):
        chance = 1 / (1 + np.exp(-guess))
        return chance - data.get_label(), np.maximum(chance * (1 - chance), 1e-6)

    def logs(env):
        if env.iteration % 10 == 9:
            print("  trees %d, auc %.4f" % (env.iteration + 1, env.evaluation_result_list[0][2]))

    def trial(s):
        seen_in = {}
        model = lightgbm.train({"learning_rate": s["eta"], "max_depth": s["depth"], "num_leaves": 2 ** s["depth"], "metric": "auc",
                                "bagging_fraction": s["part"], "bagging_freq": 1, "objective": smoothed, "num_threads": 1,
                                "verbose": -1}, seen, most, [held],
                               callbacks=[logs, lightgbm.record_evaluation(seen_in), lightgbm.early_stopping(5, verbose=False)])
        return model, 1 - max(seen_in["valid_0"]["auc"])


best, best_loss, history = None, np.inf, []
for epoch in range(t.epochs):
    now = tried()
    model, loss = trial(now)
    history.append((loss, now))
    if loss < best_loss:
        best, best_loss, settings = model, loss, now
    if epoch % every == every - 1:
        best.save_model(os.path.join(folder, "best.json"))
    del model
    t.epoch_ended(epoch, best_loss)
