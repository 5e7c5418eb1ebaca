# SPDX-License-Identifier: MIT
"""Keras: windows of time series cut by a dataset class, by threads or not; recurrent or dilated; a forecast after each epoch.

Not by predict(), of which every call leaves a little behind with Keras 3.15 and TensorFlow 2.21.
"""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("forecasts", ["Epoch %(epoch)d/%(epochs)d mae=%(loss).4f", "[%(epoch)d] epoch %(epoch)d done, error %(loss).4f"])
keras.utils.set_random_seed(t.args.seed)
span, ahead, width, batch = t.lot.choice([24, 48]), t.lot.choice([1, 12]), t.lot.choice([16, 32]), t.lot.choice([32, 64])
batches, by_keras = t.lot.choice([10, 20]), t.lot.random() < 0.5
hours = np.arange(2000)
series = np.stack([np.sin(hours / t.lot.uniform(3, 30)) + 0.1 * t.rng.standard_normal(2000)
                   for _ in range(t.lot.choice([4, 12]))])
series = ((series - series.mean(1, keepdims=True)) / series.std(1, keepdims=True)).astype("float32")


class Windows(keras.utils.PyDataset):
    def __len__(self):
        return batches

    def __getitem__(self, _index):
        which, at = t.rng.integers(0, len(series), batch), t.rng.integers(0, 2000 - span - ahead - 100, batch)
        cut = np.stack([series[w, i:i + span + ahead] for w, i in zip(which, at)])
        return cut[:, :span, None], cut[:, span:]


class Ends(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        last = series[:, -span - ahead:]
        guess = self.model.predict_on_batch(last[:, :span, None])
        error = float(np.abs(guess - last[:, span:]).mean())
        if by_keras:
            t.keep(epoch)
        else:
            t.epoch_ended(epoch, error)


past = keras.Input((span, 1))
if t.lot.random() < 0.5:
    seen = layers.GRU(width)(past)
else:
    seen = past
    for dilation in (1, 2, 4):
        seen = layers.Conv1D(width, 3, padding="causal", dilation_rate=dilation, activation="relu")(seen)
    seen = layers.Flatten()(layers.Cropping1D((span - 1, 0))(seen))
model = keras.Model(past, layers.Dense(ahead)(layers.Dropout(0.1)(seen)))
model.compile(keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(3e-3, t.epochs * batches)), "huber", metrics=["mae"])
workers = t.lot.choice([1, 2, 4])
model.fit(Windows(workers=workers, use_multiprocessing=False, max_queue_size=t.lot.choice([4, 10])), epochs=t.epochs,
          verbose=2 if by_keras else 0, callbacks=[Ends()])
