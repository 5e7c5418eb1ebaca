# SPDX-License-Identifier: MIT
"""Small real Keras trainings. usage: train_keras.py CASE EPOCHS VERBOSE"""
import os
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf

import truth

CASE, EPOCHS = sys.argv[1], int(sys.argv[2])
VERBOSE = sys.argv[3] if sys.argv[3] == "auto" else int(sys.argv[3])
ROWS, WIDTH = 2048, 64


def model_of(width=WIDTH):
    model = keras.Sequential([keras.layers.Input((width,)), keras.layers.Dense(64, "relu"), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


class Truth(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        truth.epoch_ended()


class KeepsPredictions(keras.callbacks.Callback):
    """The leak people write: the predictions of every epoch stay in a list."""

    def __init__(self, x):
        super().__init__()
        self.x, self.kept = x, []

    def on_epoch_end(self, epoch, logs=None):
        self.kept.append(np.repeat(self.model.predict(self.x, verbose=0), 1024, axis=1))


def data(rows=ROWS, width=WIDTH):
    return np.random.rand(rows, width).astype("float32"), np.random.rand(rows, 1).astype("float32")


def fit(*callbacks, **kwargs):
    x, y = data()
    model_of().fit(x, y, epochs=EPOCHS, batch_size=32, verbose=VERBOSE, callbacks=[*callbacks, Truth()], **kwargs)


def plain():
    fit()


def kept():
    fit(KeepsPredictions(data()[0]))


def twice():
    """A second fit() of the same model, as after a change of the learning rate; each epoch is saved."""
    x, y = data()
    model = model_of()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            saved = keras.callbacks.ModelCheckpoint(os.path.join(folder, "{epoch}.keras"), verbose=1)
            model.fit(x, y, epochs=EPOCHS, batch_size=32, verbose=VERBOSE, callbacks=[saved, Truth()])


def conv():
    layers = keras.layers
    model = keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(16, 3, activation="relu"), layers.MaxPool2D(),
                              layers.Conv2D(32, 3, activation="relu"), layers.Flatten(), layers.Dropout(0.5),
                              layers.Dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(np.random.rand(512, 28, 28, 1).astype("float32"), np.random.randint(0, 10, 512), epochs=EPOCHS,
              verbose=VERBOSE, validation_split=0.2, callbacks=[Truth()])


def lstm():
    model = keras.Sequential([keras.layers.Input((20, 8)), keras.layers.LSTM(32), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(np.random.rand(256, 20, 8).astype("float32"), np.random.rand(256, 1).astype("float32"), epochs=EPOCHS,
              verbose=VERBOSE, callbacks=[Truth()])


def validation():
    x, y = data(512)
    fit(keras.callbacks.ReduceLROnPlateau(), validation_data=(x, y))


def resumed():
    fit(initial_epoch=17)


def cache():
    def rows():
        for _ in range(512):
            yield np.random.rand(32, 1024).astype("float32"), np.random.rand(32, 1).astype("float32")

    spec = (tf.TensorSpec((32, 1024), tf.float32), tf.TensorSpec((32, 1), tf.float32))
    model_of(1024).fit(tf.data.Dataset.from_generator(rows, output_signature=spec).cache(), epochs=EPOCHS,
                       verbose=VERBOSE, callbacks=[Truth()])


def dataset():
    x, y = data(100_000, 512)
    model_of(512).fit(x, y, epochs=EPOCHS, batch_size=2048, verbose=VERBOSE, callbacks=[Truth()])


def rebuild(clear=False):
    """A new model for every round of a search, each with its own fit()."""
    x, y = data()
    models = []
    for number in range(EPOCHS):
        if clear:
            keras.backend.clear_session()
        model = keras.Sequential([keras.layers.Input((WIDTH,)), keras.layers.Dense(2048, "relu"),
                                  keras.layers.Dense(1024, "relu"), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        print("Epoch %d/%d" % (number + 1, EPOCHS), flush=True)
        model.fit(x, y, epochs=1, batch_size=256, verbose=0)
        if not clear:
            models.append(model)
        truth.epoch_ended()


{"plain": plain, "conv": conv, "lstm": lstm, "validation": validation, "kept": kept, "twice": twice, "resumed": resumed,
 "cache": cache, "dataset": dataset, "rebuild": rebuild, "rebuild-clear": lambda: rebuild(clear=True)}[CASE]()
