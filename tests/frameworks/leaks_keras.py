# SPDX-License-Identifier: MIT
"""Keras trainings that keep something in each epoch. usage: leaks_keras.py KIND EPOCHS"""
import functools
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
import tensorflow as tf

KIND, EPOCHS = sys.argv[1], int(sys.argv[2])
X = np.random.rand(3000, 64).astype("float32")
Y = np.random.rand(3000, 50).astype("float32")


def model_of(width=128):
    model = keras.Sequential([keras.Input((64,)), keras.layers.Dense(width, activation="relu"), keras.layers.Dense(50)])
    model.compile("adam", "mse")
    return model


class BadCallback(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.saved = []

    def on_epoch_end(self, epoch, logs=None):
        self.saved.append(self.model.predict(X, verbose=0))


class CallClosure(keras.callbacks.Callback):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def on_epoch_end(self, epoch, logs=None):
        self.function(epoch)


def callback():
    model_of().fit(X, Y, epochs=EPOCHS, verbose=2, callbacks=[BadCallback()])


def closure():
    def make():
        kept = []
        return lambda epoch: kept.append(np.random.rand(300, 256))

    model_of().fit(X, Y, epochs=EPOCHS, verbose=2, callbacks=[CallClosure(make())])


@functools.lru_cache(maxsize=None)
def embed(epoch):
    return np.random.rand(300, 256)


def lru_cache():
    model_of().fit(X, Y, epochs=EPOCHS, verbose=2, callbacks=[CallClosure(embed)])


memo = {}


def memo_dict():
    model_of().fit(X, Y, epochs=EPOCHS, verbose=2, callbacks=[CallClosure(lambda e: memo.update({e: np.random.rand(300, 256)}))])


def batches():
    """A generator that keeps what it has yielded."""
    seen = []
    while True:
        for _ in range(20):
            seen.append(np.random.rand(32, 64).astype("float32"))
            yield seen[-1], np.random.rand(32, 50).astype("float32")


def generator():
    model_of().fit(batches(), steps_per_epoch=20, epochs=EPOCHS, verbose=2)


models = []


def models_in_a_list():
    for epoch in range(EPOCHS):
        models.append(model_of(256))
        models[-1].fit(X[:256], Y[:256], epochs=1, verbose=0)
        print("Epoch %d/%d" % (epoch + 1, EPOCHS), flush=True)


@tf.function
def step(x, factor):
    for _ in range(20):
        x = tf.tanh(x * factor)
    return tf.reduce_sum(x)


def retraced():
    """A Python number as argument makes a new graph for each value."""
    x = tf.constant(X)
    for epoch in range(EPOCHS):
        for k in range(10):
            step(x, float(10 * epoch + k))
        print("Epoch %d/%d" % (epoch + 1, EPOCHS), flush=True)


{"callback": callback, "closure": closure, "lru-cache": lru_cache, "memo-dict": memo_dict, "generator": generator,
 "models-in-a-list": models_in_a_list, "retraced": retraced}[KIND]()
