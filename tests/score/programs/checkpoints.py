# SPDX-License-Identifier: MIT
"""Keras: fit with part of the rows held back and the usual callbacks: weights saved, a log as CSV, rates lowered, early stop.

Not by ModelCheckpoint, of which every save leaves a little behind with Keras 3.15 and TensorFlow 2.21.
"""
import os
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import keras  # noqa: E402
import numpy as np  # noqa: E402
from keras import layers  # noqa: E402

from training import Training  # noqa: E402

t = Training("checkpoints", ["Epoch %(epoch)d/%(epochs)d val_loss %(loss).4f", "epoch %(epoch)d, validation %(loss).4f"])
keras.utils.set_random_seed(t.args.seed)
side, channels, rows, batch = t.lot.choice([12, 20]), t.lot.choice([8, 16]), t.lot.choice([200, 400]), t.lot.choice([16, 32])
by_keras, best_only = t.lot.random() < 0.6, t.lot.random() < 0.6    # whose lines; which weights are saved
folder = tempfile.mkdtemp()


class Saves(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.best = float("inf")

    def on_epoch_end(self, epoch, logs=None):
        if not best_only or logs["val_loss"] < self.best:
            self.best = min(self.best, logs["val_loss"])
            np.savez(os.path.join(folder, "weights-%d.npz" % (epoch % 3)), *self.model.get_weights())


class Ends(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if by_keras:
            t.keep(epoch)
        else:
            t.epoch_ended(epoch, float(logs["val_loss"]))


model = keras.Sequential([keras.Input((side, side, 3)), layers.RandomFlip("horizontal"), layers.RandomTranslation(0.1, 0.1),
                          layers.Conv2D(channels, 3, padding="same", activation="relu"), layers.BatchNormalization(),
                          layers.MaxPooling2D(), layers.SeparableConv2D(2 * channels, 3, padding="same", activation="relu"),
                          layers.GlobalAveragePooling2D(), layers.Dropout(0.3), layers.Dense(6, activation="softmax")])
model.compile(keras.optimizers.Adam(3e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
y = t.rng.integers(0, 6, rows)
x = (t.rng.random((rows, side, side, 3)) * 0.6 + y[:, None, None, None] / 15).astype("float32")
callbacks = [Saves(), keras.callbacks.CSVLogger(os.path.join(folder, "log.csv")),
             keras.callbacks.ReduceLROnPlateau(patience=3, factor=0.5, min_lr=1e-5),
             keras.callbacks.EarlyStopping(patience=t.epochs, restore_best_weights=True)]
model.fit(x, y, batch_size=batch, epochs=t.epochs, validation_split=0.2, verbose=2 if by_keras else 0,
          callbacks=[*callbacks, Ends()])
